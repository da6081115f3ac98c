/* SPDX-License-Identifier: MIT
 *
 * Programs from SPIR-V: creating them, specialisation constants, building, compiling and linking.
 */
#include "program_fixture.h"

#include "il_words.h"

#include <stdio.h>

static cl_int create_error(cl_context context, const void *il, size_t size)
{
	cl_int err = 1;
	cl_program program = clCreateProgramWithIL(context, il, size, &err);

	assert_int_equal(program != NULL, err == CL_SUCCESS);
	if (program)
		assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	return err;
}

static cl_program program_from_il(cl_context context)
{
	cl_int err;
	cl_program program = clCreateProgramWithIL(context, il_module, sizeof(il_module), &err);

	assert_int_equal(err, CL_SUCCESS);
	assert_non_null(program);
	return program;
}

/* ---- creating -------------------------------------------------------------------------------- */

/* The error when one word of the module is another. */
static cl_int changed_error(cl_context context, size_t place, uint32_t word)
{
	uint32_t words[IL_WORDS];

	memcpy(words, il_module, sizeof(words));
	words[place] = word;
	return create_error(context, words, sizeof(words));
}

static void test_create_errors(void **state)
{
	struct program_fixture *f = *state;
	cl_context context = f->base.context;

	assert_int_equal(create_error(NULL, il_module, sizeof(il_module)), CL_INVALID_CONTEXT);
	assert_int_equal(create_error((cl_context)f->base.queue, il_module, sizeof(il_module)),
			 CL_INVALID_CONTEXT);
	assert_int_equal(create_error(context, NULL, sizeof(il_module)), CL_INVALID_VALUE);
	assert_int_equal(create_error(context, il_module, 0), CL_INVALID_VALUE);
	assert_null(clCreateProgramWithIL(context, NULL, 0, NULL));
	/* The header. */
	assert_int_equal(changed_error(context, 0, 0x07230204), CL_INVALID_VALUE);
	assert_int_equal(changed_error(context, IL_VERSION_WORD, 0x00010600), CL_SUCCESS);
	assert_int_equal(changed_error(context, IL_VERSION_WORD, 0x00010700), CL_INVALID_VALUE);
	assert_int_equal(changed_error(context, IL_VERSION_WORD, 0x00020000), CL_INVALID_VALUE);
	assert_int_equal(changed_error(context, IL_VERSION_WORD, 0x00000900), CL_INVALID_VALUE);
	assert_int_equal(changed_error(context, IL_VERSION_WORD, 0x00010001), CL_INVALID_VALUE);
	/* Lengths of instructions. */
	assert_int_equal(changed_error(context, IL_FIRST_INSTRUCTION, IL_OP(17, 0)),
			 CL_INVALID_VALUE);
	assert_int_equal(changed_error(context, IL_FIRST_INSTRUCTION, IL_OP(17, 0xffff)),
			 CL_INVALID_VALUE);
	for (size_t size = 1; size < IL_FIRST_INSTRUCTION * sizeof(uint32_t); size++)
		assert_int_equal(create_error(context, il_module, size), CL_INVALID_VALUE);
	assert_int_equal(create_error(context, il_module, sizeof(il_module) - 1), CL_INVALID_VALUE);
	assert_int_equal(create_error(context, il_module, sizeof(il_module) - sizeof(uint32_t)),
			 CL_INVALID_VALUE);
}

static void check_il(cl_program program, const void *il, size_t il_size)
{
	unsigned char bytes[sizeof(il_module)];
	char source = 'u';
	size_t size = 0;

	assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_IL, sizeof(bytes), bytes, &size),
			 CL_SUCCESS);
	assert_int_equal(size, il_size);
	assert_memory_equal(bytes, il, il_size);
	assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_IL, il_size - 1, bytes, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_SOURCE, 1, &source, &size),
			 CL_SUCCESS);
	assert_int_equal(size, 1);
	assert_int_equal(source, '\0');
}

typedef cl_program(CL_API_CALL *create_function)(cl_context, const void *, size_t, cl_int *);

static void test_create(void **state)
{
	struct program_fixture *f = *state;
	cl_program program = program_from_il(f->both);
	cl_platform_id platform;
	cl_uint count;
	cl_int err;

	check_il(program, il_module, sizeof(il_module));
	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof(count), &count, NULL),
		CL_SUCCESS);
	assert_int_equal(count, 2);
	assert_int_equal(program_status(program, f->devices[0]), CL_BUILD_NONE);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	/* By the extension's name. */
	assert_int_equal(clGetDeviceInfo(f->devices[0], CL_DEVICE_PLATFORM, sizeof(platform),
					 &platform, NULL),
			 CL_SUCCESS);
	create_function create = (create_function)clGetExtensionFunctionAddressForPlatform(
		platform, "clCreateProgramWithILKHR");
	assert_non_null(create);
	program = create(f->both, il_module, sizeof(il_module), &err);
	assert_int_equal(err, CL_SUCCESS);
	check_il(program, il_module, sizeof(il_module));
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* ---- what devices say ------------------------------------------------------------------------ */

/* Newer than Debian's headers. */
enum { SPIRV_SETS = 0x12B9, SPIRV_EXTENSIONS = 0x12BA, SPIRV_CAPABILITIES = 0x12BB };

/* The elements of a list; the list is in `list`, which has room. */
static size_t query_list(cl_device_id device, cl_device_info param, void *list, size_t room,
			 size_t element)
{
	size_t size;

	assert_int_equal(clGetDeviceInfo(device, param, room, list, &size), CL_SUCCESS);
	assert_int_equal(size % element, 0);
	return size / element;
}

static bool has_name(cl_device_id device, cl_device_info param, const char *name)
{
	const char *names[256];
	size_t count = query_list(device, param, names, sizeof(names), sizeof(*names));
	bool found = false;

	for (size_t i = 0; i < count; i++)
		found = found || strcmp(names[i], name) == 0;
	return found;
}

static void test_queries(void **state)
{
	static const char *const offered[] = {"cl_khr_il_program", "cl_khr_spirv_queries",
					      "cl_khr_spirv_linkonce_odr",
					      "cl_khr_spirv_no_integer_wrap_decoration"};
	struct program_fixture *f = *state;
	cl_name_version versions[16];
	cl_uint capabilities[512];
	char text[4096], expected[256] = "";

	size_t count = query_list(f->devices[0], CL_DEVICE_ILS_WITH_VERSION, versions,
				  sizeof(versions), sizeof(*versions));
	assert_int_equal(count, 7);
	for (size_t i = 0; i < count; i++) {
		char one[32];

		assert_string_equal(versions[i].name, "SPIR-V");
		snprintf(one, sizeof(one), "%sSPIR-V_%u.%u", i ? " " : "",
			 CL_VERSION_MAJOR(versions[i].version),
			 CL_VERSION_MINOR(versions[i].version));
		strcat(expected, one);
	}
	query_list(f->devices[0], CL_DEVICE_IL_VERSION, text, sizeof(text), 1);
	assert_string_equal(text, expected);
	query_list(f->devices[0], CL_DEVICE_EXTENSIONS, text, sizeof(text), 1);
	for (size_t i = 0; i < sizeof(offered) / sizeof(offered[0]); i++)
		assert_non_null(strstr(text, offered[i]));
	assert_true(has_name(f->devices[0], SPIRV_SETS, "OpenCL.std"));
	assert_true(has_name(f->devices[0], SPIRV_EXTENSIONS, "SPV_KHR_linkonce_odr"));
	assert_false(has_name(f->devices[0], SPIRV_EXTENSIONS, "SPV_KHR_ray_tracing"));
	count = query_list(f->devices[0], SPIRV_CAPABILITIES, capabilities, sizeof(capabilities),
			   sizeof(*capabilities));
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < i; k++)
			assert_int_not_equal(capabilities[i], capabilities[k]);
	}
	assert_int_equal(capabilities[0], 4); /* Addresses */
}

/* ---- specialisation constants ---------------------------------------------------------------- */

static cl_int set(cl_program program, cl_uint id, size_t size, cl_ulong value)
{
	return clSetProgramSpecializationConstant(program, id, size, &value);
}

static void build_il(cl_program program, cl_device_id device, const char *log)
{
	assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
	program_check_text(program, device, CL_PROGRAM_BUILD_LOG, log);
}

/* Every size, in either order of bytes. */
static void check_constants(cl_program program, cl_device_id device)
{
	const cl_uint eight = 8;

	assert_int_equal(set(program, 4, 4, 0), CL_INVALID_SPEC_ID);
	assert_int_equal(set(program, IL_SHORT, 4, 0), CL_INVALID_VALUE);
	assert_int_equal(set(program, IL_BOOL, 4, 0), CL_INVALID_VALUE);
	assert_int_equal(set(program, IL_LONG, 4, 0), CL_INVALID_VALUE);
	assert_int_equal(set(program, IL_CHAR, 0, 0), CL_INVALID_VALUE);
	assert_int_equal(set(program, IL_GROUPED, 8, 0), CL_INVALID_VALUE);
	assert_int_equal(clSetProgramSpecializationConstant(program, IL_SHORT, 2, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(clSetProgramSpecializationConstant(program, IL_GROUPED, 4, &eight),
			 CL_SUCCESS);
	build_il(program, device, "constant 9 of 4 bytes: 0x8\n");
	assert_int_equal(set(program, IL_CHAR, 1, 0xff), CL_SUCCESS);
	assert_int_equal(set(program, IL_BOOL, 1, 1), CL_SUCCESS);
	assert_int_equal(set(program, IL_SHORT, 2, 0x1234), CL_SUCCESS);
	assert_int_equal(set(program, IL_SHORT, 2, 0x4321), CL_SUCCESS);
	assert_int_equal(set(program, IL_LONG, 8, UINT64_C(0x123456789abcdef0)), CL_SUCCESS);
	build_il(program, device,
		 "constant 1 of 1 bytes: 0xff\nconstant 3 of 1 bytes: 0x1\n"
		 "constant 5 of 2 bytes: 0x4321\nconstant 9 of 4 bytes: 0x8\n"
		 "constant 65536 of 8 bytes: 0x123456789abcdef0\n");
}

static void test_constants(void **state)
{
	struct program_fixture *f = *state;
	uint32_t swapped[IL_WORDS];
	cl_program program = program_from_il(f->base.context);
	cl_int err;

	check_constants(program, f->base.device);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	for (size_t i = 0; i < IL_WORDS; i++)
		swapped[i] = __builtin_bswap32(il_module[i]);
	program = clCreateProgramWithIL(f->base.context, swapped, sizeof(swapped), &err);
	assert_int_equal(err, CL_SUCCESS);
	check_il(program, swapped, sizeof(swapped));
	check_constants(program, f->base.device);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

static void test_constants_of_no_il(void **state)
{
	struct program_fixture *f = *state;
	cl_program program = program_from(f->base.context, "x");

	assert_int_equal(set(program, IL_SHORT, 2, 0), CL_INVALID_PROGRAM);
	assert_int_equal(set((cl_program)f->base.queue, IL_SHORT, 2, 0), CL_INVALID_PROGRAM);
	assert_int_equal(set(NULL, IL_SHORT, 2, 0), CL_INVALID_PROGRAM);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* ---- building -------------------------------------------------------------------------------- */

static void test_build(void **state)
{
	struct program_fixture *f = *state;
	cl_program program = program_from_il(f->both);
	cl_device_id device = f->devices[0];

	assert_int_equal(clBuildProgram(program, 0, NULL, "-fake-invalid", NULL, NULL),
			 CL_INVALID_BUILD_OPTIONS);
	assert_int_equal(clBuildProgram(program, 0, NULL, "-cl-mad-enable", NULL, NULL),
			 CL_SUCCESS);
	program_check_text(program, device, CL_PROGRAM_BUILD_OPTIONS, "-cl-mad-enable");
	assert_int_equal(program_type(program, device), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
	cl_kernel kernel = program_kernel(program, "add");
	assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	check_il(program, il_module, sizeof(il_module));
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* With a source, into one program; headers are ignored. */
static void test_link(void **state)
{
	struct program_fixture *f = *state;
	cl_program programs[] = {program_from_il(f->both), program_compiled(f->both, "x")};
	const char *name = NULL;
	cl_program wrong = (cl_program)f->base.queue;
	cl_int err;

	assert_int_equal(
		clCompileProgram(programs[0], 0, NULL, "-fake-invalid", 0, NULL, NULL, NULL, NULL),
		CL_INVALID_COMPILER_OPTIONS);
	assert_int_equal(clCompileProgram(programs[0], 0, NULL, "", 1, &wrong, &name, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(program_type(programs[0], f->devices[1]),
			 CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
	cl_program linked = clLinkProgram(f->both, 0, NULL, NULL, 2, programs, NULL, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(clReleaseKernel(program_kernel(linked, "add")), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(linked), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(programs[0]), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(programs[1]), CL_SUCCESS);
}

/* IL is no header. */
static void test_header(void **state)
{
	struct program_fixture *f = *state;
	cl_program il = program_from_il(f->base.context);
	cl_program program = program_from(f->base.context, "x");
	const char *name = "h.h";

	assert_int_equal(clCompileProgram(program, 0, NULL, NULL, 1, &il, &name, NULL, NULL),
			 CL_INVALID_OPERATION);
	assert_int_equal(clReleaseProgram(il), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_create_errors),
		cmocka_unit_test(test_create),
		cmocka_unit_test(test_queries),
		cmocka_unit_test(test_constants),
		cmocka_unit_test(test_constants_of_no_il),
		cmocka_unit_test(test_build),
		cmocka_unit_test(test_link),
		cmocka_unit_test(test_header),
	};

	return cmocka_run_group_tests(tests, program_set_up, program_tear_down);
}
