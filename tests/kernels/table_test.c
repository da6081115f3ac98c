/* SPDX-License-Identifier: MIT
 *
 * Chains of look-ups in tables that the kernel changes, as in ciphers: in private memory, and in the local memory of groups
 * of one work-item, which have barriers for nothing. Tables of 16 lanes are too large for the stack, so where no width is
 * asked for, two work-items run side by side.
 */
#include "kernel_runner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define MOST 67
#define ROUNDS 2
#define SIZE 1100

/* The table's kind is SPACE; where GUARDED, work-items from `n` on do nothing, by an id of so many bits. */
static const char source[] =
	"#define SIZE 1100\n"
	"#define ROUND(a, b) a ^= b; b ^= ((s[a >> 24] + s[256 + (a >> 16 & 255)]) ^ \\\n"
	"  s[512 + (a >> 8 & 255)]) + s[768 + (a & 255)];\n"
	"ATTRIBUTES kernel void chain(global uint *out, uint n, uint rounds) {\n"
	"  SPACE uint s[SIZE];\n"
	"  uint g = get_global_id(0), x = g * 77, y = ~g;\n"
	"#if GUARDED == 32\n"
	"  if (g >= n) return;\n"
	"#elif GUARDED == 64\n"
	"  if (get_global_id(0) >= n) return;\n"
	"#endif\n"
	"  for (uint i = 0; i < SIZE; i++) s[i] = (i + g) * 2654435761u;\n"
	"  BARRIER\n"
	"  for (uint k = 0; k < rounds; k++)\n"
	"    for (uint i = 0; i < SIZE; i += 2) {\n"
	"      ROUND(x, y) ROUND(y, x) ROUND(x, y) ROUND(y, x)\n"
	"      s[i] = x; s[i + 1] = y;\n"
	"    }\n"
	"  out[g] = x + y + get_local_id(0) + get_local_size(0);\n"
	"}\n";

#define ROUND(a, b)                                                                                \
	a ^= b;                                                                                    \
	b ^= ((s[a >> 24] + s[256 + (a >> 16 & 255)]) ^ s[512 + (a >> 8 & 255)]) +                 \
	     s[768 + (a & 255)];

static uint32_t chain(uint32_t g, uint32_t local_id, uint32_t local_size)
{
	uint32_t s[SIZE];
	uint32_t x = g * 77;
	uint32_t y = ~g;

	for (uint32_t i = 0; i < SIZE; i++)
		s[i] = (i + g) * 2654435761u;
	for (uint32_t k = 0; k < ROUNDS; k++) {
		for (uint32_t i = 0; i < SIZE; i += 2) {
			ROUND(x, y) ROUND(y, x) ROUND(x, y) ROUND(y, x) s[i] = x;
			s[i + 1] = y;
		}
	}
	return x + y + local_id + local_size;
}

static void check(const struct runner *runner, uint32_t items, uint32_t local, uint32_t n,
		  enum runner_way way)
{
	const struct runner_range range = {.global = {items, 1, 1}, .local = {local, 1, 1}};
	const uint32_t rounds = ROUNDS;
	uint32_t out[MOST] = {0};
	const struct runner_arg args[] = {RUNNER_BUFFER(out, sizeof(out)), RUNNER_VALUE(n),
					  RUNNER_VALUE(rounds)};

	runner_launch(runner, "chain", &range, args, 3, way);
	for (uint32_t g = 0; g < items; g++)
		assert_int_equal(out[g], g < n ? chain(g, g % local, local) : 0);
}

/* `past`: work-items that the guard keeps out. */
static void check_all(const char *options, uint32_t local, uint32_t past)
{
	struct runner *runner = runner_build(source, options);

	for (uint32_t groups = 1; groups * local <= MOST; groups += groups < 5 ? 1 : 7) {
		check(runner, groups * local, local, groups * local - past, RUNNER_DIRECT);
		check(runner, groups * local, local, groups * local - past, RUNNER_PTHREAD);
	}
	runner_destroy(runner);
}

#define SINGLE                                                                                     \
	"-DATTRIBUTES=__attribute__((reqd_work_group_size(1,1,1))) "                               \
	"-DBARRIER=barrier(CLK_LOCAL_MEM_FENCE);"

static void private_tables(void **state)
{
	(void)state;
	check_all("-DSPACE= -DATTRIBUTES= -DBARRIER=", 1, 0);
	check_all("-DSPACE= -DATTRIBUTES= -DBARRIER= -DGUARDED=32", 3, 1);
	check_all("-DSPACE= -DATTRIBUTES= -DBARRIER=", 16, 0);
	check_all("-DSPACE= " SINGLE, 1, 0);
}

static void local_tables(void **state)
{
	static const char options[] = "-DSPACE=local " SINGLE;
	struct runner *runner = runner_build(source, options);
	(void)state;

	assert_int_equal(runner_kernel(runner, "chain")->local_size, 0);
	assert_true(runner_kernel(runner, "chain")->flags & WEFT_KERNEL_COALESCES_GROUPS);
	if (!getenv("WEFT_VECTOR_WIDTH"))
		assert_int_equal(runner_kernel(runner, "chain")->vector_width, 2);
	runner_destroy(runner);
	check_all(options, 1, 0);
	check_all("-DSPACE=local -DGUARDED=32 " SINGLE, 1, 1);
}

/* Pairs end where the guard lets no work-item pass. */
static void guarded_tables(void **state)
{
	static const char options[] = "-DSPACE=local -DGUARDED=64 " SINGLE;
	struct runner *runner = runner_build(source, options);
	(void)state;

	if (!getenv("WEFT_VECTOR_WIDTH"))
		assert_int_equal(runner_kernel(runner, "chain")->vector_width, 2);
	runner_destroy(runner);
	check_all(options, 1, 0);
	check_all(options, 1, 1);
	check_all("-DSPACE= -DATTRIBUTES= -DBARRIER= -DGUARDED=64", 3, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(private_tables),
		cmocka_unit_test(local_tables),
		cmocka_unit_test(guarded_tables),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	runner_close_devices();
	return failed;
}
