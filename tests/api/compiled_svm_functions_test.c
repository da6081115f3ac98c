/* SPDX-License-Identifier: MIT
 *
 * Function pointers and objects with virtual functions that one device makes and another one calls, in shared memory and in buffers; and
 * pointers that lead to no function.
 */
#include "compiled_fixture.h"
#include "described_context.h"
#include "weft/function_numbers.h"

enum { CPU, FIRST, APART, RISCV, DEVICES, COUNT = 60, OBJECT_BYTES = 64 };

#define POINTERS "#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable\n"

/* The second program has the functions of the first in another order, and one more. */
static const char *const makes =
	POINTERS "int f(int a) { return a + 1; } int g(int a) { return a * a; }\n"
		 "int h(int a) { return -a; } typedef int (*pointer)(int);\n"
		 "kernel void make(global ulong *p) { int i = get_global_id(0);\n"
		 "  pointer made = i % 3 == 0 ? f : i % 3 == 1 ? g : h; p[i] = (ulong)made; }\n";
static const char *const calls =
	POINTERS "int h(int a) { return -a; } int other(int a) { return 1000; }\n"
		 "int g(int a) { return a * a; } int f(int a) { return a + 1; }\n"
		 "typedef int (*pointer)(int); \n"
		 "kernel void call(global ulong *p, global int *to) { int i = get_global_id(0);\n"
		 "  to[i] = ((pointer)p[i])(i); }\n"
		 "kernel void use(global int *to) {\n"
		 "  pointer known[] = {h, other, g, f}; to[0] = known[to[0] & 3](1); }\n";
static const char *const objects = POINTERS
	"struct A { int n; A *next; virtual int f(int) const = 0; };\n"
	"struct X : A { int f(int x) const override { return x + n; } };\n"
	"struct Y : A { int f(int x) const override { return x * n; } };\n"
	"struct Z : Y { int f(int x) const override { return n - x; } };\n"
	"void *operator new(size_t, void *p) { return p; }\n"
	"kernel void make(global char *p) { int i = get_global_id(0), n = get_global_size(0);\n"
	"  global char *at = p + i * 64;\n"
	"  A *a = i % 3 == 0 ? (A *)new (at) X : i % 3 == 1 ? new (at) Y : (A *)new (at) Z;\n"
	"  a->n = i; a->next = i + 1 < n ? (A *)(at + 64) : 0; }\n"
	"kernel void walk(global char *p, global int *to) {\n"
	"  for (A *a = (A *)p; a; a = a->next) *to++ = a->f(7); }\n"
	"kernel void each(global char *p, global int *to) { int i = get_global_id(0);\n"
	"  to[i] = ((A *)(p + i * 64))->f(7); }\n";

static cl_device_id devices[DEVICES];
static cl_command_queue queues[DEVICES];
static cl_context context;
static cl_program maker, caller, classes;

static int set_up(void **state)
{
	(void)state;
	compiled_options();
	context = described_context("pthread,accel",
				    "memory=a,global=64M;global=64M;global=64M,isa=riscv64",
				    DEVICES, devices);
	for (int i = 0; i < DEVICES; i++)
		queues[i] = fixture_queue(context, devices[i], 0);
	maker = compiled_program(context, makes, "-cl-std=CL3.0");
	caller = compiled_program(context, calls, "-cl-std=CL3.0");
	classes = compiled_program(context, objects, "-cl-std=CLC++2021");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	assert_int_equal(clReleaseProgram(maker), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(caller), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(classes), CL_SUCCESS);
	for (int i = 0; i < DEVICES; i++)
		assert_int_equal(clReleaseCommandQueue(queues[i]), CL_SUCCESS);
	return clReleaseContext(context) != CL_SUCCESS;
}

/* Of a kernel whose arguments are two pointers, or one. Returns the command's status. */
static cl_int run(cl_program program, const char *name, int device, cl_mem from, cl_mem to,
		  size_t count)
{
	cl_kernel kernel = clCreateKernel(program, name, NULL);
	cl_event event;
	cl_int status;

	assert_non_null(kernel);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(from), &from), CL_SUCCESS);
	if (to)
		assert_int_equal(clSetKernelArg(kernel, 1, sizeof(to), &to), CL_SUCCESS);
	assert_int_equal(clEnqueueNDRangeKernel(queues[device], kernel, 1, NULL, &count, NULL, 0,
						NULL, &event),
			 CL_SUCCESS);
	assert_int_equal(clFinish(queues[device]), CL_SUCCESS);
	assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
					&status, NULL),
			 CL_SUCCESS);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	return status;
}

static cl_mem buffer(size_t size, void *svm)
{
	return fixture_buffer_in(context, CL_MEM_READ_WRITE | (svm ? CL_MEM_USE_HOST_PTR : 0), size,
				 svm);
}

static void read_back(cl_mem from, cl_int *to, size_t count)
{
	assert_int_equal(clEnqueueReadBuffer(queues[CPU], from, CL_TRUE, 0, count * sizeof(*to), to,
					     0, NULL, NULL),
			 CL_SUCCESS);
}

static cl_int of_function(cl_int i)
{
	return i % 3 == 0 ? i + 1 : i % 3 == 1 ? i * i : -i;
}

static cl_int of_object(cl_int i)
{
	return i % 3 == 0 ? 7 + i : i % 3 == 1 ? 7 * i : i - 7;
}

static void pointers_go_round(void **state)
{
	(void)state;
	for (int made = 0; made < DEVICES; made++) {
		for (int called = 0; called < DEVICES; called++) {
			cl_mem pointers = buffer(COUNT * sizeof(void *), NULL);
			cl_mem results = buffer(COUNT * sizeof(cl_int), NULL);
			cl_int to[COUNT];

			assert_int_equal(run(maker, "make", made, pointers, NULL, COUNT),
					 CL_COMPLETE);
			assert_int_equal(run(caller, "call", called, pointers, results, COUNT),
					 CL_COMPLETE);
			read_back(results, to, COUNT);
			for (int i = 0; i < COUNT; i++)
				assert_int_equal(to[i], of_function(i));
			assert_int_equal(clReleaseMemObject(pointers), CL_SUCCESS);
			assert_int_equal(clReleaseMemObject(results), CL_SUCCESS);
		}
	}
}

static void objects_go_round(void **state)
{
	void *memory = clSVMAlloc(context, 0, (size_t)COUNT * OBJECT_BYTES, 0);

	(void)state;
	assert_non_null(memory);
	cl_mem made_in[] = {buffer((size_t)COUNT * OBJECT_BYTES, memory),
			    buffer((size_t)COUNT * OBJECT_BYTES, NULL)};
	cl_mem results = buffer(COUNT * sizeof(cl_int), NULL);
	for (int round = 0; round < 2 * DEVICES * DEVICES; round++) {
		const int made = round % DEVICES, called = round / DEVICES % DEVICES;
		const int place = round / DEVICES / DEVICES;
		cl_int to[COUNT];

		assert_int_equal(run(classes, "make", made, made_in[place], NULL, COUNT),
				 CL_COMPLETE);
		assert_int_equal(run(classes, place ? "each" : "walk", called, made_in[place],
				     results, place ? COUNT : 1),
				 CL_COMPLETE);
		read_back(results, to, COUNT);
		for (int i = 0; i < COUNT; i++)
			assert_int_equal(to[i], of_object(i));
	}
	assert_int_equal(clReleaseMemObject(results), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(made_in[0]), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(made_in[1]), CL_SUCCESS);
	clSVMFree(context, memory);
}

/* C++ for OpenCL mangles names, and puts a base with a table of its own behind. */
static const char *const written = POINTERS
	"struct Left { int n; virtual int f(int x) { return x + n; } };\n"
	"struct Right { int m; virtual int g(int x) { return x * m; } };\n"
	"namespace in { struct Both : Left, Right { int f(int x) override { return x - n; }\n"
	"  int g(int x) override { return x - m; } }; }\n"
	"int twice(int x) { return 2 * x; }\n"
	"kernel void call(global char *p, global int *to) { int i = get_global_id(0);\n"
	"  Left l; Right r; in::Both b; int (*known)(int) = twice;\n"
	"  if (i < 0) { to[0] = l.f(1) + r.g(1) + b.f(1) + b.g(1); p[0] = known == 0; }\n"
	"  auto *both = (in::Both *)(p + i * 64); Left *left = both; Right *right = both;\n"
	"  auto f = *(int (**)(int))(p + i * 64 + 40);\n"
	"  to[i] = left->f(100) + 1000 * right->g(100) + 1000000 * f(100); }\n";

struct both {
	uint64_t left;
	cl_int n, gap;
	uint64_t right;
	cl_int m, space[3];
	uint64_t function;
	uint64_t rest[2];
};

/* The host's own pointers and objects. */
static void what_the_host_writes_is_called(void **state)
{
	cl_program program = compiled_program(context, written, "-cl-std=CLC++2021");
	cl_mem memory = buffer(COUNT * sizeof(struct both), NULL);
	cl_mem results = buffer(COUNT * sizeof(cl_int), NULL);
	struct both made[COUNT];

	(void)state;
	_Static_assert(sizeof(made[0]) == OBJECT_BYTES, "an object has its place");
	for (int i = 0; i < COUNT; i++)
		made[i] = (struct both){.left = weft_class_number("_ZTVN2in4BothE", 0),
					.n = i,
					.right = weft_class_number("_ZTVN2in4BothE", 1),
					.m = 2 * i,
					.function = weft_function_number("_Z5twicei")};
	for (int device = 0; device < DEVICES; device++) {
		cl_int to[COUNT];

		assert_int_equal(clEnqueueWriteBuffer(queues[CPU], memory, CL_TRUE, 0, sizeof(made),
						      made, 0, NULL, NULL),
				 CL_SUCCESS);
		assert_int_equal(run(program, "call", device, memory, results, COUNT), CL_COMPLETE);
		read_back(results, to, COUNT);
		for (int i = 0; i < COUNT; i++)
			assert_int_equal(to[i], 100 - i + 1000 * (100 - 2 * i) + 200000000);
	}
	assert_int_equal(clReleaseMemObject(memory), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(results), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* Of pointers, or of objects. */
struct kind {
	const cl_program *maker, *caller;
	const char *call;
	size_t bytes; /* from one to the next */
	cl_int (*result)(cl_int i);
};

/* One is wrong. All other work-items have their results. */
static void one_is_wrong(const struct kind *kind, int device, cl_ulong number)
{
	cl_mem made = buffer(COUNT * kind->bytes, NULL);
	cl_mem results = buffer(COUNT * sizeof(cl_int), NULL);
	cl_int to[COUNT];

	assert_int_equal(run(*kind->maker, "make", device, made, NULL, COUNT), CL_COMPLETE);
	assert_int_equal(clEnqueueWriteBuffer(queues[device], made, CL_TRUE, 5 * kind->bytes,
					      sizeof(number), &number, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(run(*kind->caller, kind->call, device, made, results, COUNT),
			 CL_INVALID_OPERATION);
	read_back(results, to, COUNT);
	for (int i = 0; i < COUNT; i++)
		assert_int_equal(to[i], i == 5 ? 0 : kind->result(i));
	assert_int_equal(clReleaseMemObject(made), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(results), CL_SUCCESS);
}

static void a_wrong_pointer_fails_the_command(void **state)
{
	static const cl_ulong wrong[] = {0, 16, 4096, UINT64_C(0x5e00000000000010), UINT64_MAX};
	static const struct kind pointers = {&maker, &caller, "call", sizeof(cl_ulong),
					     of_function};

	(void)state;
	for (int device = 0; device < DEVICES; device++) {
		for (size_t w = 0; w < sizeof(wrong) / sizeof(*wrong); w++)
			one_is_wrong(&pointers, device, wrong[w]);
	}
}

/* An object of no class, or of one that the program does not know. */
static void a_wrong_class_fails_the_command(void **state)
{
	static const cl_ulong wrong[] = {0, 16, UINT64_C(0x5f00000000000010), UINT64_MAX};
	static const struct kind made = {&classes, &classes, "each", OBJECT_BYTES, of_object};

	(void)state;
	for (int device = 0; device < DEVICES; device++) {
		for (size_t w = 0; w < sizeof(wrong) / sizeof(*wrong); w++)
			one_is_wrong(&made, device, wrong[w]);
	}
}

/* Of a virtual function, the place in the table may be any number. */
static const char *const members = POINTERS
	"struct A { int a; A(int n) : a(n) {} virtual int f(int n) { return a - n; }\n"
	"  virtual int g(int n) { return a * n; } };\n"
	"struct B : A { B(int n) : A(n) {} int f(int n) override { return a + n; } };\n"
	"kernel void call(global long *at, global int *to) { int i = get_global_id(0); A a(i);\n"
	"  B b(i); A *o = i % 2 ? &a : (A *)&b; auto member = &A::f;\n"
	"  ((private long *)&member)[0] = at[i]; to[i] = (o->*member)(3); }\n";

static void a_wrong_place_fails_the_command(void **state)
{
	static const cl_long wrong[] = {17,       -7, 1 << 20, INT64_C(1) << 40, INT64_MIN + 1,
					INT64_MAX};
	cl_program program = compiled_program(context, members, "-cl-std=CLC++2021");
	cl_mem places = buffer(COUNT * sizeof(cl_long), NULL);
	cl_mem results = buffer(COUNT * sizeof(cl_int), NULL);
	cl_long at[COUNT];

	(void)state;
	for (int i = 0; i < COUNT; i++) /* f's and g's */
		at[i] = i % 3 ? 1 : 9;
	for (size_t w = 0; w < DEVICES * sizeof(wrong) / sizeof(*wrong); w++) {
		const int device = (int)(w % DEVICES);
		cl_int to[COUNT];

		at[5] = wrong[w / DEVICES];
		assert_int_equal(clEnqueueWriteBuffer(queues[CPU], places, CL_TRUE, 0, sizeof(at),
						      at, 0, NULL, NULL),
				 CL_SUCCESS);
		assert_int_equal(run(program, "call", device, places, results, COUNT),
				 CL_INVALID_OPERATION);
		read_back(results, to, COUNT);
		for (int i = 0; i < COUNT; i++)
			assert_int_equal(to[i], i == 5       ? 0
						: i % 3 == 0 ? 3 * i
						: i % 2      ? i - 3
							     : i + 3);
	}
	assert_int_equal(clReleaseMemObject(places), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(results), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* Programs whose objects go elsewhere may be released. */
static void objects_outlive_their_program(void **state)
{
	cl_program other = compiled_program(context, objects, "-cl-std=CLC++2021");
	cl_mem made = buffer((size_t)COUNT * OBJECT_BYTES, NULL);
	cl_mem results = buffer(COUNT * sizeof(cl_int), NULL);
	cl_int to[COUNT];

	(void)state;
	assert_int_equal(run(other, "make", CPU, made, NULL, COUNT), CL_COMPLETE);
	assert_int_equal(clReleaseProgram(other), CL_SUCCESS);
	for (int device = 0; device < DEVICES; device++) {
		assert_int_equal(run(classes, "each", device, made, results, COUNT), CL_COMPLETE);
		read_back(results, to, COUNT);
		for (int i = 0; i < COUNT; i++)
			assert_int_equal(to[i], of_object(i));
	}
	assert_int_equal(clReleaseMemObject(made), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(results), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pointers_go_round),
		cmocka_unit_test(objects_go_round),
		cmocka_unit_test(what_the_host_writes_is_called),
		cmocka_unit_test(a_wrong_pointer_fails_the_command),
		cmocka_unit_test(a_wrong_class_fails_the_command),
		cmocka_unit_test(a_wrong_place_fails_the_command),
		cmocka_unit_test(objects_outlive_their_program),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
