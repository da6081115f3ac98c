/* SPDX-License-Identifier: MIT
 *
 * Sums of two doubles (Dekker, "A floating-point technique for extending the available precision", 1971;
 * Ogita, Rump and Oishi, "Accurate sum and dot product", 2005), constants in that form, and scaling.
 */
#ifndef WEFT_DOUBLE_DOUBLE_H
#define WEFT_DOUBLE_DOUBLE_H

#include "polynomials.h"

/* hi + lo, |lo| at most half a unit in the last place of hi where the function says so. */
struct dd {
	double hi, lo;
};

#define INF ((double)INFINITY)
#define LEAST_NORMAL 0x1p-1022

/* Adding it rounds to a whole number below 2^51, which is then in the sum's last bits. */
#define ROUNDER 0x1.8p52

#define LN2 0x1.62e42fefa3800p-1 /* 42 bits: times an exponent it is exact */
#define LN2_LO 0x1.ef35793c76730p-45
#define SQRT_1_2 0x1.6a09e667f3bcdp-1
#define LN10 0x1.26bb1bbb55516p+1
#define INV_LN2 0x1.71547652b82fep+0
#define INV_LN2_LO 0x1.777d0ffda0d24p-56
#define TWO_INV_LN2 0x1.71547652b82fep+1 /* these three go with log2_tail */
#define TWO_INV_LN2_LO 0x1.77d23e7a8e538p-55
#define LOG2_CUBIC 0x1.ec709dc3a03fcp-1
#define INV_LN10 0x1.bcb7b1526e50ep-2
#define INV_LN10_LO 0x1.95355baaafad3p-57
#define LOG10_2 0x1.34413509f7800p-2 /* 42 bits */
#define LOG10_2_LO 0x1.fef311f12b358p-46
#define PI 0x1.921fb54442d18p+1
#define PI_LO 0x1.1a62633145c07p-53
#define PI_2 0x1.921fb54442d18p+0
#define PI_2_LO 0x1.1a62633145c07p-54
#define PI_2_LO_LO -0x1.f1976b7ed8fbcp-110
#define PI_4 0x1.921fb54442d18p-1
#define INV_PI 0x1.45f306dc9c883p-2
#define INV_PI_2 0x1.45f306dc9c883p-1
#define TWO_THIRDS 0x1.5555555555555p-1

/* A whole number below 2^31, or below 2^51 where its last bits are wanted; of anything else, some integer. A conversion
 * would saturate, for which vectors have no instruction. */
HELPER int whole_to_int(double n)
{
	return (int)as_long(n + 0x1.8p52);
}

/* Exact a + b, for |a| >= |b| or a = 0. */
HELPER struct dd fast_two_sum(double a, double b)
{
	double s = a + b;
	return (struct dd){s, b - (s - a)};
}

/* Exact a + b. */
HELPER struct dd two_sum(double a, double b)
{
	double s = a + b, t = s - a;
	return (struct dd){s, (a - (s - t)) + (b - t)};
}

/* Exact a * b. */
HELPER struct dd two_product(double a, double b)
{
	double p = a * b;
	return (struct dd){p, FMA(a, b, -p)};
}

#endif
