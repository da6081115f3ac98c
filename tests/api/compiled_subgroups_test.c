/* SPDX-License-Identifier: MIT
 *
 * cl_intel_subgroups and what extends it, through OpenCL: macros, sources of both versions of the language, the query, and blocks of an
 * image, whose accesses order commands. What each function gives is tested in tests/kernels.
 */
#include "compiled_fixture.h"

#include <CL/cl_ext.h>
#include <string.h>

#define SIZE 16 /* of a sub-group */
#define ROWS 4

static const char source[] =
	"#pragma OPENCL EXTENSION cl_intel_subgroups : enable\n"
	"#if !cl_intel_subgroups || !cl_intel_subgroups_char || !cl_intel_subgroups_short || \\\n"
	"    !cl_intel_subgroups_long || !cl_intel_subgroup_local_block_io\n"
	"#error subgroups\n"
	"#endif\n"
	"__attribute__((intel_reqd_sub_group_size(16)))\n"
	"kernel void put(write_only image2d_t to, global const uint *p) {\n"
	"  uint4 v = intel_sub_group_block_read4(p);\n"
	"  intel_sub_group_block_write4(to, (int2)(0, 0), v);\n"
	"}\n"
	"__attribute__((intel_reqd_sub_group_size(16)))\n"
	"kernel void get(read_only image2d_t from, global uint *p, local uint *t) {\n"
	"  uint lane = get_sub_group_local_id();\n"
	"  uint4 v = intel_sub_group_block_read4(from, (int2)(4, 0));\n"
	"  v.x = intel_sub_group_shuffle_down(v.x, v.y, lane);\n"
	"  intel_sub_group_block_write_ui(t, v.w);\n"
	"  sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  v.w = t[get_sub_group_size() - 1 - lane];\n"
	"  intel_sub_group_block_write4(p, v);\n"
	"}\n";

static cl_program build(struct fixture *f, const char *options)
{
	const char *text = source;
	cl_program program = clCreateProgramWithSource(f->context, 1, &text, NULL, NULL);

	if (clBuildProgram(program, 0, NULL, options, NULL, NULL) != CL_SUCCESS) {
		char log[4096] = "";
		clGetProgramBuildInfo(program, f->device, CL_PROGRAM_BUILD_LOG, sizeof(log), log,
				      NULL);
		fail_msg("%s", log);
	}
	return program;
}

static void enqueue(struct fixture *f, cl_program program, const char *name, cl_mem image,
		    cl_mem buffer)
{
	const size_t items = SIZE;
	cl_kernel kernel = clCreateKernel(program, name, NULL);

	assert_non_null(kernel);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(image), &image), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(buffer), &buffer), CL_SUCCESS);
	if (strcmp(name, "get") == 0)
		assert_int_equal(clSetKernelArg(kernel, 2, SIZE * sizeof(cl_uint), NULL),
				 CL_SUCCESS);
	assert_int_equal(
		clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

static cl_uint in_row(const cl_uint *image, unsigned column, unsigned row)
{
	return image[row * SIZE + (column < SIZE ? column : SIZE - 1)];
}

/* What one kernel writes the next one reads, a texel further right. */
static void check_blocks(struct fixture *f, cl_program program, cl_mem image)
{
	cl_uint data[ROWS * SIZE], found[ROWS * SIZE];

	for (cl_uint i = 0; i < ROWS * SIZE; i++)
		data[i] = i * 0x9e3779b9u;
	cl_mem in = clCreateBuffer(f->context, CL_MEM_COPY_HOST_PTR, sizeof(data), data, NULL);
	cl_mem out = clCreateBuffer(f->context, 0, sizeof(found), NULL, NULL);
	assert_true(in && out);
	enqueue(f, program, "put", image, in);
	enqueue(f, program, "get", image, out);
	assert_int_equal(
		clEnqueueReadBuffer(f->queue, out, CL_TRUE, 0, sizeof(found), found, 0, NULL, NULL),
		CL_SUCCESS);
	for (unsigned lane = 0; lane < SIZE; lane++) {
		const unsigned twice = 2 * lane;

		assert_int_equal(found[lane], twice < SIZE ? in_row(data, twice + 1, 0)
							   : in_row(data, twice - SIZE + 1, 1));
		assert_int_equal(found[SIZE + lane], in_row(data, lane + 1, 1));
		assert_int_equal(found[2 * SIZE + lane], in_row(data, lane + 1, 2));
		assert_int_equal(found[3 * SIZE + lane], in_row(data, SIZE - lane, 3));
	}
	assert_int_equal(clReleaseMemObject(in), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(out), CL_SUCCESS);
}

static void test_blocks(void **state)
{
	static const char *const options[] = {"-Werror", "-Werror -cl-std=CL2.0",
					      "-Werror -cl-std=CL3.0"};
	const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIZE, .image_height = ROWS};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		cl_program program = build(f, options[i]);
		cl_mem image = clCreateImage(f->context, 0, &format, &desc, NULL, NULL);

		assert_non_null(image);
		check_blocks(f, program, image);
		assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
		assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	}
}

static void test_query(void **state)
{
	struct fixture *f = *state;
	cl_platform_id platform;
	assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
	clGetKernelSubGroupInfoKHR_fn ask =
		(clGetKernelSubGroupInfoKHR_fn)clGetExtensionFunctionAddressForPlatform(
			platform, "clGetKernelSubGroupInfoKHR");
	cl_program program = build(f, "");
	cl_kernel kernel = clCreateKernel(program, "put", NULL);
	const size_t items = 3 * SIZE;
	size_t value = 0;

	assert_non_null(ask);
	assert_int_equal(ask(kernel, f->device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE_KHR,
			     sizeof(items), &items, sizeof(value), &value, NULL),
			 CL_SUCCESS);
	assert_int_equal(value, 3);
	assert_int_equal(ask(NULL, f->device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE_KHR,
			     sizeof(items), &items, sizeof(value), &value, NULL),
			 CL_INVALID_KERNEL);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_query),
	};

	return cmocka_run_group_tests(tests, compiled_set_up, fixture_tear_down);
}
