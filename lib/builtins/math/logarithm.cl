/* SPDX-License-Identifier: MIT
 *
 * log, log2, log10, log1p: specification 6.15.2.
 */
#include "exp_log.h"

WEFT double log(double x)
{
	struct dd r = log_dd(x);
	return log_special(x, r.hi + r.lo);
}

WEFT double log2(double x)
{
	int k;
	struct dd m = log_parts(x, &k);
	struct dd r = times(m, (struct dd){INV_LN2, INV_LN2_LO});
	struct dd sum = fast_two_sum((double)k, r.hi);
	return log_special(x, sum.hi + (sum.lo + r.lo));
}

WEFT double log10(double x)
{
	int k;
	struct dd m = log_parts(x, &k);
	struct dd r = times(m, (struct dd){INV_LN10, INV_LN10_LO});
	struct dd sum = fast_two_sum((double)k * LOG10_2, r.hi);
	return log_special(x, sum.hi + (sum.lo + FMA((double)k, LOG10_2_LO, r.lo)));
}

/* log(1 + x) = log(u) + c / u for u + c = 1 + x. */
WEFT double log1p(double x)
{
	struct dd u = two_sum(1.0, x);
	struct dd r = log_dd(u.hi);
	double y = r.hi + (r.lo + u.lo / u.hi);
	y = ABS(x) < 0x1p-54 ? x : y;
	return log_special(u.hi, u.hi == INF ? INF : y);
}

/* log(x) / log(2) = k + s (2 + s^2 P(s^2)) / log(2) in double. */
HELPER double logf_parts(float x, double *k)
{
	long bits = as_long((double)x);
	long e = (bits - 0x3fe6a09e667f3bcd) >> 52;
	*k = (double)(int)e;
	double m = as_double(bits - (e << 52));
	double s = (m - 1.0) / (m + 1.0), z = s * s;
	return s * FMA(z, logf_tail(z), 2.0);
}

#define LOGF(name, of_two, unit)                                                                   \
	WEFT float name(float x)                                                                   \
	{                                                                                          \
		double k, m = logf_parts(x, &k);                                                   \
		return (float)log_special((double)x, FMA(k, of_two, m * unit));                    \
	}

LOGF(log, 0x1.62e42fefa39efp-1, 1.0)
LOGF(log2, 1.0, INV_LN2)
LOGF(log10, 0x1.34413509f79ffp-2, INV_LN10)
FLOAT_FORM1(log1p)
