/* SPDX-License-Identifier: MIT
 *
 * Kernel objects: making them, their arguments, what they say about themselves.
 */
#include "program_fixture.h"

/* ---- making them ----------------------------------------------------------------------------- */

static cl_int create_error(cl_program from, const char *name)
{
	cl_int err = CL_SUCCESS;

	assert_null(clCreateKernel(from, name, &err));
	assert_null(clCreateKernel(from, name, NULL));
	return err;
}

static void test_create_errors(void **state)
{
	struct program_fixture *f = *state;
	cl_program unbuilt = program_from(f->base.context, "x");

	assert_int_equal(create_error((cl_program)f->base.queue, "add"), CL_INVALID_PROGRAM);
	assert_int_equal(create_error(unbuilt, "add"), CL_INVALID_PROGRAM_EXECUTABLE);
	assert_int_equal(create_error(f->program, "ad"), CL_INVALID_KERNEL_NAME);
	assert_int_equal(create_error(f->program, ""), CL_INVALID_KERNEL_NAME);
	assert_int_equal(create_error(f->program, NULL), CL_INVALID_VALUE);
	assert_int_equal(clReleaseProgram(unbuilt), CL_SUCCESS);
}

static void test_retain(void **state)
{
	struct program_fixture *f = *state;
	cl_kernel kernel = program_kernel(f->program, "add");
	cl_uint count;

	assert_int_equal(clRetainKernel(kernel), CL_SUCCESS);
	assert_int_equal(
		clGetKernelInfo(kernel, CL_KERNEL_REFERENCE_COUNT, sizeof(count), &count, NULL),
		CL_SUCCESS);
	assert_int_equal(count, 2);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clRetainKernel((cl_kernel)f->base.queue), CL_INVALID_KERNEL);
	assert_int_equal(clReleaseKernel((cl_kernel)f->base.queue), CL_INVALID_KERNEL);
}

static void test_create_all(void **state)
{
	struct program_fixture *f = *state;
	cl_kernel kernels[FAKE_NUM_KERNELS];
	cl_uint count = 0;
	char name[32];

	assert_int_equal(clCreateKernelsInProgram((cl_program)f->base.queue, 0, NULL, &count),
			 CL_INVALID_PROGRAM);
	assert_int_equal(clCreateKernelsInProgram(f->program, 0, NULL, &count), CL_SUCCESS);
	assert_int_equal(count, FAKE_NUM_KERNELS);
	assert_int_equal(clCreateKernelsInProgram(f->program, FAKE_NUM_KERNELS - 1, kernels, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(clCreateKernelsInProgram(f->program, FAKE_NUM_KERNELS, kernels, &count),
			 CL_SUCCESS);
	assert_int_equal(
		clGetKernelInfo(kernels[1], CL_KERNEL_FUNCTION_NAME, sizeof(name), name, NULL),
		CL_SUCCESS);
	assert_string_equal(name, "look");
	for (cl_uint i = 0; i < count; i++)
		assert_int_equal(clReleaseKernel(kernels[i]), CL_SUCCESS);
	/* None is left behind. */
	assert_int_equal(clBuildProgram(f->program, 0, NULL, "-cl-std=CL2.0", NULL, NULL),
			 CL_SUCCESS);
}

/* The program lives as long as its kernels. */
static void test_outlives(void **state)
{
	struct program_fixture *f = *state;
	cl_program own = program_built(f->base.context, "x");
	cl_kernel kernel = program_kernel(own, "nothing");
	cl_program asked;

	assert_int_equal(clReleaseProgram(own), CL_SUCCESS);
	assert_int_equal(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(asked), &asked, NULL),
			 CL_SUCCESS);
	assert_ptr_equal(asked, own);
	assert_int_equal(clEnqueueTask(f->base.queue, kernel, 0, NULL, NULL), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clFinish(f->base.queue), CL_SUCCESS);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void test_arg_errors(void **state)
{
	struct program_fixture *f = *state;
	cl_kernel kernel = program_kernel(f->program, "look");
	cl_mem mem = fixture_buffer(&f->base, 0, 64, NULL);
	cl_mem foreign = clCreateBuffer(f->base.other_context, 0, 64, NULL, NULL);
	cl_mem wrong = (cl_mem)f->base.queue;
	struct fake_value value = {0};
	int n = 0;

	assert_int_equal(clSetKernelArg((cl_kernel)mem, 0, sizeof(mem), &mem), CL_INVALID_KERNEL);
	assert_int_equal(clSetKernelArg(kernel, 6, sizeof(mem), &mem), CL_INVALID_ARG_INDEX);
	assert_int_equal(clSetKernelArg(kernel, UINT32_MAX, sizeof(mem), &mem),
			 CL_INVALID_ARG_INDEX);
	for (cl_uint i = 0; i < 2; i++) { /* global, constant */
		assert_int_equal(clSetKernelArg(kernel, i, sizeof(mem), &foreign),
				 CL_INVALID_CONTEXT);
		assert_int_equal(clSetKernelArg(kernel, i, sizeof(mem), &wrong),
				 CL_INVALID_MEM_OBJECT);
		assert_int_equal(clSetKernelArg(kernel, i, sizeof(mem) * 2, &mem),
				 CL_INVALID_ARG_SIZE);
		assert_int_equal(clSetKernelArg(kernel, i, sizeof(mem) / 2, &mem),
				 CL_INVALID_ARG_SIZE);
		assert_int_equal(clSetKernelArg(kernel, i, 0, NULL), CL_INVALID_ARG_SIZE);
	}
	assert_int_equal(clSetKernelArg(kernel, 2, 16, &n), CL_INVALID_ARG_VALUE);
	assert_int_equal(clSetKernelArg(kernel, 3, sizeof(n) - 1, &n), CL_INVALID_ARG_SIZE);
	assert_int_equal(clSetKernelArg(kernel, 3, sizeof(n) + 1, &n), CL_INVALID_ARG_SIZE);
	assert_int_equal(clSetKernelArg(kernel, 3, sizeof(n), NULL), CL_INVALID_ARG_VALUE);
	assert_int_equal(clSetKernelArg(kernel, 4, sizeof(value) - 8, &value), CL_INVALID_ARG_SIZE);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(foreign), CL_SUCCESS);
}

/* A buffer in the place of other objects. */
static void test_arg_objects(void **state)
{
	struct program_fixture *f = *state;
	static const cl_int expected[] = {CL_INVALID_MEM_OBJECT, CL_INVALID_SAMPLER,
					  CL_INVALID_DEVICE_QUEUE, CL_INVALID_MEM_OBJECT};
	cl_kernel kernel = program_kernel(f->program, "objects");
	cl_mem mem = fixture_buffer(&f->base, 0, 64, NULL);

	for (cl_uint i = 0; i < 4; i++) {
		assert_int_equal(clSetKernelArg(kernel, i, sizeof(mem), &mem), expected[i]);
		assert_int_equal(clSetKernelArg(kernel, i, sizeof(mem), NULL), expected[i]);
	}
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

/* ---- queries --------------------------------------------------------------------------------- */

static void check_text(cl_kernel kernel, cl_kernel_info param, const char *expected)
{
	char text[64];
	size_t size;

	assert_int_equal(clGetKernelInfo(kernel, param, sizeof(text), text, &size), CL_SUCCESS);
	assert_string_equal(text, expected);
	assert_int_equal(size, strlen(expected) + 1);
	assert_int_equal(clGetKernelInfo(kernel, param, size - 1, text, NULL), CL_INVALID_VALUE);
}

static void test_info(void **state)
{
	struct program_fixture *f = *state;
	cl_kernel kernel = program_kernel(f->program, "add");
	cl_context context;
	cl_uint number;

	check_text(kernel, CL_KERNEL_FUNCTION_NAME, "add");
	check_text(kernel, CL_KERNEL_ATTRIBUTES, "vec_type_hint(int)");
	assert_int_equal(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(number), &number, NULL),
			 CL_SUCCESS);
	assert_int_equal(number, 4);
	assert_int_equal(
		clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof(context), &context, NULL),
		CL_SUCCESS);
	assert_ptr_equal(context, f->base.context);
	assert_int_equal(clGetKernelInfo(kernel, 0x9999, sizeof(number), &number, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, 3, &number, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(
		clGetKernelInfo((cl_kernel)f->base.queue, CL_KERNEL_NUM_ARGS, 4, &number, NULL),
		CL_INVALID_KERNEL);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

struct arg_expectation {
	const char *kernel;
	cl_uint index;
	cl_kernel_arg_address_qualifier address;
	cl_kernel_arg_access_qualifier access;
	const char *type;
	cl_kernel_arg_type_qualifier qualifiers;
	const char *name;
};

static void check_arg(const struct program_fixture *f, const struct arg_expectation *expected)
{
	cl_kernel kernel = program_kernel(f->program, expected->kernel);
	cl_kernel_arg_address_qualifier address;
	cl_kernel_arg_access_qualifier access;
	cl_kernel_arg_type_qualifier qualifiers;
	char text[32];
	size_t size;

	assert_int_equal(clGetKernelArgInfo(kernel, expected->index,
					    CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(address),
					    &address, NULL),
			 CL_SUCCESS);
	assert_int_equal(address, expected->address);
	assert_int_equal(clGetKernelArgInfo(kernel, expected->index, CL_KERNEL_ARG_ACCESS_QUALIFIER,
					    sizeof(access), &access, NULL),
			 CL_SUCCESS);
	assert_int_equal(access, expected->access);
	assert_int_equal(clGetKernelArgInfo(kernel, expected->index, CL_KERNEL_ARG_TYPE_QUALIFIER,
					    sizeof(qualifiers), &qualifiers, &size),
			 CL_SUCCESS);
	assert_int_equal(qualifiers, expected->qualifiers);
	assert_int_equal(size, sizeof(qualifiers));
	assert_int_equal(clGetKernelArgInfo(kernel, expected->index, CL_KERNEL_ARG_TYPE_NAME,
					    sizeof(text), text, NULL),
			 CL_SUCCESS);
	assert_string_equal(text, expected->type);
	assert_int_equal(clGetKernelArgInfo(kernel, expected->index, CL_KERNEL_ARG_NAME,
					    sizeof(text), text, &size),
			 CL_SUCCESS);
	assert_string_equal(text, expected->name);
	assert_int_equal(size, strlen(text) + 1);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

static void test_arg_info(void **state)
{
	static const struct arg_expectation expected[] = {
		{"add", 0, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_NONE, "int*",
		 CL_KERNEL_ARG_TYPE_CONST, "a"},
		{"add", 1, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_NONE, "int*",
		 CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT, "b"},
		{"add", 2, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_NONE, "int*",
		 CL_KERNEL_ARG_TYPE_VOLATILE, "out"},
		{"add", 3, CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ACCESS_NONE, "int",
		 CL_KERNEL_ARG_TYPE_NONE, "n"},
		{"look", 1, CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_ACCESS_NONE, "int*",
		 CL_KERNEL_ARG_TYPE_CONST, "table"},
		{"look", 2, CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_ACCESS_NONE, "char*",
		 CL_KERNEL_ARG_TYPE_NONE, "x"},
		{"objects", 0, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_READ_ONLY,
		 "image2d_t", CL_KERNEL_ARG_TYPE_NONE, "image"},
		{"objects", 1, CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ACCESS_NONE,
		 "sampler_t", CL_KERNEL_ARG_TYPE_NONE, "sampler"},
		{"objects", 3, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_WRITE_ONLY, "int",
		 CL_KERNEL_ARG_TYPE_PIPE, "pipe"},
	};
	struct program_fixture *f = *state;
	cl_kernel kernel = program_kernel(f->program, "silent");
	char text[8];

	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		check_arg(f, &expected[i]);
	assert_int_equal(
		clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof(text), text, NULL),
		CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
	assert_int_equal(
		clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_NAME, sizeof(text), text, NULL),
		CL_INVALID_ARG_INDEX);
	assert_int_equal(
		clGetKernelArgInfo((cl_kernel)f->base.queue, 0, CL_KERNEL_ARG_NAME, 0, NULL, NULL),
		CL_INVALID_KERNEL);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	kernel = program_kernel(f->program, "add");
	assert_int_equal(clGetKernelArgInfo(kernel, 0, 0x9999, sizeof(text), text, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(clGetKernelArgInfo(kernel, 2, CL_KERNEL_ARG_NAME, 3, text, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

static cl_ulong group_number(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info param)
{
	cl_ulong number = 0;

	assert_int_equal(
		clGetKernelWorkGroupInfo(kernel, device, param, sizeof(number), &number, NULL),
		CL_SUCCESS);
	return number;
}

static void test_group_info(void **state)
{
	struct program_fixture *f = *state;
	cl_kernel add = program_kernel(f->program, "add");
	cl_kernel look = program_kernel(f->program, "look");
	cl_kernel fixed = program_kernel(f->program, "fixed");
	cl_kernel spills = program_kernel(f->program, "spills");
	size_t limit;
	size_t sizes[3];

	assert_int_equal(clGetDeviceInfo(f->base.device, CL_DEVICE_MAX_WORK_GROUP_SIZE,
					 sizeof(limit), &limit, NULL),
			 CL_SUCCESS);
	assert_int_equal(group_number(add, f->base.device, CL_KERNEL_WORK_GROUP_SIZE), limit);
	assert_int_equal(group_number(fixed, NULL, CL_KERNEL_WORK_GROUP_SIZE), 64);
	/* What lives across barriers has a limit. */
	assert_in_range(group_number(spills, NULL, CL_KERNEL_WORK_GROUP_SIZE), 1, 256);
	assert_int_equal(group_number(add, NULL, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE), 8);
	assert_true(group_number(look, NULL, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE) >= 1);
	assert_int_equal(group_number(add, NULL, CL_KERNEL_PRIVATE_MEM_SIZE), 16);
	assert_int_equal(clGetKernelWorkGroupInfo(fixed, NULL, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
						  sizeof(sizes), sizes, NULL),
			 CL_SUCCESS);
	assert_int_equal(sizes[0], 8);
	assert_int_equal(sizes[1], 4);
	assert_int_equal(sizes[2], 2);
	assert_int_equal(clGetKernelWorkGroupInfo(add, NULL, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
						  sizeof(sizes), sizes, NULL),
			 CL_SUCCESS);
	assert_int_equal(sizes[0] + sizes[1] + sizes[2], 0);
	/* Arguments count once they are set, each aligned. */
	assert_int_equal(group_number(add, NULL, CL_KERNEL_LOCAL_MEM_SIZE), 0);
	assert_true(group_number(look, NULL, CL_KERNEL_LOCAL_MEM_SIZE) >= FAKE_LOOK_LOCAL);
	assert_int_equal(clSetKernelArg(look, 2, 1000, NULL), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(look, 5, 3000, NULL), CL_SUCCESS);
	assert_in_range(group_number(look, NULL, CL_KERNEL_LOCAL_MEM_SIZE), FAKE_LOOK_LOCAL + 4000,
			FAKE_LOOK_LOCAL + 4000 + 2 * 128);
	assert_int_equal(clReleaseKernel(add), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(look), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(fixed), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(spills), CL_SUCCESS);
}

static void test_group_info_errors(void **state)
{
	struct program_fixture *f = *state;
	cl_program two = program_built(f->both, "x");
	cl_kernel kernel = program_kernel(f->program, "add");
	cl_kernel of_two = program_kernel(two, "add");
	size_t size[3];

	assert_int_equal(clGetKernelWorkGroupInfo((cl_kernel)f->program, NULL,
						  CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL),
			 CL_INVALID_KERNEL);
	assert_int_equal(clGetKernelWorkGroupInfo(kernel, f->devices[1], CL_KERNEL_WORK_GROUP_SIZE,
						  0, NULL, NULL),
			 CL_INVALID_DEVICE);
	assert_int_equal(
		clGetKernelWorkGroupInfo(of_two, NULL, CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL),
		CL_INVALID_DEVICE);
	assert_int_equal(clGetKernelWorkGroupInfo(of_two, f->devices[1], CL_KERNEL_WORK_GROUP_SIZE,
						  sizeof(size), size, NULL),
			 CL_SUCCESS);
	assert_int_equal(clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_GLOBAL_WORK_SIZE,
						  sizeof(size), size, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(
		clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_WORK_GROUP_SIZE, 4, size, NULL),
		CL_INVALID_VALUE);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(of_two), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(two), CL_SUCCESS);
}

static void test_clone_errors(void **state)
{
	struct program_fixture *f = *state;
	cl_int err;

	assert_null(clCloneKernel((cl_kernel)f->base.queue, &err));
	assert_int_equal(err, CL_INVALID_KERNEL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_create_errors), cmocka_unit_test(test_retain),
		cmocka_unit_test(test_create_all),    cmocka_unit_test(test_outlives),
		cmocka_unit_test(test_arg_errors),    cmocka_unit_test(test_arg_objects),
		cmocka_unit_test(test_info),          cmocka_unit_test(test_arg_info),
		cmocka_unit_test(test_group_info),    cmocka_unit_test(test_group_info_errors),
		cmocka_unit_test(test_clone_errors),
	};

	return cmocka_run_group_tests(tests, built_set_up, built_tear_down);
}
