/* SPDX-License-Identifier: MIT
 *
 * Private arrays of any size: kept off the stack of the thread that runs the kernel, which is small here.
 */
#include "kernel_runner.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define ITEMS 16
#define STACK (192 * 1024)

/* One run, in its own thread. */
struct run {
	struct runner *runner;
	size_t local;
	uint32_t out[ITEMS];
};

static void *run_kernel(void *data)
{
	struct run *run = data;
	const uint32_t steps = 1000;
	const struct runner_arg args[] = {RUNNER_MEMORY(run->out), RUNNER_VALUE(steps)};

	runner_run(run->runner, "k", (size_t[3]){ITEMS, 1, 1}, (size_t[3]){run->local, 1, 1}, args,
		   2);
	return NULL;
}

/* The body sees `uint a[size]`, the global id g and steps, and writes r. */
static void check(const char *body, uint64_t size, size_t local, const char *options)
{
	char source[2048];
	struct run run = {.local = local};
	pthread_attr_t attributes;
	pthread_t thread;

	snprintf(source, sizeof(source),
		 "#define SIZE %lluu\n"
		 "#define AT(i) ((i) * 7919u %% SIZE)\n"
		 "kernel void k(global uint *out, uint steps) {\n"
		 "  uint a[SIZE], g = get_global_id(0), r = 0;\n"
		 "  for (uint i = 0; i < steps; i++) a[AT(i)] = 0;\n"
		 "%s  out[g] = r;\n"
		 "}\n",
		 (unsigned long long)size, body);
	run.runner = runner_build(source, options);
	assert_int_equal(pthread_attr_init(&attributes), 0);
	assert_int_equal(pthread_attr_setstacksize(&attributes, STACK), 0);
	assert_int_equal(pthread_create(&thread, &attributes, run_kernel, &run), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	pthread_attr_destroy(&attributes);
	for (uint32_t g = 0; g < ITEMS; g++)
		assert_int_equal(run.out[g], 1000 * 999 / 2 + 1000 * g);
	runner_destroy(run.runner);
}

static const char plain[] = "  for (uint i = 0; i < steps; i++) a[AT(i)] += i + g;\n"
			    "  for (uint i = 0; i < steps; i++) r += a[AT(i)];\n";

/* Its contents are needed after the barrier: one for each work-item. */
static const char across[] = "  for (uint i = 0; i < steps; i++) a[AT(i)] += i + g;\n"
			     "  barrier(CLK_LOCAL_MEM_FENCE);\n"
			     "  for (uint i = 0; i < steps; i++) r += a[AT(i)];\n";

/* A second array that lives between barriers alone: one for all. */
static const char between[] = "  barrier(CLK_LOCAL_MEM_FENCE);\n"
			      "  { uint b[SIZE];\n"
			      "    for (uint i = 0; i < steps; i++) b[AT(i)] = i + g;\n"
			      "    for (uint i = 0; i < steps; i++) r += b[AT(i)]; }\n"
			      "  barrier(CLK_LOCAL_MEM_FENCE);\n";

static void every_size(void **state)
{
	static const uint64_t sizes[] = {4096, 16384, 1 << 18, 1 << 24};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		check(plain, sizes[i], 8, NULL);
		check(across, sizes[i], 2, NULL);
		check(between, sizes[i], 8, NULL);
		check(plain, sizes[i], 4, "-cl-opt-disable");
		check(between, sizes[i], 4, "-cl-opt-disable");
	}
}

/* Each would fit; all together would not. */
static void many_small_arrays(void **state)
{
	static const char body[] =
		"#define ONE(n) uint n[4000]; for (uint i = 0; i < steps; i++) n[i] = i + g;\n"
		"#define SUM(n) n[AT(i) % 1000] - AT(i) % 1000 - g\n"
		"  ONE(b) ONE(c) ONE(d) ONE(e) ONE(f) ONE(h) ONE(j) ONE(l) ONE(m) ONE(o) ONE(p)\n"
		"  for (uint i = 0; i < steps; i++)\n"
		"    r += SUM(b) + SUM(c) + SUM(d) + SUM(e) + SUM(f) + SUM(h) + SUM(j) + SUM(l) +\n"
		"      SUM(m) + SUM(o) + SUM(p) + i + g;\n";

	(void)state;
	check(body, 4000, 8, NULL);
}

/* A function that is called in many places and has its own array. */
static void arrays_of_functions(void **state)
{
	static const char source[] =
		"__attribute__((noinline)) uint f(uint x, uint steps) {\n"
		"  uint a[1 << 20];\n"
		"  for (uint i = 0; i < steps; i++) a[i * 7919u % (1u << 20)] = x + i;\n"
		"  for (uint i = 0; i < steps; i++) x += a[(steps - i) * 7919u % (1u << 20)];\n"
		"  return x; }\n"
		"kernel void k(global uint *out, uint steps) {\n"
		"  uint g = get_global_id(0);\n"
		"  out[g] = f(g, steps) + f(g + 1, steps) - f(g, steps) - f(g + 1, steps) +\n"
		"    steps * (steps - 1) / 2 + steps * g; }\n";
	struct run run = {.runner = runner_build(source, NULL), .local = 4};
	pthread_attr_t attributes;
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_attr_init(&attributes), 0);
	assert_int_equal(pthread_attr_setstacksize(&attributes, STACK), 0);
	assert_int_equal(pthread_create(&thread, &attributes, run_kernel, &run), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	pthread_attr_destroy(&attributes);
	runner_destroy(run.runner);
}

static void descriptor_tells_where(void **state)
{
	struct runner *runner = runner_build(
		"kernel void none(global int *o) { int a[100]; for (int i = 0; i < 100; i++)\n"
		"  a[i * 7 % 100] = o[i]; o[0] = a[o[1] & 31]; }\n"
		"kernel void once(global int *o) { int a[100000]; for (int i = 0; i < 100; i++)\n"
		"  a[i * 777] = o[i]; o[0] = a[o[1] & 31]; }\n"
		"kernel void absurd(global int *o) { long a[1UL << 45]; \n"
		"  for (int i = 0; i < 100; i++) a[i * 777] = o[i]; o[0] = a[o[1] & 31]; }\n",
		NULL);

	(void)state;
	assert_int_equal(runner_kernel(runner, "none")->scratch_size, 0);
	assert_int_equal(runner_kernel(runner, "once")->scratch_size, 400000);
	assert_int_equal(runner_kernel(runner, "once")->spill_per_item, 0);
	assert_int_equal(runner_kernel(runner, "absurd")->scratch_size, UINT64_C(1) << 48);
	runner_destroy(runner);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_size),
		cmocka_unit_test(many_small_arrays),
		cmocka_unit_test(arrays_of_functions),
		cmocka_unit_test(descriptor_tells_where),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
