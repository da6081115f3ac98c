/* SPDX-License-Identifier: MIT
 *
 * A program whose kernels are in the cache never loads the compiler: shown by the memory maps of fresh processes,
 * with the real compiler.
 */
#include "fixture.h"

#include "child.h"
#include "mapped.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static const char source[] = "kernel void scale(global int *numbers)\n"
			     "{\n"
			     "\tnumbers[get_global_id(0)] *= 7;\n"
			     "}\n";

/* From source, or by compiling and linking. */
static cl_program make_program(struct fixture *f, bool separately)
{
	const char *text = source;
	cl_program program = clCreateProgramWithSource(f->context, 1, &text, NULL, NULL);

	if (!separately)
		return clBuildProgram(program, 0, NULL, "", NULL, NULL) == CL_SUCCESS ? program
										      : NULL;
	if (clCompileProgram(program, 0, NULL, "", 0, NULL, NULL, NULL, NULL) != CL_SUCCESS)
		return NULL;
	cl_program linked = clLinkProgram(f->context, 0, NULL, "", 1, &program, NULL, NULL, NULL);
	clReleaseProgram(program);
	return linked;
}

static bool run(struct fixture *f, bool separately)
{
	cl_int numbers[64];
	const size_t global = 64;
	bool right = true;

	for (int i = 0; i < 64; i++)
		numbers[i] = i;
	cl_program program = make_program(f, separately);
	if (!program)
		return false;
	cl_kernel kernel = clCreateKernel(program, "scale", NULL);
	cl_mem mem = fixture_buffer(f, CL_MEM_COPY_HOST_PTR, sizeof(numbers), numbers);
	clSetKernelArg(kernel, 0, sizeof(mem), &mem);
	clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
	fixture_read(f, mem, numbers, sizeof(numbers));
	for (int i = 0; i < 64; i++)
		right = right && numbers[i] == 7 * i;
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	return right;
}

/* In a fresh process; its exit status is 1 when the compiler was loaded, 0 when not. */
static int fresh_process(bool separately)
{
	void *state;

	fixture_set_up(&state);
	if (is_mapped("libweft-compiler") || !run(state, separately) || is_mapped("libLLVM"))
		return 2;
	int loaded = is_mapped("libweft-compiler");
	fixture_tear_down(&state);
	return loaded;
}

static int start(const char *role)
{
	int status = -1;
	pid_t child = fork_limited();

	if (child == 0) {
		execl("/proc/self/exe", "cached_start_test", role, (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void check(const char *role)
{
	char folder[] = "/tmp/weft-cached-start-XXXXXX";
	char command[64];

	assert_non_null(mkdtemp(folder));
	setenv("WEFT_CACHE_DIR", folder, 1);
	assert_int_equal(start(role), 1);
	assert_int_equal(start(role), 0);
	assert_int_equal(start(role), 0);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	assert_int_equal(system(command), 0);
}

static void test_build(void **state)
{
	(void)state;
	check("build");
}

static void test_link(void **state)
{
	(void)state;
	check("link");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_build),
		cmocka_unit_test(test_link),
	};

	if (argc == 2)
		return fresh_process(strcmp(argv[1], "link") == 0);
	setenv("WEFT_COMPILER", REAL_COMPILER, 1);
	unsetenv("WEFT_CACHE");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
