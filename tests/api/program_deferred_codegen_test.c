/* SPDX-License-Identifier: MIT
 *
 * Kernels whose code is made after their program is built (`postponed`, fake_compiler.h): a build and an enqueue do not wait
 * for it, launches wait for their own kernel's and for no other, and what cannot be made is an error of the command.
 */
#include "program_fixture.h"

#include "child.h"
#include "threads.h"
#include "told.h"

#include <sys/wait.h>
#include <unistd.h>

#define ITEMS 64

static struct program_fixture *f;

static int set_up(void **state)
{
	setenv("WEFT_THREADS", "4", 1); /* some of them stand at the gate */
	assert_int_equal(program_set_up(state), 0);
	f = *state;
	return 0;
}

/* `add` with its buffers. */
struct sum {
	cl_kernel kernel;
	cl_mem mems[3];
};

static struct sum sum_new(cl_program program)
{
	cl_int numbers[ITEMS];
	struct sum sum;

	for (int i = 0; i < ITEMS; i++)
		numbers[i] = i;
	sum.kernel = program_add(program, f->both, numbers, ITEMS, sum.mems);
	return sum;
}

static void sum_release(struct sum *sum)
{
	program_release_mems(sum->mems);
	assert_int_equal(clReleaseKernel(sum->kernel), CL_SUCCESS);
}

static cl_command_queue queue_new(int device, cl_command_queue_properties properties)
{
	return fixture_queue(f->both, f->devices[device], properties);
}

static cl_event launch(cl_command_queue queue, cl_kernel kernel)
{
	const size_t items = ITEMS;
	cl_event event;

	assert_int_equal(
		clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, &event),
		CL_SUCCESS);
	return event;
}

static void check_sum(cl_command_queue queue, const struct sum *sum)
{
	cl_int numbers[ITEMS];

	assert_int_equal(clEnqueueReadBuffer(queue, sum->mems[2], CL_TRUE, 0, sizeof(numbers),
					     numbers, 0, NULL, NULL),
			 CL_SUCCESS);
	for (int i = 0; i < ITEMS; i++)
		assert_int_equal(numbers[i], 2 * i + 5);
}

/* ---- launches -------------------------------------------------------------------------------- */

/* On either device, other kernels and other commands run while the code of one is in the making. */
static void launches_wait_for_their_own_code(void **state)
{
	(void)state;
	for (int device = 0; device < 2; device++) {
		f->compiler->set_gate(0);
		cl_program program = program_built(f->both, "postponed slow");
		struct sum sum = sum_new(program);
		cl_kernel nothing = program_kernel(program, "nothing");
		cl_command_queue queue = queue_new(device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
		cl_event events[3];
		const cl_int zero = 0;

		events[0] = launch(queue, sum.kernel);
		events[1] = launch(queue, nothing);
		assert_int_equal(clEnqueueFillBuffer(queue, sum.mems[2], &zero, sizeof(zero), 0, 4,
						     0, NULL, &events[2]),
				 CL_SUCCESS);
		assert_int_equal(clWaitForEvents(2, &events[1]), CL_SUCCESS);
		assert_true(fixture_status(events[0]) > CL_COMPLETE);
		f->compiler->set_gate(1);
		assert_int_equal(clWaitForEvents(1, &events[0]), CL_SUCCESS);
		check_sum(queue, &sum);
		for (int i = 0; i < 3; i++)
			assert_int_equal(clReleaseEvent(events[i]), CL_SUCCESS);
		sum_release(&sum);
		assert_int_equal(clReleaseKernel(nothing), CL_SUCCESS);
		assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
		assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	}
}

/* A queue in order keeps its order, wait lists and callers that block wait, and times grow. */
static void order_and_times_hold(void **state)
{
	static const cl_profiling_info times[] = {
		CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
		CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END};
	f->compiler->set_gate(0);
	cl_program program = program_built(f->both, "postponed slow");
	struct sum sum = sum_new(program);
	cl_command_queue queue = queue_new(0, CL_QUEUE_PROFILING_ENABLE);
	cl_command_queue other = queue_new(1, 0);
	cl_ulong before = 0;
	cl_event marker;

	(void)state;
	cl_event event = launch(queue, sum.kernel);
	assert_int_equal(clEnqueueMarkerWithWaitList(other, 1, &event, &marker), CL_SUCCESS);
	assert_int_equal(clFlush(queue), CL_SUCCESS);
	assert_true(fixture_status(event) > CL_COMPLETE);
	assert_true(fixture_status(marker) > CL_COMPLETE);
	f->compiler->set_gate(1);
	check_sum(queue, &sum);
	assert_int_equal(clFinish(other), CL_SUCCESS);
	assert_int_equal(fixture_status(marker), CL_COMPLETE);
	for (int i = 0; i < 4; i++) {
		cl_ulong time = fixture_time(event, times[i]);

		assert_true(time >= before);
		before = time;
	}
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(marker), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(other), CL_SUCCESS);
	sum_release(&sum);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* Whatever is asked about a kernel is known when the program is built. */
static void queries_need_no_code(void **state)
{
	f->compiler->set_gate(0);
	cl_program program = program_built(f->both, "postponed slow");
	cl_kernel kernel = program_kernel(program, "add");
	size_t size = 0;
	cl_ulong bytes = 0;
	cl_uint num_args = 0;

	(void)state;
	assert_int_equal(clGetKernelWorkGroupInfo(kernel, f->devices[0], CL_KERNEL_WORK_GROUP_SIZE,
						  sizeof(size), &size, NULL),
			 CL_SUCCESS);
	assert_int_equal(clGetKernelWorkGroupInfo(kernel, f->devices[1], CL_KERNEL_PRIVATE_MEM_SIZE,
						  sizeof(bytes), &bytes, NULL),
			 CL_SUCCESS);
	assert_int_equal(
		clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(num_args), &num_args, NULL),
		CL_SUCCESS);
	assert_true(size > 0);
	assert_int_equal(bytes, 16);
	assert_int_equal(num_args, 4);
	assert_int_equal(program_type(program, f->devices[0]), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
	f->compiler->set_gate(1);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* ---- what fails ------------------------------------------------------------------------------ */

static void code_that_cannot_be_made_ends_the_command(void **state)
{
	cl_program program = program_built(f->both, "postponed codeless");
	struct sum sum = sum_new(program);
	cl_kernel nothing = program_kernel(program, "nothing");
	size_t sizes[2];

	(void)state;
	for (int device = 0; device < 2; device++) {
		cl_command_queue queue = queue_new(device, 0);
		const size_t global = 1;
		cl_event gate = clCreateUserEvent(f->both, NULL);
		cl_event failed;
		cl_event after;
		static struct told told;

		assert_int_equal(clEnqueueNDRangeKernel(queue, nothing, 1, NULL, &global, NULL, 1,
							&gate, &failed),
				 CL_SUCCESS);
		told_ask(&told, failed);
		assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
		assert_int_equal(clReleaseEvent(gate), CL_SUCCESS);

		assert_int_equal(clEnqueueMarkerWithWaitList(queue, 1, &failed, &after),
				 CL_SUCCESS);
		assert_int_equal(clWaitForEvents(1, &failed),
				 CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
		assert_int_equal(fixture_status(failed), CL_BUILD_PROGRAM_FAILURE);
		told_check(&told, CL_BUILD_PROGRAM_FAILURE);
		assert_int_equal(clFinish(queue), CL_SUCCESS);
		assert_int_equal(fixture_status(after),
				 CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
		assert_int_equal(clReleaseEvent(launch(queue, sum.kernel)), CL_SUCCESS);
		check_sum(queue, &sum);
		assert_int_equal(clReleaseEvent(failed), CL_SUCCESS);
		assert_int_equal(clReleaseEvent(after), CL_SUCCESS);
		assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	}
	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(sizes), sizes, NULL),
		CL_OUT_OF_RESOURCES);
	sum_release(&sum);
	assert_int_equal(clReleaseKernel(nothing), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* ---- lives ----------------------------------------------------------------------------------- */

/* A binary is whole: a thread that asks for it waits, and a program made from it has its code. */
static void binaries_are_whole(void **state)
{
	cl_program program = program_built(f->both, "postponed slow");
	unsigned char *places[2];
	size_t sizes[2];
	cl_int err;

	(void)state;
	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(sizes), sizes, NULL),
		CL_SUCCESS);
	for (int i = 0; i < 2; i++)
		places[i] = malloc(sizes[i]);
	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(places), places, NULL),
		CL_SUCCESS);
	f->compiler->set_gate(0);
	wait_until_others_sleep(); /* what earlier tests have dropped is not made any more */
	int calls = f->compiler->calls();
	cl_program copy = clCreateProgramWithBinary(
		f->both, 2, f->devices, sizes, (const unsigned char **)(void *)places, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(clBuildProgram(copy, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
	struct sum sum = sum_new(copy);
	cl_command_queue queue = queue_new(0, 0);
	assert_int_equal(clReleaseEvent(launch(queue, sum.kernel)), CL_SUCCESS);
	check_sum(queue, &sum);
	assert_int_equal(f->compiler->calls(), calls);
	f->compiler->set_gate(1);
	for (int i = 0; i < 2; i++)
		free(places[i]);
	sum_release(&sum);
	assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(copy), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* Everything is released while code is in the making, and a command waits for it. */
static void releases_wait_for_nothing(void **state)
{
	f->compiler->set_gate(0);
	cl_program program = program_built(f->both, "postponed slow");
	cl_program unused = program_built(f->both, "postponed slow");
	struct sum sum = sum_new(program);
	cl_command_queue queue = queue_new(0, 0);
	cl_event event = launch(queue, sum.kernel);

	(void)state;
	assert_int_equal(clFlush(queue), CL_SUCCESS);
	f->compiler->wait_for_one();
	sum_release(&sum);
	assert_int_equal(clReleaseProgram(unused), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	f->compiler->set_gate(1);
	assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
}

/* A program whose kernels have no code yet can be built again. */
static void programs_can_be_built_again(void **state)
{
	f->compiler->set_gate(0);
	cl_program program = program_built(f->both, "postponed slow");

	(void)state;
	f->compiler->wait_for_one();
	assert_int_equal(clBuildProgram(program, 0, NULL, "-cl-std=CL2.0 -DX", NULL, NULL),
			 CL_SUCCESS);
	f->compiler->set_gate(1);
	struct sum sum = sum_new(program);
	cl_command_queue queue = queue_new(1, 0);
	assert_int_equal(clReleaseEvent(launch(queue, sum.kernel)), CL_SUCCESS);
	check_sum(queue, &sum);
	sum_release(&sum);
	assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* ---- forks and exits ------------------------------------------------------------------------- */

/* ThreadSanitizer supports no threads in the child of a process with threads. */
#if defined(__SANITIZE_THREAD__)
#define CAN_FORK 0
#else
#define CAN_FORK 1
#endif

static void expect_exit(pid_t child, int code)
{
	int status = -1;

	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), code);
}

/* In a child whose parent's thread is about to make the code, and whose parent's launch waits for it. */
static int run_in_child(cl_program program)
{
	f->compiler->set_gate(1);
	struct sum sum = sum_new(program);
	cl_command_queue queue = queue_new(0, 0);
	cl_event event = launch(queue, sum.kernel);

	if (clWaitForEvents(1, &event) != CL_SUCCESS)
		return 8;
	check_sum(queue, &sum);
	return 7;
}

static void children_make_code_of_their_own(void **state)
{
	(void)state;
	if (!CAN_FORK)
		skip();
	f->compiler->set_gate(0);
	cl_program program = program_built(f->both, "postponed slow");
	struct sum sum = sum_new(program);
	cl_command_queue queue = queue_new(0, 0);
	cl_event event = launch(queue, sum.kernel);
	assert_int_equal(clFlush(queue), CL_SUCCESS);
	f->compiler->wait_for_one();
	wait_until_others_sleep(); /* AddressSanitizer of gcc 12 keeps its allocator locked in a child */
	pid_t child = fork_limited();
	if (child == 0)
		_exit(run_in_child(program));
	expect_exit(child, 7);
	assert_true(fixture_status(event) > CL_COMPLETE);
	f->compiler->set_gate(1);
	check_sum(queue, &sum);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	sum_release(&sum);
	assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

static void leave(void)
{
	_exit(7);
}

/* With code in the making and launches that wait for it. First of the tests: what waits for code at the exit is to be
 * registered after `leave`, so that it comes before it. */
static void processes_may_end_at_any_time(void **state)
{
	(void)state;
	if (!CAN_FORK)
		skip();
	pid_t child = fork_limited();
	if (child == 0) {
		atexit(leave);
		for (int i = 0; i < 10; i++) {
			cl_program program = program_built(f->both, "postponed");
			struct sum sum = sum_new(program);
			(void)launch(queue_new(i % 2, 0), sum.kernel);
		}
		exit(8);
	}
	expect_exit(child, 7);
}

static cl_command_queue queue_at_exit;
static cl_event event_at_exit;

static void finish_and_leave(void)
{
	bool done = clFinish(queue_at_exit) == CL_SUCCESS &&
		    fixture_status(event_at_exit) == CL_COMPLETE;

	_exit(done ? 7 : 8);
}

/* What a destructor of the application's finishes has code, however long that takes. Before the others, as above. */
static void launches_at_exit_have_code(void **state)
{
	(void)state;
	if (!CAN_FORK)
		skip();
	pid_t child = fork_limited();
	if (child == 0) {
		atexit(finish_and_leave);
		queue_at_exit = queue_new(0, 0);
		for (int i = 0; i < 10; i++) {
			struct sum sum = sum_new(program_built(f->both, "postponed slow"));
			event_at_exit = launch(queue_at_exit, sum.kernel);
		}
		exit(9);
	}
	expect_exit(child, 7);
}

static void launch_and_leave(void)
{
	cl_command_queue queue = queue_new(0, 0);
	struct sum sum = sum_new(program_built(f->both, "postponed"));
	cl_event event = launch(queue, sum.kernel);
	bool done = clFinish(queue) == CL_SUCCESS && fixture_status(event) == CL_COMPLETE;

	_exit(done ? 7 : 8);
}

/* So has what is built and launched when the exit has already waited for builds. Before the others, as above. */
static void launches_after_the_exit_has_begun_have_code(void **state)
{
	(void)state;
	if (!CAN_FORK)
		skip();
	pid_t child = fork_limited();
	if (child == 0) {
		atexit(launch_and_leave);
		(void)program_built(f->both, "postponed");
		exit(9);
	}
	expect_exit(child, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processes_may_end_at_any_time),
		cmocka_unit_test(launches_at_exit_have_code),
		cmocka_unit_test(launches_after_the_exit_has_begun_have_code),
		cmocka_unit_test(launches_wait_for_their_own_code),
		cmocka_unit_test(order_and_times_hold),
		cmocka_unit_test(queries_need_no_code),
		cmocka_unit_test(code_that_cannot_be_made_ends_the_command),
		cmocka_unit_test(binaries_are_whole),
		cmocka_unit_test(releases_wait_for_nothing),
		cmocka_unit_test(programs_can_be_built_again),
		cmocka_unit_test(children_make_code_of_their_own),
	};

	return cmocka_run_group_tests(tests, set_up, program_tear_down);
}
