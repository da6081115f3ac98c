/* SPDX-License-Identifier: MIT
 *
 * Floating-point registers: 64 bits, of which narrower numbers leave the upper ones set; without these, a register has no number of
 * that size. Every NaN that an operation makes is the canonical one.
 */
#ifndef WEFT_RISCV_REAL_REGISTERS_H
#define WEFT_RISCV_REAL_REGISTERS_H

#include "riscv/hart.h"

#include <string.h>

#define RISCV_NAN_S 0x7fc00000u
#define RISCV_NAN_D UINT64_C(0x7ff8000000000000)
#define RISCV_NAN_H 0x7e00u

static inline uint32_t riscv_bits_s(const struct riscv_hart *hart, unsigned number)
{
	const uint64_t bits = hart->f[number];

	return bits >> 32 == UINT32_MAX ? (uint32_t)bits : RISCV_NAN_S;
}

static inline float riscv_get_s(const struct riscv_hart *hart, unsigned number)
{
	const uint32_t bits = riscv_bits_s(hart, number);
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static inline double riscv_get_d(const struct riscv_hart *hart, unsigned number)
{
	double value;

	memcpy(&value, &hart->f[number], sizeof(value));
	return value;
}

static inline void riscv_put_bits_s(struct riscv_hart *hart, unsigned number, uint32_t bits)
{
	hart->f[number] = bits | ~UINT64_C(0xffffffff);
}

static inline void riscv_put_s(struct riscv_hart *hart, unsigned number, float value)
{
	uint32_t bits = RISCV_NAN_S;

	if (value == value)
		memcpy(&bits, &value, sizeof(bits));
	riscv_put_bits_s(hart, number, bits);
}

static inline void riscv_put_d(struct riscv_hart *hart, unsigned number, double value)
{
	uint64_t bits = RISCV_NAN_D;

	if (value == value)
		memcpy(&bits, &value, sizeof(bits));
	hart->f[number] = bits;
}

#endif
