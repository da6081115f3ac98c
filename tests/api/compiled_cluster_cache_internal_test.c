/* SPDX-License-Identifier: MIT
 *
 * The software cache of an accelerator's clusters: known hits and misses, and the same results as without.
 */
#include "compiled_fixture.h"
#include "described_context.h"

#include "device/device.h"
#include "driver/stats.h"

enum { DEVICES = 2, WITH = 0, WITHOUT = 1, ITEMS = 256, GROUP = 64 };

struct machines {
	cl_device_id devices[DEVICES];
	cl_context context;
	cl_command_queue queues[DEVICES];
	cl_program program;
	cl_mem in;
	cl_mem out;
	cl_uint numbers[ITEMS];
};

static const char source[] =
	"kernel void copy(global const uint *in, global uint *out) {\n"
	"  size_t i = get_global_id(0);\n"
	"  out[i] = in[i] * 3;\n"
	"}\n"
	"kernel void same(global const uint *in, global uint *out) {\n"
	"  out[get_global_id(0)] = in[0];\n"
	"}\n"
	"uint __attribute__((noinline)) at(global const uint *in, size_t i) { return in[i]; }\n"
	"kernel void reverse(global const uint *in, global uint *out) {\n"
	"  local uint part[64];\n"
	"  size_t l = get_local_id(0);\n"
	"  part[l] = at(in, get_global_id(0));\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  out[get_global_id(0)] = part[63 - l];\n"
	"}\n"
	"kernel void late(global const uint *in, global uint *out) {\n"
	"  local uint part[64];\n"
	"  size_t l = get_local_id(0);\n"
	"  part[l] = l;\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  out[get_global_id(0)] = part[63 - l];\n"
	"}\n"
	"kernel void count(global const uint *in, global uint *out) {\n"
	"  atomic_inc(&out[in[get_global_id(0)] & 15]);\n"
	"}\n";

static int set_up(void **state)
{
	static struct machines m;

	compiled_options();
	m.context = described_context(
		"accel",
		"clusters=2,groups=1,clock=1000,cache=1K,cache_line=64,cache_ways=2;"
		"clusters=2,groups=1,clock=1000",
		DEVICES, m.devices);
	for (int i = 0; i < DEVICES; i++)
		m.queues[i] = fixture_queue(m.context, m.devices[i], CL_QUEUE_PROFILING_ENABLE);
	m.program = compiled_program(m.context, source, "");
	for (cl_uint i = 0; i < ITEMS; i++)
		m.numbers[i] = i * 7;
	m.in = clCreateBuffer(m.context, CL_MEM_COPY_HOST_PTR, sizeof(m.numbers), m.numbers, NULL);
	m.out = clCreateBuffer(m.context, 0, sizeof(m.numbers), NULL, NULL);
	*state = &m;
	return 0;
}

static int tear_down(void **state)
{
	const struct machines *m = *state;

	assert_int_equal(clReleaseMemObject(m->in), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(m->out), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(m->program), CL_SUCCESS);
	for (int i = 0; i < DEVICES; i++)
		assert_int_equal(clReleaseCommandQueue(m->queues[i]), CL_SUCCESS);
	assert_int_equal(clReleaseContext(m->context), CL_SUCCESS);
	return 0;
}

/* Returns the simulated time, in cycles; the buffer is all zeros before. */
static cl_ulong run(const struct machines *m, int device, const char *name, cl_uint *result)
{
	const size_t items = ITEMS, group = GROUP;
	const cl_uint zero = 0;
	cl_event event;
	cl_kernel kernel = clCreateKernel(m->program, name, NULL);

	assert_non_null(kernel);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(cl_mem), &m->in), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(cl_mem), &m->out), CL_SUCCESS);
	assert_int_equal(clEnqueueFillBuffer(m->queues[device], m->out, &zero, sizeof(zero), 0,
					     sizeof(m->numbers), 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clEnqueueNDRangeKernel(m->queues[device], kernel, 1, NULL, &items, &group,
						0, NULL, &event),
			 CL_SUCCESS);
	assert_int_equal(clEnqueueReadBuffer(m->queues[device], m->out, CL_TRUE, 0,
					     sizeof(m->numbers), result, 0, NULL, NULL),
			 CL_SUCCESS);
	const cl_ulong time = fixture_time(event, CL_PROFILING_COMMAND_END) -
			      fixture_time(event, CL_PROFILING_COMMAND_START);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	return time;
}

struct expectation {
	const char *name;
	uint64_t hits;
	uint64_t misses;
	uint64_t write_backs;
};

/* Twice, and each time with an empty cache. */
static void check(const struct machines *m, const struct expectation *expected)
{
	cl_uint with[ITEMS], without[ITEMS];
	cl_ulong first = 0;

	(void)run(m, WITHOUT, expected->name, without);
	for (int round = 0; round < 2; round++) {
		const struct accel_stats before = accel_stats_read(m->devices[WITH]->impl);
		cl_ulong time = run(m, WITH, expected->name, with);
		const struct accel_stats after = accel_stats_read(m->devices[WITH]->impl);

		assert_memory_equal(with, without, sizeof(with));
		assert_int_equal(after.cache_hits - before.cache_hits, expected->hits);
		assert_int_equal(after.cache_misses - before.cache_misses, expected->misses);
		assert_int_equal(after.cache_write_backs - before.cache_write_backs,
				 expected->write_backs);
		assert_true(round == 0 || time == first);
		first = time;
	}
	assert_int_equal(accel_stats_read(m->devices[WITHOUT]->impl).cache_misses, 0);
}

/* 16 numbers are a line: a buffer has 16 of them. */
static void each_line_comes_once(void **state)
{
	check(*state, &(struct expectation){"copy", 512 - 32, 32, 16});
}

/* Each cluster asks for that line. */
static void one_line_for_all(void **state)
{
	check(*state, &(struct expectation){"same", 512 - 18, 18, 16});
}

static void functions_and_barriers(void **state)
{
	check(*state, &(struct expectation){"reverse", 512 - 32, 32, 16});
}

/* Of each cluster's two groups, the slowest element has three hits and a miss, which is a hit and 308 cycles; then each
 * cluster writes 8 lines. */
static void first_access_after_a_barrier(void **state)
{
	cl_uint result[ITEMS];

	check(*state, &(struct expectation){"late", 256 - 16, 16, 16});
	assert_true(run(*state, WITH, "late", result) >=
		    1000 + 2 * (50 + 20 + 4 * 20 + 308) + 300 + 8 * 8);
}

static void atomics_go_past_it(void **state)
{
	check(*state, &(struct expectation){"count", 256 - 16, 16, 0});
}

static void device_says_so(void **state)
{
	const struct machines *m = *state;
	cl_device_mem_cache_type type = CL_NONE;
	cl_ulong size = 0;
	cl_uint line = 0;

	assert_int_equal(clGetDeviceInfo(m->devices[WITH], CL_DEVICE_GLOBAL_MEM_CACHE_TYPE,
					 sizeof(type), &type, NULL),
			 CL_SUCCESS);
	assert_int_equal(type, CL_READ_WRITE_CACHE);
	assert_int_equal(clGetDeviceInfo(m->devices[WITH], CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE,
					 sizeof(line), &line, NULL),
			 CL_SUCCESS);
	assert_int_equal(line, 64);
	/* it takes of the cluster's memory */
	assert_int_equal(clGetDeviceInfo(m->devices[WITH], CL_DEVICE_LOCAL_MEM_SIZE, sizeof(size),
					 &size, NULL),
			 CL_SUCCESS);
	assert_int_equal(size, 255 << 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_line_comes_once),
		cmocka_unit_test(one_line_for_all),
		cmocka_unit_test(functions_and_barriers),
		cmocka_unit_test(first_access_after_a_barrier),
		cmocka_unit_test(atomics_go_past_it),
		cmocka_unit_test(device_says_so),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
