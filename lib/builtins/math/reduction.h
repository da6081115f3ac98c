/* SPDX-License-Identifier: MIT
 *
 * Reduction of a huge angle by pi/2.
 */
#ifndef WEFT_REDUCTION_H
#define WEFT_REDUCTION_H

#include "double_double.h"

/* 2/pi after the binary point, behind 64 zeros. */
static __constant const ulong two_over_pi[] = {
	0x0000000000000000ul, 0xa2f9836e4e441529ul, 0xfc2757d1f534ddc0ul, 0xdb6295993c439041ul,
	0xfe5163abdebbc561ul, 0xb7246e3a424dd2e0ul, 0x06492eea09d1921cul, 0xfe1deb1cb129a73eul,
	0xe88235f52ebb4484ul, 0xe99c7026b45f7e41ul, 0x3991d639835339f4ul, 0x9c845f8bbdf9283bul,
	0x1ff897ffde05980ful, 0xef2f118b5a0a6d1ful, 0x6d367ecf27cb09b7ul, 0x4f463f669e5fea2dul,
	0x7527bac7ebe5f17bul, 0x3d0739f78a5292eaul, 0x6bfb5fb11f8d5d08ul, 0x56033046fc7b6babul,
	0xf0cfbc209af4361dul,
};

HELPER ulong high_product(ulong a, ulong b)
{
	return (ulong)(((unsigned _BitInt(128))a * b) >> 64);
}

/* Payne and Hanek, "Radian reduction for trigonometric functions", 1983: x = n pi/2 + r with |r| <= pi/4 for finite
 * x >= 2^27. Of 2/pi, the 192 bits that matter modulo 4 are multiplied by x's significand; below them nothing is near
 * enough to matter (the worst double leaves 2^-62). */
HELPER double reduce_huge(double x, long *n)
{
	long bits = as_long(x);
	int e = (int)(bits >> 52 & 0x7ff) - 1075;
	ulong m = (ulong)(bits & 0xfffffffffffff) | 0x10000000000000ul;
	int start = e - 2 + 64, word = start >> 6, shift = start & 63;
	ulong w[3];
	for (int i = 0; i < 3; i++)
		w[i] = two_over_pi[word + i] << shift |
		       two_over_pi[word + i + 1] >> 1 >> (63 - shift);

	ulong p2 = m * w[2], c2 = high_product(m, w[2]);
	ulong p1 = m * w[1], c1 = high_product(m, w[1]);
	p1 += c2;
	c1 += p1 < c2;
	ulong p0 = m * w[0] + c1;

	/* The quadrant in the two highest bits; the rest, to nearest, as a signed fraction. */
	ulong high = p0 << 2 | p1 >> 62, low = p1 << 2 | p2 >> 62;
	bool negative = high >> 63;
	*n = (long)(p0 >> 62) + negative;
	high = negative ? ~high : high;
	low = negative ? ~low : low;
	int zeros = (int)__builtin_elementwise_clzg(high, 64ul);
	zeros = zeros > 63 ? 63 : zeros;
	high = high << zeros | low >> 1 >> (63 - zeros);
	double unit = as_double((long)(1023 - 64 - zeros) << 52);
	double r = (double)high * unit;
	r = FMA(r, PI_2, r * PI_2_LO);
	return negative ? -r : r;
}

#endif
