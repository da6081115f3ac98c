/* SPDX-License-Identifier: MIT
 *
 * Events that kernels have: references, ends, what waits for them, their times.
 */
#include "device_enqueue/device_event.h"

#include "graph_fixture.h"

static cl_device_id device;
static cl_context context;

/* A node that notes when it is ready. */
struct waiter {
	struct weft_node node;
	struct weft_edge edge;
	bool ready;
};

static void note_ready(struct weft_node *node)
{
	((struct waiter *)(void *)node)->ready = true;
}

static const struct weft_node_ops waiter_ops = {.ready = note_ready};

/* What keeps the memory of times, with something else to wait for. */
static struct waiter new_holder(void)
{
	struct waiter holder = {0};

	weft_node_init(&holder.node, &waiter_ops, 1);
	return holder;
}

static bool wait_for(struct waiter *waiter, struct weft_device_event *event, bool *failed)
{
	*waiter = (struct waiter){0};
	weft_node_init(&waiter->node, &waiter_ops, 1);
	waiter->edge = weft_edge_checked_to(&waiter->node);
	return weft_device_event_wait(event, &waiter->edge, failed);
}

static uint64_t handle_of(const struct weft_device_event *event)
{
	return (uintptr_t)event;
}

static void test_user_event(void **state)
{
	struct weft_device_event *event = weft_device_event_create(context, true);
	struct waiter first, late;
	bool failed = false;

	(void)state;
	assert_ptr_equal(weft_device_event_of(handle_of(event)), event);
	assert_true(wait_for(&first, event, &failed));
	weft_device_event_set_status(event, CL_COMPLETE);
	assert_true(first.ready);
	assert_int_equal(atomic_load(&first.node.outcome), WEFT_OK);
	weft_device_event_set_status(event, -5); /* only once */
	assert_false(wait_for(&late, event, &failed));
	assert_false(failed);
	weft_device_event_release(event);
	assert_null(weft_device_event_of(handle_of(event)));
}

static void test_failures(void **state)
{
	(void)state;
	for (int abandoned = 0; abandoned < 2; abandoned++) {
		struct weft_device_event *event = weft_device_event_create(context, true);
		struct waiter first, late;
		bool failed = false;

		assert_true(wait_for(&first, event, &failed));
		if (!abandoned) {
			weft_device_event_set_status(event, -5);
			assert_false(wait_for(&late, event, &failed));
			assert_true(failed);
		}
		weft_device_event_release(event);
		assert_true(first.ready);
		assert_int_equal(atomic_load(&first.node.outcome), WEFT_DEPENDENCY_FAILED);
	}
}

/* Of a launch: kernels do not end it, and it lives until it has ended. */
static void test_launch_event(void **state)
{
	struct weft_device_event *event = weft_device_event_create(context, false);
	uint64_t times[2] = {0, 0}, again[2] = {0, 0};
	struct waiter holder = new_holder();

	(void)state;
	weft_device_event_set_status(event, CL_COMPLETE);
	assert_int_equal(atomic_load(&event->status), CL_SUBMITTED);
	event->timed = true;
	weft_device_event_capture(event, times, &holder.node);
	assert_int_equal(atomic_load(&holder.node.unmet), 2);
	event->start = 100;
	event->ran = 130;
	event->ended = 170;
	assert_int_equal(times[0], 0);
	weft_device_event_end(event, CL_COMPLETE);
	assert_int_equal(atomic_load(&holder.node.unmet), 1);
	assert_int_equal(times[0], 30);
	assert_int_equal(times[1], 70);
	weft_device_event_capture(event, again, &holder.node);
	assert_int_equal(again[1], 70);
	assert_int_equal(atomic_load(&holder.node.unmet), 1);
	weft_device_event_release(event);
	assert_int_equal(context->num_device_events, 0);
}

/* A kernel that releases a launch's event more often than it may, takes none of the references that are not its own. */
static void test_released_too_often(void **state)
{
	struct weft_device_event *event = weft_device_event_create(context, false);

	(void)state;
	for (int i = 0; i < 3; i++)
		weft_device_event_release(event);
	assert_ptr_equal(weft_device_event_of(handle_of(event)), event);
	assert_int_equal(context->num_device_events, 1);
	weft_device_event_end(event, CL_COMPLETE);
	assert_null(weft_device_event_of(handle_of(event)));
	assert_int_equal(context->num_device_events, 0);
}

/* The times of a user event are never taken, so nothing waits for them: the event that is released unended ends. */
static void test_captured_user_event(void **state)
{
	struct weft_device_event *event = weft_device_event_create(context, true);
	uint64_t times[2] = {0, 0};
	struct waiter waiter, holder = new_holder();
	bool failed = false;

	(void)state;
	assert_true(wait_for(&waiter, event, &failed));
	weft_device_event_capture(event, times, &holder.node);
	weft_device_event_release(event);
	assert_true(waiter.ready);
	assert_int_equal(context->num_device_events, 0);
	assert_int_equal(times[1], 0);
}

static void test_handles(void **state)
{
	(void)state;
	assert_null(weft_device_event_of(0));
	assert_null(weft_device_event_of(UINT64_MAX)); /* what Clang takes for CLK_NULL_EVENT */
}

static void test_limit(void **state)
{
	(void)state;
	atomic_store(&context->num_device_events, WEFT_DEVICE_EVENTS_MAX);
	assert_null(weft_device_event_create(context, true));
	assert_int_equal(atomic_load(&context->num_device_events), WEFT_DEVICE_EVENTS_MAX);
	atomic_store(&context->num_device_events, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_user_event),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_launch_event),
		cmocka_unit_test(test_handles),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_released_too_often),
		cmocka_unit_test(test_captured_user_event),
	};

	graph_open(0, &device, &context);
	int failures = cmocka_run_group_tests(tests, NULL, NULL);
	graph_close(device, context);
	return failures;
}
