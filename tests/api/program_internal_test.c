/* SPDX-License-Identifier: MIT
 *
 * What an application cannot provoke from outside: allocations that fail, one after the other, in everything that
 * programs and kernels do; kernels that differ between devices; code for another CPU.
 */
#include "il_words.h"
#include "program_fixture.h"

#include "alloc.h"
#include "compiler/program_binary.h"
#include "device/device.h"
#include "entry_points.h"
#include "program/kernel.h"
#include "program/program.h"

static struct program_fixture *f;
static cl_program built;
static cl_program object;
static cl_kernel kernel;
static unsigned char *binary;
static size_t binary_size;

static int internal_set_up(void **state)
{
	cl_mem null = NULL;
	cl_int n = 0;

	assert_int_equal(program_set_up(state), 0);
	f = *state;
	built = program_built(f->both, "x");
	object = program_compiled(f->both, "x");
	kernel = program_kernel(built, "add");
	for (cl_uint i = 0; i < 3; i++)
		assert_int_equal(clSetKernelArg(kernel, i, sizeof(null), &null), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 3, sizeof(n), &n), CL_SUCCESS);
	size_t sizes[2];
	assert_int_equal(
		clGetProgramInfo(built, CL_PROGRAM_BINARY_SIZES, sizeof(sizes), sizes, NULL),
		CL_SUCCESS);
	binary_size = sizes[0];
	binary = malloc(binary_size);
	unsigned char *places[2] = {binary, NULL};
	assert_int_equal(clGetProgramInfo(built, CL_PROGRAM_BINARIES, sizeof(places), places, NULL),
			 CL_SUCCESS);
	return 0;
}

static int internal_tear_down(void **state)
{
	free(binary);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(built), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(object), CL_SUCCESS);
	return program_tear_down(state);
}

/* ---- allocation failure, 1..n ---------------------------------------------------------------- */

static cl_int release(cl_program program, cl_int err)
{
	if (program)
		assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	assert_int_equal(program != NULL, err == CL_SUCCESS);
	return err;
}

static cl_int create_source(void)
{
	const char *strings[] = {"a", "b"};
	cl_int err;
	cl_program program = clCreateProgramWithSource(f->both, 2, strings, NULL, &err);

	return release(program, err);
}

static cl_int create_binary(void)
{
	const unsigned char *binaries[] = {binary, binary};
	const size_t sizes[] = {binary_size, binary_size};
	cl_int statuses[2];
	cl_int err;
	cl_program program =
		clCreateProgramWithBinary(f->both, 2, f->devices, sizes, binaries, statuses, &err);

	return release(program, err);
}

/* NULL when memory runs out. */
static cl_program try_source(const char *source)
{
	return clCreateProgramWithSource(f->both, 1, &source, NULL, NULL);
}

/* A failure leaves the program in a state that can be asked about and built again. */
static cl_int build(void)
{
	cl_program program = try_source("warn");

	if (!program)
		return CL_OUT_OF_HOST_MEMORY;
	cl_int err = clBuildProgram(program, 0, NULL, "-DX", NULL, NULL);
	for (int i = 0; i < 2; i++) {
		cl_build_status status = program_status(program, f->devices[i]);
		assert_int_not_equal(status, CL_BUILD_IN_PROGRESS);
		assert_true(err != CL_SUCCESS || status == CL_BUILD_SUCCESS);
	}
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	return err;
}

static cl_int compile(void)
{
	cl_program program = try_source("warn");
	cl_program header = try_source("h");
	const char *name = "h.h";
	cl_int err = CL_OUT_OF_HOST_MEMORY;

	if (program && header)
		err = clCompileProgram(program, 0, NULL, "-DX", 1, &header, &name, NULL, NULL);
	if (header)
		assert_int_equal(clReleaseProgram(header), CL_SUCCESS);
	if (program)
		assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	return err;
}

static cl_int build_il(void)
{
	const cl_ushort value = 7;
	cl_int err;
	cl_program program = clCreateProgramWithIL(f->both, il_module, sizeof(il_module), &err);

	if (err == CL_SUCCESS)
		err = clSetProgramSpecializationConstant(program, IL_SHORT, sizeof(value), &value);
	if (err == CL_SUCCESS)
		err = clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
	if (program)
		assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	return err;
}

static cl_int link_object(void)
{
	cl_int err;
	cl_program program = clLinkProgram(f->both, 0, NULL, NULL, 1, &object, NULL, NULL, &err);

	return release(program, err);
}

static cl_int create_kernel(void)
{
	cl_int err;
	cl_kernel made = clCreateKernel(built, "look", &err);

	if (made)
		assert_int_equal(clReleaseKernel(made), CL_SUCCESS);
	return err;
}

static cl_int create_kernels(void)
{
	cl_kernel kernels[FAKE_NUM_KERNELS] = {NULL};

	cl_int err = clCreateKernelsInProgram(built, FAKE_NUM_KERNELS, kernels, NULL);
	for (int i = 0; i < FAKE_NUM_KERNELS; i++) {
		assert_int_equal(kernels[i] != NULL, err == CL_SUCCESS);
		if (kernels[i])
			assert_int_equal(clReleaseKernel(kernels[i]), CL_SUCCESS);
	}
	return err;
}

static cl_int clone_kernel(void)
{
	cl_int err;
	cl_kernel made = clCloneKernel(kernel, &err);

	if (made)
		assert_int_equal(clReleaseKernel(made), CL_SUCCESS);
	return err;
}

static cl_int get_names(void)
{
	char names[256];

	return clGetProgramInfo(built, CL_PROGRAM_KERNEL_NAMES, sizeof(names), names, NULL);
}

static cl_int get_sizes(void)
{
	size_t sizes[2];

	return clGetProgramInfo(built, CL_PROGRAM_BINARY_SIZES, sizeof(sizes), sizes, NULL);
}

static cl_int get_log(void)
{
	return clGetProgramBuildInfo(built, f->devices[0], CL_PROGRAM_BUILD_LOG, 0, NULL, NULL);
}

static cl_int enqueue(void)
{
	cl_command_queue queue =
		clCreateCommandQueueWithProperties(f->both, f->devices[0], NULL, NULL);
	const size_t zero = 1;
	const size_t offset = 0;

	if (!queue)
		return CL_OUT_OF_HOST_MEMORY;
	cl_kernel nothing = clCreateKernel(built, "nothing", NULL);
	cl_int err = CL_OUT_OF_HOST_MEMORY;
	if (nothing)
		err = clEnqueueNDRangeKernel(queue, nothing, 1, &offset, &zero, NULL, 0, NULL,
					     NULL);
	assert_int_equal(clFinish(queue), CL_SUCCESS);
	if (nothing)
		assert_int_equal(clReleaseKernel(nothing), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	return err;
}

static void test_allocation_failures(void **state)
{
	static cl_int (*const actions[])(void) = {
		create_source, create_binary,  build,        compile,   link_object,
		create_kernel, create_kernels, clone_kernel, get_names, get_sizes,
		get_log,       enqueue,        build_il};
	(void)state;

	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		long successes = 0;
		cl_int err = CL_OUT_OF_HOST_MEMORY;

		assert_int_equal(actions[i](), CL_SUCCESS);
		for (;; successes++) {
			weft_alloc_fail_after(successes);
			err = actions[i]();
			bool failed = weft_alloc_has_failed();
			weft_alloc_fail_after(-1);
			if (!failed)
				break;
			/* A failure may be survivable, in the cache or in a driver's spare room. */
			assert_true(err == CL_SUCCESS || err == CL_OUT_OF_HOST_MEMORY ||
				    err == CL_OUT_OF_RESOURCES);
		}
		assert_int_equal(err, CL_SUCCESS);
		assert_true(successes > 0);
	}
}

/* ---- kernels that differ between devices ----------------------------------------------------- */

static void test_definitions(void **state)
{
	cl_program program = program_built(f->both, "x");
	weft_mutex_lock(&program->lock);
	struct weft_program_build *other = &program->builds[1];
	weft_mutex_unlock(&program->lock);
	const struct weft_program_desc *before = other->desc;
	struct weft_kernel_desc kernels[FAKE_NUM_KERNELS];
	struct weft_arg_desc args[4];
	struct weft_program_desc desc = *before;
	cl_kernel made[FAKE_NUM_KERNELS];
	cl_uint count;
	size_t size;
	cl_int err;
	(void)state;

	memcpy(kernels, before->kernels, sizeof(kernels));
	memcpy(args, kernels[0].args, sizeof(args));
	args[3].kind = WEFT_ARG_LOCAL; /* of add */
	kernels[0].args = args;
	kernels[4].name = "something"; /* nothing */
	desc.kernels = kernels;
	other->desc = &desc;
	assert_null(clCreateKernel(program, "add", &err));
	assert_int_equal(err, CL_INVALID_KERNEL_DEFINITION);
	assert_null(clCreateKernel(program, "nothing", &err));
	assert_int_equal(err, CL_INVALID_KERNEL_DEFINITION);
	assert_int_equal(clReleaseKernel(program_kernel(program, "look")), CL_SUCCESS);
	assert_int_equal(clCreateKernelsInProgram(program, FAKE_NUM_KERNELS - 2, made, &count),
			 CL_SUCCESS);
	assert_int_equal(count, FAKE_NUM_KERNELS - 2);
	for (cl_uint i = 0; i < count; i++)
		assert_int_equal(clReleaseKernel(made[i]), CL_SUCCESS);
	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof(size), &size, NULL),
		CL_SUCCESS);
	assert_int_equal(size, FAKE_NUM_KERNELS - 2);
	other->desc = before;
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* ---- binaries -------------------------------------------------------------------------------- */

/* Executables are for one CPU, bitcode is for all. */
static void test_other_cpu(void **state)
{
	static const cl_program_binary_type types[] = {CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
						       CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT};
	struct _cl_device_id device = *f->devices[0];
	struct weft_device impl = *device.impl;
	(void)state;

	device.impl = &impl;
	strcpy(impl.properties.cpu_key, "another");
	for (int i = 0; i < 2; i++) {
		const struct weft_program_binary_desc desc = {types[i], "-w", "abc", 3, false};
		struct weft_program_binary *made = weft_program_binary_create(&desc);
		struct weft_program_binary *read = NULL;
		unsigned char bytes[512];
		size_t size = weft_program_binary_export_size(made);

		assert_true(size <= sizeof(bytes));
		weft_program_binary_export(made, &device, bytes);
		assert_int_equal(weft_program_binary_import(bytes, size, f->devices[0], &read),
				 i == 0 ? WEFT_INVALID_BINARY : WEFT_OK);
		weft_program_binary_put(read);
		assert_int_equal(weft_program_binary_import(bytes, size, &device, &read), WEFT_OK);
		assert_string_equal(read->options, "-w");
		weft_program_binary_put(read);
		weft_program_binary_put(made);
	}
}

static void test_unload(void **state)
{
	(void)state;
	assert_int_equal(weft_clUnloadPlatformCompiler(NULL), CL_INVALID_PLATFORM);
	assert_int_equal(weft_clUnloadCompiler(), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_allocation_failures),
		cmocka_unit_test(test_definitions),
		cmocka_unit_test(test_other_cpu),
		cmocka_unit_test(test_unload),
	};

	return cmocka_run_group_tests(tests, internal_set_up, internal_tear_down);
}
