/* SPDX-License-Identifier: MIT
 *
 * Programs as applications write them, with the real compiler: images that no kernel needs, headers of the current folder, options
 * that are refused.
 */
#include "build_logs.h"
#include "compiled_fixture.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define ADDS " kernel void k(global int *o) { o[get_global_id(0)] = 7; }"

static cl_build_status status_of(struct fixture *f, cl_program program)
{
	cl_build_status status = CL_BUILD_IN_PROGRESS;

	assert_int_equal(clGetProgramBuildInfo(program, f->device, CL_PROGRAM_BUILD_STATUS,
					       sizeof(status), &status, NULL),
			 CL_SUCCESS);
	return status;
}

/* The kernel stores 7 for each of 16 work-items. */
static void expect_works(struct fixture *f, cl_program program, const char *name, int32_t expected)
{
	const size_t items = 16;
	int32_t out[16] = {0};
	cl_int err = CL_SUCCESS;
	cl_kernel kernel = clCreateKernel(program, name, &err);

	assert_int_equal(err, CL_SUCCESS);
	cl_mem memory = clCreateBuffer(f->context, 0, sizeof(out), NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(memory), &memory), CL_SUCCESS);
	assert_int_equal(
		clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(
		clEnqueueReadBuffer(f->queue, memory, CL_TRUE, 0, sizeof(out), out, 0, NULL, NULL),
		CL_SUCCESS);
	for (size_t i = 0; i < items; i++)
		assert_int_equal(out[i], expected);
	assert_int_equal(clReleaseMemObject(memory), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

/* ---- kernels with images ---------------------------------------------------------------------- */

#define SAMPLER "CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST"
#define READS                                                                                      \
	"\nkernel void j(read_only image2d_t i, global int4 *o) {"                                 \
	" o[0] = read_imagei(i, (int2)(0, 0)); }\n"
#define HELPER "int4 f(read_only image2d_t i, sampler_t s, int2 p) { return read_imagei(i, s, p); }"

static void test_beside_images(void **state)
{
	static const char *const sources[] = {
		"kernel void k(global int *o) { const sampler_t s = " SAMPLER
		"; o[get_global_id(0)] = 7; }",
		"constant sampler_t s = " SAMPLER ";" ADDS,
		"kernel void j(read_only image2d_t i, global int *o) { o[0] = 1; }" ADDS,
		"kernel void j(sampler_t s, global int *o) { o[0] = 1; }" ADDS,
		HELPER ADDS,
		HELPER "int4 g(read_only image2d_t i) { const sampler_t s = " SAMPLER
		       "; return f(i, s, (int2)(1)); }" ADDS,
		"int w(write_only image2d_t i) { return get_image_width(i); }" ADDS,
		READS ADDS,
		READS "kernel void m(read_only image2d_t i, global int4 *o) { j(i, o); }" ADDS,
		"__attribute__((used)) " HELPER ADDS,
	};
	static const char *const options[] = {"", "-cl-std=CL3.0", "-cl-opt-disable", "-g",
					      "-Werror"};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
		for (size_t k = 0; k < sizeof(options) / sizeof(*options); k++) {
			cl_program program = create(f, sources[i]);
			cl_int err = clBuildProgram(program, 0, NULL, options[k], NULL, NULL);

			if (err != CL_SUCCESS)
				fail_msg("%d: %s %s: %s", err, options[k], sources[i],
					 log_of(f, program));
			expect_works(f, program, "k", 7);
			assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
		}
	}
}

/* Both kernels are there, with the one that has images: `j`. */
static void expect_both(struct fixture *f, cl_program program)
{
	cl_uint created = 0, num_args = 0;
	cl_int err = CL_SUCCESS;

	assert_int_equal(clCreateKernelsInProgram(program, 0, NULL, &created), CL_SUCCESS);
	assert_int_equal(created, 2);
	cl_kernel kernel = clCreateKernel(program, "j", &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(
		clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(num_args), &num_args, NULL),
		CL_SUCCESS);
	assert_int_equal(num_args, 2);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	expect_works(f, program, "k", 7);
}

static void test_images(void **state)
{
	static const char source[] = READS ADDS;
	struct fixture *f = *state;
	cl_program program = create(f, source);

	assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
	expect_both(f, program);
	/* A program made of its binary is no different. */
	cl_program copy = compiled_copy(f, program);
	expect_both(f, copy);
	assert_int_equal(clReleaseProgram(copy), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* Compiled apart: the function that reads the image comes from a library. */
static void test_linked_images(void **state)
{
	struct fixture *f = *state;
	cl_program parts[2] = {
		create(f, "int4 f(read_only image2d_t i, sampler_t s, int2 p);\n"
			  "kernel void j(global int4 *o, read_only image2d_t i) {"
			  " o[0] = f(i, " SAMPLER ", (int2)(0)); }" ADDS),
		create(f, HELPER),
	};
	cl_int err = CL_SUCCESS;

	for (int i = 0; i < 2; i++)
		assert_int_equal(clCompileProgram(parts[i], 0, NULL, "", 0, NULL, NULL, NULL, NULL),
				 CL_SUCCESS);
	cl_program library = clLinkProgram(f->context, 0, NULL, "-create-library", 1, &parts[1],
					   NULL, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	const cl_program both[2] = {parts[0], library};
	cl_program program = clLinkProgram(f->context, 0, NULL, "", 2, both, NULL, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	expect_both(f, program);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(library), CL_SUCCESS);
	for (int i = 0; i < 2; i++)
		assert_int_equal(clReleaseProgram(parts[i]), CL_SUCCESS);
}

/* A function that is not there is no matter of images. */
static void test_undefined_function(void **state)
{
	struct fixture *f = *state;
	cl_program program = create(f, "int g(int);\nkernel void k(global int *o) { *o = g(1); }");

	assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL),
			 CL_BUILD_PROGRAM_FAILURE);
	expect_in_log(f, program, "<source>:1:5: error: undefined function 'g'");
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* ---- the current folder ---------------------------------------------------------------------- */

static void write_file(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void expect_found(struct fixture *f, const char *include, const char *options, int32_t found)
{
	char source[300];

	snprintf(source, sizeof(source),
		 "%s\nkernel void k(global int *o) { o[get_global_id(0)] = FOUND; }", include);
	cl_program program = create(f, source);
	cl_int err = clBuildProgram(program, 0, NULL, options, NULL, NULL);
	if (err != CL_SUCCESS)
		fail_msg("%s %s: %s", include, options, log_of(f, program));
	expect_works(f, program, "k", found);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* As if the source were a file of the folder: "..." looks there first, <...> last. */
static void test_current_folder(void **state)
{
	char folder[] = "/tmp/weft-current-XXXXXX", before[4096];
	static const char header[] = "#define FOUND 4\n";
	struct fixture *f = *state;

	assert_non_null(getcwd(before, sizeof(before)));
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	assert_int_equal(mkdir("sub", 0700), 0);
	write_file("here.h", "#define FOUND 1\n");
	write_file("sub/here.h", "#define FOUND 2\n");
	write_file("sub/next.h", "#include \"here.h\"\n");
	write_file("sub/up.h", "#include \"only.h\"\n");
	write_file("only.h", "#define FOUND 3\n");
	expect_found(f, "#include \"here.h\"", "", 1);
	expect_found(f, "#include \"./here.h\"", "", 1);
	expect_found(f, "#include <here.h>", "", 1);
	expect_found(f, "#include \"here.h\"", "-I sub", 1);
	expect_found(f, "#include <here.h>", "-I sub", 2);
	expect_found(f, "#include \"sub/here.h\"", "", 2);
	expect_found(f, "#include \"sub/next.h\"", "", 2);
	expect_found(f, "#include \"sub/up.h\"", "", 3);
	/* What is given with the source comes before. */
	cl_program program =
		create(f, "#include \"here.h\"\n"
			  "kernel void k(global int *o) { o[get_global_id(0)] = FOUND; }");
	cl_program given = create(f, header);
	const char *name = "here.h";
	assert_int_equal(clCompileProgram(program, 0, NULL, "", 1, &given, &name, NULL, NULL),
			 CL_SUCCESS);
	cl_program linked = clLinkProgram(f->context, 0, NULL, "", 1, &program, NULL, NULL, NULL);
	expect_works(f, linked, "k", 4);
	assert_int_equal(clReleaseProgram(linked), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(given), CL_SUCCESS);
	static const char *const files[] = {"here.h", "sub/here.h", "sub/next.h", "sub/up.h",
					    "only.h"};
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		assert_int_equal(unlink(files[i]), 0);
	assert_int_equal(rmdir("sub"), 0);
	assert_int_equal(chdir(before), 0);
	assert_int_equal(rmdir(folder), 0);
}

/* ---- options --------------------------------------------------------------------------------- */

static void CL_CALLBACK never(cl_program program, void *data)
{
	(void)program;
	(void)data;
	fail_msg("a build that did not begin has ended");
}

/* Each names its option, whichever call it was given to, and leaves what the program had. */
static void test_refused_options(void **state)
{
	static const char *const options[][2] = {
		{"-no-such-option", "'-no-such-option'"},
		{"-w -D", "'-D'"},
		{"-D 1x=2", "'-D 1x=2'"},
		{"-D a(b=2", "'-D a(b=2'"},
		{"-I", "'-I'"},
		{"-I \"open", "open'"},
		{"\"-w", "'-w'"},
		{"-cl-std=CL7.0", "'-cl-std=CL7.0'"},
		{"-create-library", "'-create-library'"},
		{"x.cl", "'x.cl'"},
		{"-O3", "'-O3'"},
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		const char *text = options[i][0], *named = options[i][1];
		cl_program program = create(f, ADDS);

		assert_int_equal(clBuildProgram(program, 0, NULL, text, NULL, NULL),
				 CL_INVALID_BUILD_OPTIONS);
		expect_in_log(f, program, named);
		assert_int_equal(status_of(f, program), CL_BUILD_ERROR);
		assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
		assert_int_equal(clBuildProgram(program, 0, NULL, text, never, NULL),
				 CL_INVALID_BUILD_OPTIONS);
		expect_in_log(f, program, named);
		assert_int_equal(
			clCompileProgram(program, 0, NULL, text, 0, NULL, NULL, NULL, NULL),
			CL_INVALID_COMPILER_OPTIONS);
		expect_in_log(f, program, named);
		/* What was built is still there. */
		assert_int_equal(status_of(f, program), CL_BUILD_SUCCESS);
		expect_works(f, program, "k", 7);
		assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, compiled_set_up, fixture_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_beside_images),  TEST(test_images),
		TEST(test_linked_images),  TEST(test_undefined_function),
		TEST(test_current_folder), TEST(test_refused_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
