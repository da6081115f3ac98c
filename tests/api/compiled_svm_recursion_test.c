/* SPDX-License-Identifier: MIT
 *
 * Functions that call themselves through pointers and as virtual functions: trees of objects at random that one device builds and another
 * walks, beside the host; how deep calls may be, and what becomes of a command that goes deeper.
 */
#include "compiled_fixture.h"
#include "described_context.h"
#include "weft/host_function.h"

enum { CPU, ACCELERATOR, RISCV, DEVICES, NODES = 48, MOST_ITEMS = 1024, PLACE = 32 };
enum { MOST_CALLS = 4096 }; /* docs/function_pointers.md */

#define OBJECTS                                                                                    \
	"#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable\n"                         \
	"void *operator new(size_t, void *p) { return p; }\n"                                      \
	"struct Node { virtual uint eval(uint x) const = 0; };\n"

/* A node's place has room for its class's number, and for two pointers or a value. */
static const char *const trees = OBJECTS
	"struct Value : Node { uint n; uint eval(uint x) const override { return n + x; } };\n"
	"struct Item : Node { uint eval(uint x) const override { return x ^ get_global_id(0); } "
	"};\n"
	"struct Sum : Node { const Node *l, *r;\n"
	"  uint eval(uint x) const override { return l->eval(x) + r->eval(x + 1); } };\n"
	"struct Product : Node { const Node *l, *r;\n"
	"  uint eval(uint x) const override { return l->eval(x) * (r->eval(x) | 1); } };\n"
	"struct Either : Node { const Node *l, *r;\n"
	"  uint eval(uint x) const override { return (x & 1 ? l : r)->eval(x * 3); } };\n"
	"struct Minus : Node { const Node *l;\n"
	"  uint eval(uint x) const override { return -l->eval(x); } };\n"
	"struct Loop : Node { const Node *l; uint eval(uint x) const override { uint sum = 0;\n"
	"  for (uint i = 0; i < (x & 3); i++) sum = sum * 5 + l->eval(x + i); return sum; } };\n"
	"struct Table : Node { const Node *l; uint eval(uint x) const override {\n"
	"  uint t[100]; for (uint i = 0; i < 100; i++) t[i] = i * x; uint n = l->eval(x);\n"
	"  return n + t[n % 100]; } };\n"
	"kernel void make(global char *p, global const uint4 *all, uint n) {\n"
	"  for (uint i = 0; i < n; i++) { global char *at = p + i * 32; uint4 d = all[i];\n"
	"    const Node *l = (const Node *)(p + d.y * 32), *r = (const Node *)(p + d.z * 32);\n"
	"    switch (d.x) {\n"
	"    case 0: (new (at) Value)->n = d.y; break;\n"
	"    case 1: new (at) Item; break;\n"
	"    case 2: { auto *o = new (at) Sum; o->l = l; o->r = r; break; }\n"
	"    case 3: { auto *o = new (at) Product; o->l = l; o->r = r; break; }\n"
	"    case 4: { auto *o = new (at) Either; o->l = l; o->r = r; break; }\n"
	"    case 5: (new (at) Minus)->l = l; break;\n"
	"    case 6: (new (at) Loop)->l = l; break;\n"
	"    case 7: (new (at) Table)->l = l; break; } } }\n"
	"kernel void walk(global char *p, global uint *to, uint n) { uint i = get_global_id(0);\n"
	"  local uint sums[1024]; uint l = get_local_id(0);\n"
	"  sums[l] = ((const Node *)(p + (n - 1 - i % 5) * 32))->eval(i);\n"
	"  barrier(CLK_LOCAL_MEM_FENCE); to[i] = sums[(l + 1) % get_local_size(0)]; }\n";

/* A chain of `n` objects, of which the last one may lead to itself, twice. */
static const char *const chains = OBJECTS
	"struct Last : Node { uint eval(uint x) const override { return x; } };\n"
	"struct More : Node { const Node *in; uint eval(uint x) const override {\n"
	"  return in->eval(x) + 1; } };\n"
	"struct Twice : Node { const Node *l, *r; uint eval(uint x) const override {\n"
	"  return l->eval(x) + r->eval(x); } };\n"
	"struct Large : Node { const Node *in; uint eval(uint x) const override {\n"
	"  uint t[1000]; for (uint i = 0; i < 1000; i++) t[i] = x + i; uint n = in->eval(x);\n"
	"  return n + t[n % 1000]; } };\n"
	"kernel void make(global char *p, global const uint4 *kind, uint n) {\n"
	"  for (uint i = 0; i + 1 < n; i++) { global char *at = p + i * 32;\n"
	"    const Node *next = (const Node *)(at + 32);\n"
	"    if (kind[0].x == 1) (new (at) Large)->in = next; else (new (at) More)->in = next; }\n"
	"  global char *last = p + (n - 1) * 32; const Node *self = (const Node *)last;\n"
	"  if (kind[0].x != 2) { new (last) Last; return; }\n"
	"  auto *o = new (last) Twice; o->l = self; o->r = self; }\n"
	"kernel void walk(global char *p, global uint *to, uint n) { uint i = get_global_id(0);\n"
	"  to[i] = ((const Node *)p)->eval(i); }\n"
	"typedef uint (*turn)(uint, uint, ulong, ulong);\n"
	"uint add(uint n, uint x, ulong self, ulong other) {\n"
	"  return n ? ((turn)other)(n - 1, x + n, other, self) : x; }\n"
	"uint twice(uint n, uint x, ulong self, ulong other) {\n"
	"  return n ? ((turn)other)(n - 1, x * 2, other, self) : ~x; }\n"
	"kernel void turns(global uint *to, uint n) { uint i = get_global_id(0);\n"
	"  turn a = add, t = twice; turn s = i % 2 ? a : t;\n"
	"  to[i] = s(n + i % 3, i, (ulong)s, (ulong)(i % 2 ? t : a)); }\n";

static cl_device_id devices[DEVICES];
static cl_command_queue queues[DEVICES];
static cl_context context;
static void *shared;                      /* at one address everywhere */
static cl_mem memory, described, results; /* objects in it, what they are to be, what comes of it */

static int set_up(void **state)
{
	(void)state;
	compiled_options();
	context = described_context("pthread,accel", "memory=a,global=64M;global=64M,isa=riscv64",
				    DEVICES, devices);
	for (int i = 0; i < DEVICES; i++)
		queues[i] = fixture_queue(context, devices[i], 0);
	shared = clSVMAlloc(context, 0, (size_t)(MOST_CALLS + 1) * PLACE, 0);
	assert_non_null(shared);
	memory = fixture_buffer_in(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
				   (size_t)(MOST_CALLS + 1) * PLACE, shared);
	described = fixture_buffer_in(context, CL_MEM_READ_WRITE, NODES * sizeof(cl_uint4), NULL);
	results = fixture_buffer_in(context, CL_MEM_READ_WRITE, MOST_ITEMS * sizeof(cl_uint), NULL);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	assert_int_equal(clReleaseMemObject(memory), CL_SUCCESS);
	clSVMFree(context, shared);
	assert_int_equal(clReleaseMemObject(described), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(results), CL_SUCCESS);
	for (int i = 0; i < DEVICES; i++)
		assert_int_equal(clReleaseCommandQueue(queues[i]), CL_SUCCESS);
	return clReleaseContext(context) != CL_SUCCESS;
}

/* Returns the command's status. */
static cl_int run(cl_kernel kernel, int device, size_t count, size_t group)
{
	cl_event event;
	cl_int status;

	assert_int_equal(clEnqueueNDRangeKernel(queues[device], kernel, 1, NULL, &count, &group, 0,
						NULL, &event),
			 CL_SUCCESS);
	assert_int_equal(clFinish(queues[device]), CL_SUCCESS);
	assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
					&status, NULL),
			 CL_SUCCESS);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	return status;
}

/* A kernel with two buffers and a number. */
static cl_kernel kernel_of(cl_program program, const char *name, cl_mem second)
{
	cl_kernel kernel = clCreateKernel(program, name, NULL);

	assert_non_null(kernel);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(memory), &memory), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(second), &second), CL_SUCCESS);
	return kernel;
}

static void build_objects(cl_kernel make, int device, const cl_uint4 *all, cl_uint described_nodes,
			  cl_uint count)
{
	assert_int_equal(clEnqueueWriteBuffer(queues[device], described, CL_TRUE, 0,
					      described_nodes * sizeof(*all), all, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clSetKernelArg(make, 2, sizeof(count), &count), CL_SUCCESS);
	assert_int_equal(run(make, device, 1, 1), CL_COMPLETE);
}

static void read_results(int device, cl_uint *to, size_t count)
{
	assert_int_equal(clEnqueueReadBuffer(queues[device], results, CL_TRUE, 0,
					     count * sizeof(*to), to, 0, NULL, NULL),
			 CL_SUCCESS);
}

/* ---- trees at random ------------------------------------------------------------------------ */

/* Leaves first. A node leads to some of the few before it, so that trees are deep and no walk is long. */
static void random_tree(cl_uint4 *all, uint32_t seed)
{
	for (cl_uint i = 0; i < NODES; i++) {
		const cl_uint low = i > 5 ? i - 5 : 0;
		cl_uint numbers[3];

		for (int n = 0; n < 3; n++) {
			seed = seed * 1664525u + 1013904223u;
			numbers[n] = seed >> 8;
		}
		const cl_uint kind =
			i < 3   ? numbers[0] % 2
			: i % 4 ? 4 + numbers[0] % 4 /* one of these calls once, or a few times */
				: numbers[0] % 8;
		all[i] = (cl_uint4){
			{kind, kind == 0 ? numbers[1] % 100 : low + numbers[1] % (i - low + !i),
			 low + numbers[2] % (i - low + !i), 0}};
	}
}

static cl_uint walk(const cl_uint4 *all, cl_uint node, cl_uint x,
		    cl_uint item) /* NOLINT(misc-no-recursion) */
{
	const cl_uint l = all[node].s[1], r = all[node].s[2];
	cl_uint result = 0, product;

	switch (all[node].s[0]) {
	case 0:
		return l + x;
	case 1:
		return x ^ item;
	case 2:
		return walk(all, l, x, item) + walk(all, r, x + 1, item);
	case 3:
		product = walk(all, l, x, item);
		return product * (walk(all, r, x, item) | 1);
	case 4:
		return walk(all, x & 1 ? l : r, x * 3, item);
	case 5:
		return -walk(all, l, x, item);
	case 6:
		for (cl_uint i = 0; i < (x & 3); i++)
			result = result * 5 + walk(all, l, x + i, item);
		return result;
	default:
		result = walk(all, l, x, item);
		return result + result % 100 * x;
	}
}

static void trees_go_round(void **state)
{
	static const size_t groups[] = {1, 3, 16, 64, 1024};
	cl_program program = compiled_program(context, trees, "-cl-std=CLC++2021");
	cl_kernel make = kernel_of(program, "make", described);
	cl_kernel walks = kernel_of(program, "walk", results);
	const cl_uint count = NODES;

	(void)state;
	assert_int_equal(clSetKernelArg(walks, 2, sizeof(count), &count), CL_SUCCESS);
	for (uint32_t round = 0; round < 2 * DEVICES * DEVICES; round++) {
		const int made = (int)(round % DEVICES), walked = (int)(round / DEVICES % DEVICES);
		const size_t group = groups[round % (sizeof(groups) / sizeof(*groups))];
		const size_t items = group == 1024 ? 1024 : 32 * group > 192 ? 192 : 32 * group;
		cl_uint4 all[NODES];
		cl_uint to[MOST_ITEMS];

		random_tree(all, round * 77 + 1);
		build_objects(make, made, all, NODES, NODES);
		assert_int_equal(run(walks, walked, items, group), CL_COMPLETE);
		read_results(walked, to, items);
		for (cl_uint i = 0; i < items; i++) {
			const cl_uint local = i % (cl_uint)group;
			const cl_uint item = i - local + (local + 1) % (cl_uint)group;

			if (to[i] != walk(all, NODES - 1 - item % 5, item, item))
				print_error("round %u, work-item %u\n", round, i);
			assert_int_equal(to[i], walk(all, NODES - 1 - item % 5, item, item));
		}
	}
	assert_int_equal(clReleaseKernel(make), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(walks), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* ---- depth ---------------------------------------------------------------------------------- */

enum kind { PLAIN, LARGE, ENDLESS };

static void depth_has_a_bound(void **state)
{
	static const struct {
		cl_uint kind, count;
		cl_int status;
	} rows[] = {
		{PLAIN, 1, CL_COMPLETE},
		{PLAIN, 1000, CL_COMPLETE},
		{LARGE, 200, CL_COMPLETE},
		{PLAIN, MOST_CALLS, CL_COMPLETE},
		{PLAIN, MOST_CALLS + 1, CL_OUT_OF_RESOURCES},
		{LARGE, MOST_CALLS, CL_OUT_OF_RESOURCES}, /* of the stack */
		{ENDLESS, 1, CL_OUT_OF_RESOURCES},
		{PLAIN, 5, CL_COMPLETE},
	};
	enum { ITEMS = 20 };
	cl_program program = compiled_program(context, chains, "-cl-std=CLC++2021");
	cl_kernel make = kernel_of(program, "make", described);
	cl_kernel walks = kernel_of(program, "walk", results);

	(void)state;
	for (size_t i = 0; i < DEVICES * sizeof(rows) / sizeof(*rows); i++) {
		const int device = (int)(i % DEVICES);
		const size_t row = i / DEVICES;
		const cl_uint4 kind = {{rows[row].kind}};
		cl_uint to[ITEMS];

		build_objects(make, device, &kind, 1, rows[row].count);
		assert_int_equal(
			clSetKernelArg(walks, 2, sizeof(rows[row].count), &rows[row].count),
			CL_SUCCESS);
		assert_int_equal(run(walks, device, ITEMS, 5), rows[row].status);
		if (rows[row].kind != PLAIN || rows[row].status != CL_COMPLETE)
			continue;
		read_results(device, to, ITEMS);
		for (cl_uint item = 0; item < ITEMS; item++)
			assert_int_equal(to[item], item + rows[row].count - 1);
	}
	assert_int_equal(clReleaseKernel(make), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(walks), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

static cl_uint of_turns(cl_uint n, cl_uint i)
{
	bool adds = i % 2;
	cl_uint x = i;

	for (n += i % 3; n > 0; n--, adds = !adds)
		x = adds ? x + n : x * 2;
	return adds ? x : ~x;
}

static void functions_call_each_other(void **state)
{
	static const cl_uint depths[] = {0, 7, 1000};
	enum { ITEMS = 66 };
	cl_program program = compiled_program(context, chains, "-cl-std=CLC++2021");
	cl_kernel turns = clCreateKernel(program, "turns", NULL);

	(void)state;
	assert_non_null(turns);
	assert_int_equal(clSetKernelArg(turns, 0, sizeof(results), &results), CL_SUCCESS);
	for (int device = 0; device < DEVICES; device++) {
		for (size_t d = 0; d < sizeof(depths) / sizeof(*depths); d++) {
			cl_uint to[ITEMS];

			assert_int_equal(clSetKernelArg(turns, 1, sizeof(cl_uint), &depths[d]),
					 CL_SUCCESS);
			assert_int_equal(run(turns, device, ITEMS, 33), CL_COMPLETE);
			read_results(device, to, ITEMS);
			for (cl_uint i = 0; i < ITEMS; i++)
				assert_int_equal(to[i], of_turns(depths[d], i));
		}
	}
	assert_int_equal(clReleaseKernel(turns), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* ---- functions of the application ------------------------------------------------------------ */

static const char *const asking = OBJECTS
	"__attribute__((annotate(\"weft_host\"))) uint next(uint x, uint item);\n"
	"struct Ask : Node { const Node *in; uint eval(uint x) const override {\n"
	"  return x ? in->eval(next(x, get_global_id(0))) + 1 : 0; } };\n"
	"kernel void ask(global uint *to) { uint i = get_global_id(0); Ask a, b; a.in = &b;\n"
	"  b.in = &a; const Node *n = i % 2 ? &a : &b; to[i] = n->eval(i % 7); }\n";

static cl_int CL_CALLBACK next(void *data, const void *args, void *result)
{
	const cl_uint *given = args;

	(void)data;
	*(cl_uint *)result = given[1] % 3 ? given[0] - 1 : given[0] / 2;
	return CL_SUCCESS;
}

/* How often `next` leads on. */
static cl_uint of_asking(cl_uint item)
{
	cl_uint steps = 0;

	for (cl_uint x = item % 7; x > 0; x = item % 3 ? x - 1 : x / 2)
		steps++;
	return steps;
}

static void functions_of_the_application_are_called(void **state)
{
	enum { ITEMS = 40 };
	const size_t sizes[] = {sizeof(cl_uint), sizeof(cl_uint)};
	cl_platform_id platform;

	(void)state;
	assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
	clSetHostFunctionWEFT_fn set =
		(clSetHostFunctionWEFT_fn)clGetExtensionFunctionAddressForPlatform(
			platform, "clSetHostFunctionWEFT");
	assert_non_null(set);
	assert_int_equal(set(context, &(cl_host_function_desc_weft){"next", next, NULL,
								    sizeof(cl_uint), 2, sizes}),
			 CL_SUCCESS);
	cl_program program = compiled_program(context, asking, "-cl-std=CLC++2021");
	cl_kernel ask = clCreateKernel(program, "ask", NULL);
	assert_non_null(ask);
	assert_int_equal(clSetKernelArg(ask, 0, sizeof(results), &results), CL_SUCCESS);
	for (int device = 0; device < DEVICES; device++) {
		cl_uint to[ITEMS];

		assert_int_equal(run(ask, device, ITEMS, 20), CL_COMPLETE);
		read_results(device, to, ITEMS);
		for (cl_uint i = 0; i < ITEMS; i++)
			assert_int_equal(to[i], of_asking(i));
	}
	assert_int_equal(clReleaseKernel(ask), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* ---- in the build --------------------------------------------------------------------------- */

/* A constructor runs in the build. */
static void a_constructor_may_be_too_deep(void **state)
{
	static const char source[] =
		OBJECTS "struct Self : Node { uint eval(uint x) const override { return "
			"eval_of(this, x); }\n"
			"  static uint eval_of(const Node *n, uint x) { return x ? n->eval(x - 1) "
			"+ 2 : 0; } };\n"
			"struct Whole { uint n; Whole(uint x) { Self s; const Node *o = &s; n = "
			"o->eval(x); } };\n"
			"global Whole whole(DEPTH);\n"
			"kernel void k(global uint *to) { to[get_global_id(0)] = whole.n; }\n";
	const char *text = source;

	(void)state;
	cl_program program = compiled_program(context, source, "-cl-std=CLC++2021 -DDEPTH=1000");
	cl_kernel kernel = clCreateKernel(program, "k", NULL);
	cl_uint to;
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(results), &results), CL_SUCCESS);
	for (int device = 0; device < DEVICES; device++) {
		assert_int_equal(run(kernel, device, 1, 1), CL_COMPLETE);
		read_results(device, &to, 1);
		assert_int_equal(to, 2000);
	}
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
	assert_int_not_equal(
		clBuildProgram(program, 1, devices, "-cl-std=CLC++2021 -DDEPTH=9000", NULL, NULL),
		CL_SUCCESS);
	char log[1024] = "";
	assert_int_equal(clGetProgramBuildInfo(program, devices[0], CL_PROGRAM_BUILD_LOG,
					       sizeof(log), log, NULL),
			 CL_SUCCESS);
	assert_non_null(strstr(log, "too deep"));
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trees_go_round),
		cmocka_unit_test(depth_has_a_bound),
		cmocka_unit_test(functions_call_each_other),
		cmocka_unit_test(functions_of_the_application_are_called),
		cmocka_unit_test(a_constructor_may_be_too_deep),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
