/* SPDX-License-Identifier: MIT
 *
 * Threads of the application whose stacks have little room: made small, almost used up, made by the application itself,
 * or taken along by a fork. Whatever is asked for in them, kernels and native functions have a large stack.
 */
#include "compiled_fixture.h"

#include "child.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

/* `hungry` has 48 KiB of variables: the most that code puts on a stack is 64 KiB. */
static const char source[] = "kernel void hungry(global int *p)\n"
			     "{\n"
			     "	int a[12000];\n"
			     "	for (int i = 0; i < 12000; i++)\n"
			     "		a[i] = p[i & 63] + i;\n"
			     "	int sum = 0;\n"
			     "	for (int i = 0; i < 12000; i++)\n"
			     "		sum += a[(i * 7 + sum) % 12000u];\n"
			     "	p[64 + get_global_id(0)] = sum;\n"
			     "}\n"
			     "kernel void rounds(global int *p, local int *l)\n"
			     "{\n"
			     "	int a[2000];\n"
			     "	for (int i = 0; i < 2000; i++)\n"
			     "		a[i] = p[i & 63] - i;\n"
			     "	l[get_local_id(0)] = a[get_global_id(0)];\n"
			     "	barrier(CLK_LOCAL_MEM_FENCE);\n"
			     "	p[64 + get_global_id(0)] += l[0] + a[p[0] & 1023];\n"
			     "}\n"
			     "kernel void prints(global int *p) { if (get_global_id(0) == 0) "
			     "printf(\"%d\", p[0] == -1); }\n";

enum { HUNGRY, ROUNDS, PRINTS, NUM_KERNELS };
static const char *const names[NUM_KERNELS] = {"hungry", "rounds", "prints"};

#define BYTES 4096
#define ITEMS 64

static struct fixture *f;
static cl_program program;
static cl_kernel kernels[NUM_KERNELS];
static cl_mem mem;
static bool has_native;
static char zeros[BYTES];

/* ---- what is done on a small stack ----------------------------------------------------------- */

/* Nothing here reports by cmocka, which needs more stack than these threads have. */
static _Atomic int failures;

static void check(bool right)
{
	if (!right)
		atomic_fetch_add(&failures, 1);
}

static void launch(cl_command_queue queue, int kernel, cl_uint num_waits, const cl_event *waits,
		   cl_event *event)
{
	const size_t global = ITEMS;

	check(clEnqueueNDRangeKernel(queue, kernels[kernel], 1, NULL, &global, NULL, num_waits,
				     waits, event) == CL_SUCCESS);
}

static void finish_kernels(void)
{
	for (int i = 0; i < NUM_KERNELS; i++) {
		launch(f->queue, i, 0, NULL, NULL);
		check(clFinish(f->queue) == CL_SUCCESS);
	}
}

static void wait_for_events(void)
{
	cl_event event = NULL;

	launch(f->out_of_order, HUNGRY, 0, NULL, &event);
	check(clWaitForEvents(1, &event) == CL_SUCCESS);
	check(clReleaseEvent(event) == CL_SUCCESS);
}

static void read_blocking(void)
{
	static char bytes[BYTES];

	for (int i = 0; i < 20; i++)
		launch(f->queue, i % 2, 0, NULL, NULL);
	check(clEnqueueReadBuffer(f->queue, mem, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL) ==
	      CL_SUCCESS);
	check(clEnqueueWriteBuffer(f->queue, mem, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL) ==
	      CL_SUCCESS);
}

static void map(void)
{
	cl_int err = 1;

	launch(f->queue, HUNGRY, 0, NULL, NULL);
	void *pointer = clEnqueueMapBuffer(f->queue, mem, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL,
					   NULL, &err);
	check(err == CL_SUCCESS);
	check(clEnqueueUnmapMemObject(f->queue, mem, pointer, 0, NULL, NULL) == CL_SUCCESS);
}

static void end_a_gate(cl_command_queue queue, cl_int status)
{
	cl_event gate = clCreateUserEvent(f->context, NULL);

	for (int i = 0; i < 50; i++)
		launch(queue, i % 2, 1, &gate, NULL);
	check(clSetUserEventStatus(gate, status) == CL_SUCCESS);
	check(clFinish(queue) == CL_SUCCESS);
	check(clReleaseEvent(gate) == CL_SUCCESS);
}

static void end_gates(void)
{
	end_a_gate(f->queue, CL_COMPLETE);
	end_a_gate(f->out_of_order, CL_COMPLETE);
	end_a_gate(f->out_of_order, -5);
}

static void build(void)
{
	const char *text = "kernel void other(global float *p) { p[0] = pow(sin(p[1]), p[2]); }";
	cl_program other = clCreateProgramWithSource(f->context, 1, &text, NULL, NULL);

	check(clBuildProgram(other, 0, NULL, NULL, NULL, NULL) == CL_SUCCESS);
	check(clReleaseProgram(other) == CL_SUCCESS);
}

static void make_and_release(void)
{
	cl_context context = clCreateContext(NULL, 1, &f->device, NULL, NULL, NULL);
	cl_command_queue queue = clCreateCommandQueueWithProperties(context, f->device, NULL, NULL);

	check(clReleaseCommandQueue(queue) == CL_SUCCESS);
	check(clReleaseContext(context) == CL_SUCCESS);
}

static void CL_CALLBACK count(cl_event event, cl_int status, void *user_data)
{
	(void)event;
	check(status == CL_COMPLETE);
	atomic_fetch_add((_Atomic int *)user_data, 1);
}

static void call_back(void)
{
	static _Atomic int calls;
	int before = atomic_load(&calls);
	cl_event event = NULL;

	launch(f->queue, HUNGRY, 0, NULL, &event);
	check(clSetEventCallback(event, CL_COMPLETE, count, &calls) == CL_SUCCESS);
	check(clFinish(f->queue) == CL_SUCCESS);
	while (atomic_load(&calls) == before)
		sched_yield();
	check(clReleaseEvent(event) == CL_SUCCESS);
}

static void CL_CALLBACK use_stack(void *unused)
{
	volatile char bytes[200000];

	(void)unused;
	for (size_t i = 0; i < sizeof(bytes); i += 512)
		bytes[i] = 1;
}

static void call_native(void)
{
	if (!has_native)
		return;
	check(clEnqueueNativeKernel(f->queue, use_stack, NULL, 0, 0, NULL, NULL, 0, NULL, NULL) ==
	      CL_SUCCESS);
	check(clFinish(f->queue) == CL_SUCCESS);
}

static void *do_all(void *unused)
{
	(void)unused;
	finish_kernels();
	wait_for_events();
	read_blocking();
	map();
	end_gates();
	build();
	make_and_release();
	call_back();
	call_native();
	return NULL;
}

/* ---- small stacks ---------------------------------------------------------------------------- */

static void run_in_thread(size_t bytes)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	assert_int_equal(pthread_attr_setstacksize(&attributes, bytes), 0);
	assert_int_equal(pthread_create(&thread, &attributes, do_all, NULL), 0);
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attributes);
	assert_int_equal(atomic_load(&failures), 0);
}

#if defined(__has_feature)
#define SANITIZES(name) __has_feature(name##_sanitizer)
#else
#define SANITIZES(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || SANITIZES(address) ||         \
	SANITIZES(thread)
#define SANITIZED
#define LEAST_BYTES ((size_t)1 << 18) /* its own needs come on top */
#else
#define LEAST_BYTES ((size_t)PTHREAD_STACK_MIN)
#endif

static void small_threads(void **state)
{
	const size_t sizes[] = {LEAST_BYTES, (size_t)64 << 10, (size_t)256 << 10, (size_t)1 << 20};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		if (sizes[i] >= LEAST_BYTES)
			run_in_thread(sizes[i]);
	}
}

/* Calls itself until so little of the stack is left. */
__attribute__((noinline)) static void descend(const char *end) /* NOLINT(misc-no-recursion) */
{
	volatile char bytes[4096];

	bytes[0] = 0;
	if ((const char *)bytes > end)
		descend(end);
	else
		(void)do_all(NULL);
	bytes[1] = 0;
}

static void *use_up(void *unused)
{
	pthread_attr_t attributes;
	void *low;
	size_t size;

	(void)unused;
	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getstack(&attributes, &low, &size);
	pthread_attr_destroy(&attributes);
	descend((const char *)low + LEAST_BYTES + 32768);
	return NULL;
}

/* The thread has a large stack, and the library may have seen it when it was still empty. */
static void *use_up_later(void *unused)
{
	(void)do_all(unused);
	return use_up(unused);
}

/* A stack without a limit cannot be. */
#define MOST_USED_UP ((rlim_t)64 << 20)

static void stacks_almost_used_up(void **state)
{
	struct rlimit limit;
	pthread_attr_t attributes;
	pthread_t thread;

	(void)state;
	pthread_attr_init(&attributes);
	assert_int_equal(pthread_attr_setstacksize(&attributes, (size_t)8 << 20), 0);
	assert_int_equal(pthread_create(&thread, &attributes, use_up_later, NULL), 0);
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attributes);
	if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur <= MOST_USED_UP)
		use_up(NULL); /* the main thread's */
	assert_int_equal(atomic_load(&failures), 0);
}

#ifndef SANITIZED
static ucontext_t outside;
static ucontext_t inside;

static void do_all_inside(void)
{
	(void)do_all(NULL);
}

/* A coroutine's, in a thread with a large one. */
static void stacks_of_the_applications_making(void **state)
{
	static _Alignas(64) char stack[32768];

	(void)state;
	assert_int_equal(getcontext(&inside), 0);
	inside.uc_stack.ss_sp = stack;
	inside.uc_stack.ss_size = sizeof(stack);
	inside.uc_link = &outside;
	makecontext(&inside, do_all_inside, 0);
	assert_int_equal(swapcontext(&outside, &inside), 0);
	assert_int_equal(atomic_load(&failures), 0);
}
#endif

#if !defined(__SANITIZE_THREAD__) && !SANITIZES(thread) /* which allows no threads in a child */
static void *fork_and_do_all(void *status)
{
	pid_t child = fork_limited();

	if (child == 0) {
		(void)do_all(NULL);
		_exit(atomic_load(&failures) ? 1 : 0);
	}
	waitpid(child, status, 0);
	return NULL;
}

/* The thread that forks is the child's main thread, on the stack that it has. */
static void children_of_small_threads(void **state)
{
	pthread_attr_t attributes;
	pthread_t thread;
	int status = -1;

	(void)state;
	pthread_attr_init(&attributes);
	assert_int_equal(pthread_attr_setstacksize(&attributes, LEAST_BYTES), 0);
	assert_int_equal(pthread_create(&thread, &attributes, fork_and_do_all, &status), 0);
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attributes);
	assert_int_equal(status, 0);
}
#endif

/* ---- set up ---------------------------------------------------------------------------------- */

static int set_up(void **state)
{
	cl_device_exec_capabilities capabilities = 0;

	setenv("WEFT_LATE_CODE", "0", 1); /* otherwise the threads that make it run kernels, too */
	int err = compiled_set_up(state);
	f = *state;
	program = compiled_program(f->context, source, NULL);
	mem = fixture_buffer(f, CL_MEM_COPY_HOST_PTR, BYTES, zeros);
	for (int i = 0; i < NUM_KERNELS; i++) {
		kernels[i] = clCreateKernel(program, names[i], NULL);
		assert_int_equal(clSetKernelArg(kernels[i], 0, sizeof(mem), &mem), CL_SUCCESS);
	}
	assert_int_equal(clSetKernelArg(kernels[ROUNDS], 1, ITEMS * sizeof(cl_int), NULL),
			 CL_SUCCESS);
	assert_int_equal(clGetDeviceInfo(f->device, CL_DEVICE_EXECUTION_CAPABILITIES,
					 sizeof(capabilities), &capabilities, NULL),
			 CL_SUCCESS);
	has_native = capabilities & CL_EXEC_NATIVE_KERNEL;
	return err;
}

static int tear_down(void **state)
{
	for (int i = 0; i < NUM_KERNELS; i++)
		assert_int_equal(clReleaseKernel(kernels[i]), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	return fixture_tear_down(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_threads),
		cmocka_unit_test(stacks_almost_used_up),
#ifndef SANITIZED
		cmocka_unit_test(stacks_of_the_applications_making),
#endif
#if !defined(__SANITIZE_THREAD__) && !SANITIZES(thread)
		cmocka_unit_test(children_of_small_threads),
#endif
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
