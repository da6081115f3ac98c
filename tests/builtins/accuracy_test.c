/* SPDX-License-Identifier: MIT
 *
 * The built-in math functions against MPFR: edge cases and stratified samples, within the bounds of the
 * OpenCL C specification (7.4, full profile), and the same bits from scalars and vectors.
 * WEFT_TEST_SAMPLES sets the number of samples per function and stratum; WEFT_TEST_ONLY names one
 * function. Prints the worst error of each.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <mpfr.h>

#define PRECISION 160
#define BLOCK 4096

typedef int (*reference)(mpfr_t r, mpfr_t a, mpfr_t b, mpfr_t c);
typedef void (*double_body)(const double *a, const double *b, const double *c, double *out,
			    size_t count, int *different);
typedef void (*float_body)(const float *a, const float *b, const float *c, float *out, size_t count,
			   int *different);

struct function {
	const char *name;
	int arguments; /* 1 to 3; WHOLE for a floating number and an int */
	float_body in_float;
	double_body in_double; /* NULL: there is none */
	reference exact;
	double float_bound, double_bound; /* units in the last place */
	double low, high;                 /* of the stratum that matters most */
};

enum { WHOLE = 4 };

#define REFERENCE1(name, call)                                                                     \
	static int ref_##name(mpfr_t r, mpfr_t a, mpfr_t b, mpfr_t c)                              \
	{                                                                                          \
		(void)b;                                                                           \
		(void)c;                                                                           \
		return call(r, a, MPFR_RNDN);                                                      \
	}
#define REFERENCE2(name, call)                                                                     \
	static int ref_##name(mpfr_t r, mpfr_t a, mpfr_t b, mpfr_t c)                              \
	{                                                                                          \
		(void)c;                                                                           \
		return call(r, a, b, MPFR_RNDN);                                                   \
	}
#define REFERENCE(name, body)                                                                      \
	static int ref_##name(mpfr_t r, mpfr_t a, mpfr_t b, mpfr_t c)                              \
	{                                                                                          \
		(void)a;                                                                           \
		(void)b;                                                                           \
		(void)c;                                                                           \
		body;                                                                              \
		return 0;                                                                          \
	}

REFERENCE1(sin, mpfr_sin)
REFERENCE1(cos, mpfr_cos)
REFERENCE1(tan, mpfr_tan)
REFERENCE1(sinpi, mpfr_sinpi)
REFERENCE1(cospi, mpfr_cospi)
REFERENCE1(tanpi, mpfr_tanpi)
REFERENCE1(asin, mpfr_asin)
REFERENCE1(acos, mpfr_acos)
REFERENCE1(atan, mpfr_atan)
REFERENCE1(asinpi, mpfr_asinpi)
REFERENCE1(acospi, mpfr_acospi)
REFERENCE1(atanpi, mpfr_atanpi)
REFERENCE1(sinh, mpfr_sinh)
REFERENCE1(cosh, mpfr_cosh)
REFERENCE1(tanh, mpfr_tanh)
REFERENCE1(asinh, mpfr_asinh)
REFERENCE1(acosh, mpfr_acosh)
REFERENCE1(atanh, mpfr_atanh)
REFERENCE1(exp, mpfr_exp)
REFERENCE1(exp2, mpfr_exp2)
REFERENCE1(exp10, mpfr_exp10)
REFERENCE1(expm1, mpfr_expm1)
REFERENCE1(log, mpfr_log)
REFERENCE1(log2, mpfr_log2)
REFERENCE1(log10, mpfr_log10)
REFERENCE1(log1p, mpfr_log1p)
REFERENCE1(cbrt, mpfr_cbrt)
REFERENCE1(erf, mpfr_erf)
REFERENCE1(erfc, mpfr_erfc)
REFERENCE1(tgamma, mpfr_gamma)
REFERENCE1(sqrt, mpfr_sqrt)
REFERENCE(rsqrt, {
	mpfr_rec_sqrt(r, a, MPFR_RNDN);
	if (mpfr_zero_p(a))
		mpfr_setsign(r, r, mpfr_signbit(a), MPFR_RNDN);
})
REFERENCE(round, mpfr_round(r, a))
REFERENCE(rint, mpfr_rint(r, a, MPFR_RNDN))
REFERENCE(trunc, mpfr_trunc(r, a))
REFERENCE(floor, mpfr_floor(r, a))
REFERENCE(ceil, mpfr_ceil(r, a))
REFERENCE(fabs, mpfr_abs(r, a, MPFR_RNDN))
REFERENCE(logb, {
	if (mpfr_zero_p(a))
		mpfr_set_inf(r, -1);
	else if (!mpfr_number_p(a))
		mpfr_abs(r, a, MPFR_RNDN);
	else
		mpfr_set_si(r, mpfr_get_exp(a) - 1, MPFR_RNDN);
})
REFERENCE(lgamma, {
	int sign;
	mpfr_lgamma(r, &sign, a, MPFR_RNDN);
})
REFERENCE2(atan2, mpfr_atan2)
REFERENCE2(atan2pi, mpfr_atan2pi)
REFERENCE2(pow, mpfr_pow)
REFERENCE(powr, {
	mpfr_powr(r, a, b, MPFR_RNDN);
	if (mpfr_nan_p(b))
		mpfr_set_nan(r); /* powr(1, NaN) too: 7.5.1 */
})
REFERENCE2(hypot, mpfr_hypot)
REFERENCE2(fmod, mpfr_fmod)
REFERENCE2(remainder, mpfr_remainder)
REFERENCE(fdim, {
	if (mpfr_lessequal_p(a, b))
		mpfr_set_zero(r, 1);
	else
		mpfr_sub(r, a, b, MPFR_RNDN);
})
REFERENCE2(fmax, mpfr_max)
REFERENCE2(fmin, mpfr_min)
REFERENCE(maxmag, {
	int order = mpfr_cmpabs(a, b);
	if (order == 0 || mpfr_nan_p(a) || mpfr_nan_p(b))
		mpfr_max(r, a, b, MPFR_RNDN);
	else
		mpfr_set(r, order > 0 ? a : b, MPFR_RNDN);
})
REFERENCE(minmag, {
	int order = mpfr_cmpabs(a, b);
	if (order == 0 || mpfr_nan_p(a) || mpfr_nan_p(b))
		mpfr_min(r, a, b, MPFR_RNDN);
	else
		mpfr_set(r, order < 0 ? a : b, MPFR_RNDN);
})
REFERENCE(fma, {
	mpfr_t product;
	mpfr_init2(product, 2 * 64);
	mpfr_mul(product, a, b, MPFR_RNDN);
	mpfr_set_prec(r, 4400);
	mpfr_add(r, product, c, MPFR_RNDN);
	mpfr_clear(product);
})
REFERENCE(pown, mpfr_pow_si(r, a, mpfr_get_si(b, MPFR_RNDZ), MPFR_RNDN))
REFERENCE(rootn, {
	long n = mpfr_get_si(b, MPFR_RNDZ);
	if (n == 0)
		mpfr_set_nan(r);
	else
		mpfr_rootn_si(r, a, n, MPFR_RNDN);
})
REFERENCE(ldexp, mpfr_mul_2si(r, a, mpfr_get_si(b, MPFR_RNDZ), MPFR_RNDN))
REFERENCE(fract, {
	mpfr_frac(r, a, MPFR_RNDN);
	if (mpfr_sgn(r) < 0)
		mpfr_add_ui(r, r, 1, MPFR_RNDN);
})
REFERENCE(modf, mpfr_frac(r, a, MPFR_RNDN))
REFERENCE(frexp, {
	mpfr_set(r, a, MPFR_RNDN);
	if (mpfr_regular_p(a))
		mpfr_set_exp(r, 0);
})
REFERENCE(frexp_exponent, mpfr_set_si(r, mpfr_regular_p(a) ? mpfr_get_exp(a) : 0, MPFR_RNDN))
REFERENCE(remquo_quotient, {
	long q = 0;
	mpfr_remquo(r, &q, a, b, MPFR_RNDN);
	mpfr_set_si(r, mpfr_number_p(r) ? q % 128 : 0, MPFR_RNDN);
})

#define DECLARE(name)                                                                              \
	extern void name##_f(const float *, const float *, const float *, float *, size_t, int *); \
	extern void name##_d(const double *, const double *, const double *, double *, size_t,     \
			     int *);
#define DECLARE_FLOAT(name, ...)                                                                   \
	extern void name##_f(const float *, const float *, const float *, float *, size_t, int *);
#define ROW_OF_FLOAT(name, exact, arguments, low, high)                                            \
	{#name, arguments, name##_f, NULL, ref_##exact, HALF_BOUND, 0, low, high},
#define ROW(name, arguments, float_bound, double_bound, low, high)                                 \
	{#name, arguments, name##_f, name##_d, ref_##name, float_bound, double_bound, low, high},
#define ROW_OF(name, exact, arguments, float_bound, double_bound, low, high)                       \
	{#name, arguments, name##_f, name##_d, ref_##exact, float_bound, double_bound, low, high},

/* name, arguments, bounds for float and double (specification 7.4), the middle stratum. */
#define ANY 1e30 /* no bound: the specification leaves it open */
#define FUNCTIONS(F, G)                                                                            \
	F(sin, 1, 4, 4, -100, 100)                                                                 \
	F(cos, 1, 4, 4, -100, 100)                                                                 \
	F(tan, 1, 5, 5, -100, 100)                                                                 \
	F(sinpi, 1, 4, 4, -10, 10)                                                                 \
	F(cospi, 1, 4, 4, -10, 10)                                                                 \
	F(tanpi, 1, 6, 6, -10, 10)                                                                 \
	F(asin, 1, 4, 4, -1, 1)                                                                    \
	F(acos, 1, 4, 4, -1, 1)                                                                    \
	F(atan, 1, 5, 5, -10, 10)                                                                  \
	F(asinpi, 1, 5, 5, -1, 1)                                                                  \
	F(acospi, 1, 5, 5, -1, 1)                                                                  \
	F(atanpi, 1, 5, 5, -10, 10)                                                                \
	F(sinh, 1, 4, 4, -720, 720)                                                                \
	F(cosh, 1, 4, 4, -720, 720)                                                                \
	F(tanh, 1, 5, 5, -20, 20)                                                                  \
	F(asinh, 1, 4, 4, -100, 100)                                                               \
	F(acosh, 1, 4, 4, 1, 100)                                                                  \
	F(atanh, 1, 5, 5, -1, 1)                                                                   \
	F(exp, 1, 3, 3, -750, 720)                                                                 \
	F(exp2, 1, 3, 3, -1080, 1030)                                                              \
	F(exp10, 1, 3, 3, -325, 310)                                                               \
	F(expm1, 1, 3, 3, -40, 720)                                                                \
	F(log, 1, 3, 3, 0, 4)                                                                      \
	F(log2, 1, 3, 3, 0, 4)                                                                     \
	F(log10, 1, 3, 3, 0, 4)                                                                    \
	F(log1p, 1, 2, 2, -1, 4)                                                                   \
	F(cbrt, 1, 2, 2, -10, 10)                                                                  \
	F(erf, 1, 16, 16, -7, 7)                                                                   \
	F(erfc, 1, 16, 16, -7, 28)                                                                 \
	F(tgamma, 1, 16, 16, -180, 175)                                                            \
	F(lgamma, 1, ANY, ANY, -20, 20)                                                            \
	F(sqrt, 1, 0.5, 0.5, 0, 4)                                                                 \
	F(rsqrt, 1, 2, 2, 0, 4)                                                                    \
	F(round, 1, 0, 0, -10, 10)                                                                 \
	F(rint, 1, 0, 0, -10, 10)                                                                  \
	F(trunc, 1, 0, 0, -10, 10)                                                                 \
	F(floor, 1, 0, 0, -10, 10)                                                                 \
	F(ceil, 1, 0, 0, -10, 10)                                                                  \
	F(fabs, 1, 0, 0, -10, 10)                                                                  \
	F(logb, 1, 0, 0, -10, 10)                                                                  \
	F(atan2, 2, 6, 6, -10, 10)                                                                 \
	F(atan2pi, 2, 6, 6, -10, 10)                                                               \
	F(pow, 2, 16, 16, -20, 20)                                                                 \
	F(powr, 2, 16, 16, 0, 20)                                                                  \
	F(hypot, 2, 4, 4, -10, 10)                                                                 \
	F(fmod, 2, 0, 0, -100, 100)                                                                \
	F(remainder, 2, 0, 0, -100, 100)                                                           \
	F(fdim, 2, 0.5, 0.5, -10, 10)                                                              \
	F(maxmag, 2, 0, 0, -10, 10)                                                                \
	F(minmag, 2, 0, 0, -10, 10)                                                                \
	F(fmax, 2, 0, 0, -10, 10)                                                                  \
	F(fmin, 2, 0, 0, -10, 10)                                                                  \
	F(fma, 3, 0.5, 0.5, -10, 10)                                                               \
	F(pown, WHOLE, 16, 16, -20, 20)                                                            \
	F(rootn, WHOLE, 16, 16, -20, 20)                                                           \
	F(ldexp, WHOLE, 0.5, 0.5, -1100, 1100)                                                     \
	F(fract, 1, 1, 1, -10, 10) /* at most the number before 1 */                               \
	F(modf, 1, 0, 0, -10, 10)                                                                  \
	F(frexp, 1, 0, 0, -10, 10)                                                                 \
	F(frexp_exponent, 1, 0, 0, -10, 10)                                                        \
	F(remquo_quotient, 2, 0, 0, -100, 100)                                                     \
	G(remquo, remainder, 2, 0, 0, -100, 100)                                                   \
	G(sincos, sin, 1, 4, 4, -100, 100)                                                         \
	G(sincos_cosine, cos, 1, 4, 4, -100, 100)                                                  \
	G(fract_whole, floor, 1, 0, 0, -10, 10)                                                    \
	G(modf_whole, trunc, 1, 0, 0, -10, 10)                                                     \
	G(lgamma_r, lgamma, 1, ANY, ANY, -20, 20)

#define HALF_BOUND 8192
#define HALF_FUNCTIONS(H)                                                                          \
	H(half_cos, cos, 1, -100, 100)                                                             \
	H(half_sin, sin, 1, -100, 100)                                                             \
	H(half_tan, tan, 1, -100, 100)                                                             \
	H(half_exp, exp, 1, -110, 90)                                                              \
	H(half_exp2, exp2, 1, -150, 130)                                                           \
	H(half_exp10, exp10, 1, -46, 39)                                                           \
	H(half_log, log, 1, 0, 4)                                                                  \
	H(half_log2, log2, 1, 0, 4)                                                                \
	H(half_log10, log10, 1, 0, 4)                                                              \
	H(half_powr, powr, 2, 0, 20)

#define DECLARE_ROW(name, ...) DECLARE(name)
FUNCTIONS(DECLARE_ROW, DECLARE_ROW)
HALF_FUNCTIONS(DECLARE_FLOAT)

static const struct function functions[] = {FUNCTIONS(ROW, ROW_OF) HALF_FUNCTIONS(ROW_OF_FLOAT)};

static uint64_t state = 88172645463325252u;

/* Xorshift (Marsaglia, 2003): the same samples in every run. */
static uint64_t random_bits(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static double random_unit(void)
{
	return (double)(random_bits() >> 11) * 0x1p-53;
}

static double from_bits(uint64_t bits)
{
	double value;
	memcpy(&value, &bits, sizeof(value));
	return value;
}

static float float_from_bits(uint32_t bits)
{
	float value;
	memcpy(&value, &bits, sizeof(value));
	return value;
}

static const double edges[] = {
	0.0,
	1.0,
	0.5,
	2.0,
	3.0,
	4.0,
	1.5,
	2.5,
	0.25,
	0.75,
	10.0,
	100.0,
	127.0,
	128.0,
	129.0,
	149.0,
	150.0,
	1022.0,
	1023.0,
	1024.0,
	1074.0,
	1075.0,
	709.782712893384,
	745.1332191019411,
	88.72283,
	103.97208,
	1e-5,
	1e-10,
	1e-20,
	1e5,
	1e10,
	1e20,
	1e30,
	1e-30,
	1e100,
	1e300,
	1e-300,
	0x1p23,
	0x1.000002p23,
	0x1p24,
	0x1p31,
	0x1p32,
	0x1p52,
	0x1.0000000000001p52,
	0x1p53,
	0x1p54,
	0x1p63,
	0x1p64,
	0x1p127,
	0x1.fffffep127,
	0x1p-126,
	0x1.fffffcp-127,
	0x1p-149,
	0x1p1023,
	0x1.fffffffffffffp1023,
	0x1p-1022,
	0x1.ffffffffffffep-1023,
	0x1p-1074,
	0x1.fffffep-1,
	0x1.000002p0,
	0x1.fffffffffffffp-1,
	0x1.0000000000001p0,
	0x1.fffffep-2,
	0x1.fffffffffffffp-2,
	0x1.921fb6p0,
	0x1.921fb54442d18p0,
	0x1.921fb54442d18p1,
	0x1.921fb54442d18p-1,
	0x1.2d97c7f3321d2p1,
	0x1p26,
	0x1p27,
	0x1p28,
	6.0,
	0x1.6ac5b262ca1ffp849 /* near a multiple of pi/2 */,
	INFINITY,
	NAN,
};
enum { NUM_EDGES = sizeof(edges) / sizeof(edges[0]) };

static double edge(size_t i)
{
	double value = edges[i / 2 % NUM_EDGES];
	return i % 2 ? -value : value;
}

/* One value of a stratum: all bit patterns, magnitudes about 1, the range that matters, whole numbers. */
static double sample(const struct function *function, int stratum, int of_float)
{
	switch (stratum) {
	case 0:
		return of_float ? (double)float_from_bits((uint32_t)random_bits())
				: from_bits(random_bits());
	case 1:
		return copysign(exp2(random_unit() * 60 - 40), random_unit() - 0.5);
	case 2:
		return function->low + random_unit() * (function->high - function->low);
	default:
		return rint(random_unit() * 400 - 200) * 0.5;
	}
}

struct worst {
	double error, a, b, c, got, wanted;
};

/* The error in units of the type's last place: `digits` of significand, `least` the smallest exponent. */
static double error_of(double got, mpfr_t exact, int digits, int least, int greatest)
{
	if (mpfr_nan_p(exact))
		return isnan(got) ? 0 : INFINITY;
	if (isnan(got))
		return INFINITY;
	if (mpfr_inf_p(exact))
		return isinf(got) && (got > 0) == (mpfr_sgn(exact) > 0) ? 0 : INFINITY;
	long exponent = mpfr_zero_p(exact) ? least : mpfr_get_exp(exact) - 1;
	exponent = exponent < least ? least : exponent;
	exponent = exponent > greatest ? greatest : exponent;
	/* Infinity counts as the power of two after the largest number. */
	mpfr_t difference;
	mpfr_init2(difference, mpfr_get_prec(exact) + 64);
	if (isinf(got)) {
		mpfr_set_si_2exp(difference, got > 0 ? 1 : -1, greatest + 1, MPFR_RNDN);
		if (mpfr_cmpabs(exact, difference) >= 0 && (got > 0) == (mpfr_sgn(exact) > 0)) {
			mpfr_clear(difference);
			return 0;
		}
	} else {
		mpfr_set_d(difference, got, MPFR_RNDN);
	}
	mpfr_sub(difference, difference, exact, MPFR_RNDN);
	mpfr_mul_2si(difference, difference, digits - 1 - exponent, MPFR_RNDN);
	double error = fabs(mpfr_get_d(difference, MPFR_RNDU));
	mpfr_clear(difference);
	return error;
}

/* Edge cases (specification 7.5.1): of zeros and infinities a result that is a number of the type is that number. */
static int is_exact_edge(const struct function *function, const double in[3], mpfr_t exact,
			 int of_float)
{
	double nearest =
		of_float ? (double)mpfr_get_flt(exact, MPFR_RNDN) : mpfr_get_d(exact, MPFR_RNDN);
	int edge = 0;

	for (int i = 0; i < (function->arguments == WHOLE ? 1 : function->arguments); i++)
		edge |= fpclassify(in[i]) == FP_ZERO || isinf(in[i]);
	return edge && mpfr_cmp_d(exact, nearest) == 0;
}

static void judge(const struct function *function, const double in[3], double got, int of_float,
		  struct worst *worst)
{
	mpfr_t x, y, z, r;
	mpfr_inits2(PRECISION, x, y, z, r, (mpfr_ptr)0);
	mpfr_set_d(x, in[0], MPFR_RNDN);
	mpfr_set_d(y, in[1], MPFR_RNDN);
	mpfr_set_d(z, in[2], MPFR_RNDN);
	function->exact(r, x, y, z);
	double error =
		of_float ? error_of(got, r, 24, -126, 127) : error_of(got, r, 53, -1022, 1023);
	if (error > 0 && is_exact_edge(function, in, r, of_float))
		error = INFINITY;
	if (error > worst->error) {
		*worst = (struct worst){error, in[0], in[1], in[2], got, mpfr_get_d(r, MPFR_RNDN)};
	}
	mpfr_clears(x, y, z, r, (mpfr_ptr)0);
}

struct batch {
	double a[BLOCK], b[BLOCK], c[BLOCK], out[BLOCK];
	float fa[BLOCK], fb[BLOCK], fc[BLOCK], fout[BLOCK];
	size_t count;
	int different;
};

/* Runs what has been collected and judges it. */
static void flush(const struct function *function, struct batch *batch, int of_float,
		  struct worst *worst)
{
	for (size_t i = 0; i < batch->count; i++) {
		if (function->arguments == WHOLE)
			batch->b[i] = isnan(batch->b[i])
					      ? 0
					      : fmax(fmin(trunc(batch->b[i]), 0x1p24), -0x1p24);
		batch->fa[i] = (float)batch->a[i];
		batch->fb[i] = (float)batch->b[i];
		batch->fc[i] = (float)batch->c[i];
	}
	if (of_float)
		function->in_float(batch->fa, batch->fb, batch->fc, batch->fout, batch->count,
				   &batch->different);
	else
		function->in_double(batch->a, batch->b, batch->c, batch->out, batch->count,
				    &batch->different);
	for (size_t i = 0; i < batch->count; i++) {
		const double floats[3] = {(double)batch->fa[i], (double)batch->fb[i],
					  (double)batch->fc[i]};
		const double doubles[3] = {batch->a[i], batch->b[i], batch->c[i]};

		if (of_float)
			judge(function, floats, (double)batch->fout[i], 1, worst);
		else
			judge(function, doubles, batch->out[i], 0, worst);
	}
	batch->count = 0;
}

static void push(const struct function *function, struct batch *batch, int of_float,
		 struct worst *worst, const double values[3])
{
	batch->a[batch->count] = values[0];
	batch->b[batch->count] = values[1];
	batch->c[batch->count] = values[2];
	if (++batch->count == BLOCK)
		flush(function, batch, of_float, worst);
}

/* Floats with one argument: all exponents evenly. The step is odd, so that all bits change. */
static void collect_evenly(const struct function *function, struct batch *batch, size_t samples,
			   struct worst *worst)
{
	uint64_t step = (UINT64_C(1) << 32) / (8 * samples) | 1;
	for (uint64_t bits = 0; bits <= UINT32_MAX; bits += step)
		push(function, batch, 1, worst,
		     (double[3]){(double)float_from_bits((uint32_t)bits)});
}

static void collect(const struct function *function, struct batch *batch, int of_float,
		    size_t samples, struct worst *worst)
{
	size_t others = function->arguments > 1 ? (size_t)2 * NUM_EDGES : 1;
	for (size_t i = 0; i < 2 * NUM_EDGES; i++)
		for (size_t j = 0; j < others; j++)
			push(function, batch, of_float, worst,
			     (double[3]){edge(i), edge(j), edge(i + 7 * j)});
	for (int stratum = 0; stratum < 4; stratum++)
		for (size_t i = 0; i < samples; i++) {
			int second = i % 2 ? stratum : (int)(random_bits() % 4);
			push(function, batch, of_float, worst,
			     (double[3]){sample(function, stratum, of_float),
					 sample(function, second, of_float),
					 sample(function, stratum, of_float)});
		}
	if (of_float && function->arguments == 1)
		collect_evenly(function, batch, samples, worst);
	flush(function, batch, of_float, worst);
}

/* Returns whether the function keeps its bound. */
static int check(const struct function *function, int of_float, size_t samples)
{
	static struct batch batch;
	struct worst worst = {0};
	batch.count = 0;
	batch.different = 0;
	collect(function, &batch, of_float, samples, &worst);
	double bound = of_float ? function->float_bound : function->double_bound;
	int good = worst.error <= bound && !batch.different;
	printf("%-16s %-6s %10.4g of %-6.3g%s", function->name, of_float ? "float" : "double",
	       worst.error, bound, good ? "" : " FAILED");
	if (!good || worst.error > 0.6)
		printf("  at %a, %a, %a: %a, not %a", worst.a, worst.b, worst.c, worst.got,
		       worst.wanted);
	printf("%s\n", batch.different ? "; vectors differ from scalars" : "");
	return good;
}

static void test_bounds(void **unused)
{
	(void)unused;
	const char *text = getenv("WEFT_TEST_SAMPLES"), *only = getenv("WEFT_TEST_ONLY");
	size_t samples = text ? strtoul(text, NULL, 10) : 1000;
	int bad = 0;
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (only && strcmp(only, functions[i].name) != 0)
			continue;
		bad += !check(&functions[i], 1, samples);
		if (functions[i].in_double)
			bad += !check(&functions[i], 0, samples);
	}
	assert_int_equal(bad, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_bounds)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
