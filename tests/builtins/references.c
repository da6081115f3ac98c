/* SPDX-License-Identifier: MIT
 *
 * MPFR has the functions of OpenCL C, up to a few special values.
 */
#include "references.h"

#include <math.h>
#include <stdbool.h>

#include <mpfr.h>

#define PRECISION 160

typedef int (*reference)(mpfr_t r, mpfr_t a, mpfr_t b, mpfr_t c);

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
REFERENCE(recip, mpfr_ui_div(r, 1, a, MPFR_RNDN))
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

#define ROW(name, exact, statement, arguments, in_float, in_double, in_half, low, high)            \
	{name, exact, statement, arguments, {in_float, in_double, in_half}, low, high},
#define ONE(name, ...) ROW(#name, #name, NULL, 1, __VA_ARGS__)
#define TWO(name, ...) ROW(#name, #name, NULL, 2, __VA_ARGS__)
#define THREE(name, ...) ROW(#name, #name, NULL, 3, __VA_ARGS__)
#define WHOLE(name, ...) ROW(#name, #name, NULL, WHOLE_SECOND, __VA_ARGS__)
#define OTHER(name, exact, arguments, statement, ...)                                              \
	ROW(#name, #exact, #statement, arguments, __VA_ARGS__)
#define OF_FLOAT(name, exact, arguments, low, high)                                                \
	ROW(#name, #exact, NULL, arguments, HALF_BOUND, -1, -1, low, high)
const struct function functions[] = {
#include "functions.def"
};
#undef ONE
#undef TWO
#undef THREE
#undef WHOLE
#undef OTHER
#undef OF_FLOAT
const size_t num_functions = sizeof(functions) / sizeof(functions[0]);

#define ONE(name, ...) ref_##name,
#define TWO ONE
#define THREE ONE
#define WHOLE ONE
#define OTHER(name, exact, ...) ref_##exact,
#define OF_FLOAT OTHER
static const reference references[] = {
#include "functions.def"
};

const char *const kind_names[NUM_KINDS] = {"float", "double", "half"};

const struct format formats[NUM_KINDS] = {{24, -126, 127}, {53, -1022, 1023}, {11, -14, 15}};

static double units_off(double got, mpfr_t exact, const struct format *format)
{
	if (mpfr_nan_p(exact))
		return isnan(got) ? 0 : (double)INFINITY;
	if (isnan(got))
		return (double)INFINITY;
	if (mpfr_inf_p(exact))
		return isinf(got) && (got > 0) == (mpfr_sgn(exact) > 0) ? 0 : (double)INFINITY;
	long exponent = mpfr_zero_p(exact) ? format->least : mpfr_get_exp(exact) - 1;
	exponent = exponent < format->least ? format->least : exponent;
	exponent = exponent > format->greatest ? format->greatest : exponent;
	/* Infinity counts as the power of two after the largest number. */
	mpfr_t difference;
	mpfr_init2(difference, mpfr_get_prec(exact) + 64);
	if (isinf(got)) {
		mpfr_set_si_2exp(difference, got > 0 ? 1 : -1, format->greatest + 1, MPFR_RNDN);
		if (mpfr_cmpabs(exact, difference) >= 0 && (got > 0) == (mpfr_sgn(exact) > 0)) {
			mpfr_clear(difference);
			return 0;
		}
	} else {
		mpfr_set_d(difference, got, MPFR_RNDN);
	}
	mpfr_sub(difference, difference, exact, MPFR_RNDN);
	mpfr_mul_2si(difference, difference, format->digits - 1 - exponent, MPFR_RNDN);
	double error = fabs(mpfr_get_d(difference, MPFR_RNDU));
	mpfr_clear(difference);
	return error;
}

static bool is_number(mpfr_t exact, const struct format *format)
{
	mpfr_t rounded;

	if (!mpfr_regular_p(exact))
		return true;
	mpfr_init2(rounded, format->digits);
	bool same = mpfr_set(rounded, exact, MPFR_RNDN) == 0;
	mpfr_clear(rounded);
	return same && mpfr_get_exp(exact) > format->least &&
	       mpfr_get_exp(exact) - 1 <= format->greatest;
}

/* Specification 7.5.1: of zeros and infinities, a result that is a number of the type is that number. */
static bool is_exact_edge(const struct function *function, const double in[3], mpfr_t exact,
			  const struct format *format)
{
	int arguments = function->arguments == WHOLE_SECOND ? 1 : function->arguments;
	bool edge = false;

	for (int i = 0; i < arguments; i++)
		edge |= fpclassify(in[i]) == FP_ZERO || isinf(in[i]);
	return edge && is_number(exact, format);
}

static void find_exact(const struct function *function, const double in[3], mpfr_t r)
{
	mpfr_t x, y, z;

	mpfr_inits2(PRECISION, x, y, z, (mpfr_ptr)0);
	mpfr_set_d(x, in[0], MPFR_RNDN);
	mpfr_set_d(y, in[1], MPFR_RNDN);
	mpfr_set_d(z, in[2], MPFR_RNDN);
	references[function - functions](r, x, y, z);
	mpfr_clears(x, y, z, (mpfr_ptr)0);
}

double error_of(const struct function *function, enum kind kind, const double in[3], double got)
{
	mpfr_t r;

	mpfr_init2(r, PRECISION);
	find_exact(function, in, r);
	double error = units_off(got, r, &formats[kind]);
	if (error > 0 && is_exact_edge(function, in, r, &formats[kind]))
		error = (double)INFINITY;
	mpfr_clear(r);
	return error;
}

double exact_result(const struct function *function, const double in[3])
{
	mpfr_t r;

	mpfr_init2(r, PRECISION);
	find_exact(function, in, r);
	double result = mpfr_get_d(r, MPFR_RNDN);
	mpfr_clear(r);
	return result;
}
