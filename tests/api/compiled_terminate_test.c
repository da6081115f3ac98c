/* SPDX-License-Identifier: MIT
 *
 * cl_khr_terminate_context: kernels that never end, and what waits for ever, are given up, on each driver; the codes of calls
 * before and after that. Each test has a context of its own.
 */
#include "compiled_fixture.h"

#include <CL/cl_ext.h>

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#define TERMINATED CL_CONTEXT_TERMINATED_KHR

/* Each kernel is the program of a test. */
#define STARTED "if (get_global_id(0) == 0) at[0] = 1;"
static const char alone[] =
	"kernel void k(global volatile int *at) { " STARTED " while (at[1] == 0) ; }\n";
static const char together[] =
	"kernel void k(global volatile int *at) {\n"
	"  local int sum; " STARTED "\n"
	"  while (at[1] == 0) { if (get_local_id(0) == 0) sum = at[1];\n"
	"    barrier(CLK_LOCAL_MEM_FENCE); at[2 + get_local_id(0)] += sum + 1; }\n"
	"}\n";
/* A jump through a pointer goes back, too. */
static const char calls[] = "#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable\n"
			    "__attribute__((noinline)) int even(global volatile int *at, int n) { "
			    "return at[1] + n * 2; }\n"
			    "__attribute__((noinline)) int odd(global volatile int *at, int n) { "
			    "return at[1] + n * 3; }\n"
			    "kernel void k(global volatile int *at) {\n"
			    "  " STARTED " int n = 1;\n"
			    "  while (at[1] == 0) n = (n & 1 ? odd : even)(at, n);\n"
			    "  at[2] = n;\n"
			    "}\n";
static const char waits[] = "kernel void k(global volatile int *at, read_only pipe int p) {\n"
			    "  int got; " STARTED " while (read_pipe(p, &got)) ; at[2] = got;\n"
			    "}\n";
static const char parent[] = "kernel void k(global volatile int *at) {\n"
			     "  clk_event_t never = create_user_event(), child;\n"
			     "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, "
			     "ndrange_1D(1), 1, &never,\n"
			     "                 &child, ^{ at[2] = 1; });\n"
			     "  retain_event(never); " STARTED "\n"
			     "}\n";

static clTerminateContextKHR_fn terminate;

#define WORDS 66

struct test {
	cl_device_id device;
	cl_context context;
	cl_program program;
	cl_command_queue queue, other, on_device;
	cl_mem mem;
	volatile cl_int memory[WORDS]; /* of `mem` */
	/* What the kernel has, and this thread sees: `memory`, or shared memory of an accelerator. */
	volatile cl_int *at;
	int reports; /* of the context */
};

static void CL_CALLBACK report(const char *text, const void *data, size_t size, void *test)
{
	(void)text;
	(void)data;
	(void)size;
	((struct test *)test)->reports++;
}

enum { PTHREAD, BASIC, ACCEL, RISCV, NUM_DEVICES }; /* the last two are accelerators */

static cl_device_id devices[NUM_DEVICES];

static void open_test(struct test *t, int device, const char *source)
{
	const cl_context_properties properties[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
	const cl_queue_properties on_device[] = {CL_QUEUE_PROPERTIES,
						 CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT |
							 CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
						 0};

	*t = (struct test){.device = devices[device]};
	t->context = clCreateContext(properties, 1, &t->device, report, t, NULL);
	assert_non_null(t->context);
	t->program = compiled_program(t->context, source, "-cl-std=CL3.0");
	t->queue = fixture_queue(t->context, t->device, CL_QUEUE_PROFILING_ENABLE);
	t->other = fixture_queue(t->context, t->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	t->on_device = clCreateCommandQueueWithProperties(t->context, t->device, on_device, NULL);
	assert_non_null(t->on_device);
	t->mem = clCreateBuffer(t->context, CL_MEM_USE_HOST_PTR, sizeof(t->memory),
				(void *)(uintptr_t)t->memory, NULL);
	assert_non_null(t->mem);
	t->at = t->memory;
	if (device >= ACCEL)
		t->at = clSVMAlloc(t->context, 0, sizeof(t->memory), 0);
	assert_non_null(t->at);
	for (int i = 0; i < WORDS; i++)
		t->at[i] = 0;
}

static void close_test(struct test *t)
{
	assert_int_equal(t->reports, 1);
	if (t->at != t->memory)
		clSVMFree(t->context, (void *)(uintptr_t)t->at);
	assert_int_equal(clReleaseMemObject(t->mem), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(t->queue), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(t->other), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(t->on_device), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(t->program), CL_SUCCESS);
	assert_int_equal(clReleaseContext(t->context), CL_SUCCESS);
}

/* A kernel that another thread enqueues and waits for: on `basic`, the enqueue does not return before the kernel. */
struct launch {
	struct test *test;
	bool has_pipe;
	size_t items;
	cl_int finished;
	cl_event event;
	pthread_t thread;
};

static void *run_launch(void *data)
{
	struct launch *l = data;
	struct test *t = l->test;
	cl_kernel kernel = clCreateKernel(t->program, "k", NULL);
	cl_mem pipe = NULL;

	assert_non_null(kernel);
	if (t->at == t->memory)
		assert_int_equal(clSetKernelArg(kernel, 0, sizeof(t->mem), &t->mem), CL_SUCCESS);
	else
		assert_int_equal(clSetKernelArgSVMPointer(kernel, 0, (void *)(uintptr_t)t->at),
				 CL_SUCCESS);
	if (l->has_pipe) {
		pipe = clCreatePipe(t->context, 0, sizeof(cl_int), 4, NULL, NULL);
		assert_int_equal(clSetKernelArg(kernel, 1, sizeof(pipe), &pipe), CL_SUCCESS);
	}
	assert_int_equal(clEnqueueNDRangeKernel(t->queue, kernel, 1, NULL, &l->items, &l->items, 0,
						NULL, &l->event),
			 CL_SUCCESS);
	l->finished = clFinish(t->queue);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	if (pipe)
		assert_int_equal(clReleaseMemObject(pipe), CL_SUCCESS);
	return NULL;
}

static void start(struct launch *l)
{
	l->finished = 77;
	assert_int_equal(pthread_create(&l->thread, NULL, run_launch, l), 0);
	while (l->test->at[0] == 0)
		sched_yield();
}

static cl_int status_of(cl_event event)
{
	cl_int status = 77;

	assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
					&status, NULL),
			 CL_SUCCESS);
	return status;
}

static void expect_terminated(cl_event event)
{
	cl_ulong time;

	assert_int_equal(status_of(event), TERMINATED);
	assert_int_equal(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_int_equal(
		clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(time), &time, NULL),
		CL_PROFILING_INFO_NOT_AVAILABLE);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
}

/* ---- what runs ------------------------------------------------------------------------------- */

static void check_endless(int device, const char *source)
{
	struct test t;
	struct launch l = {.test = &t, .has_pipe = source == waits, .items = 64};

	open_test(&t, device, source);
	start(&l);
	assert_int_equal(terminate(t.context), CL_SUCCESS);
	assert_int_equal(pthread_join(l.thread, NULL), 0);
	assert_int_equal(l.finished, CL_SUCCESS);
	expect_terminated(l.event);
	close_test(&t);
}

/* A kernel that is told to end before it starts. */
static void check_ends(int device)
{
	struct test t;
	struct launch l = {.test = &t, .items = 64};

	open_test(&t, device, alone);
	t.at[1] = 1;
	start(&l);
	assert_int_equal(pthread_join(l.thread, NULL), 0);
	assert_int_equal(l.finished, CL_SUCCESS);
	assert_int_equal(status_of(l.event), CL_COMPLETE);
	assert_int_equal(clReleaseEvent(l.event), CL_SUCCESS);
	assert_int_equal(terminate(t.context), CL_SUCCESS);
	close_test(&t);
}

static void endless_kernels_are_given_up(void **state)
{
	(void)state;
	for (int device = 0; device < NUM_DEVICES; device++) {
		check_endless(device, alone);
		check_endless(device, together);
		check_endless(device, calls);
		check_endless(device, waits);
		check_ends(device);
	}
}

static _Atomic int taken; /* signals that the application has got */

static void take_signal(int number)
{
	(void)number;
	taken++;
}

/* Of the signal that the first kernel was to get: the kernel runs on and gets none, and a later one has another signal. */
static void a_signal_that_the_application_takes_is_not_sent(void **state)
{
	struct test t;
	struct launch l = {.test = &t, .items = 64};
	struct sigaction before;
	const struct sigaction own = {.sa_handler = take_signal};

	(void)state;
	open_test(&t, PTHREAD, alone);
	start(&l);
	int number = SIGRTMAX;
	while (sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
		number--;
	assert_true(number >= SIGRTMIN);
	assert_int_equal(sigaction(number, &own, NULL), 0);
	assert_int_equal(terminate(t.context), CL_SUCCESS);
	assert_int_equal(taken, 0);
	t.memory[1] = 1;
	assert_int_equal(pthread_join(l.thread, NULL), 0);
	expect_terminated(l.event);
	close_test(&t);
	check_endless(PTHREAD, alone);
	assert_int_equal(taken, 0);
	assert_int_equal(sigaction(number, &before, NULL), 0);
}

/* ---- what waits ------------------------------------------------------------------------------ */

static _Atomic cl_int called;

static void CL_CALLBACK note(cl_event event, cl_int status, void *data)
{
	(void)event;
	(void)data;
	called = status;
}

/* Each behind the one before, the first behind a user event that is never set; on two queues. */
static void commands_behind_a_user_event_end(void **state)
{
	struct test t;
	cl_event gate, events[3];

	(void)state;
	open_test(&t, PTHREAD, alone);
	called = 0;
	gate = clCreateUserEvent(t.context, NULL);
	assert_int_equal(clEnqueueMarkerWithWaitList(t.queue, 1, &gate, &events[0]), CL_SUCCESS);
	assert_int_equal(clEnqueueMarkerWithWaitList(t.queue, 0, NULL, &events[1]), CL_SUCCESS);
	assert_int_equal(clEnqueueBarrierWithWaitList(t.other, 1, &events[1], &events[2]),
			 CL_SUCCESS);
	assert_int_equal(clSetEventCallback(events[2], CL_COMPLETE, note, NULL), CL_SUCCESS);
	assert_int_equal(terminate(t.context), CL_SUCCESS);
	assert_int_equal(clFinish(t.queue), CL_SUCCESS);
	assert_int_equal(clFinish(t.other), CL_SUCCESS);
	for (int i = 0; i < 3; i++)
		expect_terminated(events[i]);
	while (called == 0)
		sched_yield();
	assert_int_equal(called, TERMINATED);
	/* "The status of user events can be set." */
	assert_int_equal(status_of(gate), CL_SUBMITTED);
	assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(status_of(gate), CL_COMPLETE);
	assert_int_equal(clReleaseEvent(gate), CL_SUCCESS);
	close_test(&t);
}

static void a_wait_for_a_semaphore_ends(void **state)
{
	const cl_semaphore_properties_khr properties[] = {CL_SEMAPHORE_TYPE_KHR,
							  CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
	struct test t;
	cl_platform_id platform = *state;
	cl_event event;

	open_test(&t, PTHREAD, alone);
#define FIND(name) ((name##_fn)clGetExtensionFunctionAddressForPlatform(platform, #name))
	cl_semaphore_khr semaphore =
		FIND(clCreateSemaphoreWithPropertiesKHR)(t.context, properties, NULL);
	assert_non_null(semaphore);
	assert_int_equal(
		FIND(clEnqueueWaitSemaphoresKHR)(t.queue, 1, &semaphore, NULL, 0, NULL, &event),
		CL_SUCCESS);
	assert_int_equal(terminate(t.context), CL_SUCCESS);
	assert_int_equal(clFinish(t.queue), CL_SUCCESS);
	expect_terminated(event);
	assert_int_equal(FIND(clReleaseSemaphoreKHR)(semaphore), CL_SUCCESS);
#undef FIND
	close_test(&t);
}

static void children_that_wait_end(void **state)
{
	(void)state;
	for (int device = 0; device < NUM_DEVICES; device++)
		check_endless(device, parent);
}

/* ---- codes ----------------------------------------------------------------------------------- */

static cl_bitfield capability(cl_device_id device)
{
	/* Of the headers of OpenCL 1.2, and of today's. */
	static const cl_device_info names[] = {0x200F, CL_DEVICE_TERMINATE_CAPABILITY_KHR};
	cl_bitfield values[] = {77, 78};

	for (size_t i = 0; i < 2; i++)
		assert_int_equal(
			clGetDeviceInfo(device, names[i], sizeof(*values), &values[i], NULL),
			CL_SUCCESS);
	assert_int_equal(values[0], values[1]);
	return values[1];
}

static void what_is_refused(void **state)
{
	const cl_context_properties wrong[] = {CL_CONTEXT_TERMINATE_KHR, 2, 0};
	const cl_context_properties yes[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
	const cl_context_properties no[] = {CL_CONTEXT_TERMINATE_KHR, CL_FALSE, 0};
	cl_int err = CL_SUCCESS;

	(void)state;
	for (int device = 0; device < NUM_DEVICES; device++)
		assert_int_equal(capability(devices[device]), 1);
	assert_null(clCreateContext(wrong, 1, devices, NULL, NULL, &err));
	assert_int_equal(err, CL_INVALID_PROPERTY);
	assert_int_equal(terminate(NULL), CL_INVALID_CONTEXT);
	cl_context context = clCreateContext(yes, NUM_DEVICES, devices, NULL, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(terminate(context), CL_SUCCESS);
	assert_int_equal(clReleaseContext(context), CL_SUCCESS);
	context = clCreateContext(no, NUM_DEVICES, devices, NULL, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(terminate(context), CL_INVALID_OPERATION);
	assert_int_equal(clReleaseContext(context), CL_SUCCESS);
}

/* After that, objects can be looked at and released alone. */
static void what_is_refused_afterwards(void **state)
{
	struct test t;
	cl_int err = CL_SUCCESS;
	cl_uint count = 0;
	const cl_buffer_region region = {0, 4};

	(void)state;
	open_test(&t, PTHREAD, alone);
	cl_kernel kernel = clCreateKernel(t.program, "k", NULL);
	void *memory = clSVMAlloc(t.context, 0, 64, 0);
	assert_int_equal(terminate(t.context), CL_SUCCESS);
	assert_int_equal(terminate(t.context), TERMINATED);
	assert_null(clCreateBuffer(t.context, 0, 64, NULL, &err));
	assert_int_equal(err, TERMINATED);
	assert_null(clCreateSubBuffer(t.mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err));
	assert_int_equal(err, TERMINATED);
	assert_null(clCreateUserEvent(t.context, &err));
	assert_int_equal(err, TERMINATED);
	assert_null(clCreateCommandQueueWithProperties(t.context, t.device, NULL, &err));
	assert_int_equal(err, TERMINATED);
	assert_null(clCreateKernel(t.program, "k", &err));
	assert_int_equal(err, TERMINATED);
	assert_null(clCloneKernel(kernel, &err));
	assert_int_equal(err, TERMINATED);
	assert_int_equal(clCreateKernelsInProgram(t.program, 0, NULL, &count), TERMINATED);
	assert_null(clCreateProgramWithSource(t.context, 1, &(const char *){alone}, NULL, &err));
	assert_int_equal(err, TERMINATED);
	assert_null(clSVMAlloc(t.context, 0, 64, 0));
	assert_int_equal(clEnqueueMarkerWithWaitList(t.queue, 0, NULL, NULL), TERMINATED);
	assert_int_equal(clEnqueueReadBuffer(t.queue, t.mem, CL_TRUE, 0, 4, &count, 0, NULL, NULL),
			 TERMINATED);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(t.mem), &t.mem), CL_SUCCESS);
	assert_int_equal(clEnqueueTask(t.queue, kernel, 0, NULL, NULL), TERMINATED);
	assert_int_equal(
		clGetContextInfo(t.context, CL_CONTEXT_NUM_DEVICES, sizeof(count), &count, NULL),
		CL_SUCCESS);
	assert_int_equal(
		clGetSupportedImageFormats(t.context, 0, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count),
		CL_SUCCESS);
	clSVMFree(t.context, memory);
	assert_int_equal(clFlush(t.queue), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	close_test(&t);
}

static int set_up(void **state)
{
	cl_platform_id platform;
	cl_uint count = 0;

	compiled_options();
	setenv("WEFT_DEVICES", "pthread,basic,accel", 1);
	setenv("WEFT_ACCEL", "isa=host; isa=riscv64", 1);
	assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
	assert_int_equal(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, NUM_DEVICES, devices, &count),
			 CL_SUCCESS);
	assert_int_equal(count, NUM_DEVICES);
	terminate = (clTerminateContextKHR_fn)clGetExtensionFunctionAddressForPlatform(
		platform, "clTerminateContextKHR");
	assert_non_null(terminate);
	*state = platform;
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(endless_kernels_are_given_up),
		cmocka_unit_test(a_signal_that_the_application_takes_is_not_sent),
		cmocka_unit_test(commands_behind_a_user_event_end),
		cmocka_unit_test(a_wait_for_a_semaphore_ends),
		cmocka_unit_test(children_that_wait_end),
		cmocka_unit_test(what_is_refused),
		cmocka_unit_test(what_is_refused_afterwards),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
