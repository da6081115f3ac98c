/* SPDX-License-Identifier: MIT
 *
 * The task graph against the fake driver, one step at a time: which command is ready when, how errors pass,
 * what markers and barriers hold back, what happens to objects that are released before their commands end.
 */
#include "alloc.h"
#include "child.h"
#include "graph/event.h"
#include "graph/upcalls.h"
#include "graph_fixture.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct fixture {
	cl_device_id device;
	cl_context context;
	cl_command_queue in_order;
	cl_command_queue out_of_order;
};

static cl_command_queue make_queue(struct fixture *f, cl_command_queue_properties properties)
{
	return graph_queue(f->device, f->context, properties);
}

static int setup(void **state)
{
	static struct fixture fixture;

	graph_open(0, &fixture.device, &fixture.context);
	fixture.in_order = make_queue(&fixture, CL_QUEUE_PROFILING_ENABLE);
	fixture.out_of_order = make_queue(&fixture, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	*state = &fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	int closes = fake_closes();

	weft_object_release_api(&f->in_order->base);
	weft_object_release_api(&f->out_of_order->base);
	weft_object_release_api(&f->context->base);
	/* Nothing else holds the device. */
	assert_int_equal(fake_closes(), closes);
	weft_object_put(&f->device->base);
	/* But the thread that closed a sub-device may release it a moment later. */
	assert_int_equal(fake_wait_for_closes(closes + 1), closes + 1);
	return 0;
}

static cl_event enqueue_after(cl_command_queue queue, cl_uint num_waits, const cl_event *waits)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_NATIVE_KERNEL, num_waits, waits};
	cl_event event = NULL;

	assert_int_equal(weft_event_create(&enqueue, &event), CL_SUCCESS);
	assert_int_equal(weft_event_submit(event, NULL, false, &event), CL_SUCCESS);
	return event;
}

static cl_event enqueue(cl_command_queue queue)
{
	return enqueue_after(queue, 0, NULL);
}

static cl_event enqueue_marker(cl_command_queue queue, bool barrier, cl_uint num_waits,
			       const cl_event *waits)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_MARKER, num_waits, waits};
	cl_event event = NULL;

	assert_int_equal(weft_event_create(&enqueue, &event), CL_SUCCESS);
	assert_int_equal(weft_event_submit_marker(event, barrier, &event), CL_SUCCESS);
	return event;
}

static void release(cl_event event)
{
	assert_true(weft_object_release_api(&event->base));
}

static cl_event user_event(struct fixture *f)
{
	cl_event event = NULL;

	assert_int_equal(weft_event_create_user(f->context, &event), CL_SUCCESS);
	return event;
}

/* ---- order ----------------------------------------------------------------------------------- */

static void in_order_queue_runs_one_after_the_other(void **state)
{
	struct fixture *f = *state;
	cl_event first = enqueue(f->in_order);
	cl_event second = enqueue(f->in_order);

	assert_true(fake_is_ready(f->device, first));
	assert_false(fake_is_ready(f->device, second));
	assert_int_equal(weft_event_status(first), CL_SUBMITTED);
	assert_int_equal(weft_event_status(second), CL_QUEUED);
	fake_run(f->device, first, WEFT_OK);
	assert_int_equal(weft_event_status(first), CL_COMPLETE);
	assert_true(fake_is_ready(f->device, second));
	fake_run(f->device, second, WEFT_OK);
	release(first);
	release(second);
}

static void out_of_order_queue_orders_nothing(void **state)
{
	struct fixture *f = *state;
	cl_event first = enqueue(f->out_of_order);
	cl_event second = enqueue(f->out_of_order);

	assert_int_equal(fake_num_ready(f->device), 2);
	fake_run(f->device, second, WEFT_OK);
	fake_run(f->device, first, WEFT_OK);
	release(first);
	release(second);
}

static void command_waits_for_its_whole_list(void **state)
{
	struct fixture *f = *state;
	cl_event a = enqueue(f->out_of_order);
	cl_event b = enqueue(f->in_order);
	cl_event ended = enqueue(f->out_of_order);
	fake_run(f->device, ended, WEFT_OK);
	/* The same event twice counts twice, and an ended one not at all. */
	const cl_event waits[] = {a, b, a, ended};
	cl_event c = enqueue_after(f->out_of_order, 4, waits);

	fake_run(f->device, a, WEFT_OK);
	assert_false(fake_is_ready(f->device, c));
	fake_run(f->device, b, WEFT_OK);
	assert_true(fake_is_ready(f->device, c));
	fake_run(f->device, c, WEFT_OK);
	release(a);
	release(b);
	release(c);
	release(ended);
}

static void error_passes_along_wait_lists(void **state)
{
	struct fixture *f = *state;
	cl_event a = enqueue(f->out_of_order);
	cl_event b = enqueue_after(f->out_of_order, 1, &a);
	cl_event c = enqueue_after(f->out_of_order, 1, &b);

	fake_run(f->device, a, WEFT_OUT_OF_RESOURCES);
	assert_int_equal(weft_event_status(a), CL_OUT_OF_RESOURCES);
	assert_int_equal(weft_event_status(b), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_int_equal(weft_event_status(c), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	/* Also to what is enqueued later. */
	cl_event d = enqueue_after(f->out_of_order, 1, &a);
	assert_int_equal(weft_event_status(d), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	release(a);
	release(b);
	release(c);
	release(d);
}

static void order_of_a_queue_passes_no_error(void **state)
{
	struct fixture *f = *state;
	cl_event first = enqueue(f->in_order);
	cl_event second = enqueue(f->in_order);

	fake_run(f->device, first, WEFT_OUT_OF_MEMORY);
	assert_int_equal(weft_event_status(first), CL_OUT_OF_HOST_MEMORY);
	assert_true(fake_is_ready(f->device, second));
	assert_int_equal(fake_dependencies(f->device, second), WEFT_OK);
	fake_run(f->device, second, WEFT_OK);
	release(first);
	release(second);
}

static void failing_chain_needs_no_deep_stack(void **state)
{
	struct fixture *f = *state;
	enum { LENGTH = 200000 };
	cl_event gate = user_event(f);
	cl_event last = enqueue_after(f->out_of_order, 1, &gate);

	for (int i = 0; i < LENGTH; i++) {
		cl_event next = enqueue_after(f->out_of_order, 1, &last);
		release(last);
		last = next;
	}
	assert_int_equal(weft_event_set_user_status(gate, -1), CL_SUCCESS);
	assert_int_equal(weft_event_status(last), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	release(last);
	release(gate);
}

/* ---- markers and barriers -------------------------------------------------------------------- */

static void marker_waits_for_the_whole_queue(void **state)
{
	struct fixture *f = *state;
	cl_event a = enqueue(f->out_of_order);
	cl_event b = enqueue(f->out_of_order);
	cl_event marker = enqueue_marker(f->out_of_order, false, 0, NULL);
	cl_event later = enqueue(f->out_of_order);
	cl_event second_marker = enqueue_marker(f->out_of_order, false, 0, NULL);

	/* A marker holds nothing back. */
	assert_true(fake_is_ready(f->device, later));
	fake_run(f->device, later, WEFT_OK);
	fake_run(f->device, b, WEFT_OK);
	assert_false(fake_is_ready(f->device, marker));
	fake_run(f->device, a, WEFT_OK);
	assert_true(fake_is_ready(f->device, marker));
	/* What came before the first marker reaches the second by way of it. */
	assert_false(fake_is_ready(f->device, second_marker));
	fake_run(f->device, marker, WEFT_OK);
	assert_true(fake_is_ready(f->device, second_marker));
	fake_run(f->device, second_marker, WEFT_OK);
	release(a);
	release(b);
	release(marker);
	release(later);
	release(second_marker);
}

static void marker_of_an_empty_queue_is_ready(void **state)
{
	struct fixture *f = *state;
	cl_event marker = enqueue_marker(f->out_of_order, false, 0, NULL);

	assert_true(fake_is_ready(f->device, marker));
	fake_run(f->device, marker, WEFT_OK);
	release(marker);
}

static void marker_with_a_list_waits_for_the_list_alone(void **state)
{
	struct fixture *f = *state;
	cl_event a = enqueue(f->out_of_order);
	cl_event b = enqueue(f->out_of_order);
	cl_event marker = enqueue_marker(f->out_of_order, false, 1, &b);

	fake_run(f->device, b, WEFT_OK);
	assert_true(fake_is_ready(f->device, marker));
	fake_run_all(f->device);
	release(a);
	release(b);
	release(marker);
}

static void failed_command_does_not_fail_the_marker(void **state)
{
	struct fixture *f = *state;
	cl_event a = enqueue(f->out_of_order);
	cl_event marker = enqueue_marker(f->out_of_order, false, 0, NULL);

	fake_run(f->device, a, WEFT_OUT_OF_RESOURCES);
	fake_run(f->device, marker, WEFT_OK);
	assert_int_equal(weft_event_status(marker), CL_COMPLETE);
	release(a);
	release(marker);
}

static void barrier_holds_back_what_follows(void **state)
{
	struct fixture *f = *state;
	cl_event a = enqueue(f->out_of_order);
	cl_event barrier = enqueue_marker(f->out_of_order, true, 0, NULL);
	cl_event b = enqueue(f->out_of_order);
	cl_event c = enqueue(f->out_of_order);

	assert_int_equal(fake_num_ready(f->device), 1);
	fake_run(f->device, a, WEFT_OK);
	assert_int_equal(fake_num_ready(f->device), 1);
	fake_run(f->device, barrier, WEFT_OK);
	assert_int_equal(fake_num_ready(f->device), 2);
	fake_run_all(f->device);
	release(a);
	release(b);
	release(c);
	release(barrier);
}

static void barrier_with_a_list_waits_for_the_list_alone(void **state)
{
	struct fixture *f = *state;
	cl_event a = enqueue(f->out_of_order);
	cl_event b = enqueue(f->out_of_order);
	cl_event first = enqueue_marker(f->out_of_order, true, 1, &b);
	cl_event second = enqueue_marker(f->out_of_order, true, 1, &b);
	cl_event c = enqueue(f->out_of_order);

	fake_run(f->device, b, WEFT_OK);
	assert_true(fake_is_ready(f->device, first));
	/* Barriers keep their order among each other, or the newest would not stand for all. */
	assert_false(fake_is_ready(f->device, second));
	fake_run(f->device, first, WEFT_OK);
	fake_run(f->device, second, WEFT_OK);
	assert_true(fake_is_ready(f->device, c));
	assert_int_equal(weft_event_status(a), CL_SUBMITTED);
	fake_run_all(f->device);
	release(a);
	release(b);
	release(c);
	release(first);
	release(second);
}

/* ---- commands for which no thread is woken --------------------------------------------------- */

struct late {
	struct fixture *f;
	cl_event event;
	unsigned flushes;
};

/* Comes in between, and flushes as an application would that asks for its status from now on. */
static void enqueue_visible(void *argument)
{
	struct late *late = argument;

	late->event = enqueue_after(late->f->in_order, 0, NULL);
	weft_queue_flush(late->f->in_order);
	late->flushes = fake_flushes();
}

static void quiet_command_is_handed_over_to_who_looks_for_the_next(void **state)
{
	struct fixture *f = *state;
	const struct weft_enqueue enqueue = {f->in_order, CL_COMMAND_NDRANGE_KERNEL, 0, NULL};
	struct late late = {.f = f};
	cl_event quiet = NULL;

	assert_int_equal(weft_event_create(&enqueue, &quiet), CL_SUCCESS);
	fake_at_next_submit(enqueue_visible, &late);
	assert_int_equal(weft_event_submit(quiet, NULL, false, NULL), CL_SUCCESS);
	assert_true(fake_flushes() > late.flushes);
	fake_run_all(f->device);
	assert_int_equal(weft_event_status(late.event), CL_COMPLETE);
	release(late.event);
}

/* ---- user events ----------------------------------------------------------------------------- */

static void user_event_starts_what_waits(void **state)
{
	struct fixture *f = *state;
	cl_event gate = user_event(f);
	cl_event a = enqueue_after(f->in_order, 1, &gate);
	unsigned flushes = fake_flushes();

	assert_int_equal(weft_event_status(gate), CL_SUBMITTED);
	assert_int_equal(fake_num_ready(f->device), 0);
	assert_int_equal(weft_event_set_user_status(gate, CL_COMPLETE), CL_SUCCESS);
	assert_true(fake_is_ready(f->device, a));
	/* A thread that flushed the queue before need not do so again. */
	assert_true(fake_flushes() > flushes);
	assert_int_equal(weft_event_set_user_status(gate, CL_COMPLETE), CL_INVALID_OPERATION);
	assert_int_equal(weft_event_set_user_status(gate, -5), CL_INVALID_OPERATION);
	fake_run_all(f->device);
	release(gate);
	release(a);
}

static void user_event_keeps_its_error(void **state)
{
	struct fixture *f = *state;
	cl_event gate = user_event(f);
	cl_event a = enqueue_after(f->in_order, 1, &gate);

	assert_int_equal(weft_event_set_user_status(gate, -77), CL_SUCCESS);
	assert_int_equal(weft_event_wait(gate), -77);
	assert_int_equal(weft_event_wait(a), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	release(gate);
	release(a);
}

static void released_user_event_fails_what_waits(void **state)
{
	struct fixture *f = *state;
	cl_event gate = user_event(f);
	cl_event a = enqueue_after(f->in_order, 1, &gate);

	release(gate);
	assert_int_equal(weft_event_status(a), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_int_equal(weft_queue_finish(f->in_order), CL_SUCCESS);
	release(a);
}

/* ---- the end of a command -------------------------------------------------------------------- */

static enum weft_status completed_with;
static cl_int status_when_completed, ended_with, status_at_end;

static void note_completion(cl_event event, enum weft_status status)
{
	completed_with = status;
	status_when_completed = weft_event_status(event);
}

static void note_end(cl_event event, cl_int result)
{
	ended_with = result;
	status_at_end = weft_event_status(event);
}

static bool held_destroyed;

static void destroy_held(struct weft_object *object)
{
	(void)object;
	held_destroyed = true;
}

static void end_frees_what_was_held(void **state)
{
	struct fixture *f = *state;
	const struct weft_enqueue desc = {f->in_order, CL_COMMAND_NATIVE_KERNEL, 0, NULL};
	struct weft_event_hooks hooks = {note_completion, note_end};
	struct weft_object held[10];
	cl_event event = NULL;

	assert_int_equal(weft_event_create(&desc, &event), CL_SUCCESS);
	for (int i = 0; i < 10; i++) {
		weft_object_init(&held[i], WEFT_OBJECT_MEM, destroy_held);
		assert_int_equal(weft_event_hold(event, &held[i]), CL_SUCCESS);
		assert_int_equal(weft_refcount_read(&held[i].refs), 2);
	}
	assert_non_null(weft_event_block(event, 4000));
	event->hooks = &hooks;
	assert_int_equal(weft_event_submit(event, NULL, false, &event), CL_SUCCESS);
	weft_object_release_api(&held[9]);
	assert_false(held_destroyed);
	fake_run(f->device, event, WEFT_OUT_OF_MEMORY);
	assert_int_equal(completed_with, WEFT_OUT_OF_MEMORY);
	assert_true(status_when_completed > CL_COMPLETE);
	assert_int_equal(ended_with, weft_event_status(event));
	assert_true(status_at_end > CL_COMPLETE);
	assert_true(held_destroyed);
	for (int i = 0; i < 9; i++)
		assert_int_equal(weft_refcount_read(&held[i].refs), 1);
	release(event);
}

static void abandoned_command_frees_what_was_held(void **state)
{
	struct fixture *f = *state;
	cl_event a = enqueue(f->in_order);
	const struct weft_enqueue desc = {f->in_order, CL_COMMAND_NATIVE_KERNEL, 1, &a};
	struct weft_object held;
	cl_event event = NULL;

	weft_object_init(&held, WEFT_OBJECT_MEM, destroy_held);
	assert_int_equal(weft_event_create(&desc, &event), CL_SUCCESS);
	assert_int_equal(weft_event_hold(event, &held), CL_SUCCESS);
	assert_non_null(weft_event_block(event, 4000));
	weft_event_abandon(event);
	assert_int_equal(weft_refcount_read(&held.refs), 1);
	fake_run_all(f->device);
	release(a);
}

static void everything_released_while_a_command_waits(void **state)
{
	struct fixture *f = *state;
	cl_command_queue queue = make_queue(f, 0);
	cl_event gate = user_event(f);
	cl_event event = enqueue_after(queue, 1, &gate);

	release(event);
	weft_object_release_api(&queue->base);
	assert_true(weft_queue_valid(queue));
	assert_int_equal(weft_event_set_user_status(gate, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(fake_num_ready(f->device), 1);
	fake_run_all(f->device);
	release(gate);
}

static void last_command_of_a_sub_device_closes_it_elsewhere(void **state)
{
	struct fixture *f = *state;
	const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_EQUALLY, 8, 0};
	const cl_uint count = 8;
	cl_device_id sub = NULL;
	cl_context context = NULL;
	cl_command_queue queue = NULL;
	int closes = fake_closes();

	fake_set_threads(2);
	assert_int_equal(weft_device_partition(f->device, properties, 3, &count, 1, &sub),
			 CL_SUCCESS);
	fake_set_threads(0);
	const struct weft_context_desc context_desc = {.devices = &sub, .num_devices = 1};
	assert_int_equal(weft_context_create(&context_desc, &context), CL_SUCCESS);
	const struct weft_queue_desc queue_desc = {.context = context, .device = sub};
	assert_int_equal(weft_queue_create(&queue_desc, &queue), CL_SUCCESS);
	cl_event gate = NULL;
	assert_int_equal(weft_event_create_user(context, &gate), CL_SUCCESS);
	cl_event event = enqueue_after(queue, 1, &gate);
	release(event);
	weft_object_release_api(&queue->base);
	weft_object_release_api(&context->base);
	weft_object_release_api(&sub->base);
	assert_int_equal(weft_event_set_user_status(gate, CL_COMPLETE), CL_SUCCESS);
	release(gate);
	assert_int_equal(fake_wait_for_closes(closes + 1), closes + 1);
}

static void finish_waits_for_nothing_enqueued_later(void **state)
{
	struct fixture *f = *state;
	cl_event a = enqueue(f->out_of_order);

	fake_run(f->device, a, WEFT_OK);
	assert_int_equal(weft_queue_finish(f->out_of_order), CL_SUCCESS);
	assert_int_equal(weft_queue_finish(f->in_order), CL_SUCCESS);
	release(a);
}

static void times_are_in_order(void **state)
{
	struct fixture *f = *state;
	cl_event event = enqueue(f->in_order);

	fake_run(f->device, event, WEFT_OK);
	for (int i = 0; i < 3; i++)
		assert_true(event->times.host[i] != 0 &&
			    event->times.host[i] <= event->times.host[i + 1]);
	release(event);
}

static void released_handle_can_be_retained_again(void **state)
{
	struct fixture *f = *state;
	cl_command_queue queue = make_queue(f, 0);
	cl_event event = enqueue(queue);

	assert_true(weft_object_release_api(&queue->base));
	assert_false(weft_object_release_api(&queue->base));
	assert_true(weft_object_retain_api(&queue->base));
	fake_run_all(f->device);
	release(event);
	assert_true(weft_object_release_api(&queue->base));
}

/* ---- without memory ------------------------------------------------------------------------- */

/* Enqueues with each allocation failing in turn, until it succeeds. Every failure but the last attempt's is an error
 * code. Returns how many there were. */
static int failures_to_enqueue(cl_command_queue queue)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_NATIVE_KERNEL, 0, NULL};
	cl_event event = NULL;

	for (int n = 0;; n++) {
		weft_alloc_fail_after(n);
		cl_int err = weft_event_create(&enqueue, &event);
		if (err == CL_SUCCESS)
			err = weft_event_submit(event, NULL, false, NULL);
		weft_alloc_fail_after(-1);
		if (err == CL_SUCCESS)
			return n;
		assert_int_equal(err, CL_OUT_OF_HOST_MEMORY);
	}
}

/* The child of a fork needs memory for a queue of its parent's. */
static void a_child_without_memory_gets_an_error(void **state)
{
	struct fixture *f = *state;
	cl_event event = enqueue(f->out_of_order);
	int status = -1;
	pid_t child = fork_limited();

	if (child == 0) {
		weft_alloc_fail_after(0);
		cl_int err = weft_queue_finish(f->out_of_order);
		weft_alloc_fail_after(-1);
		_exit(err == CL_OUT_OF_HOST_MEMORY && failures_to_enqueue(f->out_of_order) == 2 &&
				      weft_queue_finish(f->in_order) == CL_SUCCESS
			      ? 7
			      : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
	fake_run_all(f->device);
	release(event);
}

/* A queue that was released while commands were in flight, and is used by its handle all the same. */
static void a_released_queue_without_memory_gives_an_error(void **state)
{
	struct fixture *f = *state;
	cl_command_queue queue = make_queue(f, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_NATIVE_KERNEL, 0, NULL};
	cl_event event = NULL;

	assert_int_equal(weft_event_create(&enqueue, &event), CL_SUCCESS);
	assert_int_equal(weft_event_submit(event, NULL, false, NULL), CL_SUCCESS);
	weft_alloc_fail_after(0);
	weft_object_release_api(&queue->base);
	assert_true(weft_alloc_has_failed());
	weft_alloc_fail_after(-1);
	assert_true(weft_object_retain_api(&queue->base)); /* by a query, for one */
	assert_int_equal(failures_to_enqueue(queue), 2);
	fake_run_all(f->device);
	weft_object_release_api(&queue->base);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(in_order_queue_runs_one_after_the_other),
		TEST(out_of_order_queue_orders_nothing),
		TEST(command_waits_for_its_whole_list),
		TEST(error_passes_along_wait_lists),
		TEST(order_of_a_queue_passes_no_error),
		TEST(failing_chain_needs_no_deep_stack),
		TEST(marker_waits_for_the_whole_queue),
		TEST(marker_of_an_empty_queue_is_ready),
		TEST(marker_with_a_list_waits_for_the_list_alone),
		TEST(failed_command_does_not_fail_the_marker),
		TEST(barrier_holds_back_what_follows),
		TEST(barrier_with_a_list_waits_for_the_list_alone),
		TEST(quiet_command_is_handed_over_to_who_looks_for_the_next),
		TEST(user_event_starts_what_waits),
		TEST(user_event_keeps_its_error),
		TEST(released_user_event_fails_what_waits),
		TEST(end_frees_what_was_held),
		TEST(abandoned_command_frees_what_was_held),
		TEST(everything_released_while_a_command_waits),
		TEST(last_command_of_a_sub_device_closes_it_elsewhere),
		TEST(finish_waits_for_nothing_enqueued_later),
		TEST(times_are_in_order),
		TEST(released_handle_can_be_retained_again),
		TEST(a_child_without_memory_gets_an_error),
		TEST(a_released_queue_without_memory_gives_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
