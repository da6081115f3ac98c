/* SPDX-License-Identifier: MIT
 *
 * Running kernels: what they see, and every reason why they don't run.
 */
#include "program_fixture.h"

#include <CL/cl_ext.h>

static cl_program program; /* OpenCL C 2.0: groups may differ in size */
static cl_program uniform; /* OpenCL C 1.2: they may not */

static int launch_set_up(void **state)
{
	int err = program_set_up(state);
	struct program_fixture *f = *state;

	program = program_built(f->base.context, "x");
	uniform = program_from(f->base.context, "y");
	assert_int_equal(clBuildProgram(uniform, 0, NULL, "", NULL, NULL), CL_SUCCESS);
	return err;
}

static int launch_tear_down(void **state)
{
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(uniform), CL_SUCCESS);
	return program_tear_down(state);
}

static cl_int run(struct program_fixture *f, cl_kernel kernel, cl_uint dim, const size_t *global,
		  const size_t *local)
{
	return clEnqueueNDRangeKernel(f->base.queue, kernel, dim, NULL, global, local, 0, NULL,
				      NULL);
}

static void set_mem(cl_kernel kernel, cl_uint index, cl_mem mem)
{
	assert_int_equal(clSetKernelArg(kernel, index, sizeof(mem), &mem), CL_SUCCESS);
}

/* ---- results --------------------------------------------------------------------------------- */

#define COUNT 1000

static void test_add(void **state)
{
	struct program_fixture *f = *state;
	cl_kernel kernel = program_kernel(program, "add");
	cl_int a[COUNT], b[COUNT], out[COUNT];
	size_t global = COUNT;
	size_t local = 7;
	cl_int n = 5;

	for (int i = 0; i < COUNT; i++) {
		a[i] = i;
		b[i] = 3 * i;
	}
	cl_mem mems[] = {fixture_buffer(&f->base, CL_MEM_COPY_HOST_PTR, sizeof(a), a),
			 fixture_buffer(&f->base, CL_MEM_COPY_HOST_PTR, sizeof(b), b),
			 fixture_buffer(&f->base, 0, sizeof(out), NULL)};
	for (cl_uint i = 0; i < 3; i++)
		set_mem(kernel, i, mems[i]);
	assert_int_equal(clSetKernelArg(kernel, 3, sizeof(n), &n), CL_SUCCESS);
	assert_int_equal(run(f, kernel, 1, &global, &local), CL_SUCCESS);
	/* What is set afterwards is for the next. */
	n = 1000;
	assert_int_equal(clSetKernelArg(kernel, 3, sizeof(n), &n), CL_SUCCESS);
	fixture_read(&f->base, mems[2], out, sizeof(out));
	for (int i = 0; i < COUNT; i++)
		assert_int_equal(out[i], 4 * i + 5);
	/* The command keeps what it needs. */
	const size_t offset = 1;
	global = COUNT - 1;
	cl_event gate = clCreateUserEvent(f->base.context, NULL);
	assert_int_equal(clEnqueueNDRangeKernel(f->base.queue, kernel, 1, &offset, &global, NULL, 1,
						&gate, NULL),
			 CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mems[0]), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mems[1]), CL_SUCCESS);
	assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
	fixture_read(&f->base, mems[2], out, sizeof(out));
	assert_int_equal(out[0], 5);
	for (int i = 1; i < COUNT; i++)
		assert_int_equal(out[i], 4 * i + 1000);
	assert_int_equal(clReleaseMemObject(mems[2]), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(gate), CL_SUCCESS);
}

static const struct fake_value some_value = {-7, 2.5, "seven"};

/* A `look` with all arguments set; the result goes into *mem. */
static cl_kernel make_look(struct program_fixture *f, cl_program from, cl_mem *mem)
{
	cl_kernel kernel = program_kernel(from, "look");
	cl_mem null = NULL;
	cl_int n = -3;

	*mem = fixture_buffer(&f->base, 0, sizeof(struct fake_look), NULL);
	set_mem(kernel, 0, *mem);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(null), &null), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 2, 1000, NULL), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 3, sizeof(n), &n), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 4, sizeof(some_value), &some_value), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 5, 24, NULL), CL_SUCCESS);
	return kernel;
}

static struct fake_look look_at(struct program_fixture *f, cl_kernel kernel, cl_mem mem,
				const size_t global[3], const size_t *local)
{
	struct fake_look look = {0};
	const size_t offset[3] = {10, 20, 30};

	assert_int_equal(clEnqueueWriteBuffer(f->base.queue, mem, CL_TRUE, 0, sizeof(look), &look,
					      0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clEnqueueNDRangeKernel(f->base.queue, kernel, 3, offset, global, local, 0,
						NULL, NULL),
			 CL_SUCCESS);
	fixture_read(&f->base, mem, &look, sizeof(look));
	return look;
}

static void test_arguments(void **state)
{
	struct program_fixture *f = *state;
	const size_t global[3] = {10, 7, 4};
	const size_t local[3] = {4, 7, 3};
	cl_mem mem;
	cl_kernel kernel = make_look(f, program, &mem);

	struct fake_look look = look_at(f, kernel, mem, global, local);
	assert_int_equal(look.table, 0);
	assert_int_equal(look.n, -3);
	assert_memory_equal(&look.value, &some_value, sizeof(some_value));
	/* The kernel's own local memory, then that of the arguments, all of it apart and aligned. */
	assert_int_equal(look.local % 128, 0);
	assert_int_equal(look.x % 128, 0);
	assert_int_equal(look.y % 128, 0);
	assert_true(look.x >= FAKE_LOOK_LOCAL);
	assert_true(look.y >= look.x + 1000);
	assert_int_equal(look.work_dim, 3);
	assert_int_equal(look.groups_run, 3 * 1 * 2);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(look.global_offset[i], 10 * (i + 1));
		assert_int_equal(look.global_size[i], global[i]);
		assert_int_equal(look.local_size[i], local[i]);
		assert_int_equal(look.num_groups[i], (global[i] + local[i] - 1) / local[i]);
	}
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

/* The clone has the arguments as they were, and goes its own way. */
static void test_clone(void **state)
{
	struct program_fixture *f = *state;
	const size_t global[3] = {1, 1, 1};
	cl_int n = 99;
	cl_mem mem;
	cl_kernel kernel = make_look(f, program, &mem);
	cl_kernel clone = clCloneKernel(kernel, NULL);

	assert_int_equal(clSetKernelArg(kernel, 3, sizeof(n), &n), CL_SUCCESS);
	assert_int_equal(look_at(f, clone, mem, global, NULL).n, -3);
	assert_int_equal(look_at(f, kernel, mem, global, NULL).n, 99);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(look_at(f, clone, mem, global, NULL).n, -3);
	assert_int_equal(clReleaseKernel(clone), CL_SUCCESS);
	/* Without arguments there are none to copy. */
	kernel = program_kernel(program, "look");
	clone = clCloneKernel(kernel, NULL);
	assert_int_equal(run(f, clone, 1, global, NULL), CL_INVALID_KERNEL_ARGS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(clone), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

/* Without a local size: what the function of this name suggested, and nothing that does not fit. */
static void check_chosen_size(struct program_fixture *f, const char *name)
{
	typedef cl_int(CL_API_CALL * suggest)(cl_command_queue, cl_kernel, cl_uint, const size_t *,
					      const size_t *, size_t *);
	static const size_t globals[][3] = {{1024, 1024, 1}, {17, 13, 11}, {1, 1, 1},
					    {1000003, 1, 1}, {64, 3, 2},   {48, 1000, 1}};
	cl_platform_id platform;
	cl_mem mem;
	cl_kernel kernel = make_look(f, uniform, &mem);
	size_t suggested[3];

	assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
	suggest get = (suggest)clGetExtensionFunctionAddressForPlatform(platform, name);
	assert_non_null(get);
	for (size_t i = 0; i < sizeof(globals) / sizeof(globals[0]); i++) {
		const size_t *global = globals[i];

		assert_int_equal(get(f->base.queue, kernel, 3, NULL, global, suggested),
				 CL_SUCCESS);
		struct fake_look look = look_at(f, kernel, mem, global, NULL);
		for (int d = 0; d < 3; d++) {
			assert_int_equal(look.local_size[d], suggested[d]);
			assert_int_equal(global[d] % suggested[d], 0);
		}
	}
	assert_int_equal(get(f->base.queue, kernel, 1, NULL, NULL, suggested),
			 CL_INVALID_GLOBAL_WORK_SIZE);
	assert_int_equal(get(f->base.queue, kernel, 1, NULL, globals[0], NULL), CL_INVALID_VALUE);
	assert_int_equal(get(f->base.queue, kernel, 4, NULL, globals[0], suggested),
			 CL_INVALID_WORK_DIMENSION);
	assert_int_equal(get((cl_command_queue)kernel, kernel, 1, NULL, globals[0], suggested),
			 CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(get(f->base.queue, (cl_kernel)mem, 1, NULL, globals[0], suggested),
			 CL_INVALID_KERNEL);
	assert_int_equal(get(f->base.other_queue, kernel, 1, NULL, globals[0], suggested),
			 CL_INVALID_CONTEXT);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

static void test_chosen_size(void **state)
{
	check_chosen_size(*state, "clGetKernelSuggestedLocalWorkSize");
	check_chosen_size(*state, "clGetKernelSuggestedLocalWorkSizeKHR");
}

/* "the kernel command will trivially succeed after its event dependencies are satisfied" */
static void test_empty(void **state)
{
	struct program_fixture *f = *state;
	const size_t global[3] = {4, 0, 4};
	cl_mem mem;
	cl_kernel kernel = make_look(f, program, &mem);
	cl_event gate = clCreateUserEvent(f->base.context, NULL);
	cl_event event;

	assert_int_equal(clEnqueueNDRangeKernel(f->base.out_of_order, kernel, 3, NULL, global, NULL,
						1, &gate, &event),
			 CL_SUCCESS);
	assert_true(fixture_status(event) > CL_COMPLETE);
	assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	assert_int_equal(run(f, kernel, 1, NULL, NULL), CL_SUCCESS);
	assert_int_equal(clFinish(f->base.queue), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(gate), CL_SUCCESS);
}

static void test_task(void **state)
{
	struct program_fixture *f = *state;
	cl_mem mem;
	cl_kernel kernel = make_look(f, uniform, &mem);
	cl_kernel fixed = program_kernel(program, "fixed");
	struct fake_look look;
	cl_command_type type;
	cl_event event;

	assert_int_equal(clEnqueueTask(f->base.queue, kernel, 0, NULL, &event), CL_SUCCESS);
	fixture_read(&f->base, mem, &look, sizeof(look));
	assert_int_equal(look.work_dim, 1);
	assert_int_equal(look.global_size[0], 1);
	assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL),
			 CL_SUCCESS);
	assert_int_equal(type, CL_COMMAND_TASK);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	assert_int_equal(clEnqueueTask(f->base.queue, fixed, 0, NULL, NULL),
			 CL_INVALID_WORK_GROUP_SIZE);
	assert_int_equal(clEnqueueTask((cl_command_queue)fixed, fixed, 0, NULL, NULL),
			 CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(clReleaseKernel(fixed), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void test_handles(void **state)
{
	struct program_fixture *f = *state;
	cl_program two = program_from(f->both, "x");
	cl_command_queue second =
		clCreateCommandQueueWithProperties(f->both, f->devices[1], NULL, NULL);
	const size_t one = 1;

	assert_int_equal(clBuildProgram(two, 1, f->devices, NULL, NULL, NULL), CL_SUCCESS);
	cl_kernel kernel = program_kernel(two, "nothing");
	assert_int_equal(clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
			 CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(clEnqueueNDRangeKernel((cl_command_queue)two, kernel, 1, NULL, &one, NULL,
						0, NULL, NULL),
			 CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(run(f, (cl_kernel)two, 1, &one, NULL), CL_INVALID_KERNEL);
	assert_int_equal(clEnqueueNDRangeKernel(second, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
			 CL_INVALID_PROGRAM_EXECUTABLE);
	assert_int_equal(run(f, kernel, 1, &one, NULL), CL_INVALID_CONTEXT);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(second), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(two), CL_SUCCESS);
}

static void test_sizes(void **state)
{
	struct program_fixture *f = *state;
	cl_kernel kernel = program_kernel(program, "nothing");
	const size_t global[3] = {16, 16, 16};
	const size_t huge[3] = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
	const size_t ones[3] = {1, 1, 1};
	const size_t zero[3] = {4, 0, 4};
	const size_t wraps[3] = {(size_t)1 << 33, (size_t)1 << 33, 2};
	size_t items[3];
	size_t limit;

	assert_int_equal(clGetDeviceInfo(f->base.device, CL_DEVICE_MAX_WORK_GROUP_SIZE,
					 sizeof(limit), &limit, NULL),
			 CL_SUCCESS);
	assert_int_equal(clGetDeviceInfo(f->base.device, CL_DEVICE_MAX_WORK_ITEM_SIZES,
					 sizeof(items), items, NULL),
			 CL_SUCCESS);
	assert_int_equal(run(f, kernel, 0, global, NULL), CL_INVALID_WORK_DIMENSION);
	assert_int_equal(run(f, kernel, 4, global, NULL), CL_INVALID_WORK_DIMENSION);
	assert_int_equal(
		clEnqueueNDRangeKernel(f->base.queue, kernel, 1, huge, global, NULL, 0, NULL, NULL),
		CL_INVALID_GLOBAL_OFFSET);
	assert_int_equal(run(f, kernel, 3, huge, ones), CL_INVALID_GLOBAL_WORK_SIZE);
	assert_int_equal(run(f, kernel, 3, global, zero), CL_INVALID_WORK_GROUP_SIZE);
	assert_int_equal(run(f, kernel, 3, wraps, wraps), CL_INVALID_WORK_GROUP_SIZE);
	const size_t too_many[3] = {limit, 2, 1};
	assert_int_equal(run(f, kernel, 3, global, too_many), CL_INVALID_WORK_GROUP_SIZE);
	if (items[2] < limit) {
		const size_t too_deep[3] = {1, 1, items[2] + 1};
		assert_int_equal(run(f, kernel, 3, global, too_deep), CL_INVALID_WORK_ITEM_SIZE);
	}
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

/* Groups of different sizes need OpenCL C 2.0 or newer. */
static void test_uniform(void **state)
{
	struct program_fixture *f = *state;
	static const struct {
		const char *options;
		cl_int expected;
	} cases[] = {
		{"", CL_INVALID_WORK_GROUP_SIZE},
		{"-cl-std=CL1.2", CL_INVALID_WORK_GROUP_SIZE},
		{"-cl-std=CL3.0", CL_SUCCESS},
		{" -w\t-cl-std=CL2.0 ", CL_SUCCESS},
		{"-cl-std=CL2.0 -cl-uniform-work-group-size", CL_INVALID_WORK_GROUP_SIZE},
	};
	const size_t global = 10;
	const size_t local = 4;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cl_program object = program_from(f->base.context, "x");
		assert_int_equal(clBuildProgram(object, 0, NULL, cases[i].options, NULL, NULL),
				 CL_SUCCESS);
		cl_kernel kernel = program_kernel(object, "nothing");
		assert_int_equal(run(f, kernel, 1, &global, &local), cases[i].expected);
		assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
		/* A command that has not ended is a kernel attached. */
		assert_int_equal(clFinish(f->base.queue), CL_SUCCESS);
		/* Linked, the strictest of the parts counts. */
		cl_program parts[2] = {object, program_from(f->base.context, "z")};
		assert_int_equal(clCompileProgram(object, 0, NULL, cases[i].options, 0, NULL, NULL,
						  NULL, NULL),
				 CL_SUCCESS);
		assert_int_equal(clCompileProgram(parts[1], 0, NULL, "-cl-std=CL3.0", 0, NULL, NULL,
						  NULL, NULL),
				 CL_SUCCESS);
		cl_program linked =
			clLinkProgram(f->base.context, 0, NULL, NULL, 2, parts, NULL, NULL, NULL);
		kernel = program_kernel(linked, "nothing");
		assert_int_equal(run(f, kernel, 1, &global, &local), cases[i].expected);
		assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
		assert_int_equal(clReleaseProgram(linked), CL_SUCCESS);
		assert_int_equal(clReleaseProgram(parts[1]), CL_SUCCESS);
		assert_int_equal(clReleaseProgram(object), CL_SUCCESS);
	}
	assert_int_equal(clFinish(f->base.queue), CL_SUCCESS);
}

static void test_required_size(void **state)
{
	struct program_fixture *f = *state;
	cl_kernel kernel = program_kernel(program, "fixed");
	cl_kernel strict = program_kernel(uniform, "fixed");
	const size_t global[3] = {16, 8, 2};
	const size_t odd[3] = {17, 8, 2};
	const size_t right[3] = {8, 4, 2};
	const size_t wrong[3] = {4, 8, 2};

	assert_int_equal(run(f, kernel, 3, global, right), CL_SUCCESS);
	assert_int_equal(run(f, kernel, 3, global, NULL), CL_SUCCESS);
	assert_int_equal(run(f, kernel, 3, odd, NULL), CL_SUCCESS);
	assert_int_equal(run(f, kernel, 3, global, wrong), CL_INVALID_WORK_GROUP_SIZE);
	assert_int_equal(run(f, kernel, 2, global, right), CL_INVALID_WORK_GROUP_SIZE);
	assert_int_equal(run(f, strict, 3, global, NULL), CL_SUCCESS);
	assert_int_equal(run(f, strict, 3, odd, NULL), CL_INVALID_WORK_GROUP_SIZE);
	assert_int_equal(clFinish(f->base.queue), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(strict), CL_SUCCESS);
}

/* What a kernel requires, no device has to have. */
static void test_required_size_too_large(void **state)
{
	struct program_fixture *f = *state;
	cl_kernel kernel = program_kernel(program, "vast");
	const size_t size[3] = {4096, 4096, 1};
	size_t most;
	size_t limit;

	assert_int_equal(clGetDeviceInfo(f->base.device, CL_DEVICE_MAX_WORK_GROUP_SIZE,
					 sizeof(most), &most, NULL),
			 CL_SUCCESS);
	assert_int_equal(clGetKernelWorkGroupInfo(kernel, f->base.device, CL_KERNEL_WORK_GROUP_SIZE,
						  sizeof(limit), &limit, NULL),
			 CL_SUCCESS);
	assert_in_range(limit, 1, most);
	assert_int_equal(run(f, kernel, 3, size, size), CL_INVALID_WORK_GROUP_SIZE);
	assert_int_equal(run(f, kernel, 3, size, NULL), CL_INVALID_WORK_GROUP_SIZE);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

static void test_resources(void **state)
{
	struct program_fixture *f = *state;
	const size_t one = 1;
	cl_ulong local_memory;
	cl_mem mem;
	cl_kernel kernel = make_look(f, program, &mem);
	cl_kernel greedy = program_kernel(program, "greedy");

	assert_int_equal(clGetDeviceInfo(f->base.device, CL_DEVICE_LOCAL_MEM_SIZE,
					 sizeof(local_memory), &local_memory, NULL),
			 CL_SUCCESS);
	assert_int_equal(run(f, greedy, 1, &one, NULL), CL_OUT_OF_RESOURCES);
	assert_int_equal(clSetKernelArg(kernel, 2, local_memory, NULL), CL_SUCCESS);
	assert_int_equal(run(f, kernel, 1, &one, NULL), CL_OUT_OF_RESOURCES);
	assert_int_equal(clSetKernelArg(kernel, 5, SIZE_MAX - 64, NULL), CL_SUCCESS);
	assert_int_equal(run(f, kernel, 1, &one, NULL), CL_OUT_OF_RESOURCES);
	assert_int_equal(clSetKernelArg(kernel, 2, local_memory - 512, NULL), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 5, 100, NULL), CL_SUCCESS);
	assert_int_equal(run(f, kernel, 1, &one, NULL), CL_SUCCESS);
	assert_int_equal(clFinish(f->base.queue), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(greedy), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

static void test_wait_list(void **state)
{
	struct program_fixture *f = *state;
	cl_kernel kernel = program_kernel(program, "nothing");
	cl_event foreign = clCreateUserEvent(f->base.other_context, NULL);
	cl_event wrong = (cl_event)kernel;
	cl_event failed = fixture_failed_event(&f->base);
	const size_t one = 1;
	cl_event event;

	assert_int_equal(
		clEnqueueNDRangeKernel(f->base.queue, kernel, 1, NULL, &one, NULL, 1, NULL, NULL),
		CL_INVALID_EVENT_WAIT_LIST);
	assert_int_equal(clEnqueueNDRangeKernel(f->base.queue, kernel, 1, NULL, &one, NULL, 0,
						&failed, NULL),
			 CL_INVALID_EVENT_WAIT_LIST);
	assert_int_equal(
		clEnqueueNDRangeKernel(f->base.queue, kernel, 1, NULL, &one, NULL, 1, &wrong, NULL),
		CL_INVALID_EVENT_WAIT_LIST);
	assert_int_equal(clEnqueueNDRangeKernel(f->base.queue, kernel, 1, NULL, &one, NULL, 1,
						&foreign, NULL),
			 CL_INVALID_CONTEXT);
	/* Nothing runs after a failure. */
	assert_int_equal(clEnqueueNDRangeKernel(f->base.queue, kernel, 1, NULL, &one, NULL, 1,
						&failed, &event),
			 CL_SUCCESS);
	assert_int_equal(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(failed), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(foreign), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_add),
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_clone),
		cmocka_unit_test(test_chosen_size),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_task),
		cmocka_unit_test(test_handles),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_uniform),
		cmocka_unit_test(test_required_size),
		cmocka_unit_test(test_required_size_too_large),
		cmocka_unit_test(test_resources),
		cmocka_unit_test(test_wait_list),
	};

	return cmocka_run_group_tests(tests, launch_set_up, launch_tear_down);
}
