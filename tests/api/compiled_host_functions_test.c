/* SPDX-License-Identifier: MIT
 *
 * Functions of the application that kernels call (cl_weft_host_function): arguments and results of all kinds, divergent calls, calls
 * through pointers, and every error.
 */
#include "compiled_fixture.h"

#include "weft/host_function.h"

#include <stdatomic.h>

enum { COUNT = 200 };

#define HOST "__attribute__((annotate(\"weft_host\"))) "

static const char *const source =
	"#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable\n"
	"#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" HOST "int add(int a, int b);\n" HOST
	"void note(long n, char c);\n"
	"struct pair { int a; double b; };\n" HOST
	"float4 mix_all(char c, float3 v, struct pair s, half h, double2 d);\n" HOST
	"short fail_at(int i);\n" HOST "int count(global int *p);\n"
	"kernel void sums(global int *p) { int i = get_global_id(0);\n"
	"  if (i % 3) p[i] = add(i, 5); else p[i] = -add(add(i, i), 1); }\n"
	"kernel void notes(global int *p) { note(get_global_id(0), 'x'); }\n"
	"kernel void kinds(global float4 *p) { int i = get_global_id(0);\n"
	"  struct pair s = {i, 0.5}; p[i] = mix_all(3, (float3)(i, 2, 4), s, 1.5h, (double2)(i, "
	"8)); }\n"
	"kernel void fails(global int *p) { int i = get_global_id(0); p[i] = fail_at(i); }\n"
	"kernel void counts(global int *p) { p[get_global_id(0)] = 1; "
	"barrier(CLK_GLOBAL_MEM_FENCE);\n"
	"  if (get_local_id(0) == 0) p[0] = count(p); }\n"
	"int own(int a, int b) { return a - b; }\n"
	"kernel void indirect(global int *p) { int i = get_global_id(0);\n"
	"  int (*f)(int, int) = p[i] & 1 ? add : own; p[i] = f(i, 2); }\n";

static clSetHostFunctionWEFT_fn set_function;
static char reported[256];

/* That a command has failed is reported later, by another thread. */
static void CL_CALLBACK report(const char *message, const void *info, size_t size, void *data)
{
	(void)info;
	(void)size;
	(void)data;
	if (strstr(message, "host function"))
		strncpy(reported, message, sizeof(reported) - 1);
}

static cl_int CL_CALLBACK add(void *data, const void *args, void *result)
{
	const cl_int *numbers = args;

	atomic_fetch_add((atomic_int *)data, 1);
	*(cl_int *)result = numbers[0] + numbers[1];
	return CL_SUCCESS;
}

struct notes {
	cl_char last;
	_Atomic cl_long sum;
};

static cl_int CL_CALLBACK note(void *data, const void *args, void *result)
{
	const struct {
		cl_long n;
		cl_char c;
	} *given = args;
	struct notes *notes = data;

	(void)result;
	assert_int_equal(given->c, 'x');
	atomic_fetch_add(&notes->sum, given->n);
	return CL_SUCCESS;
}

struct pair {
	cl_int a;
	cl_double b;
};

static cl_int CL_CALLBACK mix_all(void *data, const void *args, void *result)
{
	const struct {
		cl_char c;
		cl_float3 v;
		struct pair s;
		cl_half h;
		cl_double2 d;
	} *given = args;
	cl_float4 *mixed = result;

	(void)data;
	mixed->s[0] = given->v.s[0] + given->v.s[1] + given->v.s[2] + (float)given->c;
	mixed->s[1] = (float)given->s.a + (float)given->s.b;
	mixed->s[2] = given->h == 0x3e00 ? 1 : 0;
	mixed->s[3] = (float)(given->d.s[0] + given->d.s[1]);
	return CL_SUCCESS;
}

static cl_int CL_CALLBACK fail_at(void *data, const void *args, void *result)
{
	*(cl_short *)result = 3;
	return *(const cl_int *)args == *(cl_int *)data ? -1234 : CL_SUCCESS;
}

static cl_int CL_CALLBACK count(void *data, const void *args, void *result)
{
	const cl_int *place = *(cl_int *const *)args;
	cl_int sum = 0;

	for (int i = 0; i < *(cl_int *)data; i++)
		sum += place[i];
	*(cl_int *)result = sum;
	return CL_SUCCESS;
}

struct world {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
};

static int set_up(void **state)
{
	static struct world world;
	cl_platform_id platform;

	compiled_options();
	assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
	set_function = (clSetHostFunctionWEFT_fn)clGetExtensionFunctionAddressForPlatform(
		platform, "clSetHostFunctionWEFT");
	assert_non_null(set_function);
	assert_int_equal(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &world.device, NULL),
			 CL_SUCCESS);
	world.context = clCreateContext(NULL, 1, &world.device, report, NULL, NULL);
	assert_non_null(world.context);
	world.queue = fixture_queue(world.context, world.device, 0);
	world.program = compiled_program(world.context, source, "-cl-std=CL3.0");
	*state = &world;
	return 0;
}

static int tear_down(void **state)
{
	struct world *w = *state;

	assert_int_equal(clReleaseProgram(w->program), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(w->queue), CL_SUCCESS);
	return clReleaseContext(w->context) != CL_SUCCESS;
}

#define SET(w, called, data, result, ...)                                                          \
	do {                                                                                       \
		const size_t sizes[] = {__VA_ARGS__};                                              \
		const cl_host_function_desc_weft desc = {                                          \
			#called, called, data, result, sizeof(sizes) / sizeof(*sizes), sizes};     \
		assert_int_equal(set_function((w)->context, &desc), CL_SUCCESS);                   \
	} while (0)

static cl_mem new_buffer(const struct world *w, size_t size)
{
	cl_mem mem = fixture_buffer_in(w->context, CL_MEM_READ_WRITE, size, NULL);
	const cl_int zero = 0;

	assert_int_equal(
		clEnqueueFillBuffer(w->queue, mem, &zero, sizeof(zero), 0, size, 0, NULL, NULL),
		CL_SUCCESS);
	return mem;
}

/* The error of the enqueue, or the command's status. */
static cl_int run(const struct world *w, const char *name, cl_mem mem)
{
	const size_t global = COUNT, local = 8;
	cl_kernel kernel = clCreateKernel(w->program, name, NULL);
	cl_event event;
	cl_int status;

	assert_non_null(kernel);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(mem), &mem), CL_SUCCESS);
	cl_int err =
		clEnqueueNDRangeKernel(w->queue, kernel, 1, NULL, &global, &local, 0, NULL, &event);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	if (err != CL_SUCCESS)
		return err;
	assert_int_equal(clFinish(w->queue), CL_SUCCESS);
	assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
					&status, NULL),
			 CL_SUCCESS);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	return status;
}

static void read_and_release(const struct world *w, cl_mem mem, void *to, size_t size)
{
	assert_int_equal(clEnqueueReadBuffer(w->queue, mem, CL_TRUE, 0, size, to, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

static void work_items_call_functions(void **state)
{
	struct world *w = *state;
	atomic_int calls = 0;
	struct notes notes = {0, 0};
	cl_int numbers[COUNT];

	SET(w, add, &calls, 4, 4, 4);
	SET(w, note, &notes, 0, 8, 1);
	cl_mem mem = new_buffer(w, sizeof(numbers));
	assert_int_equal(run(w, "sums", mem), CL_COMPLETE);
	read_and_release(w, mem, numbers, sizeof(numbers));
	for (int i = 0; i < COUNT; i++)
		assert_int_equal(numbers[i], i % 3 ? i + 5 : -(2 * i + 1));
	assert_int_equal(calls, COUNT + (COUNT + 2) / 3);
	mem = new_buffer(w, sizeof(numbers));
	assert_int_equal(run(w, "notes", mem), CL_COMPLETE);
	assert_int_equal(notes.sum, COUNT * (COUNT - 1) / 2);
	assert_int_equal(run(w, "indirect", mem), CL_COMPLETE);
	read_and_release(w, mem, numbers, sizeof(numbers));
	for (int i = 0; i < COUNT; i++)
		assert_int_equal(numbers[i], i - 2);
}

static void arguments_of_all_kinds(void **state)
{
	struct world *w = *state;
	cl_float4 results[COUNT];

	SET(w, mix_all, NULL, 16, 1, 16, sizeof(struct pair), 2, 16);
	cl_mem mem = new_buffer(w, sizeof(results));
	assert_int_equal(run(w, "kinds", mem), CL_COMPLETE);
	read_and_release(w, mem, results, sizeof(results));
	for (int i = 0; i < COUNT; i++) {
		const float expected[] = {(float)i + 9, (float)i + 0.5f, 1, (float)i + 8};
		assert_memory_equal(results[i].s, expected, sizeof(expected));
	}
}

/* What work-items stored before is there. */
static void a_pointer_leads_to_memory(void **state)
{
	struct world *w = *state;
	cl_int most = 8, numbers[COUNT];

	SET(w, count, &most, 4, 8);
	cl_mem mem = new_buffer(w, sizeof(numbers));
	assert_int_equal(run(w, "counts", mem), CL_COMPLETE);
	read_and_release(w, mem, numbers, sizeof(numbers));
	assert_true(numbers[0] >= 8);
}

static void a_function_that_fails_fails_the_command(void **state)
{
	struct world *w = *state;
	cl_int at = 9, numbers[COUNT];
	SET(w, fail_at, &at, 2, 4);
	cl_mem mem = new_buffer(w, sizeof(numbers));
	reported[0] = 0;
	assert_int_equal(run(w, "fails", mem), CL_INVALID_OPERATION);
	assert_non_null(strstr(reported, "-1234"));
	at = -1;
	assert_int_equal(run(w, "fails", mem), CL_COMPLETE);
	read_and_release(w, mem, numbers, sizeof(numbers));
	for (int i = 0; i < COUNT; i++)
		assert_int_equal(numbers[i], 3);
}

static void what_is_not_registered_is_not_enqueued(void **state)
{
	struct world *w = *state;
	const cl_host_function_desc_weft none = {.name = "add"};
	atomic_int calls = 0;
	cl_mem mem = new_buffer(w, COUNT * sizeof(cl_int));

	SET(w, add, &calls, 4, 4, 8);
	assert_int_equal(run(w, "sums", mem), CL_INVALID_KERNEL);
	assert_non_null(strstr(reported, "'add' is registered with other sizes"));
	assert_int_equal(set_function(w->context, &none), CL_SUCCESS);
	assert_int_equal(set_function(w->context, &none), CL_SUCCESS);
	assert_int_equal(run(w, "sums", mem), CL_INVALID_KERNEL);
	assert_non_null(strstr(reported, "'add' is not registered"));
	SET(w, add, &calls, 4, 4, 4);
	assert_int_equal(run(w, "sums", mem), CL_COMPLETE);
	assert_true(calls > 0);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

/* A function that goes before the command runs. */
static void what_is_gone_fails_the_command(void **state)
{
	struct world *w = *state;
	const cl_host_function_desc_weft none = {.name = "add"};
	const size_t global = COUNT;
	atomic_int calls = 0;
	cl_int status;
	cl_mem mem = new_buffer(w, COUNT * sizeof(cl_int));
	cl_event gate = clCreateUserEvent(w->context, NULL), event;
	cl_kernel kernel = clCreateKernel(w->program, "sums", NULL);

	SET(w, add, &calls, 4, 4, 4);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(mem), &mem), CL_SUCCESS);
	assert_int_equal(
		clEnqueueNDRangeKernel(w->queue, kernel, 1, NULL, &global, NULL, 1, &gate, &event),
		CL_SUCCESS);
	assert_int_equal(set_function(w->context, &none), CL_SUCCESS);
	assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(clFinish(w->queue), CL_SUCCESS);
	assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
					&status, NULL),
			 CL_SUCCESS);
	assert_int_equal(status, CL_INVALID_OPERATION);
	assert_int_equal(calls, 0);
	fixture_release_events((const cl_event[]){gate, event, NULL});
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

static void wrong_descriptions_are_refused(void **state)
{
	struct world *w = *state;
	const size_t size = 4, large = 65536;
	char names[8192] = "";
	const cl_host_function_desc_weft wrong[] = {
		{NULL, add, NULL, 4, 1, &size},      {"", add, NULL, 4, 1, &size},
		{"add", add, NULL, 65536, 1, &size}, {"add", add, NULL, 4, 1, NULL},
		{"add", add, NULL, 4, 0, &size},     {"add", add, NULL, 4, 256, &size},
		{"add", add, NULL, 4, 1, &large},
	};

	assert_int_equal(
		clGetDeviceInfo(w->device, CL_DEVICE_EXTENSIONS, sizeof(names), names, NULL),
		CL_SUCCESS);
	assert_non_null(strstr(names, CL_WEFT_HOST_FUNCTION_EXTENSION_NAME));
	assert_int_equal(set_function(NULL, &wrong[0]), CL_INVALID_CONTEXT);
	assert_int_equal(set_function(w->context, NULL), CL_INVALID_VALUE);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_int_equal(set_function(w->context, &wrong[i]), CL_INVALID_VALUE);
}

/* A constructor may not call, either. The log says what is wrong. */
static void what_cannot_be_called_is_refused(void **state)
{
	static const struct {
		const char *source, *options;
		cl_int err;
		const char *said;
	} wrong[] = {
		{HOST "int f(local int *p); kernel void k(local int *p) { *p = f(p); }",
		 "-cl-std=CL3.0", CL_BUILD_PROGRAM_FAILURE, "'f'"},
		{HOST "struct s { int a[9]; } f(int i); kernel void k(global int *p) { *p = "
		      "f(1).a[0]; }",
		 "-cl-std=CL3.0", CL_BUILD_PROGRAM_FAILURE, "'f'"},
		{HOST
		 "int f(image2d_t i); kernel void k(global int *p, image2d_t i) { *p = f(i); }",
		 "-cl-std=CL3.0", CL_BUILD_PROGRAM_FAILURE, "'f'"},
		{"int f(int i); kernel void k(global int *p) { *p = f(1); }", "-cl-std=CL3.0",
		 CL_BUILD_PROGRAM_FAILURE, "'f'"},
		{HOST "int f(int i); struct S { int n; S() : n(f(3)) {} } s;\n"
		      "kernel void k(global int *p) { *p = s.n; }",
		 "-cl-std=CLC++2021", CL_INVALID_OPERATION, "a constructor"},
	};
	struct world *w = *state;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		cl_program program = clCreateProgramWithSource(
			w->context, 1, (const char **)&wrong[i].source, NULL, NULL);
		char log[1024] = "";

		assert_int_equal(clBuildProgram(program, 0, NULL, wrong[i].options, NULL, NULL),
				 wrong[i].err);
		assert_int_equal(clGetProgramBuildInfo(program, w->device, CL_PROGRAM_BUILD_LOG,
						       sizeof(log), log, NULL),
				 CL_SUCCESS);
		assert_non_null(strstr(log, wrong[i].said));
		assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	}
}

static cl_int CL_CALLBACK take_all(void *data, const void *args, void *result)
{
	const struct {
		cl_uchar b;
		cl_int large[2000];
		cl_int last;
	} *given = args;

	(void)data;
	*(cl_uchar *)result = given->b == 1 && given->large[0] == 1 && given->large[1999] == 7 &&
			      given->last % 2 == 0;
	return CL_SUCCESS;
}

/* A bool is a byte; structures may be large, or empty. */
static void bools_and_structures_of_all_sizes(void **state)
{
	struct world *w = *state;
	cl_int numbers[COUNT];
	const struct world other = {
		w->device, w->context, w->queue,
		compiled_program(w->context,
				 "struct none {}; struct large { int a[2000]; };\n" HOST
				 "bool take_all(bool b, struct none n, struct large s, int i);\n"
				 "kernel void k(global int *p) { int i = get_global_id(0);\n"
				 "  struct none n; struct large s; s.a[0] = 1; s.a[1999] = 7;\n"
				 "  p[i] = take_all(i >= 3, n, s, i) ? 5 : 6; }",
				 "-cl-std=CL3.0")};

	SET(w, take_all, NULL, 1, 1, 0, 8000, 4);
	cl_mem mem = new_buffer(w, sizeof(numbers));
	assert_int_equal(run(&other, "k", mem), CL_COMPLETE);
	read_and_release(w, mem, numbers, sizeof(numbers));
	for (int i = 0; i < COUNT; i++)
		assert_int_equal(numbers[i], i >= 3 && i % 2 == 0 ? 5 : 6);
	assert_int_equal(clReleaseProgram(other.program), CL_SUCCESS);
}

static cl_int CL_CALLBACK twice(void *data, const void *args, void *result)
{
	(void)data;
	*(cl_int *)result = 2 * *(const cl_int *)args;
	return CL_SUCCESS;
}

/* What work-item 4 stores with the function as `name`. */
static void calls_twice(const struct world *w, cl_program program, const char *name)
{
	const size_t size = 4;
	const cl_host_function_desc_weft desc = {name, twice, NULL, 4, 1, &size};
	const struct world other = {w->device, w->context, w->queue, program};
	cl_int numbers[COUNT];

	assert_int_equal(set_function(w->context, &desc), CL_SUCCESS);
	cl_mem mem = new_buffer(w, sizeof(numbers));
	assert_int_equal(run(&other, "k", mem), CL_COMPLETE);
	read_and_release(w, mem, numbers, sizeof(numbers));
	assert_int_equal(numbers[4], 8);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

static void names_may_have_spaces(void **state)
{
	static const char *const text = "namespace { " HOST "int f(int i); }\n"
					"kernel void k(global int *p) { int i = get_global_id(0); "
					"p[i] = f(i); }";
	struct world *w = *state;

	calls_twice(w, compiled_program(w->context, text, "-cl-std=CLC++2021"),
		    "(anonymous namespace)::f");
}

/* One of two objects says that the function is the host's. */
static void linked_objects_call_functions(void **state)
{
	static const char *const sources[] = {
		"int f(int i); kernel void k(global int *p) { int i = get_global_id(0); p[i] = "
		"f(i); }",
		HOST "int f(int i); kernel void other(global int *p) { *p = f(1); }"};
	struct world *w = *state;
	cl_program objects[3];

	for (int i = 0; i < 2; i++) {
		objects[i] = clCreateProgramWithSource(w->context, 1, (const char **)&sources[i],
						       NULL, NULL);
		assert_int_equal(
			clCompileProgram(objects[i], 0, NULL, "", 0, NULL, NULL, NULL, NULL),
			CL_SUCCESS);
	}
	objects[2] = objects[0];
	for (int i = 0; i < 2; i++) {
		cl_program program =
			clLinkProgram(w->context, 0, NULL, "", 2, &objects[i], NULL, NULL, NULL);
		assert_non_null(program);
		calls_twice(w, program, "f");
	}
	assert_int_equal(clReleaseProgram(objects[0]), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(objects[1]), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_items_call_functions),
		cmocka_unit_test(arguments_of_all_kinds),
		cmocka_unit_test(a_pointer_leads_to_memory),
		cmocka_unit_test(a_function_that_fails_fails_the_command),
		cmocka_unit_test(what_is_not_registered_is_not_enqueued),
		cmocka_unit_test(what_is_gone_fails_the_command),
		cmocka_unit_test(wrong_descriptions_are_refused),
		cmocka_unit_test(what_cannot_be_called_is_refused),
		cmocka_unit_test(bools_and_structures_of_all_sizes),
		cmocka_unit_test(names_may_have_spaces),
		cmocka_unit_test(linked_objects_call_functions),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
