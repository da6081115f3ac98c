/* SPDX-License-Identifier: MIT
 *
 * Replaying command buffers, step by step on the fake driver: what is ready when, errors, several submissions, life.
 */
#include "command_buffer/replay_fixture.h"

#include "child.h"

#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static cl_device_id device;
static cl_context context;
static cl_command_queue in_order;
static cl_command_queue out_of_order;

static int set_up(void **state)
{
	(void)state;
	graph_open(0, &device, &context);
	in_order = graph_queue(device, context, 0);
	out_of_order = graph_queue(device, context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	weft_object_release_api(&in_order->base);
	weft_object_release_api(&out_of_order->base);
	graph_close(device, context);
	return 0;
}

/* What ran, in the order in which it did: a letter each. */
static char log_of_runs[128];

static void note(void *args)
{
	size_t length = strlen(log_of_runs);

	assert_true(length + 1 < sizeof(log_of_runs));
	log_of_runs[length] = *(const char *)args;
}

static void expect_log(const char *expected)
{
	assert_string_equal(log_of_runs, expected);
	memset(log_of_runs, 0, sizeof(log_of_runs));
}

static char letters[] = "abcdefghij";

static cl_sync_point_khr record(cl_command_buffer_khr buffer, int letter, cl_uint num_waits,
				const cl_sync_point_khr *waits)
{
	return replay_record(buffer, note, &letters[letter], num_waits, waits);
}

static cl_command_buffer_khr finalized(cl_command_buffer_khr buffer)
{
	assert_int_equal(weft_command_buffer_finalize(buffer), CL_SUCCESS);
	return buffer;
}

/* b and c come after a, d after both. */
static cl_command_buffer_khr diamond(cl_command_buffer_flags_khr flags)
{
	cl_command_buffer_khr buffer = replay_buffer(out_of_order, flags);
	cl_sync_point_khr a = record(buffer, 0, 0, NULL);
	cl_sync_point_khr sides[] = {record(buffer, 1, 1, &a), record(buffer, 2, 1, &a)};

	record(buffer, 3, 2, sides);
	return finalized(buffer);
}

static void release(cl_command_buffer_khr buffer)
{
	assert_true(weft_object_release_api(&buffer->base));
}

static void expect_status(cl_event event, cl_int status)
{
	assert_int_equal(weft_event_status(event), status);
}

static void finish(cl_event event, cl_int status)
{
	expect_status(event, status);
	assert_true(weft_object_release_api(&event->base));
}

/* ---- one submission -------------------------------------------------------------------------- */

static void commands_run_as_they_wait(void **state)
{
	cl_command_buffer_khr buffer = diamond(0);
	cl_event event;

	(void)state;
	for (int turn = 0; turn < 3; turn++) {
		replay_enqueue(buffer, out_of_order, 0, NULL, &event);
		expect_status(event, CL_RUNNING);
		assert_int_equal(fake_num_ready(device), 1);
		assert_true(fake_run_next(device, WEFT_OK));
		assert_int_equal(fake_num_ready(device), 2);
		assert_true(fake_run_next(device, WEFT_OK));
		assert_int_equal(fake_num_ready(device), 1);
		assert_true(fake_run_next(device, WEFT_OK));
		expect_status(event, CL_RUNNING);
		assert_true(fake_run_next(device, WEFT_OK));
		assert_false(fake_run_next(device, WEFT_OK));
		finish(event, CL_COMPLETE);
		expect_log("abcd");
	}
	release(buffer);
}

static void nothing_is_soon_over(void **state)
{
	cl_command_buffer_khr buffer = finalized(replay_buffer(out_of_order, 0));
	cl_command_buffer_khr order = replay_buffer(in_order, 0);
	cl_event event;

	(void)state;
	replay_enqueue(buffer, in_order, 0, NULL, &event);
	finish(event, CL_COMPLETE);
	release(buffer);
	/* and a chain of nothing needs no stack */
	for (int i = 0; i < 200000; i++)
		replay_record(order, NULL, NULL, 0, NULL);
	replay_enqueue(finalized(order), out_of_order, 0, NULL, &event);
	finish(event, CL_COMPLETE);
	release(order);
}

/* In the order of recording: what it does is not known. */
static void in_order_recording(void **state)
{
	cl_command_buffer_khr buffer = replay_buffer(in_order, 0);
	cl_event event;

	(void)state;
	for (int i = 0; i < 4; i++)
		record(buffer, i, 0, NULL);
	replay_enqueue(finalized(buffer), out_of_order, 0, NULL, &event);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(fake_num_ready(device), 1);
		assert_true(fake_run_next(device, WEFT_OK));
	}
	finish(event, CL_COMPLETE);
	expect_log("abcd");
	release(buffer);
}

/* The driver gets many at once; it is told by a command of the submission's own. */
static void many_to_begin_with(void **state)
{
	cl_command_buffer_khr buffer = replay_buffer(out_of_order, 0);
	cl_event event;

	(void)state;
	for (int i = 0; i < 10; i++)
		record(buffer, i, 0, NULL);
	finalized(buffer);
	for (int turn = 0; turn < 2; turn++) {
		replay_enqueue(buffer, out_of_order, 0, NULL, &event);
		expect_status(event, CL_SUBMITTED);
		assert_int_equal(fake_num_ready(device), 1);
		assert_true(fake_run_next(device, WEFT_OK));
		expect_status(event, CL_RUNNING);
		assert_int_equal(fake_num_ready(device), 10);
		fake_run_all(device);
		finish(event, CL_COMPLETE);
		expect_log("abcdefghij");
	}
	/* which may fail, too */
	replay_enqueue(buffer, out_of_order, 0, NULL, &event);
	assert_true(fake_run_next(device, WEFT_OUT_OF_RESOURCES));
	assert_int_equal(fake_num_ready(device), 0);
	finish(event, CL_OUT_OF_RESOURCES);
	release(buffer);
}

static void one_node_of_the_queue(void **state)
{
	cl_command_buffer_khr buffer = diamond(0);
	cl_event user;
	cl_event event;
	cl_event after;

	(void)state;
	assert_int_equal(weft_event_create_user(context, &user), CL_SUCCESS);
	replay_enqueue(buffer, in_order, 1, &user, &event);
	const struct weft_enqueue marker = {in_order, CL_COMMAND_MARKER, 0, NULL};
	assert_int_equal(weft_event_create(&marker, &after), CL_SUCCESS);
	cl_event made = after;
	assert_int_equal(weft_event_submit_marker(made, false, &after), CL_SUCCESS);
	expect_status(event, CL_QUEUED);
	assert_int_equal(fake_num_ready(device), 0);
	assert_int_equal(weft_event_set_user_status(user, CL_COMPLETE), CL_SUCCESS);
	expect_status(event, CL_RUNNING);
	for (int i = 0; i < 4; i++) {
		expect_status(after, CL_QUEUED);
		assert_true(fake_run_next(device, WEFT_OK));
	}
	finish(event, CL_COMPLETE);
	fake_run_all(device);
	finish(after, CL_COMPLETE);
	finish(user, CL_COMPLETE);
	expect_log("abcd");
	release(buffer);
}

static void its_times(void **state)
{
	cl_command_queue timed = graph_queue(device, context, CL_QUEUE_PROFILING_ENABLE);
	cl_command_buffer_khr buffer = diamond(0);
	cl_event event;

	(void)state;
	replay_enqueue(buffer, timed, 0, NULL, &event);
	fake_run_all(device);
	for (int i = 0; i < 3; i++)
		assert_true(event->times.host[i] > 0 &&
			    event->times.host[i] <= event->times.host[i + 1]);
	assert_int_equal(event->type, CL_COMMAND_COMMAND_BUFFER_KHR);
	finish(event, CL_COMPLETE);
	expect_log("abcd");
	release(buffer);
	weft_object_release_api(&timed->base);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void what_follows_an_error_is_not_run(void **state)
{
	cl_command_buffer_khr buffer = diamond(0);
	cl_event event;

	(void)state;
	replay_enqueue(buffer, out_of_order, 0, NULL, &event);
	assert_true(fake_run_next(device, WEFT_OK));
	assert_true(fake_run_next(device, WEFT_OUT_OF_RESOURCES));
	assert_true(fake_run_next(device, WEFT_OUT_OF_MEMORY)); /* the first error counts */
	assert_false(fake_run_next(device, WEFT_OK));
	finish(event, CL_OUT_OF_RESOURCES);
	expect_log("abc");
	/* the next submission knows nothing of it */
	replay_enqueue(buffer, out_of_order, 0, NULL, &event);
	fake_run_all(device);
	finish(event, CL_COMPLETE);
	expect_log("abcd");
	release(buffer);
}

static void an_error_it_waits_for(void **state)
{
	cl_command_buffer_khr buffer = diamond(0);
	cl_event user;
	cl_event event;

	(void)state;
	assert_int_equal(weft_event_create_user(context, &user), CL_SUCCESS);
	replay_enqueue(buffer, out_of_order, 1, &user, &event);
	assert_int_equal(weft_event_set_user_status(user, -5), CL_SUCCESS);
	assert_int_equal(fake_num_ready(device), 0);
	finish(event, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	finish(user, -5);
	release(buffer);
	expect_log("");
}

/* Each waits for the one before it, which fails: no stack per submission. */
static void a_long_chain_of_errors(void **state)
{
	cl_command_buffer_khr buffer = diamond(0);
	cl_event user;
	cl_event before;
	cl_event event;

	(void)state;
	assert_int_equal(weft_event_create_user(context, &user), CL_SUCCESS);
	before = user;
	for (int i = 0; i < 50000; i++) {
		replay_enqueue(buffer, out_of_order, 1, &before, &event);
		if (before != user)
			assert_true(weft_object_release_api(&before->base));
		before = event;
	}
	assert_int_equal(weft_event_set_user_status(user, -5), CL_SUCCESS);
	finish(event, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	finish(user, -5);
	release(buffer);
}

/* ---- several submissions --------------------------------------------------------------------- */

/* What need not run at the same time waits, whatever the queue allows. */
static void submissions_wait_for_one_another(void **state)
{
	cl_command_buffer_khr buffer = diamond(0);
	cl_event events[20];

	(void)state;
	for (int i = 0; i < 20; i++)
		replay_enqueue(buffer, out_of_order, 0, NULL, &events[i]);
	for (int i = 0; i < 20; i++) {
		expect_status(events[i], CL_RUNNING);
		if (i < 19)
			expect_status(events[i + 1], CL_SUBMITTED);
		assert_int_equal(fake_num_ready(device), 1);
		for (int k = 0; k < 4; k++)
			assert_true(fake_run_next(device, WEFT_OK));
		finish(events[i], CL_COMPLETE);
		expect_log("abcd");
	}
	release(buffer);
}

static void submissions_at_the_same_time(void **state)
{
	cl_command_buffer_khr buffer = diamond(CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
	cl_event events[20];

	(void)state;
	for (int i = 0; i < 20; i++)
		replay_enqueue(buffer, out_of_order, 0, NULL, &events[i]);
	expect_status(events[1], CL_RUNNING);
	assert_true(fake_num_ready(device) > 1);
	fake_run_all(device);
	for (int i = 0; i < 20; i++)
		finish(events[i], CL_COMPLETE);
	memset(log_of_runs, 0, sizeof(log_of_runs));
	release(buffer);
}

static void released_while_pending(void **state)
{
	cl_command_buffer_khr buffer = diamond(0);
	cl_event user;
	cl_event events[3];

	(void)state;
	assert_int_equal(weft_event_create_user(context, &user), CL_SUCCESS);
	replay_enqueue(buffer, out_of_order, 0, NULL, &events[0]);
	replay_enqueue(buffer, out_of_order, 0, NULL, &events[1]);
	replay_enqueue(buffer, out_of_order, 1, &user, &events[2]);
	assert_true(fake_run_next(device, WEFT_OK));
	release(buffer);
	fake_run_all(device);
	assert_int_equal(weft_event_set_user_status(user, CL_COMPLETE), CL_SUCCESS);
	fake_run_all(device);
	for (int i = 0; i < 3; i++)
		finish(events[i], CL_COMPLETE);
	finish(user, CL_COMPLETE);
	expect_log("abcdabcdabcd");
}

/* In the child of a fork no thread gives the parent's run back. */
static void in_a_forked_child(void **state)
{
	cl_command_buffer_khr buffer = diamond(0);
	cl_event event;
	int status;

	(void)state;
	replay_enqueue(buffer, out_of_order, 0, NULL, &event);
	pid_t pid = fork_limited();
	assert_true(pid >= 0);
	if (pid == 0) {
		cl_event own;

		replay_enqueue(buffer, out_of_order, 0, NULL, &own);
		_exit(weft_event_status(own) == CL_RUNNING ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	fake_run_all(device);
	finish(event, CL_COMPLETE);
	expect_log("abcd");
	release(buffer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_run_as_they_wait),
		cmocka_unit_test(nothing_is_soon_over),
		cmocka_unit_test(in_order_recording),
		cmocka_unit_test(many_to_begin_with),
		cmocka_unit_test(one_node_of_the_queue),
		cmocka_unit_test(its_times),
		cmocka_unit_test(what_follows_an_error_is_not_run),
		cmocka_unit_test(an_error_it_waits_for),
		cmocka_unit_test(a_long_chain_of_errors),
		cmocka_unit_test(submissions_wait_for_one_another),
		cmocka_unit_test(submissions_at_the_same_time),
		cmocka_unit_test(released_while_pending),
		cmocka_unit_test(in_a_forked_child),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
