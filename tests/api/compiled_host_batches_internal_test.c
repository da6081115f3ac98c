/* SPDX-License-Identifier: MIT
 *
 * Calls of the application's functions by accelerators: which of a group's calls the host is asked for together, in which order it
 * answers them, and that results are those of one work-item after the other. On this machine's instruction set and on RISC-V.
 */
#include "compiled_fixture.h"
#include "described_context.h"

#include "device/device.h"
#include "driver/stats.h"
#include "weft/host_function.h"

enum {
	DEVICES = 2,
	ITEMS = 256,
	GROUP = 64,
	GROUPS = ITEMS / GROUP,
	MOST_CALLS = 4096,
	LARGE = 8000,
	MANY = 20 /* calls: too many for each work-item to go from one to its next one */
};

/* Work-item, step, number; the result is their sum. */
#define HOST "__attribute__((annotate(\"weft_host\"))) "
static const char source[] = HOST
	"int note(int item, int step, int n);\n"
	"struct large { int a[2000]; };\n" HOST "int last(struct large s);\n"
	"struct huge { int a[16000]; };\n" HOST
	"int end(struct huge s, struct huge t, struct huge u, struct huge v, struct huge w);\n"
	"#define I int i = get_global_id(0), l = get_local_id(0)\n"
	"kernel void once(global int *p) { I; p[i] = note(i, 0, 5); }\n"
	"kernel void nested(global int *p) { I; p[i] = note(i, 1, note(i, 0, 7)); }\n"
	"kernel void guarded(global int *p) { I; if (i % 7 == 0) return; p[i] = note(i, 0, l); }\n"
	"kernel void uniform_loop(global int *p, int n) { I; int s = 0;\n"
	"  for (int k = 0; k < n; k++) s = note(i, k, s); p[i] = s; }\n"
	"kernel void ways(global int *p) { I;\n"
	"  if (i % 3) p[i] = note(i, 0, 5); else p[i] = -note(i, 1, note(i, 0, i)); }\n"
	"kernel void trips(global int *p) { I; int s = 1; int a[4] = {i, 1, 2, 3};\n"
	"  for (int k = 0; k < i % 5; k++) { s = note(i, k, s); a[s & 3] += s; }\n"
	"  p[i] = s + a[0] + a[1] + a[2] + a[3]; }\n"
	"kernel void trips_nested(global int *p) { I; int s = 1;\n"
	"  for (int k = 0; k < i % 3; k++) { for (int j = 0; j < l % 4; j++) s = note(i, 9 * k + "
	"j, s & 255);\n"
	"    if (s & 1) s = note(i, 9 * k + 8, s); }\n"
	"  p[i] = s; }\n"
	"kernel void rounds(global int *p) { I; int s = 0, y = 1, m = l & 3;\n"
	"  for (int k = 0; k < m; k++) { s = note(i, 4 * k, y); for (int j = 0; j < m; j++) y = "
	"note(i, 4 * k + j + 1, s); }\n"
	"  p[i] = y + 3 * s; }\n"
	"kernel void parted(global int *p) { I; local int x[64]; x[l] = i; int s = 0;\n"
	"  barrier(CLK_LOCAL_MEM_FENCE); if (l & 1) s = note(i, 0, x[63 - l]);\n"
	"  barrier(CLK_LOCAL_MEM_FENCE); p[i] = s + x[l]; }\n"
	"kernel void between(global int *p) { I; local int x[64]; x[l] = note(i, 0, 1);\n"
	"  barrier(CLK_LOCAL_MEM_FENCE); p[i] = note(i, 1, x[63 - l]); }\n"
	"kernel void some_meet(global int *p) { I; local int x[64]; x[l] = note(i, 0, 1); "
	"int s = 0;\n"
	"  barrier(CLK_LOCAL_MEM_FENCE); if (i == 9) s = note(i, 1, x[63 - l]); p[i] = note(i, 2, "
	"s); }\n"
	"#define C(k) if (i >> (k) % 8 & 1) s = note(i, k, s & 255);\n"
	"#define C5(k) C(k) C(k + 1) C(k + 2) C(k + 3) C(k + 4)\n"
	"kernel void many(global int *p) { I; int s = l; C5(0) C5(5) C5(10) C5(15) p[i] = s; }\n"
	"kernel void reduced(global int *p) { I; int s = note(i, 0, 1);\n"
	"  p[i] = work_group_reduce_add(s) + sub_group_any(s == 3); }\n"
	"kernel void larges(global int *p) { I; struct large s; s.a[0] = 0; s.a[1999] = i; p[i] = "
	"last(s); }\n"
	"kernel void huges(global int *p) { I; struct huge s; s.a[0] = i; p[i] = end(s, s, s, s, "
	"s); }\n"
	"kernel void failing(global int *p) { I; p[i] = note(i, 0, i == 70 ? -1 : 3); }\n";

struct call {
	cl_int item, step, n;
};

static struct call calls[MOST_CALLS];
static size_t num_calls;

struct machines {
	cl_device_id devices[DEVICES];
	cl_context context;
	cl_command_queue queues[DEVICES];
	cl_program program;
	cl_mem out;
};

static cl_int CL_CALLBACK note(void *data, const void *args, void *result)
{
	const struct call *call = args;

	(void)data;
	assert_true(num_calls < MOST_CALLS);
	calls[num_calls++] = *call;
	*(cl_int *)result = call->item + call->step + call->n;
	return call->n < 0 ? CL_INVALID_VALUE : CL_SUCCESS;
}

static cl_int CL_CALLBACK last(void *data, const void *args, void *result)
{
	(void)data;
	memcpy(result, (const char *)args + LARGE - sizeof(cl_int), sizeof(cl_int));
	num_calls++;
	return CL_SUCCESS;
}

static cl_int CL_CALLBACK end(void *data, const void *args, void *result)
{
	(void)data;
	memcpy(result, (const char *)args + 4 * 64000, sizeof(cl_int));
	num_calls++;
	return CL_SUCCESS;
}

static void set_function(const struct machines *m, const char *name, cl_host_function_weft function,
			 cl_uint num_args, const size_t *sizes)
{
	const cl_host_function_desc_weft desc = {name,           function, NULL,
						 sizeof(cl_int), num_args, sizes};
	cl_platform_id platform;

	assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
	clSetHostFunctionWEFT_fn set =
		(clSetHostFunctionWEFT_fn)clGetExtensionFunctionAddressForPlatform(
			platform, "clSetHostFunctionWEFT");
	assert_non_null(set);
	assert_int_equal(set(m->context, &desc), CL_SUCCESS);
}

static int set_up(void **state)
{
	static struct machines m;
	const size_t numbers[] = {4, 4, 4}, large = LARGE;
	const size_t huge[] = {64000, 64000, 64000, 64000, 64000};

	compiled_options();
	m.context =
		described_context("accel", "clusters=2;clusters=2,isa=riscv64", DEVICES, m.devices);
	for (int i = 0; i < DEVICES; i++)
		m.queues[i] = fixture_queue(m.context, m.devices[i], CL_QUEUE_PROFILING_ENABLE);
	m.program = compiled_program(m.context, source, "-cl-std=CL3.0");
	m.out = clCreateBuffer(m.context, 0, ITEMS * sizeof(cl_int), NULL, NULL);
	assert_non_null(m.out);
	set_function(&m, "note", note, 3, numbers);
	set_function(&m, "last", last, 1, &large);
	set_function(&m, "end", end, 5, huge);
	*state = &m;
	return 0;
}

static int tear_down(void **state)
{
	const struct machines *m = *state;

	assert_int_equal(clReleaseMemObject(m->out), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(m->program), CL_SUCCESS);
	for (int i = 0; i < DEVICES; i++)
		assert_int_equal(clReleaseCommandQueue(m->queues[i]), CL_SUCCESS);
	assert_int_equal(clReleaseContext(m->context), CL_SUCCESS);
	return 0;
}

/* What a launch was and did. */
struct run {
	cl_int results[ITEMS];
	cl_int status;
	uint64_t calls, batches; /* by the device's counters */
	cl_ulong time;           /* simulated, ns */
};

static struct accel_stats stats_of(const struct machines *m, int device)
{
	return accel_stats_read(m->devices[device]->impl);
}

static struct run run(const struct machines *m, int device, const char *name)
{
	const size_t items = ITEMS, group = GROUP;
	const cl_int zero = 0, four = 4;
	const struct accel_stats before = stats_of(m, device);
	cl_kernel kernel = clCreateKernel(m->program, name, NULL);
	cl_command_queue queue = m->queues[device];
	struct run made = {.time = 0};
	cl_event event;

	num_calls = 0;
	assert_non_null(kernel);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(cl_mem), &m->out), CL_SUCCESS);
	if (strcmp(name, "uniform_loop") == 0)
		assert_int_equal(clSetKernelArg(kernel, 1, sizeof(four), &four), CL_SUCCESS);
	assert_int_equal(clEnqueueFillBuffer(queue, m->out, &zero, sizeof(zero), 0,
					     sizeof(made.results), 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(
		clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, &event),
		CL_SUCCESS);
	assert_int_equal(clFinish(queue), CL_SUCCESS);
	assert_int_equal(clEnqueueReadBuffer(queue, m->out, CL_TRUE, 0, sizeof(made.results),
					     made.results, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
					sizeof(made.status), &made.status, NULL),
			 CL_SUCCESS);
	if (made.status == CL_COMPLETE)
		made.time = fixture_time(event, CL_PROFILING_COMMAND_END) -
			    fixture_time(event, CL_PROFILING_COMMAND_START);
	made.calls = stats_of(m, device).host_calls - before.host_calls;
	made.batches = stats_of(m, device).host_batches - before.host_batches;
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	return made;
}

/* ---- what the kernels compute ----------------------------------------------------------------- */

static cl_int sum(cl_int item, cl_int step, cl_int n)
{
	return item + step + n;
}

static cl_int once(cl_int i)
{
	return sum(i, 0, 5);
}

static cl_int nested(cl_int i)
{
	return sum(i, 1, sum(i, 0, 7));
}

static cl_int guarded(cl_int i)
{
	return i % 7 == 0 ? 0 : sum(i, 0, i % GROUP);
}

static cl_int uniform_loop(cl_int i)
{
	return 4 * i + 6;
}

static cl_int ways(cl_int i)
{
	return i % 3 ? sum(i, 0, 5) : -sum(i, 1, sum(i, 0, i));
}

static cl_int trips(cl_int i)
{
	cl_int s = 1, a[4] = {i, 1, 2, 3};

	for (int k = 0; k < i % 5; k++) {
		s = sum(i, k, s);
		a[s & 3] += s;
	}
	return s + a[0] + a[1] + a[2] + a[3];
}

static cl_int trips_nested(cl_int i)
{
	cl_int s = 1;

	for (int k = 0; k < i % 3; k++) {
		for (int j = 0; j < i % GROUP % 4; j++)
			s = sum(i, 9 * k + j, s & 255);
		if (s & 1)
			s = sum(i, 9 * k + 8, s);
	}
	return s;
}

/* Work-items are at both calls at once. */
static cl_int rounds(cl_int i)
{
	cl_int s = 0, y = 1;

	for (int k = 0; k < (i & 3); k++) {
		s = sum(i, 4 * k, y);
		for (int j = 0; j < (i & 3); j++)
			y = sum(i, 4 * k + j + 1, s);
	}
	return y + 3 * s;
}

static cl_int parted(cl_int i)
{
	return (i & 1 ? sum(i, 0, i / GROUP * GROUP + 63 - i % GROUP) : 0) + i;
}

static cl_int between(cl_int i)
{
	return sum(i, 1, i / GROUP * GROUP + 63 - i % GROUP + 1);
}

static cl_int some_meet(cl_int i)
{
	return sum(i, 2, i == 9 ? sum(9, 1, 54 + 1) : 0);
}

static cl_int many(cl_int i)
{
	cl_int s = i % GROUP;

	for (int k = 0; k < MANY; k++) {
		if (i >> k % 8 & 1)
			s = sum(i, k, s & 255);
	}
	return s;
}

static cl_int same(cl_int i)
{
	return i;
}

/* Calls of a work-item come in the order of its steps. Where a batch has a call of each work-item, those are in the order of these. */
static void check_order(void)
{
	cl_int next[ITEMS] = {0};

	for (size_t i = 0; i < num_calls; i++) {
		assert_true(calls[i].step >= next[calls[i].item]);
		next[calls[i].item] = calls[i].step + 1;
		if (i > 0 && calls[i].step == calls[i - 1].step &&
		    calls[i].item / GROUP == calls[i - 1].item / GROUP)
			assert_true(calls[i].item != calls[i - 1].item);
	}
}

/* ---- tests ------------------------------------------------------------------------------------ */

static void a_group_asks_once_for_all(void **state)
{
	static const struct {
		const char *name;
		cl_int (*result)(cl_int i);
		uint64_t batches; /* of a group; 0: not known */
	} cases[] = {
		{"once", once, 1},
		{"nested", nested, 2},
		{"guarded", guarded, 1},
		{"uniform_loop", uniform_loop, 4},
		{"ways", ways, 2},
		{"trips", trips, 4},
		{"trips_nested", trips_nested, 0},
		{"rounds", rounds, 12},
		{"parted", parted, 0}, /* some meet at a barrier */
		{"between", between, 2},
		{"some_meet", some_meet, 0}, /* all but one do */
		{"many", many, 0},
		{"larges", same, 2},    /* 32 of 8 KB have room */
		{"huges", same, GROUP}, /* none has */
	};
	const struct machines *m = *state;

	for (int device = 0; device < DEVICES; device++) {
		for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
			const struct run made = run(m, device, cases[c].name);

			assert_int_equal(made.status, CL_COMPLETE);
			for (cl_int i = 0; i < ITEMS; i++)
				assert_int_equal(made.results[i], cases[c].result(i));
			assert_int_equal(made.calls, num_calls);
			if (cases[c].batches > 0)
				assert_int_equal(made.batches, GROUPS * cases[c].batches);
			else
				assert_true(made.batches <= made.calls);
			if (cases[c].result == some_meet)
				assert_int_equal(made.batches, 2 * GROUPS + 1);
			if (cases[c].result == many)
				assert_true(made.batches > MANY * GROUPS);
			if (cases[c].result != same)
				check_order();
		}
	}
}

static void batches_between_functions_of_groups(void **state)
{
	const struct machines *m = *state;

	for (int device = 0; device < DEVICES; device++) {
		const struct run made = run(m, device, "reduced");

		assert_int_equal(made.status, CL_COMPLETE);
		for (cl_int i = 0; i < ITEMS; i++) {
			const cl_int first = i / GROUP * GROUP;
			const cl_int all = GROUP * (first + 1) + GROUP * (GROUP - 1) / 2;
			/* the sub-group of work-item 2 */
			const bool may_have = i < 64;

			assert_true(made.results[i] == all ||
				    (may_have && made.results[i] == all + 1));
		}
		assert_int_equal(made.results[2], GROUP + GROUP * (GROUP - 1) / 2 + 1);
		assert_int_equal(made.batches, GROUPS);
	}
}

/* No function is called behind the one that fails. */
static void a_failure_ends_a_batch(void **state)
{
	const struct machines *m = *state;

	for (int device = 0; device < DEVICES; device++) {
		const struct run made = run(m, device, "failing");

		assert_int_equal(made.status, CL_INVALID_OPERATION);
		assert_int_equal(num_calls, 71);
		for (size_t i = 0; i < num_calls; i++)
			assert_int_equal(calls[i].item, i);
	}
}

/* Each batch takes what a launch does, 1,000 cycles of 600 MHz, and groups wait side by side. */
static void a_batch_takes_a_round_trip(void **state)
{
	const struct machines *m = *state;

	for (int device = 0; device < DEVICES; device++) {
		const cl_ulong one = run(m, device, "once").time;
		const cl_ulong two = run(m, device, "nested").time;

		assert_in_range(two - one, 1666, 2 * 1666 + 1000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_group_asks_once_for_all),
		cmocka_unit_test(batches_between_functions_of_groups),
		cmocka_unit_test(a_failure_ends_a_batch),
		cmocka_unit_test(a_batch_takes_a_round_trip),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
