/* SPDX-License-Identifier: MIT
 *
 * A source four times as large takes about four times the time and memory, whatever it is made of (shapes.h): what grows
 * with the square takes sixteen times. Compared are builds of this process, never the clock. And what would grow without
 * bounds is bounded, or an error.
 */
#include "compile.h"
#include "measure.h"
#include "shapes.h"
#include "turns.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define GROWTH 4
#define MOST_COST 1.52 /* of a large one, in GROWTH small ones: GROWTH to the power of 0.3 */
#define MEMORY_SLACK (8 * 1048576.0) /* what the allocator keeps, as a rule */
#define TIME_SLACK 0.005 /* some shapes cost less than two builds of one source differ by */
#define SMALL_SIZE 600   /* LLVM instructions */
#define COSTLY_SIZE 150  /* of a shape that is costly, but in one of COSTLY_TURNS runs (turns.h) */
#define COSTLY_TURNS 4
#define MOST_RUNS                                                                                  \
	24 /* of a shape that seems to grow faster: a loaded machine gives few good ones */

static const struct growth_limits limits = {.seconds = 60, .options = ""};

static struct growth_cost measure_size(const struct growth_shape *shape, double size)
{
	const unsigned parts = (unsigned)(size / shape->instructions);
	struct growth_cost cost = growth_measure(shape, parts, &limits);

	if (!cost.built)
		print_error("%s: %u parts: no build\n", shape->name, parts);
	assert_true(cost.built);
	return cost;
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

/* Those that take several times as long as others of their size; most of the test, if all were large. */
static const char *const costly[] = {
	"calls-pow",          "calls-sin", "calls-lattice", "returns-rounds", "breaks",
	"conditions",         "switch",    "kernels",       "images",         "images-branches",
	"conditions-gathered"};

static double small_size(const struct growth_shape *shape)
{
	for (size_t i = 0; i < sizeof(costly) / sizeof(*costly); i++)
		if (strcmp(costly[i], shape->name) == 0 && !test_has_turn(i, COSTLY_TURNS))
			return COSTLY_SIZE;
	return SMALL_SIZE;
}

/* What else the machine does makes either seem to cost more: they are built by turns, and the least of each counts. */
static bool grows_linearly(const struct growth_shape *shape)
{
	struct growth_cost small = {false, DBL_MAX, DBL_MAX}, large = small;
	const double size = small_size(shape);
	bool passed = false;

	for (int run = 0; run < MOST_RUNS && !passed; run++) {
		const struct growth_cost small_now = measure_size(shape, size);
		const struct growth_cost large_now = measure_size(shape, GROWTH * size);

		small.seconds = least(small.seconds, small_now.seconds);
		small.bytes = least(small.bytes, small_now.bytes);
		large.seconds = least(large.seconds, large_now.seconds);
		large.bytes = least(large.bytes, large_now.bytes);
		passed = large.seconds <= GROWTH * MOST_COST * small.seconds + TIME_SLACK &&
			 large.bytes <= GROWTH * MOST_COST * small.bytes + MEMORY_SLACK;
	}
	if (!passed)
		print_error("%s: %.0f ms and %.1f MB, four times as large %.0f ms and %.1f MB\n",
			    shape->name, small.seconds * 1e3, small.bytes / 1048576,
			    large.seconds * 1e3, large.bytes / 1048576);
	return passed;
}

static void every_shape_grows_linearly(void **state)
{
	size_t failed = 0;

	(void)state;
	for (size_t i = 0; i < growth_num_shapes; i++)
		failed += !grows_linearly(&growth_shapes[i]);
	assert_int_equal(failed, 0);
}
#define BARRIER "barrier(CLK_LOCAL_MEM_FENCE);"
#define SUB_GROUP "t[0] = sub_group_reduce_add(t[1]);"

/* Functions that each call the one before twice, down to `leaf`: 2^30 of them, if all were inlined. */
static char *print_doubling(const char *leaf, const char *kernel)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	assert_non_null(stream);
	fprintf(stream, "void f0(local int *t) { t[0]++; %s }\n", leaf);
	for (unsigned i = 1; i <= 30; i++)
		fprintf(stream, "void f%u(local int *t) { f%u(t); f%u(t + 1); }\n", i, i - 1,
			i - 1);
	fputs(kernel, stream);
	assert_int_equal(fclose(stream), 0);
	return text;
}

static void does_not_explode(void **state)
{
	static const char deep[] = "kernel void k(local int *t) { f30(t); }\n";
	char *shared = print_doubling(BARRIER, deep);
	char *inlined = print_doubling(SUB_GROUP, deep);
	char *unused = print_doubling(SUB_GROUP, "kernel void k(local int *t) { f3(t); }\n");

	(void)state;
	expect_build(shared, "-cl-std=CL3.0", WEFT_OK, NULL);
	expect_build(inlined, "-cl-std=CL3.0", WEFT_BUILD_FAILED, "error: kernel 'k' is too large");
	expect_build(unused, "-cl-std=CL3.0", WEFT_OK, NULL);
	free(shared);
	free(inlined);
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
