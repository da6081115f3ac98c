/* SPDX-License-Identifier: MIT
 *
 * Arithmetic of floats and doubles by that of this machine, which rounds to nearest in the same way (IEEE 754). Compiled without
 * contraction.
 */
#include "riscv/real_registers.h"

#include "riscv/instruction.h"
#include "riscv/system_functions.h"

#include <math.h>
#include <stdbool.h>

/* ---- arithmetic ------------------------------------------------------------------------------ */

#define RISCV_ARITHMETIC(name, type, size, result)                                                 \
	RISCV_EXECUTE(name)                                                                        \
	{                                                                                          \
		const type a = riscv_get_##size(hart, at->rs1);                                    \
		const type b = riscv_get_##size(hart, at->rs2);                                    \
                                                                                                   \
		riscv_put_##size(hart, at->rd, result);                                            \
		return at + 1;                                                                     \
	}

RISCV_ARITHMETIC(fadd_s, float, s, a + b)
RISCV_ARITHMETIC(fsub_s, float, s, a - b)
RISCV_ARITHMETIC(fmul_s, float, s, a *b)
RISCV_ARITHMETIC(fdiv_s, float, s, a / b)
RISCV_ARITHMETIC(fadd_d, double, d, a + b)
RISCV_ARITHMETIC(fsub_d, double, d, a - b)
RISCV_ARITHMETIC(fmul_d, double, d, a *b)
RISCV_ARITHMETIC(fdiv_d, double, d, a / b)

#define RISCV_UNARY(name, type, from, size, result)                                                \
	RISCV_EXECUTE(name)                                                                        \
	{                                                                                          \
		const type a = riscv_get_##from(hart, at->rs1);                                    \
                                                                                                   \
		riscv_put_##size(hart, at->rd, result);                                            \
		return at + 1;                                                                     \
	}

RISCV_UNARY(fsqrt_s, float, s, s, sqrtf(a))
RISCV_UNARY(fsqrt_d, double, d, d, sqrt(a))
RISCV_UNARY(fcvt_s_d, double, d, s, (float)a)
RISCV_UNARY(fcvt_d_s, float, s, d, (double)a)

#define RISCV_FUSE(name, type, size, first, third)                                                 \
	RISCV_EXECUTE(name)                                                                        \
	{                                                                                          \
		const type a = riscv_get_##size(hart, at->rs1);                                    \
		const type b = riscv_get_##size(hart, at->rs2);                                    \
		const type c = riscv_get_##size(hart, at->rs3);                                    \
                                                                                                   \
		riscv_put_##size(hart, at->rd, riscv_fma_##size(first, b, third));                 \
		return at + 1;                                                                     \
	}

RISCV_FUSE(fmadd_s, float, s, a, c)
RISCV_FUSE(fmsub_s, float, s, a, -c)
RISCV_FUSE(fnmsub_s, float, s, -a, c)
RISCV_FUSE(fnmadd_s, float, s, -a, -c)
RISCV_FUSE(fmadd_d, double, d, a, c)
RISCV_FUSE(fmsub_d, double, d, a, -c)
RISCV_FUSE(fnmsub_d, double, d, -a, c)
RISCV_FUSE(fnmadd_d, double, d, -a, -c)

/* Of a number and a NaN, the number; of zeros, that with the sign. */
#define RISCV_EXTREME(name, type, size, operator, negative_first)                                  \
	RISCV_ARITHMETIC(name, type, size,                                                         \
			 a != a                                  ? b                               \
			 : b != b                                ? a                               \
			 : a operator b                          ? a                               \
			 : b operator a                          ? b                               \
			 : (signbit(a) != 0) == (negative_first) ? a                               \
								 : b)

RISCV_EXTREME(fmin_s, float, s, <, true)
RISCV_EXTREME(fmax_s, float, s, >, false)
RISCV_EXTREME(fmin_d, double, d, <, true)
RISCV_EXTREME(fmax_d, double, d, >, false)

/* ---- comparisons, signs, moves --------------------------------------------------------------- */

#define RISCV_COMPARE(name, type, size, result)                                                    \
	RISCV_EXECUTE(name)                                                                        \
	{                                                                                          \
		const type a = riscv_get_##size(hart, at->rs1);                                    \
		const type b = riscv_get_##size(hart, at->rs2);                                    \
                                                                                                   \
		hart->x[at->rd] = result;                                                          \
		return at + 1;                                                                     \
	}

RISCV_COMPARE(feq_s, float, s, a == b)
RISCV_COMPARE(flt_s, float, s, a < b)
RISCV_COMPARE(fle_s, float, s, a <= b)
RISCV_COMPARE(feq_d, double, d, a == b)
RISCV_COMPARE(flt_d, double, d, a < b)
RISCV_COMPARE(fle_d, double, d, a <= b)

static uint64_t get_bits_d(const struct riscv_hart *hart, unsigned number)
{
	return hart->f[number];
}

static void put_bits_d(struct riscv_hart *hart, unsigned number, uint64_t bits)
{
	hart->f[number] = bits;
}

#define RISCV_SIGN(name, type, get, put, sign)                                                     \
	RISCV_EXECUTE(name)                                                                        \
	{                                                                                          \
		const type mask = (type)1 << (sizeof(type) * 8 - 1);                               \
		const type a = get(hart, at->rs1), b = get(hart, at->rs2);                         \
                                                                                                   \
		put(hart, at->rd, (a & ~mask) | ((sign) & mask));                                  \
		return at + 1;                                                                     \
	}

RISCV_SIGN(fsgnj_s, uint32_t, riscv_bits_s, riscv_put_bits_s, b)
RISCV_SIGN(fsgnjn_s, uint32_t, riscv_bits_s, riscv_put_bits_s, ~b)
RISCV_SIGN(fsgnjx_s, uint32_t, riscv_bits_s, riscv_put_bits_s, a ^ b)
RISCV_SIGN(fsgnj_d, uint64_t, get_bits_d, put_bits_d, b)
RISCV_SIGN(fsgnjn_d, uint64_t, get_bits_d, put_bits_d, ~b)
RISCV_SIGN(fsgnjx_d, uint64_t, get_bits_d, put_bits_d, a ^ b)

#define RISCV_MOVE(name, to, result)                                                               \
	RISCV_EXECUTE(name)                                                                        \
	{                                                                                          \
		hart->to[at->rd] = result;                                                         \
		return at + 1;                                                                     \
	}

RISCV_MOVE(fmv_x_h, x, (uint64_t)(int16_t)hart->f[at->rs1])
RISCV_MOVE(fmv_x_w, x, riscv_word((uint32_t)hart->f[at->rs1]))
RISCV_MOVE(fmv_x_d, x, hart->f[at->rs1])
RISCV_MOVE(fmv_h_x, f, hart->x[at->rs1] | ~UINT64_C(0xffff))
RISCV_MOVE(fmv_w_x, f, hart->x[at->rs1] | ~UINT64_C(0xffffffff))
RISCV_MOVE(fmv_d_x, f, hart->x[at->rs1])

/* A bit: -inf, negative, -subnormal, -0, +0, +subnormal, positive, +inf, signalling NaN, quiet NaN. */
static uint64_t class_of(int kind, bool negative, bool quiet)
{
	switch (kind) {
	case FP_NAN:
		return quiet ? 1u << 9 : 1u << 8;
	case FP_INFINITE:
		return negative ? 1u << 0 : 1u << 7;
	case FP_NORMAL:
		return negative ? 1u << 1 : 1u << 6;
	case FP_SUBNORMAL:
		return negative ? 1u << 2 : 1u << 5;
	default:
		return negative ? 1u << 3 : 1u << 4;
	}
}

RISCV_EXECUTE(fclass_s)
{
	const float value = riscv_get_s(hart, at->rs1);

	hart->x[at->rd] =
		class_of(fpclassify(value), signbit(value), riscv_bits_s(hart, at->rs1) >> 22 & 1);
	return at + 1;
}

RISCV_EXECUTE(fclass_d)
{
	const double value = riscv_get_d(hart, at->rs1);

	hart->x[at->rd] = class_of(fpclassify(value), signbit(value), hart->f[at->rs1] >> 51 & 1);
	return at + 1;
}
