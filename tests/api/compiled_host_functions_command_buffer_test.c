/* SPDX-License-Identifier: MIT
 *
 * Calls of the application's functions (cl_weft_host_function) from command buffers, from code that is replaced while it runs, and in the child of a
 * fork.
 */
#include "command_buffers.h"
#include "compiled_fixture.h"

#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

/* ThreadSanitizer supports no threads in the child of a process with threads. */
#if defined(__SANITIZE_THREAD__)
#define CAN_FORK 0
#else
#define CAN_FORK 1
#endif

enum { COUNT = 64 };

#define HOST "__attribute__((annotate(\"weft_host\"))) "

static const char *const source =
	HOST "int next(int a); kernel void k(global int *p) { int i = get_global_id(0); p[i] = "
	     "next(p[i]); }\n"
	     "kernel void turns(global int *p, int n) { int i = get_global_id(0), r = i;\n"
	     "  for (int k = 0; k < n; k++) r = r * 5 + k; p[i] = next(r); }\n";

static cl_int CL_CALLBACK next(void *data, const void *args, void *result)
{
	atomic_fetch_add((atomic_int *)data, 1);
	*(cl_int *)result = *(const cl_int *)args + 1;
	return CL_SUCCESS;
}

static void set_next(cl_context context, cl_host_function_weft function, atomic_int *calls)
{
	const size_t size = 4;
	const cl_host_function_desc_weft desc = {"next", function, calls, 4, 1, &size};

	assert_int_equal(ext.clSetHostFunctionWEFT(context, &desc), CL_SUCCESS);
}

static cl_int replay(const struct fixture *f, cl_command_buffer_khr buffer)
{
	cl_event event;

	assert_int_equal(ext.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, &event),
			 CL_SUCCESS);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	const cl_int status = fixture_status(event);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	return status;
}

/* What is registered when the command runs is called, not what was when it was recorded. */
static void command_buffers_call(void **state)
{
	struct fixture *f = *state;
	const size_t count = COUNT;
	cl_int numbers[COUNT] = {0};
	atomic_int first = 0, second = 0;
	cl_program program = compiled_program(f->context, source, "-cl-std=CL3.0");
	cl_kernel kernel = clCreateKernel(program, "k", NULL);
	cl_mem mem = fixture_buffer(f, CL_MEM_COPY_HOST_PTR, sizeof(numbers), numbers);
	cl_command_buffer_khr buffer = command_buffer_for(f->queue, 0);

	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(mem), &mem), CL_SUCCESS);
	assert_int_equal(ext.clCommandNDRangeKernelKHR(buffer, NULL, NULL, kernel, 1, NULL, &count,
						       NULL, 0, NULL, NULL, NULL),
			 CL_INVALID_KERNEL);
	set_next(f->context, next, &first);
	for (int i = 0; i < 2; i++)
		assert_int_equal(ext.clCommandNDRangeKernelKHR(buffer, NULL, NULL, kernel, 1, NULL,
							       &count, NULL, 0, NULL, NULL, NULL),
				 CL_SUCCESS);
	command_buffer_finalize(buffer);
	assert_int_equal(replay(f, buffer), CL_COMPLETE);
	assert_int_equal(first, 2 * COUNT);
	set_next(f->context, next, &second);
	assert_int_equal(replay(f, buffer), CL_COMPLETE);
	assert_int_equal(first, 2 * COUNT);
	assert_int_equal(second, 2 * COUNT);
	fixture_read(f, mem, numbers, sizeof(numbers));
	for (int i = 0; i < COUNT; i++)
		assert_int_equal(numbers[i], 4);
	set_next(f->context, NULL, NULL);
	assert_true(replay(f, buffer) < 0);
	assert_int_equal(second, 2 * COUNT);
	command_buffer_release(buffer);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

static cl_int turned(cl_int r, cl_int turns)
{
	uint32_t value = (uint32_t)r;

	for (cl_int k = 0; k < turns; k++)
		value = value * 5 + (uint32_t)k;
	return (cl_int)(value + 1);
}

/* Long enough that full code takes the place of quick code within a command: each work-item calls once all the same. */
static void replaced_code_calls(void **state)
{
	enum { ITEMS = 4096, TURNS = 20000 };
	static cl_int numbers[ITEMS];
	struct fixture *f = *state;
	const size_t count = ITEMS, local = 8;
	const cl_int turns = TURNS;
	atomic_int calls = 0;
	cl_program program = compiled_program(f->context, source, "-cl-std=CL3.0");
	cl_kernel kernel = clCreateKernel(program, "turns", NULL);
	cl_mem mem = fixture_buffer(f, CL_MEM_READ_WRITE, sizeof(numbers), NULL);

	set_next(f->context, next, &calls);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(mem), &mem), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(turns), &turns), CL_SUCCESS);
	for (int round = 1; round <= 3; round++) {
		assert_int_equal(clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &count, &local,
							0, NULL, NULL),
				 CL_SUCCESS);
		assert_int_equal(clFinish(f->queue), CL_SUCCESS);
		assert_int_equal(calls, round * ITEMS);
	}
	fixture_read(f, mem, numbers, sizeof(numbers));
	for (int i = 0; i < ITEMS; i += 97)
		assert_int_equal(numbers[i], turned(i, TURNS));
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* 7: a function that the parent registered was called, and what the child has set in its place. */
static int use_in_child(const struct fixture *f, cl_kernel kernel, cl_mem mem, atomic_int *calls)
{
	const size_t count = COUNT;
	cl_int numbers[COUNT];
	atomic_int own = 0;

	for (int i = 0; i < 2; i++) {
		if (clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL))
			return 1;
		if (clFinish(f->queue))
			return 2;
		set_next(f->context, next, &own);
	}
	if (*calls != COUNT || own != COUNT)
		return 3;
	if (clEnqueueReadBuffer(f->queue, mem, CL_TRUE, 0, sizeof(numbers), numbers, 0, NULL, NULL))
		return 4;
	for (int i = 0; i < COUNT; i++) {
		if (numbers[i] != 2)
			return 5;
	}
	return 7;
}

static void the_child_of_a_fork_calls(void **state)
{
	struct fixture *f = *state;
	const cl_int numbers[COUNT] = {0};
	int status = 0;

	if (!CAN_FORK)
		skip();
	atomic_int calls = 0;
	cl_program program = compiled_program(f->context, source, "-cl-std=CL3.0");
	cl_kernel kernel = clCreateKernel(program, "k", NULL);
	cl_mem mem = fixture_buffer(f, CL_MEM_COPY_HOST_PTR, sizeof(numbers), (void *)numbers);

	set_next(f->context, next, &calls);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(mem), &mem), CL_SUCCESS);
	const pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		alarm(60);
		_exit(use_in_child(f, kernel, mem, &calls));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
	assert_int_equal(calls, 0);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

static int set_up(void **state)
{
	const int result = compiled_set_up(state);

	command_buffers_find();
	return result;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(command_buffers_call, set_up, fixture_tear_down),
		cmocka_unit_test_setup_teardown(replaced_code_calls, set_up, fixture_tear_down),
		cmocka_unit_test_setup_teardown(the_child_of_a_fork_calls, set_up,
						fixture_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
