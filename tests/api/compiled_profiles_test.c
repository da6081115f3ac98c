/* SPDX-License-Identifier: MIT
 *
 * The embedded profile, which devices with less than 32 KiB of local memory have, beside the full one in one context, with
 * the real compiler.
 */
#include "compiled_fixture.h"
#include "described_context.h"

#include <stdio.h>
#include <string.h>

enum { EMBEDDED, FULL, DEVICES };

struct devices {
	cl_device_id devices[DEVICES];
	cl_context context;
	char extensions[DEVICES][8192];
};

static void query(cl_device_id device, cl_device_info param, size_t size, char *text)
{
	assert_int_equal(clGetDeviceInfo(device, param, size, text, NULL), CL_SUCCESS);
}

static int set_up(void **state)
{
	static struct devices d;

	compiled_options();
	d.context = described_context("accel", "local=16K;local=32K", DEVICES, d.devices);
	for (int i = 0; i < DEVICES; i++)
		query(d.devices[i], CL_DEVICE_EXTENSIONS, sizeof(d.extensions[i]), d.extensions[i]);
	*state = &d;
	return 0;
}

static int tear_down(void **state)
{
	const struct devices *d = *state;

	assert_int_equal(clReleaseContext(d->context), CL_SUCCESS);
	return 0;
}

static void local_memory_decides(void **state)
{
	static const char *const expected[DEVICES] = {"EMBEDDED_PROFILE", "FULL_PROFILE"};
	const struct devices *d = *state;

	for (int i = 0; i < DEVICES; i++) {
		char profile[32] = "";

		query(d->devices[i], CL_DEVICE_PROFILE, sizeof(profile), profile);
		assert_string_equal(profile, expected[i]);
	}
}

/* The platform's are those that all devices have. */
static void embedded_one_has_64_bit_integers(void **state)
{
	const struct devices *d = *state;
	const char *first = "cles_khr_int64 ";
	char of_platform[8192];
	cl_platform_id platform;

	assert_memory_equal(d->extensions[EMBEDDED], first, strlen(first));
	assert_string_equal(d->extensions[EMBEDDED] + strlen(first), d->extensions[FULL]);
	assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
	assert_int_equal(clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS, sizeof(of_platform),
					   of_platform, NULL),
			 CL_SUCCESS);
	assert_string_equal(of_platform, d->extensions[FULL]);
}

/* The names of CL_DEVICE_EXTENSIONS_WITH_VERSION make CL_DEVICE_EXTENSIONS. */
static void versions_are_of_the_same_extensions(void **state)
{
	const struct devices *d = *state;

	for (int i = 0; i < DEVICES; i++) {
		cl_name_version versions[256];
		char names[8192] = "";
		size_t size;

		assert_int_equal(clGetDeviceInfo(d->devices[i], CL_DEVICE_EXTENSIONS_WITH_VERSION,
						 sizeof(versions), versions, &size),
				 CL_SUCCESS);
		for (size_t j = 0; j < size / sizeof(*versions); j++) {
			strcat(names, j > 0 ? " " : "");
			strcat(names, versions[j].name);
		}
		assert_string_equal(names, d->extensions[i]);
	}
}

static cl_uint run_on(cl_device_id device, cl_context context, cl_program program)
{
	const size_t one = 1;
	cl_uint answer = 0;
	cl_command_queue queue = fixture_queue(context, device, 0);
	cl_kernel kernel = clCreateKernel(program, "k", NULL);
	cl_mem out = clCreateBuffer(context, 0, sizeof(answer), NULL, NULL);

	assert_true(kernel && out);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(out), &out), CL_SUCCESS);
	assert_int_equal(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(
		clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof(answer), &answer, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(out), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	return answer;
}

/* One program of both: each device has the code that its macros make. */
static void kernels_know(void **state)
{
	static const char *const source = "kernel void k(global uint *out) {\n"
					  "  *out = 1;\n"
					  "#ifdef __EMBEDDED_PROFILE__\n"
					  "  *out += 2 * __EMBEDDED_PROFILE__;\n"
					  "#endif\n"
					  "#ifdef cles_khr_int64\n"
					  "  *out += 4 * cles_khr_int64;\n"
					  "#endif\n"
					  "  long wide = *out;\n"
					  "  *out = (uint)(wide << 33 >> 33);\n"
					  "}\n";
	static const char *const options[] = {"", "-cl-std=CL3.0"};
	const struct devices *d = *state;

	for (int i = 0; i < 2; i++) {
		cl_program program = clCreateProgramWithSource(
			d->context, 1, (const char **)(uintptr_t)&source, NULL, NULL);

		assert_non_null(program);
		assert_int_equal(clBuildProgram(program, 0, NULL, options[i], NULL, NULL),
				 CL_SUCCESS);
		assert_int_equal(run_on(d->devices[EMBEDDED], d->context, program), 7);
		assert_int_equal(run_on(d->devices[FULL], d->context, program), 1);
		assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(local_memory_decides),
		cmocka_unit_test(embedded_one_has_64_bit_integers),
		cmocka_unit_test(versions_are_of_the_same_extensions),
		cmocka_unit_test(kernels_know),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
