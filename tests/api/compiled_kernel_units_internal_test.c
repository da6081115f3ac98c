/* SPDX-License-Identifier: MIT
 *
 * A program whose kernels are compiled when they are asked for, with the real compiler: which of them are, and that queries, binaries,
 * other threads, forks and other processes get what they would of a program that was compiled at once.
 */
#include "compiled_fixture.h"

#include "changed_options.h"
#include "node/edges.h"
#include "program/codegen_unit.h"
#include "program/program.h"
#include "remove_folder.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define KERNELS 8
#define ITEMS 64
#define GROUP 16

#define FOUR "x = fma(x, y, y); y = mad(y, x, 2.0f); x = fmin(x, y); y = fmax(x, 1.0f);"
/* Many calls, which take little time to compile. */
#define KERNEL(number, size)                                                                       \
	size "kernel void k" #number "(global float *d, float c)\n"                                \
	     "{\n"                                                                                 \
	     "	local float t[16];\n"                                                               \
	     "	float x = d[get_global_id(0)], y = c + " #number ";\n"                             \
	     "	t[get_local_id(0)] = x;\n"                                                          \
	     "	barrier(CLK_LOCAL_MEM_FENCE);\n"                                                    \
	     "	x += t[15 - get_local_id(0)];\n" FOUR FOUR FOUR FOUR FOUR                          \
	     "	d[get_global_id(0)] = x + y;\n"                                                     \
	     "}\n"

static const char source[] = KERNEL(0, "") KERNEL(1, "") KERNEL(2, "") KERNEL(3, "") KERNEL(4, "")
	KERNEL(5, "") KERNEL(6, "") KERNEL(7, "__attribute__((reqd_work_group_size(16, 1, 1))) ");

static char folder[] = "/tmp/weft-units-XXXXXX";

static int set_up(void **state)
{
	assert_non_null(mkdtemp(folder));
	setenv("WEFT_COMPILER", REAL_COMPILER, 1);
	setenv("WEFT_CACHE_DIR", folder, 1);
	setenv("WEFT_TIER", "quick", 1);
	return fixture_set_up(state);
}

static int tear_down(void **state)
{
	wait_until_others_sleep();
	remove_folder(folder);
	return fixture_tear_down(state);
}

/* No other test's, so that the cache has nothing of it. */
static cl_program program_new(struct fixture *f)
{
	static int number;
	char options[32];

	snprintf(options, sizeof(options), "-DNUMBER=%d", number++);
	return compiled_program(f->context, source, options);
}

/* ---- which are made -------------------------------------------------------------------------- */

/* There is no other handle to the program. */
static struct weft_deferred_codegen *codegen_of(cl_program program)
	WEFT_TSA(no_thread_safety_analysis)
{
	return program->builds[0].codegen;
}

static bool is_made(cl_program program, uint32_t kernel)
{
	return weft_edges_closed(
		&weft_deferred_codegen_unit(codegen_of(program), kernel)->node.waiters);
}

/* When nothing is being made. */
static uint32_t count_made(cl_program program)
{
	uint32_t count = 0;

	wait_until_others_sleep();
	for (uint32_t i = 0; i < KERNELS; i++)
		count += is_made(program, i);
	return count;
}

static cl_kernel kernel_of(cl_program program, int number)
{
	char name[4];

	snprintf(name, sizeof(name), "k%d", number);
	cl_kernel kernel = clCreateKernel(program, name, NULL);
	assert_non_null(kernel);
	return kernel;
}

/* Sets the arguments, launches the kernel and returns the sum of what it leaves. */
static double run_kernel(struct fixture *f, cl_kernel kernel)
{
	const size_t items = ITEMS, group = GROUP;
	const cl_float c = 0.5f;
	cl_float numbers[ITEMS];
	double sum = 0;

	for (int i = 0; i < ITEMS; i++)
		numbers[i] = (cl_float)i / 64;
	cl_mem mem = fixture_buffer(f, CL_MEM_COPY_HOST_PTR, sizeof(numbers), numbers);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(mem), &mem), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(c), &c), CL_SUCCESS);
	assert_int_equal(
		clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	fixture_read(f, mem, numbers, sizeof(numbers));
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	for (int i = 0; i < ITEMS; i++)
		sum += (double)numbers[i] * (i + 1);
	return sum;
}

static double run(struct fixture *f, cl_program program, int number)
{
	cl_kernel kernel = kernel_of(program, number);
	const double sum = run_kernel(f, kernel);

	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	return sum;
}

static void one_launch_makes_one(void **state)
{
	struct fixture *f = *state;
	cl_program program = program_new(f);

	assert_non_null(codegen_of(program));
	assert_int_equal(codegen_of(program)->archive.num_units, KERNELS);
	assert_int_equal(count_made(program), 0);
	assert_true(run(f, program, 3) != 0);
	assert_int_equal(count_made(program), 1);
	assert_true(is_made(program, 3));
	assert_true(run(f, program, 3) != 0);
	assert_int_equal(count_made(program), 1);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* From the third one on, as many are made ahead as have run, in the direction in which they are asked for. */
static void several_launches_make_more(void **state)
{
	struct fixture *f = *state;
	cl_program program = program_new(f);

	assert_true(run(f, program, 6) != 0);
	assert_true(run(f, program, 5) != 0);
	assert_int_equal(count_made(program), 2);
	assert_true(run(f, program, 4) != 0);
	assert_int_equal(count_made(program), 6);
	for (uint32_t i = 1; i <= 6; i++)
		assert_true(is_made(program, i));
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* ---- queries --------------------------------------------------------------------------------- */

static void expect_same_answers(struct fixture *f, cl_kernel a, cl_kernel b)
{
	static const cl_kernel_work_group_info params[] = {
		CL_KERNEL_WORK_GROUP_SIZE, CL_KERNEL_LOCAL_MEM_SIZE, CL_KERNEL_PRIVATE_MEM_SIZE,
		CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE};
	size_t sub_groups[2] = {0}, local = GROUP;

	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++) {
		cl_ulong values[2] = {0};

		for (int k = 0; k < 2; k++)
			assert_int_equal(clGetKernelWorkGroupInfo(k ? b : a, f->device, params[i],
								  sizeof(values[k]), &values[k],
								  NULL),
					 CL_SUCCESS);
		assert_int_equal(values[0], values[1]);
		assert_int_not_equal(values[0], 0);
	}
	for (int k = 0; k < 2; k++)
		assert_int_equal(clGetKernelSubGroupInfo(
					 k ? b : a, f->device,
					 CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof(local),
					 &local, sizeof(sub_groups[k]), &sub_groups[k], NULL),
				 CL_SUCCESS);
	assert_int_equal(sub_groups[0], sub_groups[1]);
}

/* What the source says is answered at once; the rest when the kernel has been compiled. */
static void queries_come_before_launches(void **state)
{
	struct fixture *f = *state;
	cl_program program = program_new(f);
	cl_program copy;
	cl_kernel kernels[KERNELS], whole;
	size_t sizes[3];
	char text[64];

	assert_int_equal(clCreateKernelsInProgram(program, KERNELS, kernels, NULL), CL_SUCCESS);
	assert_int_equal(
		clGetKernelInfo(kernels[7], CL_KERNEL_ATTRIBUTES, sizeof(text), text, NULL),
		CL_SUCCESS);
	assert_string_equal(text, "reqd_work_group_size(16,1,1)");
	assert_int_equal(clGetKernelWorkGroupInfo(kernels[7], f->device,
						  CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof(sizes),
						  sizes, NULL),
			 CL_SUCCESS);
	assert_int_equal(sizes[0], GROUP);
	assert_int_equal(count_made(program), 0);
	assert_int_equal(clGetKernelWorkGroupInfo(kernels[2], f->device, CL_KERNEL_LOCAL_MEM_SIZE,
						  sizeof(cl_ulong), sizes, NULL),
			 CL_SUCCESS);
	assert_int_equal(sizes[0], 16 * sizeof(cl_float));
	assert_int_equal(count_made(program), 1);
	copy = compiled_copy(f, program);
	assert_int_equal(count_made(program), KERNELS);
	for (int i = 0; i < KERNELS; i++) {
		whole = kernel_of(copy, i);
		expect_same_answers(f, kernels[i], whole);
		assert_true(run_kernel(f, kernels[i]) == run_kernel(f, whole));
		assert_int_equal(clReleaseKernel(whole), CL_SUCCESS);
		assert_int_equal(clReleaseKernel(kernels[i]), CL_SUCCESS);
	}
	assert_int_equal(clReleaseProgram(copy), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* ---- threads, processes ---------------------------------------------------------------------- */

struct thread {
	struct fixture *f;
	cl_program program;
	pthread_t id;
	int first;
	double sums[KERNELS];
};

static void *run_all(void *data)
{
	struct thread *thread = data;

	for (int i = 0; i < KERNELS; i++) {
		const int number = (thread->first + i) % KERNELS;
		thread->sums[number] = run(thread->f, thread->program, number);
	}
	return NULL;
}

static void threads_ask_at_once(void **state)
{
	struct fixture *f = *state;
	struct thread threads[3];
	cl_program program = program_new(f);

	for (int t = 0; t < 3; t++) {
		threads[t] = (struct thread){.f = f, .program = program, .first = 3 * t};
		assert_int_equal(pthread_create(&threads[t].id, NULL, run_all, &threads[t]), 0);
	}
	for (int t = 0; t < 3; t++) {
		pthread_join(threads[t].id, NULL);
		assert_memory_equal(threads[t].sums, threads[0].sums, sizeof(threads[0].sums));
	}
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

#if !defined(__SANITIZE_THREAD__)
/* A child has the program as it was, and compiles what its parent has not. */
static void a_child_compiles(void **state)
{
	struct fixture *f = *state;
	cl_program program = program_new(f);
	int status;

	const double made = run(f, program, 1);
	const pid_t child = fork();
	if (child == 0) {
		const double sum = run(f, program, 2);
		_exit(run(f, program, 1) == made && run(f, program, 2) == sum ? 0 : 1);
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(count_made(program), 1);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}
#endif

/* ---- binaries -------------------------------------------------------------------------------- */

struct binary {
	unsigned char *bytes;
	size_t size;
};

static struct binary binary_of(cl_program program)
{
	struct binary binary;

	assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size_t),
					  &binary.size, NULL),
			 CL_SUCCESS);
	binary.bytes = malloc(binary.size);
	assert_non_null(binary.bytes);
	assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary.bytes),
					  &binary.bytes, NULL),
			 CL_SUCCESS);
	return binary;
}

static void expect_same_binary(struct binary binary, cl_program program)
{
	struct binary other = binary_of(program);

	assert_int_equal(binary.size, other.size);
	assert_memory_equal(binary.bytes, other.bytes, binary.size);
	free(other.bytes);
}

static cl_program program_of(struct fixture *f, struct binary binary)
{
	const unsigned char *bytes = binary.bytes;
	cl_int err;

	cl_program program = clCreateProgramWithBinary(f->context, 1, &f->device, &binary.size,
						       &bytes, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
	return program;
}

static void expect_sums(struct fixture *f, cl_program program, const double sums[KERNELS])
{
	for (int i = 0; i < KERNELS; i++)
		assert_true(run(f, program, i) == sums[i]);
}

static void empty_cache(void)
{
	char command[64];

	wait_until_others_sleep();
	snprintf(command, sizeof(command), "rm -rf '%s'/*", folder);
	assert_int_equal(system(command), 0);
}

/* A binary needs no code, and stays as it is when there is some. Who brings it finds the code in the cache, or makes it. */
static void binaries_come_before_code(void **state)
{
	struct fixture *f = *state;
	cl_program program = program_new(f);
	double sums[KERNELS];

	struct binary binary = binary_of(program);
	assert_true(atomic_load(&codegen_of(program)->answer)->is_archive);
	assert_null(memmem(binary.bytes, binary.size, "mad(y, x", strlen("mad(y, x")));
	assert_int_equal(count_made(program), KERNELS); /* in time */
	for (int i = 0; i < KERNELS; i++)
		sums[i] = run(f, program, i);
	expect_same_binary(binary, program);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);

	program = program_of(f, binary);
	assert_null(codegen_of(program));
	expect_sums(f, program, sums);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);

	empty_cache();
	program = program_of(f, binary);
	assert_non_null(codegen_of(program));
	expect_same_binary(binary, program);
	expect_sums(f, program, sums);
	expect_same_binary(binary, program);
	assert_int_equal(count_made(program), KERNELS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	program = program_of(f, binary);
	assert_null(codegen_of(program));
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	free(binary.bytes);
}

static void expect_binary_with_code(struct fixture *f, cl_program program, struct binary binary)
{
	assert_int_equal(count_made(program), KERNELS);
	assert_false(atomic_load(&codegen_of(program)->answer)->is_archive);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	program = program_of(f, binary);
	assert_null(codegen_of(program));
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	free(binary.bytes);
}

/* Without the cache, or with too small a one, there is no other place for the code. */
static void binaries_have_code_where_no_cache_has_it(void **state)
{
	struct fixture *f = *state;
	const uint64_t size = weft_options()->cache_size;
	cl_program programs[] = {program_new(f), program_new(f)};
	struct binary binaries[2];

	changeable_options()->cache = false;
	binaries[0] = binary_of(programs[0]);
	changeable_options()->cache = true;
	changeable_options()->cache_size = 1000;
	binaries[1] = binary_of(programs[1]);
	changeable_options()->cache_size = size;
	for (int i = 0; i < 2; i++)
		expect_binary_with_code(f, programs[i], binaries[i]);
}

static void damaged_binaries_are_refused(void **state)
{
	struct fixture *f = *state;
	cl_program program = program_new(f);

	struct binary binary = binary_of(program);
	const unsigned char *bytes = binary.bytes;
	for (size_t at = 0; at < binary.size; at += binary.size / 100) {
		cl_int err = CL_SUCCESS, status = CL_SUCCESS;

		binary.bytes[at] ^= 4;
		assert_null(clCreateProgramWithBinary(f->context, 1, &f->device, &binary.size,
						      &bytes, &status, &err));
		assert_int_equal(err, CL_INVALID_BINARY);
		assert_int_equal(status, CL_INVALID_BINARY);
		binary.bytes[at] ^= 4;
	}
	free(binary.bytes);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

#if !defined(__SANITIZE_THREAD__)
static cl_program left_at_exit;

static uint32_t count_made_so_far(cl_program program)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < KERNELS; i++)
		count += is_made(program, i);
	return count;
}

/* Runs when the exit has waited for what it waits for. */
static void look_at_exit(void)
{
	if (left_at_exit) {
		const uint32_t before = count_made_so_far(left_at_exit);
		_exit(count_made(left_at_exit) - before > 1);
	}
}

/* What no one waits for comes to an end, but for a unit that was about to begin. */
static void exits_end_work_at_leisure(void **state)
{
	struct fixture *f = *state;
	int status;

	const pid_t child = fork();
	if (child == 0) {
		left_at_exit = compiled_program(f->context, source, "-DLEFT");
		free(binary_of(left_at_exit).bytes);
		exit(0);
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}
#endif

/* ---- the cache ------------------------------------------------------------------------------- */

static long count_files(void)
{
	char command[96], line[16] = "";

	snprintf(command, sizeof(command), "find '%s' -type f | wc -l", folder);
	FILE *pipe = popen(command, "r");
	assert_non_null(pipe);
	assert_non_null(fgets(line, sizeof(line), pipe));
	pclose(pipe);
	return strtol(line, NULL, 10);
}

/* The program and one of its kernels; and then all of them, as one. */
static void the_cache_has_what_was_made(void **state)
{
	struct fixture *f = *state;
	double sums[KERNELS];

	wait_until_others_sleep(); /* for what other tests have dropped */
	for (int i = 0; i < 2; i++) {
		const long files = count_files();
		cl_program program = compiled_program(f->context, source, "-DCACHED");
		sums[i] = run(f, program, 5);
		assert_int_equal(count_made(program), 1);
		assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
		assert_int_equal(count_files() - files, i == 0 ? 2 : 0);
	}
	assert_true(sums[0] == sums[1]);
	cl_program program = compiled_program(f->context, source, "-DCACHED");
	for (int i = 0; i < KERNELS; i++)
		sums[i] = run(f, program, i);
	assert_int_equal(count_made(program), KERNELS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	program = compiled_program(f->context, source, "-DCACHED");
	assert_null(codegen_of(program));
	for (int i = 0; i < KERNELS; i++)
		assert_true(run(f, program, i) == sums[i]);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_launch_makes_one),
		cmocka_unit_test(several_launches_make_more),
		cmocka_unit_test(queries_come_before_launches),
		cmocka_unit_test(threads_ask_at_once),
#if !defined(__SANITIZE_THREAD__) /* which allows no threads in a child */
		cmocka_unit_test(a_child_compiles),
		cmocka_unit_test(exits_end_work_at_leisure),
#endif
		cmocka_unit_test(the_cache_has_what_was_made),
		cmocka_unit_test(binaries_come_before_code),
		cmocka_unit_test(binaries_have_code_where_no_cache_has_it),
		cmocka_unit_test(damaged_binaries_are_refused),
	};

#if !defined(__SANITIZE_THREAD__)
	/* Before the compiler's library is opened, which asks for the exit too: what comes last runs first. */
	if (atexit(look_at_exit) != 0)
		return 1;
#endif
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
