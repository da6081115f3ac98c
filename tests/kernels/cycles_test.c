/* SPDX-License-Identifier: MIT
 *
 * Cycles that kernels count, work-item by work-item, against sums by hand: with the machine's vectors, and for an old CPU.
 */
#include "kernel_runner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Digits of their own, as far as sums go here. */
enum { INTEGER = 1, BRANCH = 20, MULTIPLY = 300, LOCAL = 1000, GLOBAL = 20000, ITEM = 300000 };
enum { REAL = 1000000, REAL_DIVIDE = 100000000, DIVIDE = 7, WIDE = 7, WIDE_DIVIDE = 70 };

static const struct weft_costs costs = {
	.integer = INTEGER,
	.multiply = MULTIPLY,
	.divide = DIVIDE,
	.real = REAL,
	.real_divide = REAL_DIVIDE,
	.wide = WIDE,
	.wide_divide = WIDE_DIVIDE,
	.branch = BRANCH,
	.local_access = LOCAL,
	.global_access = GLOBAL,
	.item = ITEM,
};

/* group id * local size + local id + offset */
#define OWN_ID (MULTIPLY + 2 * INTEGER)

enum { MOST_ITEMS = 4096, MOST_REGIONS = 16 };

/* Whether there are transfers, and which of them are chosen. */
static bool with_transfers;
static uint64_t chosen;

/* What one group counted. */
static struct {
	size_t count;
	uint32_t regions[MOST_REGIONS];
	uint64_t cycles[MOST_REGIONS][MOST_ITEMS];
	uint64_t num_items;
} seen;

static void keep(void *data, const uint64_t *cycles, uint64_t num_items, uint32_t region)
{
	(void)data;
	assert_true(seen.count < MOST_REGIONS && num_items <= MOST_ITEMS);
	seen.regions[seen.count] = region;
	seen.num_items = num_items;
	memcpy(seen.cycles[seen.count], cycles, num_items * sizeof(*cycles));
	seen.count++;
}

static struct {
	uint64_t bytes, lines, cycles;
} asked[4];
static size_t num_asked;

static void keep_request(void *data, uint64_t bytes, uint64_t lines, uint64_t cycles)
{
	(void)data;
	assert_true(num_asked < 4);
	asked[num_asked].bytes = bytes;
	asked[num_asked].lines = lines;
	asked[num_asked++].cycles = cycles;
}

/* One group of them, of the kernel `k` with the arguments a and n. */
static void run(const char *source, const char *cpu, size_t num_items)
{
	const struct weft_observer observer = {
		.measure = keep, .transfers = chosen, .request = keep_request};
	static float a[MOST_ITEMS];
	struct weft_costs counted = costs;
	const struct runner_target target = {"-cl-std=CL3.0", cpu, 0, &counted, false};
	const struct runner_arg args[] = {RUNNER_MEMORY(a), RUNNER_VALUE(num_items)};
	const size_t size[3] = {num_items, 1, 1};
	char *log;

	counted.transfers = with_transfers;
	struct runner *runner = runner_try_build(source, &target, &log);

	if (!runner)
		fail_msg("build failed: %s", log);
	for (size_t i = 0; i < MOST_ITEMS; i++)
		a[i] = (float)i;
	seen.count = 0;
	num_asked = 0;
	runner_observe(&observer);
	runner_run(runner, "k", size, size, args, 2);
	runner_observe(NULL);
	runner_destroy(runner);
	assert_int_equal(seen.num_items, num_items);
}

static const char *const cpus[] = {NULL, "x86-64-v2"};
static const size_t sizes[] = {1, 5, 16, 100, 4096};

#define KERNEL "kernel void k(global float *a, ulong n) { size_t i = get_global_id(0); "

static void a_straight_one(void **state)
{
	static const char source[] = KERNEL "a[i] = a[i] / 3.5f + 1.0f; }\n";
	const uint64_t expected =
		ITEM + OWN_ID + INTEGER /* index */ + 2 * GLOBAL + REAL_DIVIDE + REAL;

	(void)state;
	for (size_t c = 0; c < 2; c++) {
		for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
			run(source, cpus[c], sizes[s]);
			assert_int_equal(seen.count, 1);
			for (size_t i = 0; i < sizes[s]; i++)
				assert_int_equal(seen.cycles[0][i], expected);
		}
	}
}

/* As many rounds as the id says, of a load, an addition, the count and its test. */
static void a_loop_of_each_items_own(void **state)
{
	static const char source[] = KERNEL "float sum = 0; for (uint j = 0; j < i; j++) sum += "
					    "a[j] * a[j]; a[i + n] = sum; }\n";
	const uint64_t round =
		GLOBAL + 2 * INTEGER /* index, count */ + 2 * REAL + INTEGER + BRANCH;

	(void)state;
	for (size_t c = 0; c < 2; c++) {
		run(source, cpus[c], 100);
		assert_int_equal(seen.count, 1);
		for (size_t i = 2; i < 100; i++)
			assert_int_equal(seen.cycles[0][i] - seen.cycles[0][i - 1], round);
	}
}

/* Every third work-item, and those only, loads, adds and stores. */
static void a_branch(void **state)
{
	static const char source[] = KERNEL "if (i % 3 == 0) a[i] += 1.0f; }\n";
	const uint64_t rest = MULTIPLY + 2 * INTEGER /* by 3 */ + INTEGER + BRANCH;

	(void)state;
	for (size_t c = 0; c < 2; c++) {
		run(source, cpus[c], 100);
		for (size_t i = 0; i < 100; i++)
			assert_int_equal(seen.cycles[0][i],
					 ITEM + OWN_ID + rest +
						 (i % 3 ? 0 : INTEGER + 2 * GLOBAL + REAL));
	}
}

/* Three rounds of two barriers each. x is kept in memory; addresses, 2 for the id and 1 or 2 more, are computed again;
 * r and n - 1 are the group's. */
static void barriers_in_a_loop(void **state)
{
	static const char source[] =
		KERNEL "local float t[4096]; float x = a[i];\n"
		       "for (uint r = 0; r < 3; r++) {\n"
		       "  t[i] = x; barrier(CLK_LOCAL_MEM_FENCE);\n"
		       "  x = t[n - 1 - i] * x; barrier(CLK_LOCAL_MEM_FENCE);\n"
		       "} a[i] = x; }\n";
	/* x is loaded and kept; what all rounds need is computed before them */
	const uint64_t before = ITEM + OWN_ID + 5 * INTEGER + GLOBAL + LOCAL;
	/* addresses in t and a, the test of r, x; then t or a */
	const uint64_t decision = ITEM + 4 * INTEGER + INTEGER + BRANCH + LOCAL;
	/* the place in t; t, x, and what x becomes */
	const uint64_t product = ITEM + 4 * INTEGER + 3 * LOCAL + REAL;
	/* r; x is already where the next round looks for it */
	const uint64_t again = ITEM + INTEGER;
	const struct {
		uint32_t region;
		uint64_t cycles;
	} expected[] = {{0, before}, {1, decision + LOCAL}, {2, product},
			{3, again},  {1, decision + LOCAL}, {2, product},
			{3, again},  {1, decision + LOCAL}, {2, product},
			{3, again},  {1, decision + GLOBAL}};

	(void)state;
	for (size_t c = 0; c < 2; c++) {
		run(source, cpus[c], 100);
		assert_int_equal(seen.count, sizeof(expected) / sizeof(expected[0]));
		for (size_t r = 0; r < seen.count; r++) {
			assert_int_equal(seen.regions[r], expected[r].region);
			for (size_t i = 0; i < 100; i++)
				assert_int_equal(seen.cycles[r][i], expected[r].cycles);
		}
	}
}

/* What is chosen costs local accesses; the rest stays. In a loop, a chunk of 32 rounds begins with a barrier. */
static void transfers(void **state)
{
	static const char straight[] = KERNEL "a[i] = a[i] / 3.5f + 1.0f; }\n";
	static const char loop[] = KERNEL "float sum = 0; for (ulong k = 0; k < n; k++) sum += "
					  "a[k * n + i]; a[i] = sum; }\n";
	const uint64_t rest = ITEM + OWN_ID + INTEGER + REAL_DIVIDE + REAL;

	(void)state;
	with_transfers = true;
	for (size_t c = 0; c < 2; c++) {
		for (chosen = 0; chosen < 4; chosen++) {
			run(straight, cpus[c], 16);
			assert_int_equal(seen.count, 1);
			assert_int_equal(seen.cycles[0][7], rest + (chosen & 1 ? LOCAL : GLOBAL) +
								    (chosen & 2 ? LOCAL : GLOBAL));
		}
		uint64_t first[2];
		for (chosen = 0; chosen < 2; chosen++) {
			run(loop, cpus[c], 50);
			assert_int_equal(seen.count, 3);
			assert_int_equal(seen.regions[1], seen.regions[2]);
			first[chosen] = seen.cycles[1][7];
		}
		assert_int_equal(first[0] - first[1], 32 * (GLOBAL - LOCAL));
	}
	with_transfers = false;
	chosen = 0;
}

/* The first work-item asks for what it would copy; that is not counted. */
static void copies_of_the_group(void **state)
{
	static const char source[] =
		KERNEL "local float t[4096]; event_t e = async_work_group_copy(t, a, n, 0);\n"
		       "e = async_work_group_strided_copy(t, a, n / 2, 2, e);\n"
		       "wait_group_events(1, &e); a[i] = t[i]; }\n";

	(void)state;
	for (size_t c = 0; c < 2; c++) {
		run(source, cpus[c], 100);
		assert_int_equal(seen.count, 2);
		assert_true(seen.cycles[0][0] - ITEM < GLOBAL);
		assert_int_equal(num_asked, 3);
		assert_int_equal(asked[0].bytes, 400);
		assert_int_equal(asked[0].lines, 1);
		assert_int_equal(asked[1].bytes, 4);
		assert_int_equal(asked[1].lines, 50);
		assert_true(asked[0].cycles < asked[1].cycles);
		assert_true(asked[1].cycles <= seen.cycles[0][0]);
		assert_int_equal(asked[2].lines, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_straight_one), cmocka_unit_test(a_loop_of_each_items_own),
		cmocka_unit_test(a_branch),       cmocka_unit_test(barriers_in_a_loop),
		cmocka_unit_test(transfers),      cmocka_unit_test(copies_of_the_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
