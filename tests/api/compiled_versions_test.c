/* SPDX-License-Identifier: MIT
 *
 * Versions of OpenCL C: each that a device lists builds, and has what it is there for.
 */
#include "compiled_fixture.h"

#include <stdio.h>

#define MOST_VERSIONS 8

static size_t read_versions(const struct fixture *f, cl_name_version *versions)
{
	size_t size = 0;

	assert_int_equal(clGetDeviceInfo(f->device, CL_DEVICE_OPENCL_C_ALL_VERSIONS,
					 MOST_VERSIONS * sizeof(*versions), versions, &size),
			 CL_SUCCESS);
	return size / sizeof(*versions);
}

static cl_bool has(const struct fixture *f, cl_version version)
{
	cl_name_version versions[MOST_VERSIONS];
	const size_t count = read_versions(f, versions);

	for (size_t i = 0; i < count; i++) {
		if (versions[i].version == version)
			return CL_TRUE;
	}
	return CL_FALSE;
}

static void each_listed_version_builds(void **state)
{
	const struct fixture *f = *state;
	cl_name_version versions[MOST_VERSIONS];
	const size_t count = read_versions(f, versions);

	for (size_t i = 0; i < count; i++) {
		const unsigned major = CL_VERSION_MAJOR(versions[i].version);
		const unsigned minor = CL_VERSION_MINOR(versions[i].version);
		char options[32], source[160];

		assert_string_equal(versions[i].name, "OpenCL C");
		snprintf(options, sizeof(options), "-cl-std=CL%u.%u", major, minor);
		/* 1.0 and 1.1 have no such macro. */
		snprintf(source, sizeof(source),
			 "#if defined(__OPENCL_C_VERSION__) && __OPENCL_C_VERSION__ != %u\n"
			 "#error wrong\n#endif\nkernel void k(void) {}",
			 major * 100 + minor * 10);
		cl_program program = compiled_program(f->context, source, options);
		assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	}
}

static void version_3_1_is_listed(void **state)
{
	assert_true(has(*state, CL_MAKE_VERSION(3, 1, 0)));
}

/* "arg_size may be zero, indicating that no local memory is required for the kernel argument" */
static void local_argument_of_size_zero(void **state)
{
	static const char source[] =
		"kernel void k(local int *l, local int *m, global int *out) {\n"
		"  if (!out[0]) l[get_local_id(0)] = 1;\n"
		"  m[get_local_id(0)] = get_local_id(0) + 1;\n"
		"  barrier(CLK_LOCAL_MEM_FENCE);\n"
		"  out[get_global_id(0)] = m[3 - get_local_id(0)];\n"
		"}\n";
	struct fixture *f = *state;
	const size_t size = 4;
	cl_int out[4] = {1};
	cl_program program = compiled_program(f->context, source, "-cl-std=CL3.1");
	cl_kernel kernel = clCreateKernel(program, "k", NULL);
	cl_mem mem = clCreateBuffer(f->context, CL_MEM_COPY_HOST_PTR, sizeof(out), out, NULL);

	assert_non_null(kernel);
	assert_int_equal(clSetKernelArg(kernel, 0, 0, out), CL_INVALID_ARG_VALUE);
	assert_int_equal(clSetKernelArg(kernel, 0, 0, NULL), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(out), NULL), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 2, sizeof(mem), &mem), CL_SUCCESS);
	assert_int_equal(
		clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &size, &size, 0, NULL, NULL),
		CL_SUCCESS);
	fixture_read(f, mem, out, sizeof(out));
	for (cl_int i = 0; i < 4; i++)
		assert_int_equal(out[i], 4 - i);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* Version 2.0 has everything by itself: no feature is asked for. */
static void version_2_0_is_whole(void **state)
{
	static const char source[] =
		"global int counter = 3; global int *global where = &counter;\n"
		"int read(int *p) { return *p; }\n"
		"kernel void k(global int *out, queue_t queue, read_only pipe int in,\n"
		"              read_write image2d_t image) {\n"
		"  int own = 4, sum = read(&own) + read(where);\n"
		"  sum += work_group_reduce_add(sum);\n"
		"  write_imagei(image, (int2)(0), read_imagei(image, (int2)(0)) + sum);\n"
		"  atomic_fetch_add_explicit((global atomic_int *)out, sum, memory_order_acq_rel,\n"
		"                            memory_scope_device);\n"
		"  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),\n"
		"                 ^{ out[1] = sum; });\n"
		"}\n";
	const struct fixture *f = *state;

	if (!has(f, CL_MAKE_VERSION(2, 0, 0)))
		return;
	cl_program program = compiled_program(f->context, source, "-cl-std=CL2.0");
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_listed_version_builds),
		cmocka_unit_test(version_3_1_is_listed),
		cmocka_unit_test(local_argument_of_size_zero),
		cmocka_unit_test(version_2_0_is_whole),
	};

	return cmocka_run_group_tests(tests, compiled_set_up, fixture_tear_down);
}
