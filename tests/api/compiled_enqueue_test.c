/* SPDX-License-Identifier: MIT
 *
 * Kernels that enqueue kernels (OpenCL C 6.15.17), and the queues on the device that they enqueue to.
 */
#include "compiled_fixture.h"
#include "enqueue_kernels.h"

#define WORDS 200000 /* ints of the results */

static cl_program launches, events, errors, errors_in_detail;
static cl_command_queue device_queue;
static cl_mem results;
static cl_int *words;

static cl_command_queue make_queue(const struct fixture *f, cl_command_queue_properties more,
				   cl_uint size, cl_int *err)
{
	const cl_queue_properties properties[] = {
		CL_QUEUE_PROPERTIES,
		CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | more,
		size ? CL_QUEUE_SIZE : 0, size, 0};

	return clCreateCommandQueueWithProperties(f->context, f->device, properties, err);
}

static bool is_offered(const struct fixture *f)
{
	cl_device_device_enqueue_capabilities capabilities = 0;

	assert_int_equal(clGetDeviceInfo(f->device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES,
					 sizeof(capabilities), &capabilities, NULL),
			 CL_SUCCESS);
	return capabilities & CL_DEVICE_QUEUE_SUPPORTED;
}

static int set_up(void **state)
{
	int failed = compiled_set_up(state);
	struct fixture *f = *state;
	cl_int err = CL_SUCCESS;

	if (failed)
		return failed;
	launches = compiled_program(f->context, launches_source, "-cl-std=CL3.0");
	events = compiled_program(f->context, events_source, "-cl-std=CL3.0");
	errors = compiled_program(f->context, errors_source, "-cl-std=CL3.0");
	errors_in_detail = compiled_program(f->context, errors_source, "-cl-std=CL3.0 -g");
	device_queue = make_queue(f, CL_QUEUE_PROFILING_ENABLE, 0, &err);
	assert_int_equal(err, CL_SUCCESS);
	results = fixture_buffer(f, CL_MEM_READ_WRITE, WORDS * sizeof(cl_int), NULL);
	words = malloc(WORDS * sizeof(cl_int));
	return words ? 0 : -1;
}

static int tear_down(void **state)
{
	free(words);
	assert_int_equal(clReleaseMemObject(results), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(device_queue), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(launches), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(events), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(errors), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(errors_in_detail), CL_SUCCESS);
	return fixture_tear_down(state);
}

/* Runs the kernel on zeros, and reads the results; returns the status of its event. */
static cl_int run_with(const struct fixture *f, cl_program program, const char *name,
		       cl_command_queue queue, size_t items)
{
	cl_kernel kernel = clCreateKernel(program, name, NULL);
	const cl_int zero = 0;
	cl_int status = 1;
	cl_event event;

	assert_non_null(kernel);
	assert_int_equal(clEnqueueFillBuffer(f->queue, results, &zero, sizeof(zero), 0,
					     WORDS * sizeof(cl_int), 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(results), &results), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(queue), &queue), CL_SUCCESS);
	assert_int_equal(
		clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &items, NULL, 0, NULL, &event),
		CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	(void)clWaitForEvents(1, &event);
	assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
					&status, NULL),
			 CL_SUCCESS);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	assert_int_equal(clEnqueueReadBuffer(f->queue, results, CL_TRUE, 0, WORDS * sizeof(cl_int),
					     words, 0, NULL, NULL),
			 CL_SUCCESS);
	return status;
}

static void run(const struct fixture *f, cl_program program, const char *name, size_t items)
{
	assert_int_equal(run_with(f, program, name, device_queue, items), CL_COMPLETE);
}

/* ---- launches --------------------------------------------------------------------------------- */

static void test_launches(void **state)
{
	const struct fixture *f = *state;

	run(f, launches, "each_flag", 100);
	for (int i = 0; i < 100; i++)
		assert_int_equal(words[i], 2 * 3 * 3);
	run(f, launches, "after_the_run", 300);
	for (int i = 0; i < 300; i++)
		assert_int_equal(words[i], 300 * 299 / 2);
	run(f, launches, "local_arguments", 20);
	for (int i = 0; i < 20; i++)
		assert_int_equal(words[i], 28 + 80 * i + 28);
	run(f, launches, "large_block", 1);
	assert_int_equal(words[0], 500 * 499 / 2);
	run(f, launches, "nothing", 1);
	assert_int_equal(words[0], 5);
	assert_int_equal(words[1], 0);
}

static void test_deep_and_wide(void **state)
{
	const struct fixture *f = *state;

	run(f, launches, "deep", 1);
	assert_int_equal(words[0], 1001);
	for (int i = 0; i < 5; i++) {
		run(f, launches, "wide", 64);
		assert_int_equal(words[0], 64 * 100 * 16);
	}
}

/* Of the offset o, the sizes g and the groups of the source: the sums of all ids. */
static void test_ranges(void **state)
{
	const struct fixture *f = *state;
	const int line = 6, square = 3 * 6 + 10 * 4 * 3;
	const int cube = 2 * square + 100 * 12;

	run(f, launches, "ranges", 1);
	assert_int_equal(words[0], 3 * (4 + 12 + 24));
	assert_int_equal(words[1], 3 * line + 4 + 3 * square + 12 + 10 * 2 * 12 + 3 * cube + 24 +
					   10 * 2 * 24 + 100 * 3 * 24);
	assert_int_equal(words[2], 3 * (4 + 2 * 12 + 3 * 24));
}

/* Each ancestor is there until its descendants have ended: the queue becomes full. */
static void test_endless(void **state)
{
	const struct fixture *f = *state;
	cl_command_queue small = make_queue(f, 0, 64 * 1024, NULL);

	assert_int_equal(run_with(f, launches, "endless", small, 1), CL_COMPLETE);
	assert_in_range(words[0], 20, 64 * 1024);
	assert_int_equal(words[1], -101);
	assert_int_equal(clReleaseCommandQueue(small), CL_SUCCESS);
}

static void test_sizes(void **state)
{
	const struct fixture *f = *state;
	cl_kernel plain = clCreateKernel(launches, "plain", NULL);
	size_t size = 0, multiple = 0;

	assert_int_equal(clGetKernelWorkGroupInfo(plain, f->device, CL_KERNEL_WORK_GROUP_SIZE,
						  sizeof(size), &size, NULL),
			 CL_SUCCESS);
	assert_int_equal(clGetKernelWorkGroupInfo(plain, f->device,
						  CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
						  sizeof(multiple), &multiple, NULL),
			 CL_SUCCESS);
	assert_int_equal(clReleaseKernel(plain), CL_SUCCESS);
	run(f, launches, "sizes", 1);
	assert_int_equal(words[0], size);
	assert_int_equal(words[1], multiple);
	assert_true(words[3] >= 1 && words[3] <= 64);
	assert_int_equal(words[2], (64 + words[3] - 1) / words[3]);
	assert_int_equal(words[4], size);
}

/* ---- events ------------------------------------------------------------------------------------ */

static void test_events(void **state)
{
	const struct fixture *f = *state;
	cl_int expected = 1;

	run(f, events, "chain", 1);
	for (int i = 0; i < 50; i++)
		expected = (cl_int)((cl_uint)expected * 3 + (cl_uint)i);
	assert_int_equal(words[0], expected);
	run(f, events, "markers", 1);
	assert_int_equal(words[0], 4);
	assert_int_equal(words[1], 0);
	assert_int_equal(words[2], 4);
	run(f, events, "times", 1);
	assert_int_equal(words[1], 1);
	for (int i = 12; i < 16; i++) /* a marker runs nothing */
		assert_int_equal(words[i], i % 2 == 0);
	run(f, events, "counts", 1);
	assert_int_equal(words[0], 1);
	assert_int_equal(words[1], 0);
	assert_int_equal(words[2], 9);
	assert_int_equal(words[3], 0);
	assert_int_equal(words[4], 0);
}

/* What is not run makes its parents fail. */
static void test_failed_events(void **state)
{
	const struct fixture *f = *state;
	static const char *const names[] = {"fails", "abandons"};

	for (int i = 0; i < 2; i++) {
		assert_int_equal(run_with(f, events, names[i], device_queue, 1),
				 CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
		assert_int_equal(words[0], 0);
	}
}

static void test_too_many_events(void **state)
{
	const struct fixture *f = *state;
	cl_uint most = 0;

	assert_int_equal(clGetDeviceInfo(f->device, CL_DEVICE_MAX_ON_DEVICE_EVENTS, sizeof(most),
					 &most, NULL),
			 CL_SUCCESS);
	for (int i = 0; i < 2; i++) { /* all of them are released */
		run(f, events, "too_many", 1);
		assert_int_equal(words[0], most);
		assert_int_equal(words[1], -101);
		assert_int_equal(words[2], 0);
		assert_int_equal(words[3], -101);
	}
}

/* From the start to the end of the kernel alone, and to the end of all that it has enqueued: ns. */
static void take_times(const struct fixture *f, const char *name, size_t items, cl_ulong times[2])
{
	cl_command_queue queue =
		clCreateCommandQueue(f->context, f->device, CL_QUEUE_PROFILING_ENABLE, NULL);
	cl_kernel kernel = clCreateKernel(launches, name, NULL);
	cl_event event;

	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(results), &results), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(device_queue), &device_queue),
			 CL_SUCCESS);
	assert_int_equal(
		clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, &event),
		CL_SUCCESS);
	assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
	const cl_ulong start = fixture_time(event, CL_PROFILING_COMMAND_START);
	times[0] = fixture_time(event, CL_PROFILING_COMMAND_END) - start;
	times[1] = fixture_time(event, CL_PROFILING_COMMAND_COMPLETE) - start;
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
}

/* The kernel has ended before its children have. An accelerator's children take simulated time, which is the same in every run
 * but for rounding: each has at least the cycles of a launch. */
static void test_profiling(void **state)
{
	enum { CYCLES = 1000, MHZ = 600 };
	static const struct {
		const char *name;
		size_t items;
		cl_ulong children;
	} kernels[] = {{"wide", 20, 20 * 100}, {"each_flag", 20, 20 * 3}, {"deep", 5, 5 * 1000}};
	const struct fixture *f = *state;
	cl_device_type type = 0;

	assert_int_equal(clGetDeviceInfo(f->device, CL_DEVICE_TYPE, sizeof(type), &type, NULL),
			 CL_SUCCESS);
	for (size_t i = 0; i < 3; i++) {
		cl_ulong first[2], again[2];

		take_times(f, kernels[i].name, kernels[i].items, first);
		assert_true(first[0] < first[1]);
		if (type != CL_DEVICE_TYPE_ACCELERATOR)
			continue;
		take_times(f, kernels[i].name, kernels[i].items, again);
		assert_in_range(first[0] + 1 - again[0], 0, 2);
		assert_in_range(first[1] + 1 - again[1], 0, 2);
		assert_true(first[1] - first[0] >= kernels[i].children * CYCLES / MHZ * 1000);
	}
}

/* ---- errors ------------------------------------------------------------------------------------ */

static void test_errors(void **state)
{
	static const cl_int codes[] = {-102, -160, -160, -57,  -57, -57,
				       -51,  -5,   -101, -102, -57, -57};
	const struct fixture *f = *state;

	run(f, errors_in_detail, "errors", 1);
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		assert_int_equal(words[i], codes[i]);
	assert_int_equal(words[100], 0);
	run(f, errors, "errors", 1);
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		assert_int_equal(words[i], -101);
}

/* ---- the host's side ---------------------------------------------------------------------------- */

static cl_command_queue default_of(cl_command_queue queue)
{
	cl_command_queue found = NULL;

	assert_int_equal(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof(found),
					       (void *)&found, NULL),
			 CL_SUCCESS);
	return found;
}

static void test_default_queue(void **state)
{
	const struct fixture *f = *state;

	run(f, launches, "default_queue", 1); /* there is none */
	assert_int_equal(words[0], -101);
	assert_null(default_of(f->queue));
	cl_command_queue first = make_queue(f, CL_QUEUE_ON_DEVICE_DEFAULT, 0, NULL);
	cl_command_queue again = make_queue(f, CL_QUEUE_ON_DEVICE_DEFAULT, 0, NULL);
	assert_ptr_equal(first, again);
	assert_ptr_equal(default_of(f->queue), first);
	run(f, launches, "default_queue", 1);
	assert_int_equal(words[0], 0);
	assert_int_equal(words[1], 7);
	assert_int_equal(clSetDefaultDeviceCommandQueue(f->context, f->device, device_queue),
			 CL_SUCCESS);
	assert_ptr_equal(default_of(device_queue), device_queue);
	run(f, launches, "default_queue", 1);
	assert_int_equal(words[1], 7);
	assert_int_equal(clSetDefaultDeviceCommandQueue(f->context, f->device, first), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(first), CL_SUCCESS);
	assert_ptr_equal(default_of(f->queue), first);
	assert_int_equal(clReleaseCommandQueue(first), CL_SUCCESS);
	assert_null(default_of(f->queue));
}

static void test_queues(void **state)
{
	const struct fixture *f = *state;
	cl_command_queue other = make_queue(f, 0, 4096, NULL);
	cl_kernel kernel = clCreateKernel(launches, "deep", NULL);
	cl_uint size = 0, preferred = 0, most = 0;
	const cl_int zero = 0;
	const size_t one = 1;
	cl_int err;

	assert_int_equal(clGetCommandQueueInfo(other, CL_QUEUE_SIZE, sizeof(size), &size, NULL),
			 CL_SUCCESS);
	assert_int_equal(size, 4096);
	clGetDeviceInfo(f->device, CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, sizeof(preferred),
			&preferred, NULL);
	clGetDeviceInfo(f->device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, sizeof(most), &most, NULL);
	assert_int_equal(
		clGetCommandQueueInfo(device_queue, CL_QUEUE_SIZE, sizeof(size), &size, NULL),
		CL_SUCCESS);
	assert_int_equal(size, preferred);
	assert_null(make_queue(f, 0, most + 1, &err));
	assert_int_equal(err, CL_INVALID_QUEUE_PROPERTIES);
	/* the host enqueues nothing to it */
	assert_int_equal(clFinish(other), CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(clFlush(other), CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(
		clEnqueueFillBuffer(other, results, &zero, sizeof(zero), 0, 4, 0, NULL, NULL),
		CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(clEnqueueNDRangeKernel(other, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
			 CL_INVALID_COMMAND_QUEUE);
	/* arguments */
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(f->queue), &f->queue),
			 CL_INVALID_DEVICE_QUEUE);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(f->queue), NULL),
			 CL_INVALID_DEVICE_QUEUE);
	assert_int_equal(clSetKernelArg(kernel, 1, 4, &other), CL_INVALID_ARG_SIZE);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(results), &results), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(other), &other), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(other), CL_SUCCESS);
	assert_int_equal(
		clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
		CL_INVALID_KERNEL_ARGS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clSetDefaultDeviceCommandQueue(f->context, f->device, f->queue),
			 CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(clSetDefaultDeviceCommandQueue(f->context, f->device, NULL),
			 CL_INVALID_COMMAND_QUEUE);
}

/* Kernels of blocks are no kernels to the application; and binaries have them, too. */
static void test_programs(void **state)
{
	struct fixture *f = *state;
	size_t count = 0;

	assert_int_equal(
		clGetProgramInfo(errors, CL_PROGRAM_NUM_KERNELS, sizeof(count), &count, NULL),
		CL_SUCCESS);
	assert_int_equal(count, 1);
	assert_null(clCreateKernel(errors, "__errors_block_invoke_kernel", NULL));
	cl_program copy = compiled_copy(f, launches);
	run(f, copy, "deep", 1);
	assert_int_equal(words[0], 1001);
	assert_int_equal(clReleaseProgram(copy), CL_SUCCESS);
}

/* Functions with blocks, of one name, in objects that are linked. */
static void test_linked(void **state)
{
	const struct fixture *f = *state;
	const char *sources[] = {"static void add(global int *p, queue_t q, int n) {\n"
				 "  enqueue_kernel(q, 0, ndrange_1D(1), ^{ p[0] += n; }); }\n"
				 "kernel void one(" RESULTS ") { add(p, q, 5); }\n",
				 "static void add(global int *p, queue_t q, int n) {\n"
				 "  enqueue_kernel(q, 0, ndrange_1D(1), ^{ p[0] -= n; }); }\n"
				 "kernel void two(" RESULTS ") { add(p, q, 5); }\n"};
	cl_program objects[2];

	for (int i = 0; i < 2; i++) {
		objects[i] = clCreateProgramWithSource(f->context, 1, &sources[i], NULL, NULL);
		assert_int_equal(clCompileProgram(objects[i], 0, NULL, "-cl-std=CL3.0", 0, NULL,
						  NULL, NULL, NULL),
				 CL_SUCCESS);
	}
	cl_program program = clLinkProgram(f->context, 0, NULL, NULL, 2, objects, NULL, NULL, NULL);
	assert_non_null(program);
	run(f, program, "one", 1);
	assert_int_equal(words[0], 5);
	run(f, program, "two", 1);
	assert_int_equal(words[0], -5);
	for (int i = 0; i < 2; i++)
		assert_int_equal(clReleaseProgram(objects[i]), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* A device without: everything says so. */
static void test_refused(const struct fixture *f)
{
	const char *source = "#ifdef __opencl_c_device_enqueue\n#error yes\n#endif\n";
	cl_int err = CL_SUCCESS;

	assert_null(make_queue(f, 0, 0, &err));
	assert_int_equal(err, CL_INVALID_QUEUE_PROPERTIES);
	assert_int_equal(clSetDefaultDeviceCommandQueue(f->context, f->device, NULL),
			 CL_INVALID_OPERATION);
	assert_int_equal(clReleaseProgram(compiled_program(f->context, source, "-cl-std=CL3.0")),
			 CL_SUCCESS);
}

static bool offered;

static void test_offer(void **state)
{
	offered = is_offered(*state);
	if (!offered)
		test_refused(*state);
}

int main(void)
{
	const struct CMUnitTest first[] = {cmocka_unit_test(test_offer)};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_launches),      cmocka_unit_test(test_deep_and_wide),
		cmocka_unit_test(test_ranges),        cmocka_unit_test(test_endless),
		cmocka_unit_test(test_sizes),         cmocka_unit_test(test_events),
		cmocka_unit_test(test_failed_events), cmocka_unit_test(test_too_many_events),
		cmocka_unit_test(test_errors),        cmocka_unit_test(test_profiling),
		cmocka_unit_test(test_default_queue), cmocka_unit_test(test_queues),
		cmocka_unit_test(test_programs),      cmocka_unit_test(test_linked),
	};

	int failures = cmocka_run_group_tests(first, compiled_set_up, fixture_tear_down);
	if (failures == 0 && offered)
		failures = cmocka_run_group_tests(tests, set_up, tear_down);
	return failures;
}
