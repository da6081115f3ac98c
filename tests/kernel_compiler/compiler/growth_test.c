/* SPDX-License-Identifier: MIT
 *
 * A kernel four times as large takes about as long to compile as four of the small one, whatever it is made of: what grows
 * with the square takes four times as long. Measured is the processor time of this process.
 * And what would grow without bounds is an error.
 */
#include "compile.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define GROWTH 4
#define MOST_COST 2.5 /* of a large kernel, in GROWTH small ones: between 1 and GROWTH */
#define FEW_COST 1.5  /* where the square of a part of the work showed as 1.75 to 2.1 */
#define MOST_RUNS 10

#define HEAD                                                                                       \
	"kernel void k(global uint *p, global uint *q, local uint *s)\n"                           \
	"{\n"                                                                                      \
	"uint i = get_global_id(0), l = get_local_id(0), v = p[i], w = i, x = 1;\n"
#define TAIL "q[i] = v + w + x;\n}\n"

/* A kernel of `count` parts; %1$u in a part is its number. */
struct shape {
	const char *name, *before, *part, *after;
	unsigned count;
	double most_cost;
};

static const struct shape shapes[] = {
	{"straight", HEAD, "v = v * (2 * %1$uu + 3) + w; w = (w ^ (v >> (1 + %1$u %% 30))) + x;\n",
	 TAIL, 250, MOST_COST},
	{"branches", HEAD,
	 "if (v & 1u << %1$u %% 32) { v = v * (2 * %1$uu + 3) + w; }\n"
	 "else { w ^= v + %1$u; x += w / (v | 1); }\n",
	 TAIL, 100, MOST_COST},
	{"switch", HEAD "switch (v) {\n",
	 "case %1$u: w += v * %1$u + p[w & 1023]; x ^= w; break;\n", "}\n" TAIL, 60, MOST_COST},
	{"loops", HEAD, "for (uint j = 0; j < (v & 15); j++) { x += j * v; w ^= x + %1$u; }\n",
	 TAIL, 15, MOST_COST},
	{"barriers", HEAD,
	 "s[l] = v + %1$u; barrier(CLK_LOCAL_MEM_FENCE);\n"
	 "x += s[l ^ 1] * w; v ^= x; barrier(CLK_LOCAL_MEM_FENCE);\n",
	 TAIL, 30, MOST_COST},
	{"returns", HEAD, "x = x * 3 + %1$u; if ((x & 1023) == w) { q[i] = x; return; }\n", TAIL,
	 60, MOST_COST},
	/* As many as one block may have before less is done. */
	{"stores", HEAD, "q[i + %1$u * x] = s[l + %1$u] + p[%1$u];\n", TAIL, 150, FEW_COST},
};

static char *print_kernel(const struct shape *shape, unsigned count)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	assert_non_null(stream);
	fputs(shape->before, stream);
	for (unsigned i = 0; i < count; i++)
		fprintf(stream, shape->part, i);
	fputs(shape->after, stream);
	assert_int_equal(fclose(stream), 0);
	return text;
}

static double processor_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double cost_of(const char *source, int num_builds)
{
	double start = processor_seconds();

	for (int build = 0; build < num_builds; build++)
		expect_build(source, "", WEFT_OK, NULL);
	return processor_seconds() - start;
}

static int by_value(const void *a, const void *b)
{
	double first = *(const double *)a;
	double second = *(const double *)b;

	return (first > second) - (first < second);
}

static double median(double *numbers, size_t count)
{
	qsort(numbers, count, sizeof(*numbers), by_value);
	return numbers[count / 2];
}

/* What else this machine does makes either seem to cost more, by as much as twice: both are given the same time, by turns,
 * the least of each counts, and they are built again before it is too much. Where only the first builds of the small one
 * found the machine fast, most large ones cost as much as the small ones just before them. */
static bool grows_linearly(const struct shape *shape)
{
	char *small = print_kernel(shape, shape->count);
	char *large = print_kernel(shape, GROWTH * shape->count);
	double least_small = DBL_MAX, least_large = DBL_MAX;
	double ratios[MOST_RUNS];
	bool passed = false;

	for (int run = 0; run < MOST_RUNS && !passed; run++) {
		double small_cost = cost_of(small, GROWTH);
		double large_cost = cost_of(large, 1);

		ratios[run] = large_cost / small_cost;
		least_small = small_cost < least_small ? small_cost : least_small;
		least_large = large_cost < least_large ? large_cost : least_large;
		passed = least_large <= shape->most_cost * least_small;
	}
	passed = passed || median(ratios, MOST_RUNS) <= shape->most_cost;
	if (!passed)
		print_error("%s: %d small ones: %.0f ms, one of that size: %.0f ms\n", shape->name,
			    GROWTH, least_small * 1e3, least_large * 1e3);
	free(large);
	free(small);
	return passed;
}

static void every_shape_grows_linearly(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
		assert_true(grows_linearly(&shapes[i]));
}

/* Functions that each call the one before twice, down to a barrier: 2^30 of them, if all were inlined. */
static char *print_doubling(const char *kernel)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	assert_non_null(stream);
	fputs("void f0(local int *t) { t[0]++; barrier(CLK_LOCAL_MEM_FENCE); }\n", stream);
	for (unsigned i = 1; i <= 30; i++)
		fprintf(stream, "void f%u(local int *t) { f%u(t); f%u(t + 1); }\n", i, i - 1,
			i - 1);
	fputs(kernel, stream);
	assert_int_equal(fclose(stream), 0);
	return text;
}

static void does_not_explode(void **state)
{
	char *called = print_doubling("kernel void k(local int *t) { f30(t); }\n");
	char *unused = print_doubling("kernel void k(local int *t) { f3(t); }\n");

	(void)state;
	expect_build(called, "", WEFT_BUILD_FAILED, "error: kernel 'k' is too large");
	expect_build(unused, "", WEFT_OK, NULL);
	free(called);
	free(unused);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_shape_grows_linearly),
		cmocka_unit_test(does_not_explode),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
