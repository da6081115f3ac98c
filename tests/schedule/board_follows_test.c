/* SPDX-License-Identifier: MIT
 *
 * A run that one strategy leaves to another one.
 */
#include "engine/board.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define SLABS 10

static const struct weft_schedule_strategy
	*sets; /* what the follower leaves the run to: none, or itself */

static bool decide_first_slab(const struct weft_schedule_view *view,
			      struct weft_schedule_decision *decision)
{
	assert_null(*view->memory);
	assert_null(*view->follows);
	*decision = (struct weft_schedule_decision){1, {{0, 0, 1}}};
	*view->follows = sets;
	return true;
}

static const struct weft_schedule_strategy follower = {.name = "follower",
						       .decide = decide_first_slab};

/* What it decides itself does not count. */
static bool leave(const struct weft_schedule_view *view, struct weft_schedule_decision *decision)
{
	assert_null(*view->follows);
	*decision = (struct weft_schedule_decision){1, {{0, 0, SLABS}}};
	*view->memory = malloc(1);
	*view->follows = &follower;
	return true;
}

static void follow(void)
{
	static const struct weft_schedule_strategy leaver = {.name = "leaver", .decide = leave};
	static char label[] = "k", cpu[] = "cpu";
	struct weft_spec_kernel kernel = {
		.label = label, .name = label, .dimensions = 1, .global = {SLABS, 1, 1}};
	const struct weft_split split = {.slabs = SLABS, .items_per_slab = 1};
	struct weft_domain domain = {.is_host = true};
	struct weft_device device = {.name = cpu, .type = CL_DEVICE_TYPE_CPU};
	const struct weft_spec spec = {.kernels = &kernel, .count = 1};
	const struct weft_devices devices = {
		.items = &device, .count = 1, .domains = &domain, .num_domains = 1};
	struct weft_board board;
	struct weft_decided decided;
	struct weft_error error = {0};

	assert_true(weft_board_create(&board, &spec, &split, &devices, &error));
	for (size_t left = SLABS; left-- > 0;) {
		assert_true(weft_board_decide(&board, &leaver, 0, &decided, &error));
		assert_int_equal(decided.count, 1);
		assert_int_equal(board.tasks[0].unclaimed, left);
	}
	assert_ptr_equal(board.follows, &follower);
	weft_board_destroy(&board);
}

/* It keeps the run, though a strategy such as `plan` says each time whether it leaves it. */
static void test_follower(void **state)
{
	(void)state;
	sets = NULL;
	follow();
	sets = &follower;
	follow();
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_follower)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
