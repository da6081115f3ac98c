/* SPDX-License-Identifier: MIT
 *
 * Conversions between numbers. An integer that has no room for a number is the nearest one that there is, and the largest one for
 * a NaN.
 */
#include "riscv/instruction.h"
#include "riscv/real_registers.h"

#include <math.h>
#include <stdbool.h>

/* ---- to integers ----------------------------------------------------------------------------- */

/* From here on every double is an integer. */
#define WHOLE 0x1p52

static double round_whole(double value, unsigned mode)
{
	if (!(fabs(value) < WHOLE))
		return value;
	const double down = (double)(int64_t)value - ((double)(int64_t)value > value);
	const double above = value - down; /* exact: 0 to 1 */
	switch (mode) {
	case RISCV_TO_ZERO:
		return (double)(int64_t)value;
	case RISCV_DOWN:
		return down;
	case RISCV_UP:
		return above > 0 ? down + 1 : down;
	case RISCV_TO_NEAREST_AWAY:
		return above > 0.5 || (above == 0.5 && value > 0) ? down + 1 : down;
	default:
		return above > 0.5 || (above == 0.5 && (int64_t)down % 2) ? down + 1 : down;
	}
}

/* `limit`: the first number that is too large; `least` is a number that fits. */
#define RISCV_TO_INTEGER(name, size, integer, least, limit, most)                                  \
	RISCV_EXECUTE(name)                                                                        \
	{                                                                                          \
		const double value =                                                               \
			round_whole((double)riscv_get_##size(hart, at->rs1), at->rs3);             \
		const integer result = !(value < limit)          ? most                            \
				       : value < (double)(least) ? least                           \
								 : (integer)value;                 \
                                                                                                   \
		hart->x[at->rd] = (uint64_t)(int64_t)result;                                       \
		return at + 1;                                                                     \
	}
#define RISCV_TO_INTEGERS(size)                                                                    \
	RISCV_TO_INTEGER(fcvt_w_##size, size, int32_t, INT32_MIN, 0x1p31, INT32_MAX)               \
	RISCV_TO_INTEGER(fcvt_l_##size, size, int64_t, INT64_MIN, 0x1p63, INT64_MAX)               \
	RISCV_TO_INTEGER(fcvt_lu_##size, size, uint64_t, 0, 0x1p64, UINT64_MAX)                    \
	RISCV_EXECUTE(fcvt_wu_##size)                                                              \
	{                                                                                          \
		const double value =                                                               \
			round_whole((double)riscv_get_##size(hart, at->rs1), at->rs3);             \
                                                                                                   \
		hart->x[at->rd] = riscv_word(!(value < 0x1p32) ? UINT32_MAX                        \
					     : value < 0       ? 0                                 \
							       : (uint32_t)value);                 \
		return at + 1;                                                                     \
	}

RISCV_TO_INTEGERS(s)
RISCV_TO_INTEGERS(d)

/* ---- from integers --------------------------------------------------------------------------- */

static __int128 magnitude(__int128 value)
{
	return value < 0 ? -value : value;
}

/* Whether the nearest number, `nearest`, is not the one that the mode asks for, but the next one nearer to zero, or farther from it:
 * -1 or 1; else 0. */
static int correction(__int128 value, __int128 nearest, __int128 farther, unsigned mode)
{
	const bool is_nearer = magnitude(nearest) < magnitude(value); /* to zero */

	if (value == nearest)
		return 0;
	switch (mode) {
	case RISCV_TO_ZERO:
		return is_nearer ? 0 : -1;
	case RISCV_DOWN:
		return value < 0 ? is_nearer : is_nearer ? 0 : -1;
	case RISCV_UP:
		return value > 0 ? is_nearer : is_nearer ? 0 : -1;
	case RISCV_TO_NEAREST_AWAY:
		return is_nearer && magnitude(value - nearest) == magnitude(farther - value);
	default:
		return 0;
	}
}

#define RISCV_ROUND(size, type, bits_type)                                                         \
	static type round_##size(__int128 value, unsigned mode)                                    \
	{                                                                                          \
		type nearest = (type)value, farther;                                               \
		bits_type bits;                                                                    \
                                                                                                   \
		memcpy(&bits, &nearest, sizeof(bits));                                             \
		bits++;                                                                            \
		memcpy(&farther, &bits, sizeof(bits));                                             \
		bits += (bits_type)correction(value, (__int128)nearest, (__int128)farther, mode);  \
		bits--;                                                                            \
		memcpy(&nearest, &bits, sizeof(bits));                                             \
		return nearest;                                                                    \
	}

RISCV_ROUND(s, float, uint32_t)
RISCV_ROUND(d, double, uint64_t)

#define RISCV_FROM_INTEGER(name, integer, size, type)                                              \
	RISCV_EXECUTE(name)                                                                        \
	{                                                                                          \
		const integer value = (integer)hart->x[at->rs1];                                   \
		const bool nearest = at->rs3 == RISCV_TO_NEAREST || at->rs3 == RISCV_DYNAMIC;      \
                                                                                                   \
		riscv_put_##size(hart, at->rd,                                                     \
				 nearest ? (type)value : round_##size(value, at->rs3));            \
		return at + 1;                                                                     \
	}
#define RISCV_FROM_INTEGERS(size, type)                                                            \
	RISCV_FROM_INTEGER(fcvt_##size##_w, int32_t, size, type)                                   \
	RISCV_FROM_INTEGER(fcvt_##size##_wu, uint32_t, size, type)                                 \
	RISCV_FROM_INTEGER(fcvt_##size##_l, int64_t, size, type)                                   \
	RISCV_FROM_INTEGER(fcvt_##size##_lu, uint64_t, size, type)

RISCV_FROM_INTEGERS(s, float)
RISCV_FROM_INTEGERS(d, double)

/* ---- halves ---------------------------------------------------------------------------------- */

static double half_value(const struct riscv_hart *hart, unsigned number)
{
	const uint64_t bits = hart->f[number];
	const int exponent = bits >> 10 & 31;
	const double fraction = (double)(bits & 1023);

	if (bits >> 16 != UINT64_MAX >> 16 || (exponent == 31 && fraction != 0))
		return (double)NAN;
	const double size =
		exponent == 31  ? (double)INFINITY
		: exponent == 0 ? fraction * 0x1p-24
				: (fraction + 1024) * (double)(UINT64_C(1) << exponent) * 0x1p-25;
	return bits >> 15 & 1 ? -size : size;
}

/* Rounded to nearest once: a half's last place is scaled to 1, and a whole number taken. */
static uint16_t half_bits(double value)
{
	const uint16_t sign = signbit(value) ? 0x8000 : 0;
	const double size = fabs(value);
	uint64_t bits;

	if (value != value)
		return RISCV_NAN_H;
	if (size >= 65520)
		return sign | 0x7c00;
	if (size < 0x1p-14)
		return sign | (uint16_t)round_whole(size * 0x1p24, RISCV_TO_NEAREST);
	memcpy(&bits, &size, sizeof(bits));
	const uint64_t exponent = (bits >> 52) - 1023 + 15;
	const double whole = (double)(bits & (UINT64_MAX >> 12)) * 0x1p-42;
	/* what is rounded up to the next power of two carries into the exponent */
	return sign | (uint16_t)((exponent << 10) + (uint64_t)round_whole(whole, RISCV_TO_NEAREST));
}

RISCV_EXECUTE(fcvt_s_h)
{
	riscv_put_s(hart, at->rd, (float)half_value(hart, at->rs1));
	return at + 1;
}

RISCV_EXECUTE(fcvt_d_h)
{
	riscv_put_d(hart, at->rd, half_value(hart, at->rs1));
	return at + 1;
}

RISCV_EXECUTE(fcvt_h_s)
{
	hart->f[at->rd] = half_bits((double)riscv_get_s(hart, at->rs1)) | ~UINT64_C(0xffff);
	return at + 1;
}

RISCV_EXECUTE(fcvt_h_d)
{
	hart->f[at->rd] = half_bits(riscv_get_d(hart, at->rs1)) | ~UINT64_C(0xffff);
	return at + 1;
}
