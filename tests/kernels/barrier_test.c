/* SPDX-License-Identifier: MIT
 *
 * Kernels with barriers at many local sizes, in one to three dimensions, last groups smaller than the rest.
 */
#include "barrier_shapes.h"
#include "kernel_runner.h"
#include "turns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct geometry {
	size_t global[3];
	size_t local[3];
};

static const struct geometry geometries[] = {
	{{4, 1, 1}, {1, 1, 1}},    {{10, 1, 1}, {3, 1, 1}},    {{24, 1, 1}, {8, 1, 1}},
	{{200, 1, 1}, {64, 1, 1}}, {{600, 1, 1}, {256, 1, 1}}, {{7, 5, 1}, {4, 2, 1}},
	{{33, 9, 1}, {16, 4, 1}},  {{5, 4, 7}, {2, 3, 4}},     {{1, 1, 9}, {1, 1, 4}},
};

/* The group's linear size, clipped at the end of the range. */
static size_t group_size(const struct geometry *geometry, const size_t group[3])
{
	size_t size = 1;

	for (size_t d = 0; d < 3; d++) {
		size_t left = geometry->global[d] - group[d] * geometry->local[d];
		size *= left < geometry->local[d] ? left : geometry->local[d];
	}
	return size;
}

static void check_shape(const struct runner *runner, const struct shape *shape,
			const struct geometry *geometry, int n)
{
	size_t groups[3], enqueued = 1, count = 1;

	for (size_t d = 0; d < 3; d++) {
		groups[d] = (geometry->global[d] + geometry->local[d] - 1) / geometry->local[d];
		enqueued *= geometry->local[d];
		count *= groups[d];
	}
	int *a = malloc(sizeof(int) * enqueued * count);
	int *out = calloc(enqueued * count, sizeof(int));
	int *expected = calloc(enqueued, sizeof(int));
	for (size_t i = 0; i < enqueued * count; i++)
		a[i] = (int)(i * 7919 % 1009) - 300;
	const struct runner_arg args[] = {RUNNER_MEMORY(a), RUNNER_MEMORY(out),
					  RUNNER_LOCAL(enqueued * 4), RUNNER_LOCAL(enqueued * 4),
					  RUNNER_VALUE(n)};
	runner_run(runner, shape->name, geometry->global, geometry->local, args, 5);
	for (size_t g = 0; g < count; g++) {
		const size_t group[3] = {g % groups[0], g / groups[0] % groups[1],
					 g / groups[0] / groups[1]};
		size_t size = group_size(geometry, group);
		shape->reference(a + g * enqueued, expected, (int)size, n);
		for (size_t l = 0; l < size; l++) {
			if (out[g * enqueued + l] != expected[l])
				fail_msg("%s: n %d, local %zu %zu %zu, group %zu, item %zu: %d, "
					 "not %d",
					 shape->name, n, geometry->local[0], geometry->local[1],
					 geometry->local[2], g, l, out[g * enqueued + l],
					 expected[l]);
		}
	}
	free(a);
	free(out);
	free(expected);
}

static const char prologue[] =
	"void rotate_by(local int *t, int l, int L, int n) {\n"
	"  for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) { int x = t[(l + j + 1) % L] + "
	"i;\n"
	"    barrier(CLK_LOCAL_MEM_FENCE); t[l] = x; barrier(CLK_LOCAL_MEM_FENCE); }\n"
	"}\n"
	"size_t group(void) { return get_group_id(0) + get_num_groups(0) *\n"
	"  (get_group_id(1) + get_num_groups(1) * get_group_id(2)); }\n"
	"size_t enqueued(void) { return get_enqueued_local_size(0) * get_enqueued_local_size(1) *\n"
	"  get_enqueued_local_size(2); }\n";

/* All shapes as kernels of one program, with these attributes. */
static char *make_source(const char *attributes)
{
	size_t size = sizeof(prologue), used;

	for (size_t i = 0; i < num_shapes; i++)
		size += strlen(shapes[i].body) + strlen(attributes) + 512;
	char *source = malloc(size);
	used = (size_t)snprintf(source, size, "%s", prologue);
	for (size_t i = 0; i < num_shapes; i++)
		used += (size_t)snprintf(
			source + used, size - used,
			"%s kernel void %s(global int *a, global int *out, local int *t, local int "
			"*u, int n) {\n"
			"int l = get_local_linear_id();\n"
			"int L = get_local_size(0) * get_local_size(1) * get_local_size(2);\n"
			"a += group() * enqueued(); out += group() * enqueued();\n"
			"%s\n}\n",
			attributes, shapes[i].name, shapes[i].body);
	return source;
}

static void check_all(const char *attributes, const char *options, const struct geometry *checked,
		      size_t count)
{
	char *source = make_source(attributes);
	struct runner *runner = runner_build(source, options);

	for (size_t i = 0; i < num_shapes; i++) {
		for (size_t g = 0; g < count; g++) {
			for (int n = 1; n < 6; n++)
				check_shape(runner, &shapes[i], &checked[g], n);
		}
	}
	runner_destroy(runner);
	free(source);
}

#define NUM_GEOMETRIES (sizeof(geometries) / sizeof(geometries[0]))

/* Where ctest has no code optimised. */
static bool is_unoptimised(void)
{
	const char *options = getenv("WEFT_TEST_OPTIONS");

	return options && strstr(options, "-cl-opt-disable");
}

/* Optimised code takes turns where ctest asks for a width. */
static bool has_turn(size_t part)
{
	return is_unoptimised() || !getenv("WEFT_VECTOR_WIDTH") || test_has_turn(part, 2);
}

static void every_shape_optimised(void **state)
{
	(void)state;
	if (is_unoptimised() || !has_turn(0)) /* the next one is the same, or it is another run's */
		return;
	check_all("", "-cl-std=CL3.0", geometries, NUM_GEOMETRIES);
}

static void every_shape_unoptimised(void **state)
{
	(void)state;
	check_all("", "-cl-std=CL3.0 -cl-opt-disable", geometries, NUM_GEOMETRIES);
}

/* Loops over the group, and those that halve or double, are unrolled. */
static void every_shape_of_known_size(void **state)
{
	static const struct geometry known = {{128, 1, 1}, {64, 1, 1}};

	(void)state;
	if (!has_turn(1))
		return;
	check_all("__attribute__((reqd_work_group_size(64, 1, 1)))",
		  "-cl-std=CL3.0 -cl-uniform-work-group-size", &known, 1);
}

/* 4096 work-items with a kilobyte each, kept across a barrier, in a thread with a small stack. */
static void private_state_does_not_overflow(void **state)
{
	static const char source[] =
		"kernel void big(global uint *out, local uint *t) {\n"
		"  uint l = get_local_id(0), p[256];\n"
		"  for (uint i = 0; i < 256; i++) p[i] = l * i + i;\n"
		"  t[l] = p[l & 255];\n"
		"  barrier(CLK_LOCAL_MEM_FENCE);\n"
		"  out[get_global_id(0)] = p[t[(l + 1) % get_local_size(0)] & 255] + p[l >> 4];\n"
		"}\n";
	struct runner *runner = runner_build(source, NULL);
	const struct weft_kernel_desc *kernel = runner_kernel(runner, "big");
	static uint32_t out[8192];
	const struct runner_arg args[] = {RUNNER_MEMORY(out), RUNNER_LOCAL(4096 * 4)};

	(void)state;
	assert_true(kernel->spill_per_item >= 1024 && kernel->spill_per_item < 1300);
	assert_true(kernel->private_size >= 1024);
	runner_run(runner, "big", (size_t[3]){8192, 1, 1}, (size_t[3]){4096, 1, 1}, args, 2);
	for (uint32_t i = 0; i < 8192; i++) {
		uint32_t l = i & 4095, next = (l + 1) & 4095, k = next & 255;
		uint32_t index = (next * k + k) & 255;
		assert_int_equal(out[i], l * index + index + l * (l >> 4) + (l >> 4));
	}
	runner_destroy(runner);
}

/* Ids and addresses are computed again, uniform values are kept once: nothing is spilled. */
static void cheap_values_are_not_spilled(void **state)
{
	static const char source[] =
		"kernel void k(global int *a, local int *t, int n) {\n"
		"  size_t i = get_global_id(0); int l = get_local_id(0), m = n * n;\n"
		"  for (int k = 0; k < n; k++) {\n"
		"    t[l] = a[i] + m; barrier(CLK_LOCAL_MEM_FENCE);\n"
		"    a[i] = t[get_local_size(0) - 1 - l]; barrier(CLK_LOCAL_MEM_FENCE);\n"
		"  }\n"
		"}\n";
	struct runner *runner = runner_build(source, NULL);

	(void)state;
	assert_int_equal(runner_kernel(runner, "k")->spill_per_item, 0);
	assert_true(runner_kernel(runner, "k")->flags & WEFT_KERNEL_HAS_BARRIER);
	runner_destroy(runner);
}

/* Many barriers in conditions: the binary grows with their number, not its square. */
static void many_barriers_do_not_explode(void **state)
{
	static const char line[] =
		"if (n > %d) { x += t[(l + 1) & 7]; barrier(CLK_LOCAL_MEM_FENCE); t[l] = x; }\n";
	enum { COUNT = 300 };
	char *source = malloc(COUNT * 128 + 256);
	size_t used =
		(size_t)sprintf(source, "kernel void k(global int *a, local int *t, int n) {\n"
					"int l = get_local_id(0), x = 1; t[l] = 1;\n"
					"barrier(CLK_LOCAL_MEM_FENCE);\n");

	(void)state;
	for (int i = 0; i < COUNT; i++)
		used += (size_t)sprintf(source + used, line, i);
	sprintf(source + used, "a[get_global_id(0)] = x; }\n");
	struct runner *runner = runner_build(source, NULL);
	int a[8], n = 1;
	const struct runner_arg args[] = {RUNNER_MEMORY(a), RUNNER_LOCAL(32), RUNNER_VALUE(n)};
	runner_run(runner, "k", (size_t[3]){8, 1, 1}, (size_t[3]){8, 1, 1}, args, 3);
	for (int i = 0; i < 8; i++)
		assert_int_equal(a[i], 2);
	runner_destroy(runner);
	free(source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_shape_optimised),
		cmocka_unit_test(every_shape_unoptimised),
		cmocka_unit_test(every_shape_of_known_size),
		cmocka_unit_test(private_state_does_not_overflow),
		cmocka_unit_test(cheap_values_are_not_spilled),
		cmocka_unit_test(many_barriers_do_not_explode),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
