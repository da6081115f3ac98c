/* SPDX-License-Identifier: MIT
 *
 * Opens the libraries, and lets the driver compile and run a kernel, each in a child.
 */
#include "child.h"
#include "compiler/compiler_library.h"
#include "doctor.h"
#include "entry_points.h"
#include "installation.h"
#include "platform/platform.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define PATIENCE 60 /* seconds */
#define ITEMS 256

static int open_library(const void *path)
{
	if (dlopen(path, RTLD_NOW | RTLD_LOCAL))
		return 0;
	puts(dlerror());
	return 1;
}

static int open_compiler(const void *data)
{
	(void)data;
	setenv("WEFT_LOG", "error", 1);
	return weft_compiler_library() ? 0 : 1;
}

/* ---- a kernel --------------------------------------------------------------------------------- */

static int failed(const char *what, cl_int error)
{
	if (error != CL_SUCCESS)
		printf("%s: error %d\n", what, error);
	return error != CL_SUCCESS;
}

static int print_build_log(cl_program program, cl_device_id device, cl_int error)
{
	char log[512] = "";

	weft_clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL);
	fputs(log, stdout);
	return failed("clBuildProgram", error);
}

/* Runs the kernel "k", and compares. */
static int run_kernel(cl_context context, cl_device_id device, cl_program program)
{
	cl_int numbers[ITEMS] = {0};
	const size_t items = ITEMS;
	cl_int error;

	cl_kernel kernel = weft_clCreateKernel(program, "k", &error);
	if (failed("clCreateKernel", error))
		return 1;
	cl_command_queue queue =
		weft_clCreateCommandQueueWithProperties(context, device, NULL, &error);
	if (failed("clCreateCommandQueueWithProperties", error))
		return 1;
	cl_mem buffer =
		weft_clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(numbers), NULL, &error);
	if (failed("clCreateBuffer", error))
		return 1;
	weft_clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
	error = weft_clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
	if (failed("clEnqueueNDRangeKernel", error))
		return 1;
	error = weft_clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(numbers), numbers, 0,
					 NULL, NULL);
	if (failed("clEnqueueReadBuffer", error))
		return 1;
	for (int i = 0; i < ITEMS; i++) {
		if (numbers[i] != 3 * i) {
			printf("the result is wrong: %d, not %d\n", numbers[i], 3 * i);
			return 1;
		}
	}
	return 0;
}

static int compute(const void *data)
{
	static const char *source =
		"kernel void k(global int *p) { int i = get_global_id(0); p[i] = 3 * i; }";
	cl_uint count = 0;
	cl_int error;

	(void)data;
	setenv("WEFT_LOG", "error", 1);
	setenv("WEFT_CACHE", "0", 1);
	const cl_device_id *devices = weft_platform_devices(&count);
	if (count == 0) {
		puts("there is no device");
		return 1;
	}
	cl_context context = weft_clCreateContext(NULL, 1, devices, NULL, NULL, &error);
	if (failed("clCreateContext", error))
		return 1;
	cl_program program = weft_clCreateProgramWithSource(context, 1, &source, NULL, &error);
	if (failed("clCreateProgramWithSource", error))
		return 1;
	error = weft_clBuildProgram(program, 1, devices, "", NULL, NULL);
	if (error != CL_SUCCESS)
		return print_build_log(program, devices[0], error);
	return run_kernel(context, devices[0], program);
}

/* ---- the checks ------------------------------------------------------------------------------- */

static bool check(struct weft_doctor *doctor, int (*run)(const void *data), const void *data,
		  const char *what, const char *mend)
{
	struct weft_strbuf said = {0};

	const int status = weft_child_run(run, data, PATIENCE, &said);
	if (status == 0)
		weft_doctor_say(doctor, WEFT_VERDICT_OK, NULL, "%s", what);
	else
		weft_doctor_say(doctor, WEFT_VERDICT_FAULT, mend, "%s: no: %s", what,
				weft_doctor_reason(status, &said));
	weft_strbuf_destroy(&said);
	return status == 0;
}

void weft_doctor_check_installation(struct weft_doctor *doctor)
{
	char driver[PATH_MAX];
	char text[PATH_MAX + 32];

	if (!weft_installed_library(WEFT_DRIVER_NAME, driver)) {
		weft_doctor_say(doctor, WEFT_VERDICT_FAULT,
				"install Weft again; the program weft stays in its folder",
				WEFT_DRIVER_NAME " is not beside this program's folder, in lib");
	} else {
		snprintf(text, sizeof(text), "%s loads", driver);
		check(doctor, open_library, driver, text,
		      "install what is missing; Weft needs a glibc as new as the one that it was "
		      "built "
		      "for");
	}
	weft_use_own_compiler();
	if (check(doctor, open_compiler, NULL, "the kernel compiler loads",
		  "install " WEFT_COMPILER_NAME " beside " WEFT_DRIVER_NAME
		  ", or let WEFT_COMPILER name it"))
		check(doctor, compute, NULL, "a kernel compiles and computes",
		      "see the limits below; WEFT_LOG=info PROGRAM says more");
}
