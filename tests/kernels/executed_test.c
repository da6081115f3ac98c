/* SPDX-License-Identifier: MIT
 *
 * The time of work-items on RISC-V, from the instructions that the simulator executes: by what kernels must take at least, and by what
 * one has more than another. Runs for RISC-V alone (WEFT_ACCEL).
 */
#include "kernel_runner.h"
#include "riscv_runner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { LOCAL = RISCV_RUNNER_LOCAL, GLOBAL = RISCV_RUNNER_GLOBAL };
enum { MOST_ITEMS = 256, MOST_REGIONS = 8, FEW = 60 }; /* cycles of some instructions */

static const struct weft_costs costs = {.global_access = 1, .transfers = 1, .executed = 1};

static struct seen {
	size_t count;
	uint64_t cycles[MOST_REGIONS][MOST_ITEMS];
	uint64_t num_items;
} seen;

static void keep(void *data, const uint64_t *cycles, uint64_t num_items, uint32_t region)
{
	(void)data;
	(void)region;
	assert_true(seen.count < MOST_REGIONS && num_items <= MOST_ITEMS);
	seen.num_items = num_items;
	memcpy(seen.cycles[seen.count++], cycles, num_items * sizeof(*cycles));
}

/* One group, of the kernel `k` with the arguments a and n. */
static void run(const char *source, size_t num_items, int n, uint64_t transfers)
{
	const struct weft_observer observer = {.measure = keep, .transfers = transfers};
	static float a[4 * MOST_ITEMS];
	const struct runner_target target = {"-cl-std=CL3.0", NULL, 0, &costs, false};
	const struct runner_arg args[] = {RUNNER_MEMORY(a), RUNNER_VALUE(n)};
	const size_t size[3] = {num_items, 1, 1};
	char *log;
	struct runner *runner = runner_try_build(source, &target, &log);

	if (!runner)
		fail_msg("build failed: %s", log);
	memset(&seen, 0, sizeof(seen));
	for (size_t i = 0; i < sizeof(a) / sizeof(a[0]); i++)
		a[i] = (float)(i + 1);
	runner_observe(&observer);
	runner_run(runner, "k", size, size, args, 2);
	runner_observe(NULL);
	runner_destroy(runner);
	assert_int_equal(seen.num_items, num_items);
}

static void assert_between(uint64_t number, uint64_t least, uint64_t most)
{
	if (number < least || number > most)
		fail_msg("%llu, not %llu to %llu", (unsigned long long)number,
			 (unsigned long long)least, (unsigned long long)most);
}

#define KERNEL "kernel void k(global float *a, int n) { int i = get_global_id(0); "

static void equal_items_take_equal_times(void **state)
{
	struct seen before;

	(void)state;
	run(KERNEL "a[i] = a[i] * 3.5f + 1.0f; }\n", 100, 0, 0);
	assert_int_equal(seen.count, 1);
	assert_between(seen.cycles[0][0], 2 * GLOBAL + 5, 2 * GLOBAL + FEW);
	for (size_t i = 2; i < 100; i++)
		assert_int_equal(seen.cycles[0][i], seen.cycles[0][1]);
	before = seen;
	run(KERNEL "a[i] = a[i] * 3.5f + 1.0f; }\n", 100, 0, 0);
	assert_memory_equal(&before, &seen, sizeof(seen));
}

/* Each work-item has one round more than the one before it. */
static void rounds_take_what_they_have(void **state)
{
	static const char source[] = KERNEL
		"float sum = 0; for (int j = 0; j < i; j++) { sum += a[j * n]; } a[i] = sum; }\n";

	(void)state;
	run(source, 64, 3, 0);
	const uint64_t round = seen.cycles[0][63] - seen.cycles[0][62];
	assert_between(round, GLOBAL + 5, GLOBAL + FEW);
	for (size_t i = 40; i < 64; i++) /* unrolled code may have two kinds of rounds */
		assert_between(seen.cycles[0][i] - seen.cycles[0][i - 4], 4 * GLOBAL + 4 * 5,
			       4 * (GLOBAL + FEW));
}

/* The same code but for one instruction. */
static void a_division_takes_longer(void **state)
{
	uint64_t products;

	(void)state;
	run(KERNEL "a[i] = (float)(as_int(a[i]) * n); }\n", 16, 3, 0);
	products = seen.cycles[0][5];
	run(KERNEL "a[i] = (float)(as_int(a[i]) / n); }\n", 16, 3, 0);
	assert_between(seen.cycles[0][5] - products, 28, 45);
}

static void each_region_has_its_own(void **state)
{
	static const char source[] =
		KERNEL "local float l[64]; l[i] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); "
		       "if (i % 2) a[i] = l[63 - i]; }\n";

	(void)state;
	run(source, 64, 0, 0);
	assert_int_equal(seen.count, 2);
	assert_between(seen.cycles[0][7], GLOBAL + LOCAL, GLOBAL + LOCAL + FEW);
	assert_between(seen.cycles[1][7], GLOBAL + LOCAL, GLOBAL + LOCAL + FEW);
	assert_between(seen.cycles[1][8], 1, FEW);
}

/* The code is the same, whatever has been chosen. */
static void transfers_replace_accesses(void **state)
{
	static const char source[] = "kernel void k(global float *a, int n) { size_t i = "
				     "get_global_id(0); a[i] = a[i] + 1.0f; }\n";
	uint64_t far;

	(void)state;
	run(source, 64, 0, 0);
	far = seen.cycles[0][9];
	run(source, 64, 0, 1);
	assert_int_equal(far - seen.cycles[0][9], GLOBAL - LOCAL);
	run(source, 64, 0, 3);
	assert_int_equal(far - seen.cycles[0][9], 2 * (GLOBAL - LOCAL));
}

/* Lanes run together, and share their time. */
static void lanes_share_their_time(void **state)
{
	(void)state;
	run(KERNEL "a[i] = sub_group_reduce_add(a[i]); }\n", 64, 0, 0);
	for (size_t r = 0; r < seen.count; r++) {
		for (size_t i = 0; i < 64; i += 16) {
			for (size_t k = 1; k < 16; k++)
				assert_int_equal(seen.cycles[r][i + k], seen.cycles[r][i + 1]);
		}
	}
	assert_between(seen.cycles[0][20], 2 * GLOBAL, 2 * GLOBAL + 4 * FEW);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_items_take_equal_times),
		cmocka_unit_test(rounds_take_what_they_have),
		cmocka_unit_test(a_division_takes_longer),
		cmocka_unit_test(each_region_has_its_own),
		cmocka_unit_test(transfers_replace_accesses),
		cmocka_unit_test(lanes_share_their_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
