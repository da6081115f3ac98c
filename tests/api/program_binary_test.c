/* SPDX-License-Identifier: MIT
 *
 * Program binaries: there and back, and whatever is not one.
 */
#include "program_fixture.h"

struct binary {
	unsigned char *bytes; /* owned */
	size_t size;
};

static struct binary get_binary(cl_program program)
{
	struct binary binary;

	assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(binary.size),
					  &binary.size, NULL),
			 CL_SUCCESS);
	assert_true(binary.size > 0);
	binary.bytes = malloc(binary.size);
	assert_non_null(binary.bytes);
	assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary.bytes),
					  &binary.bytes, NULL),
			 CL_SUCCESS);
	return binary;
}

/* The binary of a program that `make` builds or compiles from `source`. */
static struct binary binary_of(struct program_fixture *f,
			       cl_program (*make)(cl_context, const char *), const char *source)
{
	cl_program program = make(f->base.context, source);
	struct binary binary = get_binary(program);

	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	return binary;
}

static cl_program load(struct program_fixture *f, const void *bytes, size_t size, cl_int *err)
{
	const unsigned char *binary = bytes;
	cl_int status = 77;

	cl_program program = clCreateProgramWithBinary(f->base.context, 1, &f->base.device, &size,
						       &binary, &status, err);
	assert_int_equal(status, *err);
	assert_int_equal(program != NULL, *err == CL_SUCCESS);
	return program;
}

/* ---- there and back -------------------------------------------------------------------------- */

static void test_executable(void **state)
{
	struct program_fixture *f = *state;
	struct binary first = binary_of(f, program_built, "x");
	char source[8];
	char attributes[8];
	cl_int err;

	cl_program program = load(f, first.bytes, first.size, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(program_status(program, f->base.device), CL_BUILD_NONE);
	assert_int_equal(program_type(program, f->base.device), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
	program_check_text(program, f->base.device, CL_PROGRAM_BUILD_OPTIONS, "");
	assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof(source), source, NULL),
			 CL_SUCCESS);
	assert_string_equal(source, "");
	assert_null(clCreateKernel(program, "add", &err));
	assert_int_equal(err, CL_INVALID_PROGRAM_EXECUTABLE);
	int calls = f->compiler->calls();
	assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
	assert_int_equal(f->compiler->calls(), calls);
	/* "as if options were the same as when the program binary was originally built" */
	program_check_text(program, f->base.device, CL_PROGRAM_BUILD_OPTIONS, "-cl-std=CL2.0");
	struct binary second = get_binary(program);
	assert_int_equal(first.size, second.size);
	assert_memory_equal(first.bytes, second.bytes, first.size);
	cl_kernel kernel = program_kernel(program, "add");
	assert_int_equal(
		clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof(attributes), attributes, NULL),
		CL_SUCCESS);
	assert_string_equal(attributes, "");
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	/* And again. */
	assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
	program_check_text(program, f->base.device, CL_PROGRAM_BUILD_OPTIONS, "");
	assert_int_equal(clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL),
			 CL_INVALID_OPERATION);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	free(first.bytes);
	free(second.bytes);
}

/* Objects are to be linked; "the program binary must be an executable binary" to be built. */
static void test_object(void **state)
{
	struct program_fixture *f = *state;
	struct binary binary = binary_of(f, program_compiled, "x");
	cl_int err;

	cl_program object = load(f, binary.bytes, binary.size, &err);
	assert_int_equal(program_type(object, f->base.device),
			 CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
	assert_int_equal(clBuildProgram(object, 0, NULL, NULL, NULL, NULL), CL_INVALID_BINARY);
	cl_program program =
		clLinkProgram(f->base.context, 0, NULL, NULL, 1, &object, NULL, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(clReleaseKernel(program_kernel(program, "add")), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	cl_program library = clLinkProgram(f->base.context, 0, NULL, "-create-library", 1, &object,
					   NULL, NULL, &err);
	struct binary second = get_binary(library);
	assert_int_equal(clReleaseProgram(library), CL_SUCCESS);
	library = load(f, second.bytes, second.size, &err);
	assert_int_equal(program_type(library, f->base.device), CL_PROGRAM_BINARY_TYPE_LIBRARY);
	assert_int_equal(clReleaseProgram(library), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(object), CL_SUCCESS);
	free(binary.bytes);
	free(second.bytes);
}

/* Before there is one, the size is zero and nothing is written. */
static void test_no_binary(void **state)
{
	struct program_fixture *f = *state;
	cl_program program = program_from(f->both, "x");
	size_t sizes[2] = {7, 7};
	unsigned char byte = 'u';
	unsigned char *places[2] = {&byte, NULL};
	size_t size;

	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(sizes), sizes, NULL),
		CL_SUCCESS);
	assert_int_equal(sizes[0], 0);
	assert_int_equal(sizes[1], 0);
	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(places), places, &size),
		CL_SUCCESS);
	assert_int_equal(size, sizeof(places));
	assert_int_equal(byte, 'u');
	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(places) - 1, places, NULL),
		CL_INVALID_VALUE);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static cl_int create_error(cl_context context, cl_uint num_devices, const cl_device_id *devices,
			   const struct binary *binaries, cl_int *statuses)
{
	const unsigned char *bytes[2] = {binaries[0].bytes, binaries[1].bytes};
	size_t sizes[2] = {binaries[0].size, binaries[1].size};
	cl_int err = 77;

	assert_null(clCreateProgramWithBinary(context, num_devices, devices, sizes, bytes, statuses,
					      &err));
	return err;
}

static void test_errors(void **state)
{
	struct program_fixture *f = *state;
	struct binary good = binary_of(f, program_built, "x");
	struct binary two[2] = {good, good};
	const unsigned char *bytes = good.bytes;
	cl_context context = f->base.context;
	cl_int statuses[2] = {77, 77};
	cl_int err;

	assert_int_equal(create_error((cl_context)f->base.queue, 1, f->devices, two, NULL),
			 CL_INVALID_CONTEXT);
	assert_int_equal(create_error(context, 0, f->devices, two, NULL), CL_INVALID_VALUE);
	assert_int_equal(create_error(context, 1, NULL, two, NULL), CL_INVALID_VALUE);
	assert_int_equal(create_error(context, 2, f->devices, two, statuses), CL_INVALID_DEVICE);
	assert_null(clCreateProgramWithBinary(context, 1, f->devices, NULL, &bytes, NULL, &err));
	assert_int_equal(err, CL_INVALID_VALUE);
	assert_null(
		clCreateProgramWithBinary(context, 1, f->devices, &good.size, NULL, NULL, &err));
	assert_int_equal(err, CL_INVALID_VALUE);
	two[1].size = 0;
	assert_int_equal(create_error(f->both, 2, f->devices, two, statuses), CL_INVALID_VALUE);
	assert_int_equal(statuses[0], CL_SUCCESS);
	assert_int_equal(statuses[1], CL_INVALID_VALUE);
	two[1].size = good.size - 1;
	assert_int_equal(create_error(f->both, 2, f->devices, two, statuses), CL_INVALID_BINARY);
	assert_int_equal(statuses[0], CL_SUCCESS);
	assert_int_equal(statuses[1], CL_INVALID_BINARY);
	two[1].bytes = NULL;
	assert_int_equal(create_error(f->both, 2, f->devices, two, statuses), CL_INVALID_VALUE);
	assert_int_equal(statuses[1], CL_INVALID_VALUE);
	free(good.bytes);
}

/* ---- what is no binary ----------------------------------------------------------------------- */

/* In memory of exactly that size, so that a sanitizer sees each byte too many that is read. */
static void refuse(struct program_fixture *f, const unsigned char *bytes, size_t size)
{
	unsigned char *copy = malloc(size);
	cl_int err;

	memcpy(copy, bytes, size);
	assert_null(load(f, copy, size, &err));
	assert_int_equal(err, CL_INVALID_BINARY);
	free(copy);
}

static void test_truncated(void **state)
{
	struct program_fixture *f = *state;
	struct binary binary = binary_of(f, program_compiled, "x");
	unsigned char *longer = malloc(binary.size + 1);

	for (size_t size = 1; size < binary.size; size++)
		refuse(f, binary.bytes, size);
	memcpy(longer, binary.bytes, binary.size);
	longer[binary.size] = 0;
	refuse(f, longer, binary.size + 1);
	free(longer);
	free(binary.bytes);
}

/* Every bit of the header and the options, and many of the code. */
static void test_flipped(void **state)
{
	struct program_fixture *f = *state;
	struct binary binary = binary_of(f, program_built, "x");

	for (size_t bit = 0; bit < 8 * binary.size;
	     bit += bit < 8 * 256 ? 1 : 1 + fixture_random_below(999)) {
		unsigned char mask = (unsigned char)(1u << (bit % 8));

		binary.bytes[bit / 8] ^= mask;
		refuse(f, binary.bytes, binary.size);
		binary.bytes[bit / 8] ^= mask;
	}
	free(binary.bytes);
}

static void test_foreign(void **state)
{
	struct program_fixture *f = *state;
	static const char *const texts[] = {"\177ELF\2\1\1", "BC\xc0\xde", "__kernel void f() {}",
					    "x"};
	struct binary binary = binary_of(f, program_built, "x");
	unsigned char noise[4096];

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		refuse(f, (const unsigned char *)texts[i], strlen(texts[i]));
	for (int i = 0; i < 200; i++) {
		fixture_random_bytes(noise, sizeof(noise));
		/* Some of it behind a good beginning. */
		memcpy(noise, binary.bytes, fixture_random_below(256));
		refuse(f, noise, 1 + fixture_random_below(sizeof(noise)));
	}
	free(binary.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_executable), cmocka_unit_test(test_object),
		cmocka_unit_test(test_no_binary),  cmocka_unit_test(test_errors),
		cmocka_unit_test(test_truncated),  cmocka_unit_test(test_flipped),
		cmocka_unit_test(test_foreign),
	};

	return cmocka_run_group_tests(tests, program_set_up, program_tear_down);
}
