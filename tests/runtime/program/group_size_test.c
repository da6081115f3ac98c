/* SPDX-License-Identifier: MIT
 *
 * The size of work-groups that the runtime chooses: rules that hold for every range, and a few choices.
 */
#include "program/group_size.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const uint64_t item_max[3] = {4096, 4096, 4096};

static void choose(uint64_t x, uint64_t y, uint64_t z, bool uniform, uint64_t local[3])
{
	const uint64_t global[3] = {x, y, z};
	const struct weft_group_size_request request = {
		.work_dim = z > 1   ? 3
			    : y > 1 ? 2
				    : 1,
		.global = global,
		.item_max = item_max,
		.limit = 4096,
		.compute_units = 4,
		.uniform = uniform,
	};

	weft_group_size_choose(&request, local);
	uint64_t items = local[0] * local[1] * local[2];
	assert_true(items >= 1 && items <= 256);
	for (int i = 0; i < 3; i++) {
		assert_true(local[i] >= 1 && local[i] <= global[i]);
		if (uniform)
			assert_int_equal(global[i] % local[i], 0);
	}
}

static void test_rules(void **state)
{
	static const uint64_t sizes[] = {
		1,  2,  3,   7,    15,   16,   17,   31,      32,      48,
		63, 64, 100, 1000, 1024, 1025, 4093, 1000000, 1000003, UINT64_C(1) << 40};
	const size_t count = sizeof(sizes) / sizeof(sizes[0]);
	uint64_t local[3];
	(void)state;

	for (size_t x = 0; x < count; x++) {
		for (size_t y = 0; y < count; y++) {
			for (size_t z = 0; z < count; z += 5) {
				choose(sizes[x], sizes[y], sizes[z], true, local);
				choose(sizes[x], sizes[y], sizes[z], false, local);
			}
		}
	}
}

static void test_choices(void **state)
{
	uint64_t local[3];
	(void)state;

	/* A tile, one vector wide; wider where there are too few rows. */
	choose(1920, 1080, 1, true, local);
	assert_int_equal(local[0], 16);
	assert_int_equal(local[1], 15);
	choose(1 << 20, 4, 1, true, local);
	assert_int_equal(local[0], 64);
	assert_int_equal(local[1], 4);
	choose(1009, 1024, 1, false, local);
	assert_int_equal(local[0], 16);
	assert_int_equal(local[1], 16);
	choose(1000, 1024, 1, true, local);
	assert_int_equal(local[0], 250);
	/* Vectors are filled, and all cores have something to do. */
	choose(1 << 20, 1, 1, true, local);
	assert_int_equal(local[0], 256);
	choose(1920, 1080, 1, true, local);
	assert_int_equal(local[0] % 16, 0);
	choose(512, 1, 1, true, local);
	assert_int_equal(local[0], 16);
	/* A divisor that fills vectors goes before a larger one that does not: 240, not 250. */
	choose(12000, 1, 1, true, local);
	assert_int_equal(local[0], 240);
	/* Where no divisor does, a smaller last group is better, if it may be. */
	choose(1000003, 1, 1, false, local);
	assert_int_equal(local[0], 256);
	choose(1000003, 1, 1, true, local);
	assert_int_equal(local[0], 1);
	/* A narrow range uses its second dimension. */
	choose(4, 1 << 20, 1, true, local);
	assert_int_equal(local[0], 4);
	assert_int_equal(local[1], 64);
}

/* What is chosen along x otherwise is chosen along the dimension in which vectors go, if the range has it. */
static void test_first_dimension(void **state)
{
	const uint64_t global[3] = {1000, 600, 48};
	const uint64_t few[3] = {4096, 4096, 8};
	struct weft_group_size_request request = {.work_dim = 2,
						  .global = global,
						  .item_max = item_max,
						  .limit = 4096,
						  .compute_units = 4,
						  .uniform = true};
	uint64_t local[3];
	(void)state;

	request.first_dimension = 1;
	weft_group_size_choose(&request, local);
	assert_int_equal(local[0], 1);
	assert_int_equal(local[1], 200);
	assert_int_equal(local[2], 1);
	request.first_dimension = 2;
	weft_group_size_choose(&request, local);
	assert_int_equal(local[0], 250);
	request.work_dim = 3;
	weft_group_size_choose(&request, local);
	assert_int_equal(local[2], 16);
	request.item_max = few;
	weft_group_size_choose(&request, local);
	assert_int_equal(local[2], 8);
}

static const uint64_t volume_size[3] = {128, 128, 64};
static const struct weft_group_size_request volume = {.work_dim = 3,
						      .global = volume_size,
						      .item_max = item_max,
						      .limit = 4096,
						      .compute_units = 4,
						      .uniform = true};

/* Blocks are of the dimension of vectors and the second one, where the range has it. */
static void test_second_dimension(void **state)
{
	const uint32_t dimensions[][2] = {{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}};
	struct weft_group_size_request request = volume;
	uint64_t local[3];
	(void)state;

	for (size_t i = 0; i < sizeof(dimensions) / sizeof(*dimensions); i++) {
		request.first_dimension = dimensions[i][0];
		request.second_dimension = dimensions[i][1];
		weft_group_size_choose(&request, local);
		assert_int_equal(local[dimensions[i][0]], 16);
		assert_int_equal(local[dimensions[i][1]], 16);
	}
	request.work_dim = 2;
	request.first_dimension = 1;
	request.second_dimension = 2;
	weft_group_size_choose(&request, local);
	assert_int_equal(local[0], 16);
	assert_int_equal(local[1], 16);
	request.first_dimension = 2;
	weft_group_size_choose(&request, local);
	assert_int_equal(local[0], 16);
	assert_int_equal(local[1], 16);
}

/* Of layers there are few in a block, and whole cache lines beside them, if the kernel has few lanes for that. */
static void test_layers(void **state)
{
	struct weft_group_size_request request = volume;
	uint64_t local[3];
	(void)state;

	request.lanes = 8;
	request.few_layers = true;
	request.first_dimension = 2;
	weft_group_size_choose(&request, local);
	assert_int_equal(local[2], 8);
	assert_int_equal(local[0], 32);
	request.first_dimension = 0;
	request.second_dimension = 2;
	weft_group_size_choose(&request, local);
	assert_int_equal(local[0], 8);
	assert_int_equal(local[2], 32);
	request.few_layers = false;
	weft_group_size_choose(&request, local);
	assert_int_equal(local[0], 16);
	request.few_layers = true;
	request.lanes = 16;
	weft_group_size_choose(&request, local);
	assert_int_equal(local[0], 16);
	request.lanes = 8;
	request.second_dimension = 1;
	weft_group_size_choose(&request, local);
	assert_int_equal(local[0], 16);
}

/* A kernel that needs much memory per work-item has small groups. */
static void test_limits(void **state)
{
	const uint64_t global[3] = {1 << 20, 64, 1};
	const uint64_t small[3] = {8, 2, 1};
	struct weft_group_size_request request = {.work_dim = 2,
						  .global = global,
						  .item_max = item_max,
						  .limit = 4,
						  .compute_units = 1};
	uint64_t local[3];
	(void)state;

	weft_group_size_choose(&request, local);
	assert_true(local[0] * local[1] <= 4);
	request.limit = 4096;
	request.item_max = small;
	weft_group_size_choose(&request, local);
	assert_true(local[0] <= 8 && local[1] <= 2);
	request.compute_units = 0;
	weft_group_size_choose(&request, local);
	assert_true(local[0] <= 8 && local[1] <= 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules),           cmocka_unit_test(test_choices),
		cmocka_unit_test(test_first_dimension), cmocka_unit_test(test_second_dimension),
		cmocka_unit_test(test_layers),          cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
