/* SPDX-License-Identifier: MIT
 *
 * half_* and native_*: specification 6.15.2. half_* are the full functions: little could be saved. native_* have 20 bits or more,
 * no special case for huge angles, and no subnormal results; under -cl-fast-relaxed-math they are used for the
 * full functions, and meet its bounds (7.4).
 */
#include "exp_single.h"

#define HALF1(name)                                                                                \
	WEFT float half_##name(float x)                                                            \
	{                                                                                          \
		return name(x);                                                                    \
	}

HALF1(cos)
HALF1(exp)
HALF1(exp2)
HALF1(exp10)
HALF1(log)
HALF1(log2)
HALF1(log10)
HALF1(sin)
HALF1(tan)

/* The logarithm loses what log2(result) has before the point, 7 bits at most. The special cases are powr's: 0 times
 * infinity is NaN. */
WEFT float half_powr(float x, float y)
{
	return exp2(y * log2(x));
}

/* sin(a - h pi), as in trigonometry.cl, within 2^-23 up to 100,000 where MAD is fused. FFTs make their factors of it, so it is no shorter.
 * Far beyond that, some number from -1 to 1. */
HELPER float native_sine_of_rest(float a, float h)
{
	float r = MAD(-h, PIF_LO, MAD(-h, PIF, a)), z = r * r;
	return at_most_one(MAD(r * z, sin_half_turn_tail(z), r));
}

WEFT float native_sin(float x)
{
	float sum = MAD(x, INV_PIF, ROUNDERF);
	return as_float(as_int(native_sine_of_rest(x, sum - ROUNDERF)) ^ as_int(sum) << 31);
}

WEFT float native_cos(float x)
{
	float sum = MAD(x, INV_PIF, -0.5f) + ROUNDERF;
	float s = native_sine_of_rest(x, sum - ROUNDERF + 0.5f);
	return as_float(as_int(s) ^ ~as_int(sum) << 31);
}

WEFT float native_tan(float x)
{
	float sum = MAD(x, 2.0f * INV_PIF, ROUNDERF), h = sum - ROUNDERF;
	float r = MAD(-h, PI_2F_LO, MAD(-h, PI_2F, x)), z = r * r;
	float t = MAD(r * z, tan_tail(z), r);
	return as_int(sum) & 1 ? -1.0f / t : t;
}

/* p 2^n for p about 1 and n in the last bits of `sum`, for normal results. */
HELPER float native_scale(float p, float sum)
{
	return as_float(as_int(p) + (as_int(sum) << 23));
}

/* The result r for x from `least` to `greatest`, where it is a normal number; beyond it is infinite, or 0 in place of a
 * subnormal number. */
HELPER float native_ends(float r, float x, float least, float greatest)
{
	r = x < least ? 0.0f : r;
	return x > greatest ? INFINITY : r;
}

/* At the ends x may be clamped, which costs less: a whole number leaves no remainder, so that the bits are those of 0 or
 * infinity. */
WEFT float native_exp2(float x)
{
	x = x < -126.0f ? -127.0f : x;
	x = x > 128.0f ? 128.0f : x;
	float sum = x + ROUNDERF, r = x - (sum - ROUNDERF);
	return native_scale(MAD(r, native_exp2_ratio(r), 1.0f), sum);
}

/* Not 2^(x / log(2)): rounding the product loses what the polynomial leaves of the 3 units that are allowed about 0. */
WEFT float native_exp(float x)
{
	float sum, r = reduce_by_log2(x, &sum);
	float y = native_scale(MAD(r, native_exp_ratio(r), 1.0f), sum);
	return native_ends(y, x, -0x1.5d589ep+6f, 0x1.62e42ep+6f);
}

WEFT float native_exp10(float x)
{
	float sum, r = reduce_by_log10_2(x, &sum);
	float y = native_scale(MAD(r, native_exp10_ratio(r), 1.0f), sum);
	return native_ends(y, x, -0x1.2f703p+5f, 0x1.344134p+5f);
}

HELPER float native_log2_of_normal(float x, float shift)
{
	float k, f = split_exponent(x, &k);
	return MAD(f, native_log2_ratio(f), (k + shift) * 0x1p-23f);
}

WEFT float native_log2(float x)
{
	if (RARELY(not_positive_normal(x))) {
		float shift, y = scale_subnormal(x, &shift);
		return log_special(x, native_log2_of_normal(y, shift));
	}
	return native_log2_of_normal(x, 0.0f);
}

WEFT float __weft_direct_native_log2(float x)
{
	float k, f = split_directly(x, &k);
	return MAD(f, native_log2_ratio(f), k);
}

/* One NaN for all: which one a product of two is, is up to code generation, and native_exp2 adds to its bits. */
HELPER float native_exp2_or_nan(float x)
{
	float r = native_exp2(x);
	return x != x ? NAN : r;
}

/* What stands on log2, with either; pow is within the bounds of relaxed math: of negative numbers, the powers that are whole
 * numbers. */
#define FROM_LOG2(log2, log, log10, powr, pow)                                                     \
	WEFT float log(float x)                                                                    \
	{                                                                                          \
		return log2(x) * 0x1.62e43p-1f;                                                    \
	}                                                                                          \
                                                                                                   \
	WEFT float log10(float x)                                                                  \
	{                                                                                          \
		float y = log2(x);                                                                 \
		return MAD(y, 0x1.344134p-2f, y * 0x1.09f8p-26f);                                  \
	}                                                                                          \
                                                                                                   \
	WEFT float powr(float x, float y)                                                          \
	{                                                                                          \
		return native_exp2_or_nan(y * log2(x));                                            \
	}                                                                                          \
                                                                                                   \
	WEFT float pow(float x, float y)                                                           \
	{                                                                                          \
		float r = native_exp2_or_nan(y * log2(ABS(x))), h = 0.5f * y;                      \
		bool odd = __builtin_elementwise_trunc(h) != h;                                    \
		return x < 0.0f & odd ? -r : r;                                                    \
	}

FROM_LOG2(native_log2, native_log, native_log10, native_powr, __weft_relaxed_pow)
FROM_LOG2(__weft_direct_native_log2, __weft_direct_native_log, __weft_direct_native_log10,
	  __weft_direct_native_powr, __weft_direct_relaxed_pow)
