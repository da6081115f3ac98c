/* SPDX-License-Identifier: MIT
 *
 * NDRanges of all shapes and sizes, the memory of work-groups, native kernels, the floating-point
 * environment, and running out of memory.
 */
#include "suite.h"

#include "alloc.h"

#include <fenv.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

static void check_shape(const uint64_t global[3], const uint64_t local[3])
{
	size_t items = (size_t)(global[0] * global[1] * global[2]);
	_Atomic uint64_t calls = 0;
	_Atomic uint64_t threads = 0;
	struct count_args args = {calloc(1, items + 1), &calls, &threads};

	assert_non_null(args.cells);
	assert_int_equal(node_run(new_launch(KERNEL_COUNT, &args, global, local)), WEFT_OK);
	for (size_t i = 0; i < items; i++)
		assert_int_equal(args.cells[i], 1);
	assert_int_equal(args.cells[items], 0);
	assert_true(items == 0 || atomic_load(&calls) > 0);
	free(args.cells);
}

static void every_shape(void **state)
{
	static const uint64_t shapes[][2][3] = {
		{{1, 1, 1}, {1, 1, 1}},    {{17, 1, 1}, {17, 1, 1}},     {{17, 1, 1}, {4, 1, 1}},
		{{64, 64, 1}, {8, 8, 1}},  {{65, 63, 3}, {8, 8, 2}},     {{1, 1000, 1}, {1, 1, 1}},
		{{1, 1, 1000}, {1, 1, 7}}, {{4096, 1, 1}, {4096, 1, 1}}, {{3, 5, 7}, {2, 2, 2}},
		{{0, 1, 1}, {1, 1, 1}},    {{100003, 1, 1}, {64, 1, 1}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		check_shape(shapes[i][0], shapes[i][1]);
}

static void a_million_groups(void **state)
{
	static const uint64_t global[3] = {1000, 1000, 1};
	static const uint64_t local[3] = {1, 1, 1};

	(void)state;
	check_shape(global, local);
}

static void memory_of_groups(void **state)
{
	static const uint64_t sizes[] = {0, 1, 127, 128, 4096, 65536, 40000000};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		_Atomic uint64_t wrong = 0;
		_Atomic uint64_t done = 0;
		const uint64_t groups = sizes[i] > 1000000 ? 3 : 50;
		const uint64_t local[3] = {1 + i * 150, 1, 1};
		const uint64_t global[3] = {groups * local[0], 1, 1};
		struct memory_args args = {
			.local_bytes = sizes[i], .wrong = &wrong, .groups = &done};
		/* kernel_abi.h: of the local size, and the alignment */
		args.spill_bytes = 24 * local[0] + 128;
		struct node *node = new_launch(KERNEL_MEMORY, &args, global, local);
		node->command.launch.local_bytes = sizes[i];
		assert_int_equal(node_run(node), WEFT_OK);
		assert_int_equal(atomic_load(&wrong), 0);
		assert_int_equal(atomic_load(&done), groups);
	}
}

static void no_memory_for_groups(void **state)
{
	static const uint64_t sizes[] = {UINT64_MAX, UINT64_MAX - 200, UINT64_C(1) << 62};
	_Atomic uint64_t wrong = 0;
	_Atomic uint64_t done = 0;
	struct memory_args args = {.wrong = &wrong, .groups = &done};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct node *node = new_simple_launch(KERNEL_MEMORY, &args, 100);
		node->command.launch.local_bytes = sizes[i];
		assert_int_equal(node_run(node), WEFT_OUT_OF_RESOURCES);

		const uint64_t items[3] = {UINT64_C(1) << 62, 1, 1}; /* spill */
		node = new_launch(KERNEL_MEMORY, &args, items, items);
		assert_int_equal(node_run(node), WEFT_OUT_OF_RESOURCES);
	}
	const uint64_t huge[3] = {UINT64_C(1) << 40, UINT64_C(1) << 40, 1};
	const uint64_t one[3] = {1, 1, 1};
	assert_int_equal(node_run(new_launch(KERNEL_MEMORY, &args, huge, one)),
			 WEFT_OUT_OF_RESOURCES);
	assert_int_equal(atomic_load(&done), 0);
	assert_int_equal(node_run(new_simple_launch(KERNEL_MEMORY, &args, 100)), WEFT_OK);
	assert_int_equal(atomic_load(&done), 100);
}

/* Whichever allocation fails, a command ends, with the right result or out of resources. */
static void every_allocation_fails(void **state)
{
	static const uint64_t global[3] = {5000, 1, 1};
	static const uint64_t local[3] = {10, 1, 1};

	(void)state;
	for (long n = 0; n < 12; n++) {
		_Atomic uint64_t wrong = 0;
		_Atomic uint64_t done = 0;
		struct memory_args args = {
			.local_bytes = 1000, .spill_bytes = 24, .wrong = &wrong, .groups = &done};
		struct node *node = new_launch(KERNEL_MEMORY, &args, global, local);
		node->command.launch.local_bytes = 1000;
		weft_alloc_fail_after(n);
		enum weft_status status = node_run(node);
		weft_alloc_fail_after(-1);
		if (status == WEFT_OK)
			assert_int_equal(atomic_load(&done), 500);
		else
			assert_int_equal(status, WEFT_OUT_OF_RESOURCES);
		assert_int_equal(atomic_load(&wrong), 0);
	}
}

static void add_to_int(void *args)
{
	int *value = *(int **)args;

	*value += 5;
}

static void native(void **state)
{
	int value = 1;
	int *pointer = &value;

	(void)state;
	assert_int_equal(node_run(new_native(add_to_int, &pointer)),
			 runs_native() ? WEFT_OK : WEFT_UNSUPPORTED);
	assert_int_equal(value, runs_native() ? 6 : 1);
}

static void nothing(void **state)
{
	(void)state;
	assert_int_equal(node_run(node_new(suite.device, WEFT_OP_NOTHING)), WEFT_OK);
}

/* Kernels compute in the default environment, and the application's stays what it was. */
static void floating_point(void **state)
{
	float third[2000];
	float denormal[2000];
	uint32_t control[2000];
	struct float_args args = {third, denormal, control};
	volatile float one = 1;
	volatile float three = 3;
	float expected = one / three;

	(void)state;
	fesetround(FE_UPWARD);
#if defined(__x86_64__)
	_mm_setcsr(_mm_getcsr() | 0x8040); /* flush denormals */
#endif
	assert_int_equal(node_run(new_simple_launch(KERNEL_FLOAT, &args, 2000)), WEFT_OK);
	assert_int_equal(fegetround(), FE_UPWARD);
#if defined(__x86_64__)
	assert_int_equal(_mm_getcsr() & 0x8040, 0x8040);
	_mm_setcsr(0x1f80);
#endif
	fesetround(FE_TONEAREST);
	for (int i = 0; i < 2000; i++) {
		assert_true(third[i] == expected);
		assert_true(denormal[i] > 0);
		assert_int_equal(control[i], 0x1f80);
	}
}

/* Work that is long enough is shared by all workers. */
static void work_is_shared(void **state)
{
	_Atomic uint64_t sum = 0;
	struct slow_args args = {20000, &sum};

	(void)state;
	assert_int_equal(node_run(new_simple_launch(KERNEL_SLOW, &args, 1000)), WEFT_OK);
	assert_int_equal(atomic_load(&sum), 1000);
}

/* A few groups that take long: the next launch is shared from its start, until they take less. */
static void long_groups_are_shared(void **state)
{
	static const uint64_t rounds[] = {100000, 100000, 100, 100, 100000, 100000};

	(void)state;
	for (size_t i = 0; i < sizeof(rounds) / sizeof(rounds[0]); i++) {
		for (uint64_t groups = 2; groups < 5; groups++) {
			_Atomic uint64_t sum = 0;
			struct slow_args args = {rounds[i], &sum};
			const uint64_t global[3] = {groups, 1, 1};
			const uint64_t local[3] = {1, 1, 1};

			assert_int_equal(node_run(new_launch(KERNEL_SLOW, &args, global, local)),
					 WEFT_OK);
			assert_int_equal(atomic_load(&sum), groups);
		}
	}
}

int run_launch_tests(void)
{
	const struct CMUnitTest tests[] = {
		SUITE_TEST(every_shape),
		SUITE_TEST(a_million_groups),
		SUITE_TEST(memory_of_groups),
		SUITE_TEST(no_memory_for_groups),
		SUITE_TEST(every_allocation_fails),
		SUITE_TEST(native),
		SUITE_TEST(nothing),
		SUITE_TEST(floating_point),
		SUITE_TEST(work_is_shared),
		SUITE_TEST(long_groups_are_shared),
	};

	return cmocka_run_group_tests_name("launch", tests, NULL, NULL);
}
