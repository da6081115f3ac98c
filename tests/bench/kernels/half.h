/* SPDX-License-Identifier: MIT
 *
 * Numbers of 16 bits, without the help of the CPU or the compiler, in a form that compilers make vector code of.
 */
#ifndef WEFT_BENCH_HALF_H
#define WEFT_BENCH_HALF_H

#include <stdint.h>
#include <string.h>

/* Not for infinity and NaN. */
static inline float half_to_float(uint16_t half)
{
	uint32_t bits = (uint32_t)(half & 0x7fff) << 13;
	float number;

	memcpy(&number, &bits, sizeof(number));
	number *= 0x1p112F; /* the difference of the exponents' biases */
	return half & 0x8000 ? -number : number;
}

/* The nearest half of a number from 2^-14 to 65504. */
static inline uint16_t half_from_float(float number)
{
	uint32_t bits;

	memcpy(&bits, &number, sizeof(bits));
	bits += 0xfff + ((bits >> 13) & 1);
	return (uint16_t)((bits >> 13) - (112 << 10));
}

#endif
