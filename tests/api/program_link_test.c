/* SPDX-License-Identifier: MIT
 *
 * Compiling and linking: headers, objects, libraries.
 */
#include "program_fixture.h"

#include "latch.h"

/* ---- clCompileProgram ------------------------------------------------------------------------ */

static void test_compile(void **state)
{
	struct program_fixture *f = *state;
	cl_device_id device = f->base.device;
	cl_program program = program_compiled(f->base.context, "x warn");
	size_t count;
	cl_int err;

	assert_int_equal(program_status(program, device), CL_BUILD_SUCCESS);
	assert_int_equal(program_type(program, device), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
	program_check_text(program, device, CL_PROGRAM_BUILD_LOG, "input.cl:1:3: warning: warn\n");
	assert_null(clCreateKernel(program, "add", &err));
	assert_int_equal(err, CL_INVALID_PROGRAM_EXECUTABLE);
	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof(count), &count, NULL),
		CL_INVALID_PROGRAM_EXECUTABLE);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	program = program_from(f->base.context, "#error no");
	assert_int_equal(clCompileProgram(program, 0, NULL, "-g", 0, NULL, NULL, NULL, NULL),
			 CL_COMPILE_PROGRAM_FAILURE);
	program_check_text(program, device, CL_PROGRAM_BUILD_LOG,
			   "input.cl:1:1: error: #error no\n");
	program_check_text(program, device, CL_PROGRAM_BUILD_OPTIONS, "-g");
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

static void test_headers(void **state)
{
	struct program_fixture *f = *state;
	cl_program program = program_from(f->base.context, "#include \"folder/a.h\"");
	cl_program headers[2] = {program_from(f->base.context, "first"),
				 program_from(f->base.context, "second")};
	const char *names[] = {"b.h", "folder/a.h"};

	assert_int_equal(clCompileProgram(program, 0, NULL, NULL, 1, headers, names, NULL, NULL),
			 CL_COMPILE_PROGRAM_FAILURE);
	assert_int_equal(clCompileProgram(program, 0, NULL, NULL, 2, headers, names, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clReleaseProgram(headers[0]), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(headers[1]), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

static cl_int compile_error(cl_program program, cl_uint count, const cl_program *headers,
			    const char **names)
{
	return clCompileProgram(program, 0, NULL, NULL, count, headers, names, NULL, NULL);
}

static void test_compile_errors(void **state)
{
	struct program_fixture *f = *state;
	cl_program program = program_from(f->base.context, "x");
	cl_program header = program_from(f->base.context, "h");
	cl_program foreign = program_from(f->base.other_context, "h");
	cl_program wrong = (cl_program)f->base.queue;
	const char *name = "h.h";
	const char *no_name = NULL;
	int data;

	assert_int_equal(compile_error(wrong, 0, NULL, NULL), CL_INVALID_PROGRAM);
	assert_int_equal(compile_error(program, 1, &foreign, &name), CL_INVALID_CONTEXT);
	assert_int_equal(compile_error(program, 1, &wrong, &name), CL_INVALID_PROGRAM);
	assert_int_equal(compile_error(program, 0, &header, NULL), CL_INVALID_VALUE);
	assert_int_equal(compile_error(program, 0, NULL, &name), CL_INVALID_VALUE);
	assert_int_equal(compile_error(program, 1, NULL, &name), CL_INVALID_VALUE);
	assert_int_equal(compile_error(program, 1, &header, NULL), CL_INVALID_VALUE);
	assert_int_equal(compile_error(program, 1, &header, &no_name), CL_INVALID_VALUE);
	assert_int_equal(clCompileProgram(program, 1, NULL, NULL, 0, NULL, NULL, NULL, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(clCompileProgram(program, 0, f->devices, NULL, 0, NULL, NULL, NULL, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, &data),
			 CL_INVALID_VALUE);
	assert_int_equal(clCompileProgram(program, 2, f->devices, NULL, 0, NULL, NULL, NULL, NULL),
			 CL_INVALID_DEVICE);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(header), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(foreign), CL_SUCCESS);
}

/* ---- clLinkProgram --------------------------------------------------------------------------- */

static cl_program link_programs(cl_context context, const char *options, cl_uint count,
				const cl_program *programs, cl_int expected)
{
	cl_int err = 77;
	cl_program program =
		clLinkProgram(context, 0, NULL, options, count, programs, NULL, NULL, &err);

	assert_int_equal(err, expected);
	return program;
}

static void test_link(void **state)
{
	struct program_fixture *f = *state;
	cl_program objects[2] = {program_compiled(f->base.context, "a"),
				 program_compiled(f->base.context, "b")};

	cl_program library =
		link_programs(f->base.context, "-create-library", 1, objects, CL_SUCCESS);
	assert_int_equal(program_type(library, f->base.device), CL_PROGRAM_BINARY_TYPE_LIBRARY);
	program_check_text(library, f->base.device, CL_PROGRAM_BUILD_OPTIONS, "-create-library");
	assert_int_equal(clReleaseProgram(objects[0]), CL_SUCCESS);
	objects[0] = library;
	cl_program program = link_programs(f->base.context, NULL, 2, objects, CL_SUCCESS);
	assert_int_equal(program_type(program, f->base.device), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
	program_check_text(program, f->base.device, CL_PROGRAM_BUILD_OPTIONS, "");
	assert_int_equal(clReleaseKernel(program_kernel(program, "add")), CL_SUCCESS);
	/* It was made by linking, and that is all that can be done to make it. */
	assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
	assert_int_equal(clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL),
			 CL_INVALID_OPERATION);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(library), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(objects[1]), CL_SUCCESS);
}

/* "If the linking operation can begin, clLinkProgram returns a valid non-zero program object." */
static void test_link_fails(void **state)
{
	struct program_fixture *f = *state;
	cl_program object = program_compiled(f->base.context, "undefined");

	cl_program program =
		link_programs(f->base.context, "", 1, &object, CL_LINK_PROGRAM_FAILURE);
	assert_non_null(program);
	assert_int_equal(program_status(program, f->base.device), CL_BUILD_ERROR);
	program_check_text(program, f->base.device, CL_PROGRAM_BUILD_LOG,
			   "input.cl:1:1: error: undefined\n");
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	assert_null(link_programs(f->base.context, "-fake-invalid", 1, &object,
				  CL_INVALID_LINKER_OPTIONS));
	assert_int_equal(clReleaseProgram(object), CL_SUCCESS);
}

/* ---- what can be linked ---------------------------------------------------------------------- */

enum input {
	NEVER_COMPILED,
	FAILED_COMPILE,
	FAILED_BUILD,
	BUILT,
	BUILT_BINARY, /* clCreateProgramWithBinary of an executable, not built */
	/* From here on: for a link. */
	COMPILED,
	COMPILED_BINARY,
	LIBRARY,
	NUM_INPUTS,
};

static cl_program from_binary(cl_program source, cl_device_id device)
{
	cl_context context;
	size_t size;
	cl_int err;

	assert_int_equal(
		clGetProgramInfo(source, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL),
		CL_SUCCESS);
	assert_int_equal(
		clGetProgramInfo(source, CL_PROGRAM_CONTEXT, sizeof(context), &context, NULL),
		CL_SUCCESS);
	unsigned char *bytes = malloc(size);
	assert_int_equal(clGetProgramInfo(source, CL_PROGRAM_BINARIES, sizeof(bytes), &bytes, NULL),
			 CL_SUCCESS);
	cl_program program = clCreateProgramWithBinary(context, 1, &device, &size,
						       (const unsigned char **)&bytes, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(clReleaseProgram(source), CL_SUCCESS);
	free(bytes);
	return program;
}

static cl_program make_input(struct program_fixture *f, enum input input)
{
	cl_context context = f->base.context;
	cl_program program;

	switch (input) {
	case NEVER_COMPILED:
		return program_from(context, "x");
	case FAILED_COMPILE:
		program = program_from(context, "#error no");
		assert_int_equal(
			clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL),
			CL_COMPILE_PROGRAM_FAILURE);
		return program;
	case FAILED_BUILD:
		program = program_from(context, "#error no");
		assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, NULL),
				 CL_BUILD_PROGRAM_FAILURE);
		return program;
	case BUILT:
		return program_built(context, "x");
	case BUILT_BINARY:
		return from_binary(program_built(context, "x"), f->base.device);
	case COMPILED:
		return program_compiled(context, "a");
	case COMPILED_BINARY:
		return from_binary(program_compiled(context, "a"), f->base.device);
	case LIBRARY: {
		cl_program object = program_compiled(context, "a");

		program = link_programs(context, "-create-library", 1, &object, CL_SUCCESS);
		assert_int_equal(clReleaseProgram(object), CL_SUCCESS);
		return program;
	}
	case NUM_INPUTS:
		break;
	}
	return NULL;
}

/* One program, and each pair of two: all must be objects or libraries (5.8.5). */
static void test_link_inputs(void **state)
{
	struct program_fixture *f = *state;

	for (enum input a = 0; a < NUM_INPUTS; a++) {
		for (enum input b = 0; b < NUM_INPUTS; b++) {
			cl_program inputs[2] = {make_input(f, a), make_input(f, b)};

			for (cl_uint count = 1; count <= 2; count++) {
				bool right = a >= COMPILED && (count == 1 || b >= COMPILED);
				cl_program linked =
					link_programs(f->base.context, NULL, count, inputs,
						      right ? CL_SUCCESS : CL_INVALID_OPERATION);

				assert_int_equal(linked != NULL, right);
				if (linked)
					assert_int_equal(clReleaseProgram(linked), CL_SUCCESS);
			}
			assert_int_equal(clReleaseProgram(inputs[0]), CL_SUCCESS);
			assert_int_equal(clReleaseProgram(inputs[1]), CL_SUCCESS);
		}
	}
}

/* Objects of one device of two: an executable for that, none for the other, and nothing to do for the other alone. */
static void test_link_one_device_of_two(void **state)
{
	struct program_fixture *f = *state;
	cl_program object = program_from(f->both, "a");
	cl_int err;

	assert_int_equal(
		clCompileProgram(object, 1, &f->devices[0], NULL, 0, NULL, NULL, NULL, NULL),
		CL_SUCCESS);
	cl_program linked = link_programs(f->both, NULL, 1, &object, CL_SUCCESS);
	assert_int_equal(program_status(linked, f->devices[0]), CL_BUILD_SUCCESS);
	assert_int_equal(program_status(linked, f->devices[1]), CL_BUILD_NONE);
	assert_int_equal(clReleaseProgram(linked), CL_SUCCESS);
	assert_null(clLinkProgram(f->both, 1, &f->devices[1], NULL, 1, &object, NULL, NULL, &err));
	assert_int_equal(err, CL_INVALID_OPERATION);
	assert_int_equal(clReleaseProgram(object), CL_SUCCESS);
}

static void test_link_errors(void **state)
{
	struct program_fixture *f = *state;
	cl_program object = program_compiled(f->base.context, "x");
	cl_program foreign = program_compiled(f->base.other_context, "x");
	cl_program wrong = (cl_program)f->base.queue;
	cl_context context = f->base.context;
	cl_int err;
	int data;

	assert_null(link_programs((cl_context)f->base.queue, NULL, 1, &object, CL_INVALID_CONTEXT));
	assert_null(link_programs(context, NULL, 1, &foreign, CL_INVALID_CONTEXT));
	assert_null(link_programs(context, NULL, 0, NULL, CL_INVALID_VALUE));
	assert_null(link_programs(context, NULL, 0, &object, CL_INVALID_VALUE));
	assert_null(link_programs(context, NULL, 1, NULL, CL_INVALID_VALUE));
	assert_null(link_programs(context, NULL, 1, &wrong, CL_INVALID_PROGRAM));
	assert_null(clLinkProgram(context, 1, NULL, NULL, 1, &object, NULL, NULL, &err));
	assert_int_equal(err, CL_INVALID_VALUE);
	assert_null(clLinkProgram(context, 0, f->devices, NULL, 1, &object, NULL, NULL, &err));
	assert_int_equal(err, CL_INVALID_VALUE);
	assert_null(clLinkProgram(context, 0, NULL, NULL, 1, &object, NULL, &data, &err));
	assert_int_equal(err, CL_INVALID_VALUE);
	assert_null(clLinkProgram(context, 2, f->devices, NULL, 1, &object, NULL, NULL, &err));
	assert_int_equal(err, CL_INVALID_DEVICE);
	assert_int_equal(clReleaseProgram(object), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(foreign), CL_SUCCESS);
}

/* 5.8.5: all of the programs have an object for the device, or none; else CL_INVALID_OPERATION. */
static void test_link_mixture(void **state)
{
	struct program_fixture *f = *state;
	cl_program programs[2] = {program_from(f->both, "a"), program_compiled(f->both, "b")};
	cl_int err;

	assert_null(link_programs(f->both, NULL, 2, programs, CL_INVALID_OPERATION));
	assert_int_equal(
		clCompileProgram(programs[0], 1, &f->devices[1], NULL, 0, NULL, NULL, NULL, NULL),
		CL_SUCCESS);
	assert_null(link_programs(f->both, NULL, 2, programs, CL_INVALID_OPERATION));
	cl_program linked =
		clLinkProgram(f->both, 1, &f->devices[1], NULL, 2, programs, NULL, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(clReleaseProgram(linked), CL_SUCCESS);
	/* Only one device has objects: the other gets no executable. */
	linked = link_programs(f->both, NULL, 1, programs, CL_SUCCESS);
	assert_int_equal(program_status(linked, f->devices[0]), CL_BUILD_NONE);
	assert_int_equal(program_status(linked, f->devices[1]), CL_BUILD_SUCCESS);
	assert_int_equal(program_type(linked, f->devices[0]), CL_PROGRAM_BINARY_TYPE_NONE);
	assert_int_equal(clReleaseProgram(linked), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(programs[0]), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(programs[1]), CL_SUCCESS);
}

/* ---- callbacks ------------------------------------------------------------------------------- */

struct notification {
	struct latch calls;
	cl_program program;
};

static void CL_CALLBACK on_end(cl_program program, void *user_data)
{
	struct notification *note = user_data;

	note->program = program;
	latch_raise(&note->calls);
}

static void wait_for(struct notification *note)
{
	assert_int_equal(latch_wait(&note->calls, 1), 1);
}

static void test_async(void **state)
{
	struct program_fixture *f = *state;
	cl_program object = program_from(f->base.context, "wait");
	struct notification compiled = {LATCH_INITIALIZER, NULL};
	struct notification linked = {LATCH_INITIALIZER, NULL};
	cl_int err;

	f->compiler->set_gate(0);
	assert_int_equal(clCompileProgram(object, 0, NULL, NULL, 0, NULL, NULL, on_end, &compiled),
			 CL_SUCCESS);
	assert_int_equal(program_status(object, f->base.device), CL_BUILD_IN_PROGRESS);
	f->compiler->set_gate(1);
	wait_for(&compiled);
	assert_ptr_equal(compiled.program, object);
	assert_int_equal(program_type(object, f->base.device),
			 CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);

	f->compiler->set_gate(0);
	cl_program program =
		clLinkProgram(f->base.context, 0, NULL, NULL, 1, &object, on_end, &linked, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_non_null(program);
	/* The object may be compiled again at this time. */
	assert_int_equal(program_status(program, f->base.device), CL_BUILD_IN_PROGRESS);
	assert_int_equal(clReleaseProgram(object), CL_SUCCESS);
	f->compiler->set_gate(1);
	wait_for(&linked);
	assert_ptr_equal(linked.program, program);
	assert_int_equal(program_status(program, f->base.device), CL_BUILD_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_compile),
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_compile_errors),
		cmocka_unit_test(test_link),
		cmocka_unit_test(test_link_fails),
		cmocka_unit_test(test_link_inputs),
		cmocka_unit_test(test_link_one_device_of_two),
		cmocka_unit_test(test_link_errors),
		cmocka_unit_test(test_link_mixture),
		cmocka_unit_test(test_async),
	};

	return cmocka_run_group_tests(tests, program_set_up, program_tear_down);
}
