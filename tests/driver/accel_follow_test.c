/* SPDX-License-Identifier: MIT
 *
 * Accelerators that keep their commands' order among themselves: what follows what, in rings of all sizes, and what
 * is left to the host.
 */
#include "accel_test.h"

#include "driver/stats.h"
#include "driver_optional.h"
#include "host.h"

#include <stdlib.h>

/* ---- nodes ----------------------------------------------------------------------------------- */

static _Atomic uint64_t turn; /* of the kernels that have run */

/* What a kernel leaves: its turn. */
struct turn_args {
	_Atomic uint64_t *own;
};

static void take_turn(const struct weft_ndrange *range, const void *block,
		      struct weft_work_context *context, uint64_t first, uint64_t end)
{
	const struct turn_args *args = block;

	(void)range;
	(void)context;
	for (; first < end; first++)
		atomic_store(args->own, atomic_fetch_add(&turn, 1) + 1);
}

static const struct weft_arg_desc turn_arg_descs[] = {{.name = "own",
						       .type_name = "",
						       .kind = WEFT_ARG_VALUE,
						       .size = sizeof(void *),
						       .offset = 0}};

static const struct weft_kernel_desc turn_desc = {
	.name = "turn",
	.entry = take_turn,
	.args = turn_arg_descs,
	.num_args = 1,
	.args_size = sizeof(struct turn_args),
};

struct step {
	struct node *node;
	struct turn_args args;
	_Atomic uint64_t turn; /* 0: it has not run */
};

/* Submitted, not yet notified of: what it follows comes in between. */
static void submit(struct step *step, uint32_t device)
{
	step->node = node_new(devices[device], WEFT_OP_NDRANGE);
	step->args.own = &step->turn;
	atomic_store(&step->turn, 0);
	step->node->command.deferrable = true;
	step->node->command.launch = (struct weft_launch){
		.kernel = &turn_desc,
		.args = &step->args,
		.range = {.global_size = {1, 1, 1},
			  .local_size = {1, 1, 1},
			  .num_groups = {1, 1, 1},
			  .work_dim = 1},
	};
	driver->queue->submit(devices[device], &step->node->command);
}

static bool follow(struct step *step, const struct step *other, enum weft_follow kind)
{
	return driver->chaining->follow(step->node->command.device, &step->node->command,
					other ? &other->node->command : NULL, kind);
}

static void notify(struct step *step, enum weft_status status)
{
	atomic_store(&step->node->unmet, 0);
	driver->queue->notify(step->node->command.device, &step->node->command, status);
}

static void end(struct step *step, enum weft_status expected)
{
	assert_int_equal(node_wait(step->node), expected);
	node_free(step->node);
}

static struct accel_stats stats_of(uint32_t device)
{
	return accel_stats_read(devices[device]);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void check_chain(uint32_t count)
{
	struct step *steps = calloc(count, sizeof(*steps));

	assert_non_null(steps);
	for (uint32_t i = 0; i < count; i++) {
		submit(&steps[i], i * 7 % num_devices);
		if (i > 0)
			assert_true(follow(&steps[i], &steps[i - 1], WEFT_FOLLOW_END_CHECKED));
	}
	for (uint32_t i = 0; i < count; i++)
		notify(&steps[i], WEFT_OK);
	end(&steps[count - 1], WEFT_OK); /* which flushes all devices */
	for (uint32_t i = 0; i + 1 < count; i++) {
		assert_true(steps[i].turn != 0 && steps[i].turn < steps[i + 1].turn);
		end(&steps[i], WEFT_OK);
	}
	free(steps);
}

static void chains_across_devices(void **state)
{
	(void)state;
	open_all("memory=m;memory=m;memory=m");
	check_chain(900);
	for (uint32_t i = 0; i < num_devices; i++) {
		const struct accel_stats stats = stats_of(i);

		assert_int_equal(stats.commands, 300);
		assert_int_equal(stats.kernels, 300);
		assert_int_equal(stats.handovers, 1);
		assert_int_equal(stats.interventions, 0);
		assert_int_equal(stats.full_rings, 0);
		assert_int_equal(stats.uploads, 1);
	}
	check_chain(900);
	assert_int_equal(stats_of(0).uploads, 1); /* the kernel is there */
	close_all();
}

/* The host has to come back, and nothing waits for what is not in a ring. */
static void small_rings(void **state)
{
	(void)state;
	open_all("memory=m,ring=1;memory=m,ring=2;memory=m,ring=3");
	check_chain(900);
	assert_true(stats_of(0).full_rings > 0);
	assert_int_equal(stats_of(0).handovers, 300);
	assert_int_equal(stats_of(0).interventions, 299);
	close_all();
}

static void failures_are_passed_on(void **state)
{
	struct step steps[4] = {0};

	(void)state;
	open_all("memory=m;memory=m");
	for (uint32_t i = 0; i < 4; i++)
		submit(&steps[i], i % 2);
	assert_true(follow(&steps[1], &steps[0], WEFT_FOLLOW_END_CHECKED));
	assert_true(follow(&steps[2], &steps[0], WEFT_FOLLOW_END));
	assert_true(follow(&steps[3], &steps[1], WEFT_FOLLOW_END_CHECKED));
	notify(&steps[0], WEFT_DEPENDENCY_FAILED);
	for (uint32_t i = 1; i < 4; i++)
		notify(&steps[i], WEFT_OK);
	for (uint32_t i = 0; i < 4; i++) {
		end(&steps[i], i == 2 ? WEFT_OK : WEFT_DEPENDENCY_FAILED);
		assert_int_equal(steps[i].turn != 0, i == 2);
	}
	close_all();
}

/* To end after another is not to start after it; a command that waits for the end waits for both. */
static void ends_after_ends(void **state)
{
	struct step first = {0};
	struct step second = {0};
	struct step third = {0};
	struct step fourth = {0};

	(void)state;
	open_all("memory=m;memory=m");
	submit(&first, 0);
	submit(&second, 1);
	submit(&third, 1);
	submit(&fourth, 1);
	second.node->lingers = true; /* until the first one has ended */
	assert_true(follow(&second, &first, WEFT_FOLLOW_LAST));
	assert_true(follow(&third, &second, WEFT_FOLLOW_RUN));
	assert_true(follow(&fourth, &second, WEFT_FOLLOW_END));
	notify(&second, WEFT_OK);
	notify(&third, WEFT_OK);
	notify(&fourth, WEFT_OK);
	end(&third, WEFT_OK);
	assert_true(second.turn != 0 && first.turn == 0 && fourth.turn == 0);
	notify(&first, WEFT_OK);
	end(&first, WEFT_OK);
	driver->chaining->broadcast(devices[1], &second.node->command);
	end(&second, WEFT_OK);
	end(&fourth, WEFT_OK);
	assert_true(first.turn < fourth.turn);
	close_all();
}

/* The host orders what the devices do not know. */
static void not_followed(void **state)
{
	enum { COUNT = 12 };
	struct step steps[COUNT] = {0};
	struct step last = {0};
	uint32_t followed = 0;

	(void)state;
	open_all("memory=m;memory=m;memory=other");
	submit(&steps[0], 0);
	submit(&steps[1], 0);
	submit(&last, 1);
	steps[0].node->lingers = true;
	assert_false(follow(&steps[0], NULL, WEFT_FOLLOW_LAST));
	assert_false(
		follow(&steps[1], &steps[0], WEFT_FOLLOW_END)); /* which the host knows alone */
	assert_true(follow(&steps[1], &steps[0], WEFT_FOLLOW_RUN));
	for (uint32_t i = 2; i < COUNT; i++)
		submit(&steps[i], 0);
	for (uint32_t i = 2; i < COUNT; i++)
		followed += follow(&last, &steps[i], WEFT_FOLLOW_RUN);
	assert_int_equal(followed, 8); /* there is no room for more */
	for (uint32_t i = 0; i < COUNT; i++) {
		notify(&steps[i], WEFT_OK);
		assert_int_equal(node_wait(steps[i].node), WEFT_OK);
	}
	assert_true(follow(&last, &steps[0], WEFT_FOLLOW_RUN)); /* it has run */
	driver->chaining->broadcast(devices[0], &steps[0].node->command);
	assert_false(follow(&last, &steps[0], WEFT_FOLLOW_RUN)); /* it is over for all */
	notify(&last, WEFT_OK);
	end(&last, WEFT_OK);
	for (uint32_t i = 0; i < COUNT; i++)
		node_free(steps[i].node);
	close_all();
}

/* More than there are slots for: the others have none, and no harm is done. */
static void all_slots_are_taken(void **state)
{
	enum { COUNT = 5000 };
	static struct step steps[COUNT];
	uint32_t followed = 0;

	(void)state;
	open_all("memory=m;memory=m");
	for (uint32_t i = 0; i < COUNT; i++) {
		submit(&steps[i], i % 2);
		followed += i > 0 && follow(&steps[i], &steps[i - 1], WEFT_FOLLOW_RUN);
	}
	assert_true(followed > 4000 && followed < COUNT - 1);
	for (uint32_t i = 0; i < COUNT; i++)
		notify(&steps[i], WEFT_OK);
	for (uint32_t i = 0; i < COUNT; i++)
		assert_int_equal(node_wait(steps[i].node), WEFT_OK);
	for (uint32_t i = 0; i < COUNT; i++) {
		assert_true(i == 0 || i > followed || steps[i - 1].turn < steps[i].turn);
		node_free(steps[i].node);
	}
	check_chain(100); /* they are free again */
	close_all();
}

int run_follow_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chains_across_devices),  cmocka_unit_test(small_rings),
		cmocka_unit_test(failures_are_passed_on), cmocka_unit_test(ends_after_ends),
		cmocka_unit_test(not_followed),           cmocka_unit_test(all_slots_are_taken),
	};

	return cmocka_run_group_tests_name("follow", tests, NULL, NULL);
}
