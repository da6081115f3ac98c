/* SPDX-License-Identifier: MIT
 *
 * A kernel four times as large takes about four times as long to compile, whatever it is made of: what grows with the
 * square takes sixteen times as long. Measured is the processor time of this process.
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
#define MOST_GROWTH 10 /* between GROWTH and its square */
#define FEW_GROWTH 5   /* where the square of a part of the work showed as 7 */
#define MOST_RUNS 10
#define SMALL_BUILDS 2 /* for each large one */

#define HEAD                                                                                       \
	"kernel void k(global uint *p, global uint *q, local uint *s)\n"                           \
	"{\n"                                                                                      \
	"uint i = get_global_id(0), l = get_local_id(0), v = p[i], w = i, x = 1;\n"
#define TAIL "q[i] = v + w + x;\n}\n"

/* A kernel of `count` parts; %1$u in a part is its number. */
struct shape {
	const char *name, *before, *part, *after;
	unsigned count;
	double most_growth;
};

static const struct shape shapes[] = {
	{"straight", HEAD, "v = v * (2 * %1$uu + 3) + w; w = (w ^ (v >> (1 + %1$u %% 30))) + x;\n",
	 TAIL, 250, MOST_GROWTH},
	{"branches", HEAD,
	 "if (v & 1u << %1$u %% 32) { v = v * (2 * %1$uu + 3) + w; }\n"
	 "else { w ^= v + %1$u; x += w / (v | 1); }\n",
	 TAIL, 100, MOST_GROWTH},
	{"switch", HEAD "switch (v) {\n",
	 "case %1$u: w += v * %1$u + p[w & 1023]; x ^= w; break;\n", "}\n" TAIL, 60, MOST_GROWTH},
	{"loops", HEAD, "for (uint j = 0; j < (v & 15); j++) { x += j * v; w ^= x + %1$u; }\n",
	 TAIL, 15, MOST_GROWTH},
	{"barriers", HEAD,
	 "s[l] = v + %1$u; barrier(CLK_LOCAL_MEM_FENCE);\n"
	 "x += s[l ^ 1] * w; v ^= x; barrier(CLK_LOCAL_MEM_FENCE);\n",
	 TAIL, 30, MOST_GROWTH},
	{"returns", HEAD, "x = x * 3 + %1$u; if ((x & 1023) == w) { q[i] = x; return; }\n", TAIL,
	 60, MOST_GROWTH},
	/* As many as one block may have before less is done. */
	{"stores", HEAD, "q[i + %1$u * x] = s[l + %1$u] + p[%1$u];\n", TAIL, 150, FEW_GROWTH},
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

static void note_cost(const char *source, double *least)
{
	double start = processor_seconds();

	expect_build(source, "", WEFT_OK, NULL);
	double cost = processor_seconds() - start;
	if (cost < *least)
		*least = cost;
}

/* Whether the large kernel costs at most so many times what the small one does. What else this machine does makes either
 * seem to cost more, by as much as twice: the least of each counts, and they are built again before it is too much. */
static bool grows_at_most(const struct shape *shape)
{
	char *sources[2] = {print_kernel(shape, shape->count),
			    print_kernel(shape, GROWTH * shape->count)};
	double least[2] = {DBL_MAX, DBL_MAX};
	bool passed = false;

	for (int run = 0; run < MOST_RUNS && !passed; run++) {
		for (int build = 0; build < SMALL_BUILDS; build++)
			note_cost(sources[0], &least[0]);
		note_cost(sources[1], &least[1]);
		passed = least[1] <= shape->most_growth * least[0];
	}
	if (!passed)
		print_error("%s: %.0f ms, %d times as much: %.0f ms\n", shape->name, least[0] * 1e3,
			    GROWTH, least[1] * 1e3);
	for (int size = 0; size < 2; size++)
		free(sources[size]);
	return passed;
}

static void grows_linearly(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
		assert_true(grows_at_most(&shapes[i]));
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
		cmocka_unit_test(grows_linearly),
		cmocka_unit_test(does_not_explode),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
