/* SPDX-License-Identifier: MIT
 *
 * The built-in math functions against MPFR: edge cases and stratified samples, all halfs of functions with one argument,
 * within the bounds of the OpenCL C specification (functions.def), and the same bits from scalars and vectors.
 * WEFT_TEST_SAMPLES sets the number of samples per function and stratum; WEFT_TEST_ONLY names one
 * function. Prints the worst error of each.
 */
#include "random_bits.h"
#include "references.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BLOCK 4096

/* Arrays of the kind's type (accuracy.cl). */
typedef void (*body)(const void *a, const void *b, const void *c, void *out, size_t count,
		     int *different);

#define DECLARE(name)                                                                              \
	extern void name(const void *, const void *, const void *, void *, size_t, int *);
#define ONE(name, ...) DECLARE(name##_f) DECLARE(name##_d) DECLARE(name##_h)
#define TWO ONE
#define THREE ONE
#define WHOLE ONE
#define OTHER ONE
#define OF_FLOAT(name, ...) DECLARE(name##_f)
#include "functions.def"
#undef ONE
#undef OF_FLOAT

#define ONE(name, ...) {name##_f, name##_d, name##_h},
#define OF_FLOAT(name, ...) {name##_f, NULL, NULL},
static const body bodies[][NUM_KINDS] = {
#include "functions.def"
};
#undef OF_FLOAT

static double random_unit(void)
{
	return (double)(random_bits() >> 11) * 0x1p-53;
}

static double from_bits(uint64_t bits, enum kind kind)
{
	double of_double;
	float of_float;
	_Float16 of_half;

	switch (kind) {
	case FLOAT_KIND:
		memcpy(&of_float, &(uint32_t){(uint32_t)bits}, sizeof(of_float));
		return (double)of_float;
	case HALF_KIND:
		memcpy(&of_half, &(uint16_t){(uint16_t)bits}, sizeof(of_half));
		return (double)of_half;
	case DOUBLE_KIND:
	case NUM_KINDS:
	default:
		memcpy(&of_double, &bits, sizeof(of_double));
		return of_double;
	}
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
static double sample(const struct function *function, int stratum, enum kind kind)
{
	switch (stratum) {
	case 0:
		return from_bits(random_bits(), kind);
	case 1:
		return copysign(exp2(random_unit() * 60 - 40), random_unit() - 0.5);
	case 2:
		return function->low + random_unit() * (function->high - function->low);
	default:
		return rint(random_unit() * 400 - 200) * 0.5;
	}
}

/* Arguments and results of one function, as doubles and in its type. */
struct batch {
	const struct function *function;
	enum kind kind;
	double in[3][BLOCK];
	double typed[4][BLOCK]; /* room for each type */
	size_t count;
	int different;
	double error, worst[3], got; /* the worst, and where */
};

static void store(void *array, size_t i, double value, enum kind kind)
{
	if (kind == FLOAT_KIND)
		((float *)array)[i] = (float)value;
	else if (kind == HALF_KIND)
		((_Float16 *)array)[i] = (_Float16)value;
	else
		((double *)array)[i] = value;
}

static double load(const void *array, size_t i, enum kind kind)
{
	return kind == FLOAT_KIND  ? (double)((const float *)array)[i]
	       : kind == HALF_KIND ? (double)((const _Float16 *)array)[i]
				   : ((const double *)array)[i];
}

/*
 * A number of the kind times a whole number or half of one, of all magnitudes: what is left of a division is often near 0
 * or half the divisor.
 */
static double multiple(double y, enum kind kind)
{
	double typed;

	store(&typed, 0, y, kind);
	return load(&typed, 0, kind) * rint(exp2(random_unit() * formats[kind].digits)) * 0.5;
}

/* Runs what has been collected and judges it. */
static void flush(struct batch *batch)
{
	bool whole = batch->function->arguments == WHOLE_SECOND;

	for (size_t i = 0; i < batch->count; i++) {
		double second = batch->in[1][i];
		if (whole)
			batch->in[1][i] =
				isnan(second) ? 0 : fmax(fmin(trunc(second), 0x1p24), -0x1p24);
		for (size_t k = 0; k < 3; k++)
			store(batch->typed[k], i, batch->in[k][i], batch->kind);
	}
	bodies[batch->function - functions][batch->kind](batch->typed[0], batch->typed[1],
							 batch->typed[2], batch->typed[3],
							 batch->count, &batch->different);
	for (size_t i = 0; i < batch->count; i++) {
		double in[3], got = load(batch->typed[3], i, batch->kind);

		for (size_t k = 0; k < 3; k++)
			in[k] = load(batch->typed[k], i, batch->kind);
		if (whole && isinf(in[1])) /* an int that half has no number for */
			continue;
		double error = error_of(batch->function, batch->kind, in, got);
		if (error > batch->error) {
			batch->error = error;
			memcpy(batch->worst, in, sizeof(in));
			batch->got = got;
		}
	}
	batch->count = 0;
}

static void push(struct batch *batch, double x, double y, double z)
{
	batch->in[0][batch->count] = x;
	batch->in[1][batch->count] = y;
	batch->in[2][batch->count] = z;
	if (++batch->count == BLOCK)
		flush(batch);
}

/* One argument: all exponents evenly; of half, all numbers. The step is odd, so that all bits change. */
static void collect_evenly(struct batch *batch, size_t samples)
{
	uint64_t limit = batch->kind == HALF_KIND ? UINT16_MAX : UINT32_MAX;
	uint64_t step = batch->kind == HALF_KIND ? 1 : (limit + 1) / (8 * samples) | 1;

	for (uint64_t bits = 0; bits <= limit; bits += step)
		push(batch, from_bits(bits, batch->kind), 0, 0);
}

static void collect(struct batch *batch, size_t samples)
{
	const struct function *function = batch->function;
	size_t others = function->arguments > 1 ? (size_t)2 * NUM_EDGES : 1;

	for (size_t i = 0; i < 2 * NUM_EDGES; i++)
		for (size_t j = 0; j < others; j++)
			push(batch, edge(i), edge(j), edge(i + 7 * j));
	for (int stratum = 0; stratum < 4; stratum++)
		for (size_t i = 0; i < samples; i++) {
			int second = i % 2 ? stratum : (int)(random_bits() % 4);
			push(batch, sample(function, stratum, batch->kind),
			     sample(function, second, batch->kind),
			     sample(function, stratum, batch->kind));
		}
	for (size_t i = 0; i < samples && function->arguments > 1; i++) {
		double y = sample(function, (int)(i % 3), batch->kind);
		push(batch, multiple(y, batch->kind), y,
		     sample(function, (int)(i % 2), batch->kind));
	}
	if (batch->kind != DOUBLE_KIND && function->arguments == 1)
		collect_evenly(batch, samples);
	flush(batch);
}

/* Returns whether the function keeps its bound. */
static bool check(const struct function *function, enum kind kind, size_t samples)
{
	static struct batch batch;

	memset(&batch, 0, sizeof(batch));
	batch.function = function;
	batch.kind = kind;
	collect(&batch, samples);
	bool good = batch.error <= function->bounds[kind] && !batch.different;
	printf("%-16s %-6s %10.4g of %-6.4g%s", function->name, kind_names[kind], batch.error,
	       function->bounds[kind], good ? "" : " FAILED");
	if (!good || batch.error > 0.6)
		printf("  at %a, %a, %a: %a, not %a", batch.worst[0], batch.worst[1],
		       batch.worst[2], batch.got, exact_result(function, batch.worst));
	printf("%s\n", batch.different ? "; vectors differ from scalars" : "");
	return good;
}

static void test_bounds(void **unused)
{
	(void)unused;
	const char *text = getenv("WEFT_TEST_SAMPLES"), *only = getenv("WEFT_TEST_ONLY");
	size_t samples = text ? strtoul(text, NULL, 10) : 1000;
	int bad = 0;
	for (size_t i = 0; i < num_functions; i++) {
		if (only && strcmp(only, functions[i].name) != 0)
			continue;
		for (int kind = 0; kind < NUM_KINDS; kind++)
			bad += bodies[i][kind] && !check(&functions[i], (enum kind)kind, samples);
	}
	assert_int_equal(bad, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_bounds)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
