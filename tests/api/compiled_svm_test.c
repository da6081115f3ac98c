/* SPDX-License-Identifier: MIT
 *
 * Kernels and shared virtual memory: arguments, execution information, and what runs beside what in an in-order queue.
 */
#include "compiled_fixture.h"

#include <sched.h>

#define ITEMS 1024

static const char *const source =
	"kernel void add(global const int *a, global int *b, int more) {\n"
	"  size_t i = get_global_id(0); b[i] = (a ? a[i] : 0) + more;\n"
	"}\n"
	"kernel void scratch(local int *l, global int *b) {\n"
	"  *l = 1; barrier(CLK_LOCAL_MEM_FENCE); b[0] = *l;\n"
	"}\n"
	/* Says in [1] whether the host has set [0] before it gave up. */
	"kernel void spin(global atomic_int *both) {\n"
	"  int found = 0;\n"
	"  for (int i = 0; i < 400000000 && !found; i++)\n"
	"    found = atomic_load_explicit(both, memory_order_acquire, "
	"memory_scope_all_svm_devices);\n"
	"  atomic_store_explicit(both + 1, found ? 1 : 2, memory_order_release,\n"
	"                        memory_scope_all_svm_devices);\n"
	"}\n"
	"kernel void say(global atomic_int *place) {\n"
	"  atomic_store_explicit(place, 1, memory_order_release, memory_scope_all_svm_devices);\n"
	"}\n"
	"struct node { global struct node *next; int value; };\n"
	"kernel void sum(global struct node *first, global int *total) {\n"
	"  int t = 0;\n"
	"  for (global struct node *n = first->next; n; n = n->next) t += n->value;\n"
	"  *total = t;\n"
	"}\n"
	/* Says in [2] what it has found where [0] leads, and in [1] that it has done so. */
	"kernel void look(global ulong *way) {\n"
	"  way[2] = *(global int *)way[0];\n"
	"  atomic_store_explicit((global atomic_int *)(way + 1), 1, memory_order_release,\n"
	"                        memory_scope_all_svm_devices);\n"
	"}\n";

struct node {
	struct node *next;
	cl_int value;
};

static cl_kernel add, scratch, spin, say, sum, look;

static cl_kernel make(cl_program program, const char *name)
{
	cl_kernel kernel = clCreateKernel(program, name, NULL);

	assert_non_null(kernel);
	return kernel;
}

static int set_up(void **state)
{
	compiled_set_up(state);
	struct fixture *f = *state;
	cl_program program = compiled_program(f->context, source, "-cl-std=CL3.0");
	add = make(program, "add");
	scratch = make(program, "scratch");
	spin = make(program, "spin");
	say = make(program, "say");
	sum = make(program, "sum");
	look = make(program, "look");
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	return 0;
}

static int tear_down(void **state)
{
	const cl_kernel kernels[] = {add, scratch, spin, say, sum, look};

	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		assert_int_equal(clReleaseKernel(kernels[i]), CL_SUCCESS);
	return fixture_tear_down(state);
}

static void launch(struct fixture *f, cl_kernel kernel, size_t items)
{
	assert_int_equal(
		clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
		CL_SUCCESS);
}

static void set_pointer(cl_kernel kernel, cl_uint index, const void *pointer)
{
	assert_int_equal(clSetKernelArgSVMPointer(kernel, index, pointer), CL_SUCCESS);
}

static void *allocate(struct fixture *f, size_t size)
{
	void *memory =
		clSVMAlloc(f->context, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, size, 0);

	assert_non_null(memory);
	memset(memory, 0, size);
	return memory;
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void test_errors(void **state)
{
	struct fixture *f = *state;
	const cl_kernel none = (cl_kernel)f->queue;
	const void *pointers[2] = {&none, NULL};
	const cl_bool yes = CL_TRUE;

	assert_int_equal(clSetKernelArgSVMPointer(none, 0, pointers), CL_INVALID_KERNEL);
	assert_int_equal(clSetKernelArgSVMPointer(add, 3, pointers), CL_INVALID_ARG_INDEX);
	assert_int_equal(clSetKernelArgSVMPointer(add, 2, pointers), CL_INVALID_ARG_VALUE);
	assert_int_equal(clSetKernelArgSVMPointer(scratch, 0, pointers), CL_INVALID_ARG_VALUE);
#define INFO(kernel, param, size, value) clSetKernelExecInfo(kernel, param, size, value)
	assert_int_equal(INFO(none, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, pointers), CL_INVALID_KERNEL);
	assert_int_equal(INFO(add, 0x1234, 8, pointers), CL_INVALID_VALUE);
	assert_int_equal(INFO(add, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, NULL), CL_INVALID_VALUE);
	assert_int_equal(INFO(add, CL_KERNEL_EXEC_INFO_SVM_PTRS, 7, pointers), CL_INVALID_VALUE);
	assert_int_equal(INFO(add, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 1, &yes),
			 CL_INVALID_VALUE);
	assert_int_equal(INFO(add, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof(yes), NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(INFO(add, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(pointers), pointers),
			 CL_SUCCESS);
	assert_int_equal(INFO(add, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL), CL_SUCCESS);
	assert_int_equal(INFO(add, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof(yes), &yes),
			 CL_SUCCESS);
#undef INFO
}

/* Shared memory, parts of it, the C library's memory, NULL, and a buffer, one after the other in the same argument. */
static void test_arguments(void **state)
{
	struct fixture *f = *state;
	cl_int *a = allocate(f, 2 * ITEMS * sizeof(*a));
	cl_int *b = malloc(ITEMS * sizeof(*b));
	cl_int *host = malloc(ITEMS * sizeof(*host));
	cl_mem buffer = fixture_buffer(f, 0, ITEMS * sizeof(*a), NULL);
	const cl_int more = 5;
	const cl_int hundreds = 100;

	for (int i = 0; i < 2 * ITEMS; i++)
		a[i] = i;
	for (int i = 0; i < ITEMS; i++)
		host[i] = 10 * i;
	assert_int_equal(clEnqueueFillBuffer(f->queue, buffer, &hundreds, sizeof(hundreds), 0,
					     ITEMS * sizeof(*a), 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clSetKernelArg(add, 2, sizeof(more), &more), CL_SUCCESS);
	set_pointer(add, 1, b);
	for (int round = 0; round < 5; round++) {
		const void *const pointers[] = {a, a + 3, host, NULL};
		if (round < 4)
			set_pointer(add, 0, pointers[round]);
		else
			assert_int_equal(clSetKernelArg(add, 0, sizeof(buffer), &buffer),
					 CL_SUCCESS);
		launch(f, add, ITEMS);
		assert_int_equal(clFinish(f->queue), CL_SUCCESS);
		for (int i = 0; i < ITEMS; i++) {
			const cl_int expected[] = {i, i + 3, 10 * i, 0, 100};
			assert_int_equal(b[i], expected[round] + more);
		}
	}
	/* a clone has the addresses, too */
	set_pointer(add, 0, a + 1);
	cl_kernel clone = clCloneKernel(add, NULL);
	assert_non_null(clone);
	assert_int_equal(clSetKernelArg(add, 0, sizeof(cl_mem), NULL), CL_SUCCESS);
	launch(f, clone, ITEMS);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	assert_int_equal(b[7], 8 + more);
	launch(f, add, ITEMS);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	assert_int_equal(b[7], more);
	assert_int_equal(clReleaseKernel(clone), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
	clSVMFree(f->context, a);
	free(b);
	free(host);
}

/* ---- order ----------------------------------------------------------------------------------- */

static int load(const cl_int *place)
{
	return __atomic_load_n(place, __ATOMIC_ACQUIRE);
}

/* The device runs two commands at once. */
static bool has_two_units(const struct fixture *f)
{
	cl_uint units = 0;

	assert_int_equal(clGetDeviceInfo(f->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units),
					 &units, NULL),
			 CL_SUCCESS);
	return units > 1;
}

/* The first kernel waits for the host. The second one, behind it in the queue, says something to the host before that, or it
 * waits, too. */
static void run_both(struct fixture *f, cl_int *both, cl_kernel second, const cl_int *said,
		     bool beside)
{
	both[0] = both[1] = 0;
	set_pointer(spin, 0, both);
	launch(f, spin, 1);
	launch(f, second, 1);
	assert_int_equal(clFlush(f->queue), CL_SUCCESS);
	for (int i = 0; !load(said) && !load(both + 1) && (beside || i < 100); i++)
		sched_yield();
	if (beside)
		assert_int_equal(load(said), 1);
	__atomic_store_n(both, 1, __ATOMIC_RELEASE);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	assert_int_equal(load(said), 1);
}

/* Kernels with pointers to different allocations run beside each other; one that finds its way through memory does not, unless
 * all that it may access is named. */
static void test_in_parallel(void **state)
{
	struct fixture *f = *state;
	cl_int *both = allocate(f, 2 * sizeof(*both));
	cl_int *place = allocate(f, sizeof(*place));
	cl_ulong *way = allocate(f, 3 * sizeof(*way));
	const cl_int *said = (const cl_int *)(const void *)(way + 1);
	const cl_bool no = CL_FALSE;
	const void *named[] = {place};

	if (!has_two_units(f))
		skip();
	set_pointer(say, 0, place);
	run_both(f, both, say, place, true);

	/* it leads to what the first kernel writes at its end */
	way[0] = (uintptr_t)(both + 1);
	set_pointer(look, 0, way);
	run_both(f, both, look, said, false);
	assert_int_not_equal(way[2], 0);

	assert_int_equal(clSetKernelExecInfo(look, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
					     sizeof(no), &no),
			 CL_SUCCESS);
	assert_int_equal(
		clSetKernelExecInfo(look, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(named), named),
		CL_SUCCESS);
	cl_kernel clone = clCloneKernel(look, NULL);
	assert_non_null(clone);
	for (int i = 0; i < 2; i++) {
		way[0] = (uintptr_t)place;
		way[1] = 0;
		run_both(f, both, i ? clone : look, said, true);
		assert_int_equal(way[2], 1);
	}
	assert_int_equal(clReleaseKernel(clone), CL_SUCCESS);
	clSVMFree(f->context, both);
	clSVMFree(f->context, place);
	clSVMFree(f->context, way);
}

/* A list whose nodes are changed by commands before and after: of the first round the kernel may access anything, of the
 * second one what is named. */
static void test_lists(void **state)
{
	enum { NODES = 20 };
	struct fixture *f = *state;
	struct node *nodes[NODES];
	cl_int *totals = allocate(f, 100 * sizeof(*totals));
	const cl_bool no = CL_FALSE;

	for (int i = 0; i < NODES; i++)
		nodes[i] = allocate(f, sizeof(*nodes[i]));
	for (int i = 0; i + 1 < NODES; i++)
		nodes[i]->next = nodes[i + 1];
	for (int round = 0; round < 2; round++) {
		for (cl_int value = 1; value < 50; value++) {
			for (int i = 1; i < NODES; i++)
				assert_int_equal(clEnqueueSVMMemFill(f->queue, &nodes[i]->value,
								     &value, sizeof(value),
								     sizeof(value), 0, NULL, NULL),
						 CL_SUCCESS);
			set_pointer(sum, 0, nodes[0]);
			set_pointer(sum, 1, totals + value);
			launch(f, sum, 1);
		}
		assert_int_equal(clFinish(f->queue), CL_SUCCESS);
		for (cl_int value = 1; value < 50; value++)
			assert_int_equal(totals[value], value * (NODES - 1));
		memset(totals, 0, 100 * sizeof(*totals));
		assert_int_equal(clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
						     sizeof(no), &no),
				 CL_SUCCESS);
		assert_int_equal(clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_SVM_PTRS,
						     sizeof(nodes), nodes),
				 CL_SUCCESS);
	}
	for (int i = 0; i < NODES; i++)
		clSVMFree(f->context, nodes[i]);
	clSVMFree(f->context, totals);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_in_parallel),
		cmocka_unit_test(test_lists),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
