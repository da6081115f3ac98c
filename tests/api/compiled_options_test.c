/* SPDX-License-Identifier: MIT
 *
 * The options about arithmetic, with the real compiler: what each changes, and that nothing else changes without it.
 */
#include "compiled_fixture.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#define ITEMS 64

static cl_program compiled(struct fixture *f, const char *source, const char *options)
{
	cl_program program = clCreateProgramWithSource(f->context, 1, &source, NULL, NULL);

	assert_int_equal(clCompileProgram(program, 0, NULL, options, 0, NULL, NULL, NULL, NULL),
			 CL_SUCCESS);
	return program;
}

/* out[i] = what `expression` makes of x and y. */
static void run(struct fixture *f, const char *expression, const char *options, const float *x,
		const float *y, float *out)
{
	const size_t items = ITEMS;
	char source[512];
	const float *const inputs[] = {x, y, out};

	snprintf(
		source, sizeof(source),
		"kernel void k(global const float *a, global const float *b, global float *out) {\n"
		"  size_t i = get_global_id(0); float x = a[i], y = b[i], r; %s; out[i] = r; }\n",
		expression);
	/* Compiled and linked apart, so that the options must survive in between. */
	cl_program object = compiled(f, source, options);
	cl_program program = clLinkProgram(f->context, 0, NULL, "", 1, &object, NULL, NULL, NULL);
	assert_non_null(program);
	cl_kernel kernel = clCreateKernel(program, "k", NULL);
	assert_non_null(kernel);
	cl_mem memory[3];
	for (cl_uint i = 0; i < 3; i++) {
		memory[i] = clCreateBuffer(f->context, CL_MEM_COPY_HOST_PTR, ITEMS * sizeof(float),
					   (void *)(uintptr_t)inputs[i], NULL);
		assert_int_equal(clSetKernelArg(kernel, i, sizeof(cl_mem), &memory[i]), CL_SUCCESS);
	}
	assert_int_equal(
		clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(clEnqueueReadBuffer(f->queue, memory[2], CL_TRUE, 0, ITEMS * sizeof(float),
					     out, 0, NULL, NULL),
			 CL_SUCCESS);
	for (int i = 0; i < 3; i++)
		assert_int_equal(clReleaseMemObject(memory[i]), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(object), CL_SUCCESS);
}

static float x[ITEMS], y[ITEMS], out[ITEMS];

static void fill(double low, double high)
{
	for (int i = 0; i < ITEMS; i++) {
		x[i] = (float)(low + (high - low) * i / ITEMS);
		y[i] = (float)(high - (high - low) * (i * 7 % ITEMS) / ITEMS);
	}
}

static void test_denorms_are_zero(void **state)
{
	for (int i = 0; i < ITEMS; i++) {
		x[i] = 0x1p-130F * (float)(i + 1);
		y[i] = 0.5F;
	}
	run(*state, "r = x * y", "", x, y, out);
	for (int i = 0; i < ITEMS; i++)
		assert_true(out[i] == x[i] * 0.5F && out[i] > 0);
	run(*state, "r = x * y", "-cl-denorms-are-zero", x, y, out);
	for (int i = 0; i < 8; i++)
		assert_true(out[i] == 0);
	assert_true(out[ITEMS - 1] == x[ITEMS - 1] * 0.5F);
	/* The mode was the kernel's. */
	volatile float least = 0x1p-149F;
	assert_true(least * 1.0F > 0);
	run(*state, "r = x * y", "", x, y, out);
	assert_true(out[0] > 0);
}

/* What `expression` leaves of x by y where small numbers are 0. */
static void check_rest(struct fixture *f, const char *expression, float (*rest)(float, float))
{
	run(f, expression, "-cl-denorms-are-zero", x, y, out);
	for (int i = 0; i < ITEMS; i++) {
		float exact = rest(x[i], y[i]);
		assert_true(out[i] == (fabsf(exact) < 0x1p-126F ? 0.0F : exact));
	}
}

static void check_rests(struct fixture *f)
{
	check_rest(f, "r = fmod(x, y)", fmodf);
	check_rest(f, "int q; r = remquo(x, y, &q)", remainderf);
}

/* Normal numbers, and a normal result: no step on the way may become 0. */
static void test_fmod_with_denorms_zero(void **state)
{
	/* Long quotients. */
	for (int i = 0; i < ITEMS; i++) {
		x[i] = ldexpf(1.0F, -i);
		y[i] = i % 2 ? 0x1.000002p-125F : 0x1.8p-126F;
	}
	check_rests(*state);
	/* Short ones, of which some are rounded to a whole number that is one too many. */
	for (unsigned round = 0, bits = 1; round < 8; round++) {
		for (int i = 0; i < ITEMS; i++) {
			bits = bits * 1664525 + 1013904223;
			y[i] = ldexpf(1.0F + (float)(bits >> 9) * 0x1p-23F, -126);
			x[i] = (float)(3 + 61 * i) * y[i];
		}
		check_rests(*state);
	}
	/* Doubles: the least normal ones. The host divides numbers 2^1022 times as large. */
	for (int i = 0; i < ITEMS; i++) {
		x[i] = (float)(3 + 61 * i);
		y[i] = 1.0F + (float)i / ITEMS;
	}
	run(*state,
	    "double v = y * 1.1, u = x * v; r = 0x1p1022 * fmod(u * 0x1p-1022, v * 0x1p-1022)",
	    "-cl-denorms-are-zero", x, y, out);
	for (int i = 0; i < ITEMS; i++) {
		double v = y[i] * 1.1, exact = fmod(x[i] * v, v);
		assert_true(out[i] == (exact < 1 ? 0.0F : (float)exact));
	}
}

/* A product and a sum in two statements: fused, the product's rounding is not seen. */
static void test_mad_enable(void **state)
{
	static const char *const never[] = {"", "-cl-no-signed-zeros", "-cl-finite-math-only"};

	fill(1.1, 1.9);
	for (size_t k = 0; k < 3; k++) {
		run(*state, "float t = x * y; r = t - 1.5f", never[k], x, y, out);
		for (int i = 0; i < ITEMS; i++) {
			volatile float product = x[i] * y[i];
			assert_true(out[i] == product - 1.5F);
		}
	}
	run(*state, "float t = x * y; r = t - 1.5f", "-cl-mad-enable", x, y, out);
	for (int i = 0; i < ITEMS; i++)
		assert_true(out[i] == fmaf(x[i], y[i], -1.5F));
}

static void test_finite_math_only(void **state)
{
	fill(-3, 5);
	run(*state, "r = fmax(x, y) - 2 * fmin(x, y)", "-cl-finite-math-only", x, y, out);
	for (int i = 0; i < ITEMS; i++)
		assert_true(out[i] == fmaxf(x[i], y[i]) - 2 * fminf(x[i], y[i]));
	x[5] = NAN;
	run(*state, "r = fmax(x, y)", "", x, y, out);
	assert_true(out[5] == y[5]);
}

static void check_units(double exact, float got, double units)
{
	assert_true(fabs((double)got - exact) <=
		    units * ldexp(1, ilogb(fmax(fabs(exact), 0x1p-126)) - 23));
}

/* Bounds of relaxed math (specification 7.4); of roots, those of the full functions. */
static void test_relaxed(void **state)
{
	fill(0.01, 50);
	run(*state, "r = sqrt(x)", "-cl-fast-relaxed-math", x, y, out);
	for (int i = 0; i < ITEMS; i++)
		check_units(sqrt((double)x[i]), out[i], 3);
	run(*state, "r = rsqrt(x)", "-cl-fast-relaxed-math", x, y, out);
	for (int i = 0; i < ITEMS; i++)
		check_units(1 / sqrt((double)x[i]), out[i], 2);
	run(*state, "r = native_divide(x, y) + native_recip(y)", "-cl-fast-relaxed-math", x, y,
	    out);
	for (int i = 0; i < ITEMS; i++)
		check_units(((double)x[i] + 1) / (double)y[i], out[i], 6);
	run(*state, "r = x / y", "-cl-fast-relaxed-math", x, y, out);
	for (int i = 0; i < ITEMS; i++)
		check_units((double)x[i] / (double)y[i], out[i], 2.5);
	run(*state, "float4 v = (float4)(1, 2, 3, 4) * x / y, w = v / 7; r = v.w - v.x * 4 + w.x",
	    "-cl-fast-relaxed-math", x, y, out);
	for (int i = 0; i < ITEMS; i++)
		check_units((double)x[i] / (double)y[i] / 7, out[i], 100);
	fill(-4, 4);
	run(*state, "r = pow(x, rint(y))", "-cl-fast-relaxed-math", x, y, out);
	for (int i = 0; i < ITEMS; i++)
		if (x[i] != 0)
			check_units(pow((double)x[i], rint((double)y[i])), out[i], 8192);
	x[0] = 0;
	y[0] = 3;
	run(*state, "r = pow(x, y) + sqrt(x)", "-cl-fast-relaxed-math", x, y, out);
	assert_true(out[0] == 0);
}

/* Roots that may be improved estimates, with the options and without: specification 7.4. */
static void test_roots(void **state)
{
	static const float special[] = {0,         -0.0F,     INFINITY, -1, NAN, 0x1p-149F,
					0x1p-127F, 0x1p-126F, FLT_MAX,  1,  4};
	const int count = sizeof(special) / sizeof(special[0]);

	for (int i = 0; i < ITEMS; i++) {
		x[i] = i < count ? special[i] : ldexpf(1 + (float)i / ITEMS, 4 * i - 120);
		y[i] = special[i % count];
	}
	run(*state, "r = rsqrt(x)", "", x, y, out);
	for (int i = 0; i < ITEMS; i++) {
		double exact = 1 / sqrt((double)x[i]);
		if (isfinite(exact) && exact > 0)
			check_units(exact, out[i], 2);
		else
			assert_true(isnan(exact) ? isnan(out[i]) : (double)out[i] == exact);
	}
	/* Of doubles, whose bounds are far below a float's unit. */
	run(*state, "r = rsqrt((double)x) * sqrt((double)x) - 1", "", x, y, out);
	for (int i = 0; i < ITEMS; i++) {
		if (x[i] > 0 && x[i] < INFINITY)
			assert_true(fabsf(out[i]) <= 0x1p-51F);
		else
			assert_true(isnan(out[i]));
	}
	run(*state,
	    "r = hypot((double)x, (double)y) - sqrt(fma((double)x, (double)x, (double)y * y))", "",
	    x, y, out);
	for (int i = 0; i < ITEMS; i++) {
		double exact = hypot(x[i], y[i]);
		if (isfinite(exact))
			assert_true(fabs((double)out[i]) <= exact * 0x1p-50);
	}
	run(*state, "r = hypot((double)x * 0x1p890, (double)y * 0x1p890) * 0x1p-890", "", x, y,
	    out);
	for (int i = 0; i < ITEMS; i++) {
		double exact = hypot(x[i], y[i]);
		if (isnan(exact))
			assert_true(isnan(out[i]));
		else if (exact <= (double)FLT_MAX)
			check_units(exact, out[i], 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_denorms_are_zero),
		cmocka_unit_test(test_fmod_with_denorms_zero),
		cmocka_unit_test(test_mad_enable),
		cmocka_unit_test(test_finite_math_only),
		cmocka_unit_test(test_relaxed),
		cmocka_unit_test(test_roots),
	};

	return cmocka_run_group_tests(tests, compiled_set_up, fixture_tear_down);
}
