/* SPDX-License-Identifier: MIT
 *
 * Programs from source: creating, building, asking.
 */
#include "program_fixture.h"

#include "latch.h"

#include <pthread.h>

/* ---- clCreateProgramWithSource --------------------------------------------------------------- */

static cl_int source_error(cl_context context, cl_uint count, const char **strings)
{
	cl_int err = CL_SUCCESS;

	assert_null(clCreateProgramWithSource(context, count, strings, NULL, &err));
	assert_null(clCreateProgramWithSource(context, count, strings, NULL, NULL));
	return err;
}

static void test_source_errors(void **state)
{
	struct program_fixture *f = *state;
	const char *strings[] = {"a", NULL};

	assert_int_equal(source_error((cl_context)f->base.queue, 1, strings), CL_INVALID_CONTEXT);
	assert_int_equal(source_error(f->base.context, 0, strings), CL_INVALID_VALUE);
	assert_int_equal(source_error(f->base.context, 1, NULL), CL_INVALID_VALUE);
	assert_int_equal(source_error(f->base.context, 2, strings), CL_INVALID_VALUE);
}

/* Lengths of zero mean up to the zero; zeros inside are left out. */
static void test_source_strings(void **state)
{
	struct program_fixture *f = *state;
	const char *strings[] = {"one ", "two ", "th\0ree ", "", "four"};
	const size_t lengths[] = {0, 3, 7, 0, 2};
	char source[64];
	size_t size;
	cl_int err;

	cl_program program = clCreateProgramWithSource(f->base.context, 5, strings, lengths, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof(source), source, &size),
		CL_SUCCESS);
	assert_string_equal(source, "one twothree fo");
	assert_int_equal(size, strlen(source) + 1);
	assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_SOURCE, size - 1, source, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	program = clCreateProgramWithSource(f->base.context, 5, strings, NULL, NULL);
	assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof(source), source, NULL),
			 CL_SUCCESS);
	assert_string_equal(source, "one two thfour");
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

static void test_retain(void **state)
{
	struct program_fixture *f = *state;
	cl_program program = program_from(f->base.context, "x");
	cl_uint count;

	assert_int_equal(clRetainProgram(program), CL_SUCCESS);
	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, sizeof(count), &count, NULL),
		CL_SUCCESS);
	assert_int_equal(count, 2);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	assert_int_equal(clRetainProgram((cl_program)f->base.queue), CL_INVALID_PROGRAM);
	assert_int_equal(clReleaseProgram((cl_program)f->base.context), CL_INVALID_PROGRAM);
}

/* ---- clBuildProgram -------------------------------------------------------------------------- */

static void CL_CALLBACK never(cl_program program, void *user_data)
{
	(void)program;
	(void)user_data;
	fail();
}

static void test_build_errors(void **state)
{
	struct program_fixture *f = *state;
	cl_program program = program_from(f->base.context, "x");
	int data;

	assert_int_equal(clBuildProgram((cl_program)f->base.queue, 0, NULL, NULL, NULL, NULL),
			 CL_INVALID_PROGRAM);
	assert_int_equal(clBuildProgram(program, 1, NULL, NULL, NULL, NULL), CL_INVALID_VALUE);
	assert_int_equal(clBuildProgram(program, 0, f->devices, NULL, NULL, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, &data), CL_INVALID_VALUE);
	assert_int_equal(clBuildProgram(program, 2, f->devices, NULL, NULL, NULL),
			 CL_INVALID_DEVICE);
	assert_int_equal(clBuildProgram(program, 1, &f->devices[1], NULL, never, NULL),
			 CL_INVALID_DEVICE);
	assert_int_equal(program_status(program, f->devices[0]), CL_BUILD_NONE);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

static void test_build(void **state)
{
	struct program_fixture *f = *state;
	cl_device_id device = f->base.device;
	cl_program program = program_from(f->base.context, "x\n warn me\n");
	size_t size;

	assert_int_equal(program_status(program, device), CL_BUILD_NONE);
	assert_int_equal(program_type(program, device), CL_PROGRAM_BINARY_TYPE_NONE);
	program_check_text(program, device, CL_PROGRAM_BUILD_OPTIONS, "");
	program_check_text(program, device, CL_PROGRAM_BUILD_LOG, "");
	assert_int_equal(clBuildProgram(program, 1, &device, "-DA=1  -w", NULL, NULL), CL_SUCCESS);
	assert_int_equal(program_status(program, device), CL_BUILD_SUCCESS);
	assert_int_equal(program_type(program, device), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
	program_check_text(program, device, CL_PROGRAM_BUILD_OPTIONS, "-DA=1  -w");
	program_check_text(program, device, CL_PROGRAM_BUILD_LOG,
			   "input.cl:2:2: warning: warn me\n");
	assert_int_equal(clGetProgramBuildInfo(program, device,
					       CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
					       sizeof(size), &size, NULL),
			 CL_SUCCESS);
	assert_int_equal(size, 48);
	/* Again, with other options. */
	assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
	program_check_text(program, device, CL_PROGRAM_BUILD_OPTIONS, "");
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

static void test_build_fails(void **state)
{
	struct program_fixture *f = *state;
	cl_device_id device = f->base.device;
	cl_program program = program_from(f->base.context, "x\n#error on purpose\n");
	cl_int err;

	assert_int_equal(clBuildProgram(program, 0, NULL, "-g", NULL, NULL),
			 CL_BUILD_PROGRAM_FAILURE);
	assert_int_equal(program_status(program, device), CL_BUILD_ERROR);
	assert_int_equal(program_type(program, device), CL_PROGRAM_BINARY_TYPE_NONE);
	program_check_text(program, device, CL_PROGRAM_BUILD_OPTIONS, "-g");
	program_check_text(program, device, CL_PROGRAM_BUILD_LOG,
			   "input.cl:2:1: error: #error on purpose\n");
	assert_null(clCreateKernel(program, "add", &err));
	assert_int_equal(err, CL_INVALID_PROGRAM_EXECUTABLE);
	assert_int_equal(clCreateKernelsInProgram(program, 0, NULL, NULL),
			 CL_INVALID_PROGRAM_EXECUTABLE);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	/* Code that cannot be loaded is no executable either. */
	program = program_from(f->base.context, "broken");
	assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_INVALID_BINARY);
	assert_int_equal(program_status(program, device), CL_BUILD_ERROR);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* Nothing has changed, and the executable from before is still good. */
static void test_invalid_options(void **state)
{
	struct program_fixture *f = *state;
	cl_program program = program_built(f->base.context, "x");

	assert_int_equal(clBuildProgram(program, 0, NULL, "-fake-invalid", NULL, NULL),
			 CL_INVALID_BUILD_OPTIONS);
	assert_int_equal(program_status(program, f->base.device), CL_BUILD_SUCCESS);
	program_check_text(program, f->base.device, CL_PROGRAM_BUILD_OPTIONS, "-cl-std=CL2.0");
	assert_int_equal(clReleaseKernel(program_kernel(program, "add")), CL_SUCCESS);
	/* Known before the build begins: no callback comes. */
	assert_int_equal(clBuildProgram(program, 0, NULL, "-fake-invalid", never, NULL),
			 CL_INVALID_BUILD_OPTIONS);
	assert_int_equal(program_status(program, f->base.device), CL_BUILD_SUCCESS);
	assert_int_equal(
		clCompileProgram(program, 0, NULL, "-fake-invalid", 0, NULL, NULL, NULL, NULL),
		CL_INVALID_COMPILER_OPTIONS);
	assert_int_equal(clReleaseKernel(program_kernel(program, "add")), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* Specification 5.9.1: no rebuild while there are kernels; a clone is one, too. */
static void test_kernels_attached(void **state)
{
	struct program_fixture *f = *state;
	cl_program program = program_built(f->base.context, "x");
	cl_kernel kernel = program_kernel(program, "add");
	cl_kernel clone = clCloneKernel(kernel, NULL);

	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
	assert_int_equal(clBuildProgram(program, 0, NULL, NULL, never, NULL), CL_INVALID_OPERATION);
	assert_int_equal(clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL),
			 CL_INVALID_OPERATION);
	assert_int_equal(program_status(program, f->base.device), CL_BUILD_SUCCESS);
	assert_int_equal(clReleaseKernel(clone), CL_SUCCESS);
	assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* One compilation serves all devices of a kind; a build for one device leaves the other alone. */
static void test_devices(void **state)
{
	struct program_fixture *f = *state;
	cl_program program = program_from(f->both, "x");
	int calls = f->compiler->calls();

	assert_int_equal(clBuildProgram(program, 1, &f->devices[1], "-DB", NULL, NULL), CL_SUCCESS);
	assert_int_equal(program_status(program, f->devices[0]), CL_BUILD_NONE);
	assert_int_equal(program_status(program, f->devices[1]), CL_BUILD_SUCCESS);
	assert_int_equal(f->compiler->calls(), calls + 1);
	const cl_device_id repeated[] = {f->devices[0], f->devices[1], f->devices[0]};
	assert_int_equal(clBuildProgram(program, 3, repeated, "-DA", NULL, NULL), CL_SUCCESS);
	assert_int_equal(f->compiler->calls(), calls + 2);
	program_check_text(program, f->devices[0], CL_PROGRAM_BUILD_OPTIONS, "-DA");
	program_check_text(program, f->devices[1], CL_PROGRAM_BUILD_OPTIONS, "-DA");
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* ---- asynchronous builds --------------------------------------------------------------------- */

struct notification {
	struct latch calls;
	cl_program program;
	cl_device_id device;
	cl_build_status status;
	pthread_t thread;
};

static void CL_CALLBACK on_built(cl_program program, void *user_data)
{
	struct notification *note = user_data;

	note->program = program;
	note->status = program_status(program, note->device);
	note->thread = pthread_self();
	latch_raise(&note->calls);
}

static void wait_for(struct notification *note)
{
	assert_int_equal(latch_wait(&note->calls, 1), 1);
}

static void test_async(void **state)
{
	struct program_fixture *f = *state;
	struct notification note = {LATCH_INITIALIZER, .device = f->base.device};
	cl_program program = program_from(f->base.context, "wait");
	cl_int err;

	f->compiler->set_gate(0);
	assert_int_equal(clBuildProgram(program, 0, NULL, "-DX", on_built, &note), CL_SUCCESS);
	f->compiler->wait_for_one();
	assert_int_equal(program_status(program, f->base.device), CL_BUILD_IN_PROGRESS);
	assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
	assert_int_equal(clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL),
			 CL_INVALID_OPERATION);
	assert_null(clCreateKernel(program, "add", &err));
	assert_int_equal(err, CL_INVALID_PROGRAM_EXECUTABLE);
	cl_program linked =
		clLinkProgram(f->base.context, 0, NULL, NULL, 1, &program, NULL, NULL, &err);
	assert_null(linked);
	assert_int_equal(err, CL_INVALID_OPERATION);
	assert_int_equal(latch_wait(&note.calls, 0), 0);
	f->compiler->set_gate(1);
	wait_for(&note);
	assert_int_equal(note.status, CL_BUILD_SUCCESS);
	assert_ptr_equal(note.program, program);
	assert_false(pthread_equal(note.thread, pthread_self()));
	program_check_text(program, f->base.device, CL_PROGRAM_BUILD_OPTIONS, "-DX");
	assert_int_equal(clReleaseKernel(program_kernel(program, "add")), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

static void test_async_failure(void **state)
{
	struct program_fixture *f = *state;
	struct notification note = {LATCH_INITIALIZER, .device = f->base.device};
	cl_program program = program_from(f->base.context, "#error x");

	assert_int_equal(clBuildProgram(program, 0, NULL, NULL, on_built, &note), CL_SUCCESS);
	wait_for(&note);
	assert_int_equal(note.status, CL_BUILD_ERROR);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* The application releases everything while the compiler works. */
static void test_async_release(void **state)
{
	struct program_fixture *f = *state;
	struct notification note = {LATCH_INITIALIZER, .device = f->base.device};
	cl_context context = clCreateContext(NULL, 1, &f->base.device, NULL, NULL, NULL);
	cl_program program = program_from(context, "wait");

	f->compiler->set_gate(0);
	assert_int_equal(clBuildProgram(program, 0, NULL, NULL, on_built, &note), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	assert_int_equal(clReleaseContext(context), CL_SUCCESS);
	f->compiler->set_gate(1);
	wait_for(&note);
	assert_int_equal(note.status, CL_BUILD_SUCCESS);
}

/* Many threads want to build one program: each build happens or is refused, and the end is good. */
static void *build_often(void *data)
{
	for (int i = 0; i < 50; i++) {
		cl_int err = clBuildProgram(data, 0, NULL, NULL, NULL, NULL);
		if (err != CL_SUCCESS && err != CL_INVALID_OPERATION)
			return data;
		cl_kernel kernel = clCreateKernel(data, "add", &err);
		if (kernel)
			clReleaseKernel(kernel);
		else if (err != CL_INVALID_PROGRAM_EXECUTABLE)
			return data;
	}
	return NULL;
}

static void test_threads(void **state)
{
	struct program_fixture *f = *state;
	cl_program program = program_from(f->both, "x");
	pthread_t threads[4];
	void *wrong;

	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, build_often, program), 0);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(pthread_join(threads[i], &wrong), 0);
		assert_null(wrong);
	}
	assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
	assert_int_equal(program_status(program, f->devices[1]), CL_BUILD_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* ---- queries --------------------------------------------------------------------------------- */

static void test_info(void **state)
{
	struct program_fixture *f = *state;
	cl_program program = program_built(f->both, "x");
	cl_context context;
	cl_device_id devices[2];
	cl_uint number;
	size_t size;
	char names[128];
	cl_bool flag = 7;
	char untouched = 'u';

	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof(context), &context, NULL),
		CL_SUCCESS);
	assert_ptr_equal(context, f->both);
	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof(number), &number, NULL),
		CL_SUCCESS);
	assert_int_equal(number, 2);
	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof(devices), devices, &size),
		CL_SUCCESS);
	assert_int_equal(size, sizeof(devices));
	assert_memory_equal(devices, f->devices, sizeof(devices));
	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof(size), &size, NULL),
		CL_SUCCESS);
	assert_int_equal(size, FAKE_NUM_KERNELS);
	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof(names), names, NULL),
		CL_SUCCESS);
	assert_string_equal(names,
			    "add;look;fixed;greedy;nothing;spills;objects;silent;vast;picture;"
			    "pictures;pairs");
	assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT,
					  sizeof(flag), &flag, NULL),
			 CL_SUCCESS);
	assert_int_equal(flag, CL_FALSE);
	assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_IL, 1, &untouched, &size),
			 CL_SUCCESS);
	assert_int_equal(size, 0);
	assert_int_equal(untouched, 'u');
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

static void test_info_errors(void **state)
{
	static const cl_program_info built_only[] = {
		CL_PROGRAM_NUM_KERNELS, CL_PROGRAM_KERNEL_NAMES,
		CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT};
	struct program_fixture *f = *state;
	cl_program program = program_from(f->base.context, "x");
	cl_uint number;
	size_t size;

	assert_int_equal(clGetProgramInfo((cl_program)f->base.queue, CL_PROGRAM_NUM_DEVICES, 4,
					  &number, NULL),
			 CL_INVALID_PROGRAM);
	assert_int_equal(clGetProgramInfo(program, 0x9999, 4, &number, NULL), CL_INVALID_VALUE);
	assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, 3, &number, NULL),
			 CL_INVALID_VALUE);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(clGetProgramInfo(program, built_only[i], 0, NULL, &size),
				 CL_INVALID_PROGRAM_EXECUTABLE);
	assert_int_equal(clGetProgramBuildInfo((cl_program)f->base.queue, f->base.device,
					       CL_PROGRAM_BUILD_LOG, 0, NULL, NULL),
			 CL_INVALID_PROGRAM);
	assert_int_equal(
		clGetProgramBuildInfo(program, f->devices[1], CL_PROGRAM_BUILD_LOG, 0, NULL, NULL),
		CL_INVALID_DEVICE);
	assert_int_equal(clGetProgramBuildInfo(program, NULL, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL),
			 CL_INVALID_DEVICE);
	assert_int_equal(clGetProgramBuildInfo(program, f->base.device, 0x9999, 0, NULL, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(clGetProgramBuildInfo(program, f->base.device, CL_PROGRAM_BUILD_STATUS, 3,
					       &number, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

static void test_unload(void **state)
{
	struct program_fixture *f = *state;
	cl_platform_id platform;

	assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
	assert_int_equal(clUnloadPlatformCompiler(platform), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program_built(f->base.context, "x")), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_source_errors),   cmocka_unit_test(test_source_strings),
		cmocka_unit_test(test_retain),          cmocka_unit_test(test_build_errors),
		cmocka_unit_test(test_build),           cmocka_unit_test(test_build_fails),
		cmocka_unit_test(test_invalid_options), cmocka_unit_test(test_kernels_attached),
		cmocka_unit_test(test_devices),         cmocka_unit_test(test_async),
		cmocka_unit_test(test_async_failure),   cmocka_unit_test(test_async_release),
		cmocka_unit_test(test_threads),         cmocka_unit_test(test_info),
		cmocka_unit_test(test_info_errors),     cmocka_unit_test(test_unload),
	};

	return cmocka_run_group_tests(tests, program_set_up, program_tear_down);
}
