/* SPDX-License-Identifier: MIT
 *
 * Objects of C++ for OpenCL at program scope: constructed once for each device and each built program, before its kernels, destroyed
 * with it; and what queries say of the language.
 */
#include "compiled_fixture.h"

#include <CL/cl_ext.h>

#include <stdio.h>
#include <unistd.h>

/* Each G holds a number; the newest is `last`. */
static const char declarations[] =
	"extern global int last;\n"
	"struct G { int a; G(int x) : a(x) { last = last * 10 + x; } };\n";
static const char first[] = "global int last = 0; G g(1);\n"
			    "kernel void k(global int *p) { *p = last; last += 1000; }\n";
static const char second[] = "G h(2);\n";
static const char destroyed[] =
	"struct D { int a; D(int x) : a(x) {} ~D() { printf(\"%d\", a); } };\n"
	"D a(1); D b[2] = {D(2), D(3)};\n"
	"kernel void k(global int *p) { static D c(4); if (*p) { static D d(5); } *p = a.a + c.a; "
	"}\n";

static cl_int run(const struct fixture *f, cl_program program)
{
	cl_kernel kernel = clCreateKernel(program, "k", NULL);
	cl_int value = 0;
	cl_mem out = clCreateBuffer(f->context, CL_MEM_COPY_HOST_PTR, sizeof(value), &value, NULL);
	cl_command_queue queue =
		clCreateCommandQueueWithProperties(f->context, f->device, NULL, NULL);

	assert_non_null(kernel);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(out), &out), CL_SUCCESS);
	assert_int_equal(clEnqueueTask(queue, kernel, 0, NULL, NULL), CL_SUCCESS);
	assert_int_equal(
		clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof(value), &value, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(out), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	return value;
}

static cl_bool has(cl_program program, cl_program_info what)
{
	cl_bool answer = 7;

	assert_int_equal(clGetProgramInfo(program, what, sizeof(answer), &answer, NULL),
			 CL_SUCCESS);
	return answer;
}

static cl_program compiled(const struct fixture *f, const char *source)
{
	const char *texts[] = {declarations, source};
	cl_program program = clCreateProgramWithSource(f->context, 2, texts, NULL, NULL);

	assert_non_null(program);
	assert_int_equal(
		clCompileProgram(program, 0, NULL, "-cl-std=CLC++", 0, NULL, NULL, NULL, NULL),
		CL_SUCCESS);
	return program;
}

static void objects_are_constructed_once_in_their_order(void **state)
{
	struct fixture *f = *state;
	const cl_program parts[] = {compiled(f, first), compiled(f, second)};
	cl_program program = clLinkProgram(f->context, 0, NULL, NULL, 2, parts, NULL, NULL, NULL);
	size_t count = 0;

	assert_non_null(program);
	assert_int_equal(run(f, program), 12);
	assert_int_equal(run(f, program), 1012);
	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof(count), &count, NULL),
		CL_SUCCESS);
	assert_int_equal(count, 1); /* what constructs them is no kernel of the program's */
	assert_true(has(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT));
	assert_false(has(program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT));
	cl_program copy = compiled_copy(f, program);
	assert_int_equal(run(f, copy), 12); /* its own objects */
	assert_int_equal(clReleaseProgram(copy), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(parts[0]), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(parts[1]), CL_SUCCESS);
}

/* "called after destructors": what the program prints is there before. */
static void CL_CALLBACK note_release(cl_program program, void *user_data)
{
	(void)program;
	printf("%s", (const char *)user_data);
}

/* Standard output goes to a file until the program is gone. */
static void objects_are_destroyed_the_last_first(void **state)
{
	struct fixture *f = *state;
	cl_program program = compiled_program(f->context, destroyed, "-cl-std=CLC++");
	FILE *file = tmpfile();
	char text[16] = "";

	assert_true(has(program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT));
	assert_int_equal(clSetProgramReleaseCallback(program, note_release, "a"), CL_SUCCESS);
	assert_int_equal(clSetProgramReleaseCallback(program, note_release, "b"), CL_SUCCESS);
	assert_int_equal(run(f, program), 5);
	fflush(stdout);
	int kept = dup(STDOUT_FILENO);
	assert_true(file && kept >= 0 && dup2(fileno(file), STDOUT_FILENO) >= 0);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	fflush(stdout);
	assert_true(dup2(kept, STDOUT_FILENO) >= 0);
	close(kept);
	rewind(file);
	assert_non_null(fgets(text, sizeof(text), file));
	assert_string_equal(text, "4321ba");
	fclose(file);
}

static void the_device_says_what_the_compiler_does(void **state)
{
	struct fixture *f = *state;
	cl_program program = compiled_program(
		f->context, "kernel void k(global int *p) { *p = __OPENCL_CPP_VERSION__; }",
		"-cl-std=CLC++");
	cl_version version = 0;
	char names[8192];

	assert_int_equal(clGetDeviceInfo(f->device, CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT,
					 sizeof(version), &version, NULL),
			 CL_SUCCESS);
	assert_int_equal(version, CL_MAKE_VERSION(1, 0, 0));
	assert_int_equal(run(f, program), 100);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	assert_int_equal(
		clGetDeviceInfo(f->device, CL_DEVICE_EXTENSIONS, sizeof(names), names, NULL),
		CL_SUCCESS);
	assert_non_null(strstr(names, "cl_ext_cxx_for_opencl"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(objects_are_constructed_once_in_their_order),
		cmocka_unit_test(objects_are_destroyed_the_last_first),
		cmocka_unit_test(the_device_says_what_the_compiler_does),
	};

	return cmocka_run_group_tests(tests, compiled_set_up, fixture_tear_down);
}
