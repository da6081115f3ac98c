/* SPDX-License-Identifier: MIT
 *
 * Kernels that write large buffers, and a cache that is said to be too small for them: their stores may go past it
 * (stream-stores). Whatever the buffers' alignment, what is written is the same, and nothing beside it.
 */
#include "kernel_runner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST 4096   /* floats of a buffer */
#define BESIDE 1024 /* before and behind what is written */
#define PAGE 4096

static const char source[] =
	"kernel void copy(global const float *a, global const float *b, global float *c, ulong n) "
	"{\n"
	"  size_t i = get_global_id(0);\n"
	"  c[i] = a[i];\n"
	"}\n"
	"kernel void sum(global const float *a, global const float *b, global float *c, ulong n) "
	"{\n"
	"  size_t i = get_global_id(0) + get_global_id(1) * get_global_size(0);\n"
	"  if (i < n) c[i] = a[i] + 3 * b[i];\n"
	"}\n"
	"kernel void guarded(global const float *a, global const float *b, global float *c, ulong "
	"n) {\n"
	"  int i = get_global_id(0);\n"
	"  if (i < (int)n) c[i] = a[i] + 3 * b[i];\n"
	"}\n"
	"kernel void rows(global const float *a, global const float *b, global float *c, ulong n) "
	"{\n"
	"  size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);\n"
	"  c[i] = a[i] + 3 * b[i];\n"
	"}\n"
	"kernel void quads(global const float *a, global const float *b, global float *c, ulong n) "
	"{\n"
	"  size_t i = get_global_id(0);\n"
	"  vstore4(vload4(i, a) + 3 * vload4(i, b), i, c);\n"
	"}\n"
	"kernel void swapped(global const float *a, global const float *b, global float *c, ulong "
	"n) {\n"
	"  local float l[256];\n"
	"  l[get_local_id(0)] = a[get_global_id(0)];\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  c[get_global_id(0)] = l[get_local_size(0) - 1 - get_local_id(0)];\n"
	"}\n"
	"kernel void alone(global const float *a, global const float *b, global float *c, ulong n) "
	"{\n"
	"  for (ulong i = 0; i < n; i++) c[i] = a[i] + 3 * b[i];\n"
	"}\n";

struct shape {
	const char *kernel;
	size_t global[2], local[2];
	size_t count; /* floats written */
};

static const struct shape shapes[] = {
	{"copy", {MOST, 1}, {MOST, 1}, MOST},  {"copy", {MOST, 1}, {64, 1}, MOST},
	{"copy", {1000, 1}, {200, 1}, 1000},   {"copy", {1009, 1}, {1009, 1}, 1009},
	{"copy", {17, 1}, {17, 1}, 17},        {"sum", {MOST, 1}, {256, 1}, MOST},
	{"sum", {1024, 1}, {1024, 1}, 1001},   {"sum", {64, 16}, {64, 4}, 64 * 16},
	{"rows", {256, 16}, {256, 1}, MOST},   {"rows", {128, 8}, {16, 8}, 128 * 8},
	{"rows", {100, 9}, {50, 3}, 900},      {"quads", {MOST / 4, 1}, {128, 1}, MOST},
	{"quads", {33, 1}, {33, 1}, 132},      {"swapped", {MOST, 1}, {256, 1}, MOST},
	{"swapped", {960, 1}, {96, 1}, 960},   {"alone", {1, 1}, {1, 1}, MOST},
	{"alone", {1, 1}, {1, 1}, 1003},       {"guarded", {MOST, 1}, {512, 1}, MOST},
	{"guarded", {2048, 1}, {64, 1}, 2017}, {"guarded", {MOST, 1}, {MOST, 1}, 3},
};

static float expected(const struct shape *shape, const float *a, const float *b, size_t i)
{
	size_t local = shape->local[0];

	if (strcmp(shape->kernel, "copy") == 0)
		return a[i];
	if (strcmp(shape->kernel, "swapped") == 0)
		return a[i / local * local + local - 1 - i % local];
	return a[i] + 3 * b[i];
}

/* All small whole numbers: sums are exact. */
static float *new_buffer(float first)
{
	const size_t count = MOST + 4 * BESIDE;
	float *memory = aligned_alloc(PAGE, count * sizeof(float));

	assert_non_null(memory);
	for (size_t i = 0; i < count; i++)
		memory[i] = first + (float)(i % 1021);
	return memory;
}

/* c begins `shift` floats past a page. */
static void compare(const struct runner *runner, const struct shape *shape, size_t shift,
		    bool in_place)
{
	const struct runner_range range = {
		.global = {shape->global[0], shape->global[1], 1},
		.local = {shape->local[0], shape->local[1], 1},
	};
	float *memory[] = {new_buffer(1), new_buffer(5000), new_buffer(20000)};
	float *const c = memory[in_place ? 0 : 2] + BESIDE + shift;
	const float *const a = in_place ? c : memory[0] + BESIDE;
	const float *const b = memory[1] + BESIDE + 3;
	const uint64_t count = shape->count;
	const struct runner_arg args[] = {RUNNER_MEMORY(a), RUNNER_MEMORY(b), RUNNER_MEMORY(c),
					  RUNNER_VALUE(count)};
	float *wanted = malloc((MOST + 2 * BESIDE) * sizeof(float));

	assert_non_null(wanted);
	memcpy(wanted, c - BESIDE, (MOST + 2 * BESIDE) * sizeof(float));
	for (size_t i = 0; i < count; i++)
		wanted[BESIDE + i] = expected(shape, a, b, i);
	runner_launch(runner, shape->kernel, &range, args, 4, RUNNER_DIRECT);
	assert_memory_equal(c - BESIDE, wanted, (MOST + 2 * BESIDE) * sizeof(float));
	free(wanted);
	for (size_t i = 0; i < 3; i++)
		free(memory[i]);
}

static void compare_all(const char *cpu, bool in_place)
{
	static const size_t shifts[] = {0, 1, 4, 8, 15, 16};
	static const uint64_t caches[] = {0, 1, 4096, UINT64_MAX};
	const struct runner_target target = {.cpu = cpu};
	char *log;
	struct runner *runner = runner_try_build(source, &target, &log);

	assert_non_null(runner);
	for (size_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++) {
		for (size_t i = 0; i < sizeof(shifts) / sizeof(shifts[0]); i++) {
			for (size_t k = 0; k < sizeof(caches) / sizeof(caches[0]); k++) {
				runner_assume_cache(caches[k]);
				compare(runner, &shapes[s], shifts[i], in_place);
			}
		}
	}
	runner_destroy(runner);
}

static void stores_past_the_cache_write_the_same(void **state)
{
	(void)state;
	compare_all(NULL, false);
}

static void so_do_those_of_smaller_vectors(void **state)
{
	(void)state;
	compare_all("x86-64-v3", false);
	compare_all("x86-64-v2", false);
}

/* Two arguments are one buffer: what is read there was not written before. */
static void what_is_read_may_be_what_is_written(void **state)
{
	(void)state;
	compare_all(NULL, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stores_past_the_cache_write_the_same),
		cmocka_unit_test(so_do_those_of_smaller_vectors),
		cmocka_unit_test(what_is_read_may_be_what_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
