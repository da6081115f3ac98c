/* SPDX-License-Identifier: MIT
 *
 * exp, exp2, exp10, expm1: specification 6.15.2. Float computes in double with a shorter polynomial.
 */
#include "exp_log.h"

WEFT double exp(double x)
{
	return exp_of(x, 0.0);
}

WEFT double exp2(double x)
{
	double c = x > 1100.0 ? 1100.0 : x < -1100.0 ? -1100.0 : x;
	double k = __builtin_elementwise_rint(c);
	struct dd r = times((struct dd){c - k, 0.0},
			    (struct dd){0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56});
	struct dd p = fast_two_sum(r.hi, FMA(r.hi * r.hi, exp_tail(r.hi), r.lo));
	return exp_assemble(p, whole_to_int(k));
}

WEFT double exp10(double x)
{
	double c = x > 400.0 ? 400.0 : x < -400.0 ? -400.0 : x;
	struct dd y = times((struct dd){c, 0.0}, (struct dd){LN10, LN10_LO});
	return exp_of(y.hi, y.lo);
}

/* 2^n (1 + p) - 1 = (2^n - 1) + 2^n p. */
WEFT double expm1(double x)
{
	double c = x > 800.0 ? 800.0 : x < -50.0 ? -50.0 : x;
	int n;
	struct dd p = exp_parts(c, 0.0, &n);
	int m = n > 60 ? 60 : n;
	double two_n = as_double((long)(m + 1023) << 52);
	struct dd sum = two_sum(two_n - 1.0, two_n * p.hi);
	double r = n > 60 ? exp_assemble(p, n) : sum.hi + (sum.lo + two_n * p.lo);
	return ABS(x) < 0x1p-54 ? x : r;
}

HELPER float exp_float(double r, double k)
{
	double e = FMA(r * r, expf_tail(r), 1.0 + r);
	return (float)(e * as_double((long)(whole_to_int(k) + 1023) << 52));
}

WEFT float exp(float x)
{
	double c = x > 200.0f ? 200.0 : x < -200.0f ? -200.0 : (double)x;
	double k = __builtin_elementwise_rint(c * INV_LN2);
	return exp_float(FMA(-k, 0x1.62e42fefa39efp-1, c), k);
}

WEFT float exp2(float x)
{
	double c = x > 200.0f ? 200.0 : x < -200.0f ? -200.0 : (double)x;
	double k = __builtin_elementwise_rint(c);
	return exp_float((c - k) * 0x1.62e42fefa39efp-1, k);
}

WEFT float exp10(float x)
{
	double c = (x > 100.0f ? 100.0 : x < -100.0f ? -100.0 : (double)x) * LN10;
	double k = __builtin_elementwise_rint(c * INV_LN2);
	return exp_float(FMA(-k, 0x1.62e42fefa39efp-1, c), k);
}

FLOAT_FORM1(expm1)
