/* SPDX-License-Identifier: MIT
 *
 * Semaphores that are shared by file descriptors (cl_khr_external_semaphore): between contexts and processes by opaque handles,
 * and from other parts of the system by sync handles.
 */
#include "semaphores.h"

#include "child.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/wait.h>

/* ThreadSanitizer supports no threads in the child of a process with threads. */
#if defined(__SANITIZE_THREAD__)
#define CAN_FORK 0
#else
#define CAN_FORK 1
#endif

/* One that gives handles of the type. */
static cl_semaphore_khr exportable(struct fixture *f, cl_external_semaphore_handle_type_khr type)
{
	return semaphore_with(f->context, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, type);
}

static int handle_of(struct fixture *f, cl_semaphore_khr semaphore,
		     cl_external_semaphore_handle_type_khr type)
{
	int fd = -2;
	size_t size;

	assert_int_equal(semaphores.handle(semaphore, f->device, type, sizeof(fd), &fd, &size),
			 CL_SUCCESS);
	assert_int_equal(size, sizeof(fd));
	return fd;
}

static cl_semaphore_khr imported(cl_context context, cl_external_semaphore_handle_type_khr type,
				 int fd)
{
	return semaphore_with(context, type, PROPERTY(fd));
}

static void signal_now(cl_command_queue queue, cl_semaphore_khr semaphore)
{
	assert_int_equal(semaphores.signal(queue, 1, &semaphore, NULL, 0, NULL, NULL), CL_SUCCESS);
}

static void expect_complete(cl_event event)
{
	assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
}

/* ---- opaque handles -------------------------------------------------------------------------- */

/* Each signal, of either semaphore, is for one wait, of either. */
static void semaphores_of_one_payload_are_one(void **state)
{
	struct fixture *f = *state;
	cl_semaphore_khr one = exportable(f, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);
	cl_semaphore_khr other = imported(f->other_context, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
					  handle_of(f, one, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR));
	cl_bool can = CL_FALSE;

	assert_int_equal(semaphores.info(one, CL_SEMAPHORE_EXPORTABLE_KHR, sizeof(can), &can, NULL),
			 CL_SUCCESS);
	assert_int_equal(can, CL_TRUE);
	for (int round = 0; round < 20; round++) {
		cl_event wait = semaphore_wait(f->other_queue, other);
		cl_event next = semaphore_wait(f->other_queue, other);

		assert_int_equal(semaphore_payload(one), 0);
		signal_now(f->queue, one);
		expect_complete(wait);
		assert_true(fixture_status(next) > CL_COMPLETE);
		signal_now(f->queue, one);
		expect_complete(next);
		expect_complete(semaphore_signal(f->other_queue, other, NULL));
		assert_int_equal(semaphore_payload(one), 1);
		assert_int_equal(semaphore_payload(other), 1);
		expect_complete(semaphore_wait(f->queue, one));
	}
	semaphore_release(one);
	semaphore_release(other);
}

/* Who sees the status of a signal's command sees the signal, whatever thread ended the command. */
static void ended_signals_are_there(void **state)
{
	struct fixture *f = *state;
	cl_semaphore_khr all[] = {exportable(f, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR),
				  semaphore_new(f->context)};

	for (int round = 0; round < 1000; round++) {
		cl_semaphore_khr semaphore = all[round % 2];
		cl_event signal = semaphore_signal(f->queue, semaphore, NULL);

		clFlush(f->queue);
		while (fixture_status(signal) > CL_COMPLETE)
			;
		assert_int_equal(semaphore_payload(semaphore), 1);
		expect_complete(signal);
		expect_complete(semaphore_wait(f->queue, semaphore));
	}
	semaphore_release(all[0]);
	semaphore_release(all[1]);
}

#define ROUNDS 50

static int answer(struct fixture *f, const int fds[2])
{
	cl_command_queue queue = fixture_queue(f->context, f->device, 0);
	cl_semaphore_khr ping = imported(f->context, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, fds[0]);
	cl_semaphore_khr pong = imported(f->context, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, fds[1]);

	for (int i = 0; i < ROUNDS; i++) {
		if (semaphores.wait(queue, 1, &ping, NULL, 0, NULL, NULL) != CL_SUCCESS ||
		    semaphores.signal(queue, 1, &pong, NULL, 0, NULL, NULL) != CL_SUCCESS)
			return 8;
	}
	return clFinish(queue) == CL_SUCCESS ? 7 : 9;
}

static void processes_take_turns(void **state)
{
	struct fixture *f = *state;
	cl_semaphore_khr ping = exportable(f, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);
	cl_semaphore_khr pong = exportable(f, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);
	const int fds[] = {handle_of(f, ping, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR),
			   handle_of(f, pong, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR)};
	int status = -1;

	if (!CAN_FORK)
		skip();
	expect_complete(semaphore_signal(f->queue, ping, NULL)); /* the threads are there */
	pid_t child = fork_limited();
	if (child == 0)
		_exit(answer(f, fds));
	for (int i = 0; i < ROUNDS; i++) {
		expect_complete(semaphore_wait(f->queue, pong));
		if (i < ROUNDS - 1)
			signal_now(f->queue, ping);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
	assert_int_equal(semaphore_payload(ping), 0);
	assert_int_equal(semaphore_payload(pong), 0);
	semaphore_release(ping);
	semaphore_release(pong);
	close(fds[0]);
	close(fds[1]);
}

static int signal_in_child(struct fixture *f, cl_semaphore_khr shared, cl_semaphore_khr own)
{
	cl_command_queue queue = fixture_queue(f->context, f->device, 0);
	cl_semaphore_khr both[] = {shared, own};

	/* one for the parent's wait, one for this process's */
	for (int i = 0; i < 2; i++) {
		if (semaphores.signal(queue, 2, both, NULL, 0, NULL, NULL) != CL_SUCCESS)
			return 8;
	}
	if (semaphores.wait(queue, 2, both, NULL, 0, NULL, NULL) != CL_SUCCESS)
		return 9;
	return clFinish(queue) == CL_SUCCESS ? 7 : 10;
}

/* The parent's waits are no hindrance to those of its child, and a signal of the child ends one. */
static void children_use_their_parents_semaphores(void **state)
{
	struct fixture *f = *state;
	cl_semaphore_khr shared = exportable(f, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);
	cl_semaphore_khr own = semaphore_new(f->context);
	int status = -1;

	if (!CAN_FORK)
		skip();
	cl_event wait = semaphore_wait(f->out_of_order, shared);
	cl_event own_wait = semaphore_wait(f->out_of_order, own);
	pid_t child = fork_limited();
	if (child == 0)
		_exit(signal_in_child(f, shared, own));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
	expect_complete(wait);
	assert_true(fixture_status(own_wait) > CL_COMPLETE);
	signal_now(f->queue, own);
	expect_complete(own_wait);
	semaphore_release(shared);
	semaphore_release(own);
}

/* A wait whose semaphore the application has released ends all the same: other processes may signal. */
static void a_wait_outlives_its_semaphore(void **state)
{
	struct fixture *f = *state;
	cl_semaphore_khr one = exportable(f, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);
	cl_semaphore_khr other = imported(f->context, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
					  handle_of(f, one, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR));
	cl_event wait = semaphore_wait(f->out_of_order, one);

	semaphore_release(one);
	signal_now(f->queue, other);
	expect_complete(wait);
	semaphore_release(other);
}

/* A process that has the file may take O_NONBLOCK from it. Two waits, and one signal, after which the file is empty. */
static void files_that_block_hold_up_no_wait(void **state)
{
	struct fixture *f = *state;
	cl_semaphore_khr one = exportable(f, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);
	cl_semaphore_khr other = exportable(f, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);
	const int fd = handle_of(f, one, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);

	assert_int_equal(fcntl(fd, F_SETFL, 0), 0);
	cl_event waits[] = {semaphore_wait(f->out_of_order, one),
			    semaphore_wait(f->out_of_order, one)};
	signal_now(f->queue, one);
	expect_complete(waits[0]);
	/* the thread that waits for files still does */
	cl_event third = semaphore_wait(f->out_of_order, other);
	signal_now(f->queue, other);
	expect_complete(third);
	signal_now(f->queue, one);
	expect_complete(waits[1]);
	close(fd);
	semaphore_release(one);
	semaphore_release(other);
}

/* As an application that closes what is not its own. */
static void close_epoll_instances(void)
{
	static const char name[] = "anon_inode:[eventpoll]";
	int closed = 0;

	for (int fd = 3; fd < 256; fd++) {
		char path[64], target[sizeof(name)];

		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		if (readlink(path, target, sizeof(target)) == (ssize_t)sizeof(name) - 1 &&
		    memcmp(target, name, sizeof(name) - 1) == 0)
			closed += close(fd) == 0;
	}
	assert_true(closed > 0);
}

static void waits_survive_a_closed_epoll_instance(void **state)
{
	struct fixture *f = *state;
	cl_semaphore_khr one = exportable(f, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);
	cl_semaphore_khr other = exportable(f, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);

	for (int round = 0; round < 3; round++) {
		cl_event wait = semaphore_wait(f->out_of_order, one);
		cl_event late = NULL;

		close_epoll_instances();
		if (round == 1) /* found by a new wait, and else by the thread */
			late = semaphore_wait(f->out_of_order, other);
		signal_now(f->queue, one);
		expect_complete(wait);
		if (!late)
			late = semaphore_wait(f->out_of_order, other);
		signal_now(f->queue, other);
		expect_complete(late);
	}
	semaphore_release(one);
	semaphore_release(other);
}

/* ---- sync handles ---------------------------------------------------------------------------- */

/* An eventfd stands for a fence here: what counts is when it can be read. A signal of the semaphore's own comes after. */
static void fences_are_waited_for(void **state)
{
	struct fixture *f = *state;
	int fence = eventfd(0, EFD_CLOEXEC);
	int copy = dup(fence);
	const uint64_t one = 1;
	cl_semaphore_khr semaphore = imported(f->context, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, copy);
	cl_event wait = semaphore_wait(f->out_of_order, semaphore);

	assert_int_equal(semaphore_payload(semaphore), 0);
	assert_true(fixture_status(wait) > CL_COMPLETE);
	assert_int_equal(write(fence, &one, sizeof(one)), sizeof(one));
	expect_complete(wait);
	wait = semaphore_wait(f->out_of_order, semaphore);
	assert_true(fixture_status(wait) > CL_COMPLETE);
	signal_now(f->queue, semaphore);
	expect_complete(wait);
	/* what was imported before does not count */
	assert_int_equal(semaphores.import_again(semaphore, NULL, -1), CL_SUCCESS);
	assert_int_equal(semaphore_payload(semaphore), 1);
	assert_int_equal(semaphores.import_again(semaphore, NULL, dup(fence)), CL_SUCCESS);
	expect_complete(semaphore_wait(f->queue, semaphore));
	wait = semaphore_wait(f->out_of_order, semaphore);
	assert_int_equal(semaphores.import_again(semaphore, NULL, -1), CL_SUCCESS);
	assert_int_equal(clWaitForEvents(1, &wait), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_int_equal(clReleaseEvent(wait), CL_SUCCESS);
	semaphore_release(semaphore);
	/* one that has not been signalled goes with its semaphore */
	semaphore_release(
		imported(f->context, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, eventfd(0, EFD_CLOEXEC)));
	close(fence);
}

/* The handle takes the signal, waits for it, and is one that is signalled: -1. */
static void signals_are_exported(void **state)
{
	struct fixture *f = *state;
	cl_semaphore_khr semaphore = exportable(f, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR);
	size_t size = 0;
	int fd = -2;

	assert_int_equal(semaphores.handle(semaphore, f->device, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR,
					   sizeof(fd), &fd, NULL),
			 CL_OUT_OF_RESOURCES);
	assert_int_equal(fd, -2);
	signal_now(f->queue, semaphore);
	assert_int_equal(semaphores.handle(semaphore, f->device, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, 0,
					   NULL, &size),
			 CL_SUCCESS);
	assert_int_equal(size, sizeof(fd));
	assert_int_equal(handle_of(f, semaphore, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR), -1);
	assert_int_equal(semaphore_payload(semaphore), 0);
	cl_semaphore_khr other = imported(f->other_context, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, -1);
	expect_complete(semaphore_wait(f->other_queue, other));
	/* of a signal that fails there is none */
	cl_event user = clCreateUserEvent(f->context, NULL);
	cl_event signal = semaphore_signal(f->out_of_order, semaphore, user);
	assert_int_equal(clSetUserEventStatus(user, -42), CL_SUCCESS);
	assert_int_equal(semaphores.handle(semaphore, f->device, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR,
					   sizeof(fd), &fd, NULL),
			 CL_OUT_OF_RESOURCES);
	fixture_release_events((const cl_event[]){user, signal, NULL});
	semaphore_release(semaphore);
	semaphore_release(other);
}

/* ---- wrong arguments ------------------------------------------------------------------------- */

static void handles_check_their_arguments(void **state)
{
	struct fixture *f = *state;
	const cl_external_semaphore_handle_type_khr opaque = CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR;
	cl_semaphore_khr one = exportable(f, opaque);
	cl_semaphore_khr other = imported(f->context, opaque, handle_of(f, one, opaque));
	cl_semaphore_khr plain = semaphore_new(f->context);
	cl_device_id no_device = (cl_device_id)f->context;
	cl_properties properties[] = {77, 1, 0};
	int fd;

#define EXPECT(code, semaphore, device, type, size)                                                \
	assert_int_equal(semaphores.handle(semaphore, device, type, size, &fd, NULL), code)
	EXPECT(CL_INVALID_SEMAPHORE_KHR, NULL, f->device, opaque, sizeof(fd));
	EXPECT(CL_INVALID_DEVICE, one, no_device, opaque, sizeof(fd));
	EXPECT(CL_INVALID_VALUE, one, f->device, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, sizeof(fd));
	EXPECT(CL_INVALID_VALUE, one, f->device, 0, sizeof(fd));
	EXPECT(CL_INVALID_VALUE, one, f->device, opaque, sizeof(fd) - 1);
	EXPECT(CL_INVALID_VALUE, other, f->device, opaque, sizeof(fd));
	EXPECT(CL_INVALID_VALUE, plain, f->device, opaque, sizeof(fd));
#undef EXPECT
	assert_int_equal(semaphores.import_again(NULL, NULL, -1), CL_INVALID_SEMAPHORE_KHR);
	assert_int_equal(semaphores.import_again(one, NULL, -1), CL_INVALID_SEMAPHORE_KHR);
	cl_semaphore_khr fence = imported(f->context, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, -1);
	assert_int_equal(semaphores.import_again(fence, NULL, 1 << 20), CL_INVALID_VALUE);
	assert_int_equal(semaphores.import_again(fence, properties, -1), CL_INVALID_VALUE);
	semaphore_release(one);
	semaphore_release(other);
	semaphore_release(plain);
	semaphore_release(fence);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(semaphores_of_one_payload_are_one),
		cmocka_unit_test(ended_signals_are_there),
		cmocka_unit_test(processes_take_turns),
		cmocka_unit_test(children_use_their_parents_semaphores),
		cmocka_unit_test(a_wait_outlives_its_semaphore),
		cmocka_unit_test(files_that_block_hold_up_no_wait),
		cmocka_unit_test(waits_survive_a_closed_epoll_instance),
		cmocka_unit_test(fences_are_waited_for),
		cmocka_unit_test(signals_are_exported),
		cmocka_unit_test(handles_check_their_arguments),
	};
	return cmocka_run_group_tests(tests, semaphores_set_up, fixture_tear_down);
}
