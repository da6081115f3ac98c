/* SPDX-License-Identifier: MIT
 *
 * Reduction by pi/2 to a double-double in about [-pi/4, pi/4], and the sine and cosine of that.
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

/* Payne and Hanek, "Radian reduction for trigonometric functions", 1983: for |x| >= 2^27, finite. Of 2/pi,
 * the 192 bits that matter modulo 4 are multiplied by x's significand; below them nothing is near
 * enough to matter (the worst double leaves 2^-62). */
static WEFT struct dd reduce_huge(double x, int *quadrant)
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
	int q = (int)(p0 >> 62);
	ulong high = p0 << 2 | p1 >> 62, low = p1 << 2 | p2 >> 62;
	bool negative = high >> 63;
	q += negative;
	high = negative ? ~high : high;
	low = negative ? ~low : low;
	int zeros = (int)__builtin_elementwise_clzg(high, 64ul);
	zeros = zeros > 63 ? 63 : zeros;
	high = high << zeros | low >> 1 >> (63 - zeros);
	low <<= zeros;
	double unit = as_double((long)(1023 - 53 - zeros) << 52);
	struct dd fraction = {(double)(high >> 11) * unit,
			      (double)(high << 53 | low >> 11) * 0x1p-64 * unit};
	bool flip = negative != (bits < 0);
	*quadrant = (bits < 0 ? -q : q) & 3;
	struct dd r = times(fast_two_sum(fraction.hi, fraction.lo), (struct dd){PI_2, PI_2_LO});
	return (struct dd){flip ? -r.hi : r.hi, flip ? -r.lo : r.lo};
}

/* Cody and Waite: x - n pi/2 with pi/2 in three parts. The first difference is exact: a multiple of 2^-53
 * (or of x's last place) below 1. */
HELPER struct dd reduce(double x, int *quadrant)
{
	if (ABS(x) >= 0x1p27 && ABS(x) < INF)
		return reduce_huge(x, quadrant);
	double n = __builtin_elementwise_rint(x * INV_PI_2);
	*quadrant = whole_to_int(n) & 3;
	double first = FMA(-n, PI_2, x);
	struct dd second = two_product(n, PI_2_LO);
	struct dd r = two_sum(first, -second.hi);
	return fast_two_sum(r.hi, r.lo - FMA(n, PI_2_LO_LO, second.lo));
}

/* sin(r) = r + r^3 S(r^2), of which lo's share is lo cos(r). */
HELPER struct dd sine(struct dd r)
{
	double z = r.hi * r.hi;
	double tail = FMA(r.hi * z, sin_tail(z), FMA(r.lo, FMA(-0.5, z, 1.0), 0.0));
	return fast_two_sum(r.hi, tail);
}

/* cos(r) = 1 - r^2/2 + r^4 C(r^2), of which lo's share is -lo sin(r). */
HELPER struct dd cosine(struct dd r)
{
	struct dd z = two_product(r.hi, r.hi);
	struct dd first = fast_two_sum(1.0, -0.5 * z.hi);
	double tail = FMA(z.hi * z.hi, cos_tail(z.hi), FMA(-r.hi, r.lo, -0.5 * z.lo));
	return fast_two_sum(first.hi, first.lo + tail);
}

/* x pi = quadrant pi/2 + r: exact up to the product with pi. */
HELPER struct dd reduce_pi(double x, int *quadrant)
{
	double whole = x - 2.0 * __builtin_elementwise_trunc(0.5 * x);
	double n = __builtin_elementwise_rint(2.0 * whole);
	*quadrant = whole_to_int(n) & 3;
	return times((struct dd){FMA(-0.5, n, whole), 0.0}, (struct dd){PI, PI_LO});
}

#endif
