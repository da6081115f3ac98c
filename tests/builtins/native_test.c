/* SPDX-License-Identifier: MIT
 *
 * native_* within the bounds of fast relaxed math (specification 7.4), in which they stand in for the full functions,
 * and at the ends of their range. The sine and the cosine are within 2^-23. The references are the C library's, in double.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SAMPLES 200000

typedef void (*body)(const float *a, const float *b, const float *c, float *out, size_t count,
		     int *different);

#define DECLARE(name)                                                                              \
	extern void native_##name##_f(const float *, const float *, const float *, float *,        \
				      size_t, int *);
DECLARE(sin)
DECLARE(cos)
DECLARE(tan)
DECLARE(exp)
DECLARE(exp2)
DECLARE(exp10)
DECLARE(log)
DECLARE(log2)
DECLARE(log10)
DECLARE(powr)

static double exp10_of(double x)
{
	return exp2(x * 3.32192809488736234787);
}

/* What an error may be: so much, and so many units in the last place, and more by the argument's size. */
struct row {
	const char *name;
	body native;
	double (*exact)(double);
	double low, high;
	double absolute, units, units_per_argument;
};

/* The exponentials have dense samples where their remainder is greatest and their bound still that about 0: there it has
 * shown that a product was rounded before it was reduced. */
static const struct row rows[] = {
	{"sin", native_sin_f, sin, -M_PI, M_PI, 0x1p-23, 0, 0},
	{"cos", native_cos_f, cos, -M_PI, M_PI, 0x1p-23, 0, 0},
	{"sin, far", native_sin_f, sin, -100000, 100000, 0x1p-23, 0, 0},
	{"cos, far", native_cos_f, cos, -100000, 100000, 0x1p-23, 0, 0},
	{"tan", native_tan_f, tan, -1.5, 1.5, 0, 5, 0},
	{"exp", native_exp_f, exp, -87, 88, 0, 3, 2},
	{"exp, 0", native_exp_f, exp, -0.3476, -0.3456, 0, 3, 2},
	{"exp, 0", native_exp_f, exp, 0.3456, 0.3476, 0, 3, 2},
	{"exp2", native_exp2_f, exp2, -126, 127, 0, 3, 2},
	{"exp2, 0", native_exp2_f, exp2, -0.501, -0.499, 0, 3, 2},
	{"exp2, 0", native_exp2_f, exp2, 0.499, 0.501, 0, 3, 2},
	{"exp10", native_exp10_f, exp10_of, -37, 38, 0, 3, 0},
	{"exp10, 0", native_exp10_f, exp10_of, -0.151, -0.15, 0, 3, 0},
	{"exp10, 0", native_exp10_f, exp10_of, 0.15, 0.151, 0, 3, 0},
	{"log", native_log_f, log, 0.5, 2, 0x1p-21, 0, 0},
	{"log", native_log_f, log, 2, 1e30, 0, 3, 0},
	{"log", native_log_f, log, 1e-30, 0.5, 0, 3, 0},
	{"log2", native_log2_f, log2, 0.5, 2, 0x1p-21, 0, 0},
	{"log2", native_log2_f, log2, 2, 1e30, 0, 3, 0},
	{"log10", native_log10_f, log10, 0.5, 2, 0x1p-21, 0, 0},
	{"log10", native_log10_f, log10, 2, 1e30, 0, 3, 0},
};
#define NUM_ROWS (sizeof(rows) / sizeof(rows[0]))

static float inputs[SAMPLES], seconds[SAMPLES], outputs[SAMPLES];

/* Evenly, or by exponents where the range spans many. */
static float sample(double low, double high, size_t i)
{
	double part = (double)i / SAMPLES;

	if (low > 0 && high / low > 1000)
		return (float)(low * pow(high / low, part));
	return (float)(low + (high - low) * part);
}

static double unit_of(double value)
{
	double least = fmax(fabs(value), (double)FLT_MIN);

	return ldexp(1, ilogb(least) - 23);
}

static void check_vectors(int different, const char *name)
{
	if (different)
		fail_msg("native_%s: vectors differ from scalars", name);
}

static void test_bounds(void **unused)
{
	(void)unused;
	for (const struct row *row = rows; row < rows + NUM_ROWS; row++) {
		double worst = 0, at = 0;
		int different = 0;

		for (size_t i = 0; i < SAMPLES; i++)
			inputs[i] = sample(row->low, row->high, i);
		row->native(inputs, seconds, seconds, outputs, SAMPLES, &different);
		check_vectors(different, row->name);
		for (size_t i = 0; i < SAMPLES; i++) {
			double x = (double)inputs[i], exact = row->exact(x);
			double units = row->units + floor(fabs(x) * row->units_per_argument);
			double error = fabs((double)outputs[i] - exact) /
				       (row->absolute + units * unit_of(exact));

			if (!(error <= worst)) {
				worst = error;
				at = x;
			}
		}
		printf("native_%-9s %6.3f of what it may be, at %a\n", row->name, worst, at);
		assert_true(worst <= 1);
	}
}

/* exp2(y log2(x)): each unit of the exponent is worth one of the logarithm's 2^-21. */
static void test_powr(void **unused)
{
	int different = 0;

	(void)unused;
	for (size_t i = 0; i < SAMPLES; i++) {
		inputs[i] = sample(1e-6, 1e6, i);
		seconds[i] = sample(-6, 6, i * 7919 % SAMPLES);
	}
	native_powr_f(inputs, seconds, seconds, outputs, SAMPLES, &different);
	check_vectors(different, "powr");
	for (size_t i = 0; i < SAMPLES; i++) {
		double x = (double)inputs[i], y = (double)seconds[i], exact = pow(x, y);
		double bound = (3 + 4 * fabs(y * log2(x))) * unit_of(exact);

		if (fabs(exact) < 1e37 && !(fabs((double)outputs[i] - exact) <= bound))
			fail_msg("native_powr(%a, %a) is %a, not %a", x, y, (double)outputs[i],
				 exact);
	}
}

static float value_of(body native, float x)
{
	const float zero = 0;
	float out;
	int different = 0;

	native(&x, &zero, &zero, &out, 1, &different);
	return out;
}

static void test_ends(void **unused)
{
	(void)unused;
	for (int i = 0; i < 20; i++) {
		float x = ldexpf(200, i), angle = ldexpf(1e4F, 4 * i);

		assert_true(value_of(native_exp2_f, -x) == 0 && value_of(native_exp_f, -x) == 0);
		assert_true(isinf(value_of(native_exp2_f, x)) && isinf(value_of(native_exp_f, x)));
		assert_true(fabsf(value_of(native_sin_f, angle)) <= 1);
		assert_true(fabsf(value_of(native_cos_f, angle)) <= 1);
	}
	/* The last normal results, and what is beyond. */
	assert_true(value_of(native_exp_f, -0x1.5d589ep+6F) >= FLT_MIN);
	assert_true(value_of(native_exp_f, -0x1.5d58ap+6F) == 0);
	assert_true(value_of(native_exp_f, 0x1.62e42ep+6F) <= FLT_MAX);
	assert_true(isinf(value_of(native_exp_f, 0x1.62e43p+6F)));
	assert_true(value_of(native_exp10_f, -0x1.2f703p+5F) >= FLT_MIN);
	assert_true(value_of(native_exp10_f, -0x1.2f7032p+5F) == 0);
	assert_true(value_of(native_exp10_f, 0x1.344134p+5F) <= FLT_MAX);
	assert_true(isinf(value_of(native_exp10_f, 0x1.344136p+5F)));
	assert_true(isinf(value_of(native_log_f, 0)) && value_of(native_log_f, 0) < 0);
	assert_true(isnan(value_of(native_exp_f, NAN)) && isnan(value_of(native_sin_f, NAN)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_powr),
		cmocka_unit_test(test_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
