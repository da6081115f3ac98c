/* SPDX-License-Identifier: MIT
 *
 * Accelerators of two instruction sets in one context: equal results, program binaries that each refuses from the other, and kernels
 * that fault.
 */
#include "compiled_fixture.h"
#include "described_context.h"

#define ITEMS 256

enum { HOST, RISCV, APART, NUM_DEVICES }; /* the third has RISC-V and a memory of its own */

static cl_device_id devices[NUM_DEVICES];

static const char *const source =
	"#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
	"#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
	"constant float table[4] = {0.1f, 7.5f, -3.25f, 1e20f};\n"
	"kernel void mix_all(global int *words, local float *parts) {\n"
	"  int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), w = words[i];\n"
	"  parts[l] = sin((float)w) * table[i & 3];\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  float f = fma(parts[(l + 1) % n], parts[l], sqrt((float)i)) / (float)(i + 1);\n"
	"  double d = exp((double)(i % 64)) + f;\n"
	"  half h = (half)(f * 0.001f);\n"
	"  long s = (long)w * 0x123456789L / (i + 3) + mul_hi(w, i) + rotate(w, i);\n"
	"  s += convert_int_sat_rte(f * 1e8f) + convert_uchar_sat(d) + as_short(h);\n"
	"  words[i] = (int)(s ^ s >> 32) + as_int(f) + (int)as_long(d) + popcount(w) + clz(w);\n"
	"}\n"
	"kernel void count(volatile global int *sum) { atomic_inc(sum); }\n"
	"kernel void wild(global int *p, long distance) { p[distance] = 1; }\n"
	"kernel void divide(global int *p, int by) { p[get_global_id(0)] /= by; }\n"
	"kernel void add(global int *p, int by) { p[get_global_id(0)] += by; }\n";

static int set_up(void **state)
{
	compiled_options();
	/* A cycle takes a nanosecond: times are not rounded. */
	*state = described_context(
		"accel",
		"memory=b,clock=1000;memory=b,isa=riscv64,clock=1000;isa=riscv64,clock=1000",
		NUM_DEVICES, devices);
	return 0;
}

static int tear_down(void **state)
{
	return clReleaseContext(*state) != CL_SUCCESS;
}

static void enqueue(cl_command_queue queue, cl_kernel kernel, cl_event *event)
{
	const size_t global = ITEMS, local = 16;

	assert_int_equal(
		clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, event),
		CL_SUCCESS);
}

/* Runs mix_all some times, each time on the next device of the list. */
static void run_mix(cl_context context, cl_program program, const int *list, int times,
		    cl_int *words)
{
	cl_kernel kernel = clCreateKernel(program, "mix_all", NULL);
	cl_mem buffer =
		fixture_buffer_in(context, CL_MEM_COPY_HOST_PTR, ITEMS * sizeof(*words), words);

	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 1, 16 * sizeof(cl_float), NULL), CL_SUCCESS);
	for (int i = 0; i < times; i++) {
		cl_command_queue queue = fixture_queue(context, devices[list[i]], 0);
		enqueue(queue, kernel, NULL);
		assert_int_equal(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0,
						     ITEMS * sizeof(*words), words, 0, NULL, NULL),
				 CL_SUCCESS);
		assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	}
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

static void results_are_equal(void **state)
{
	static const int lists[][6] = {{HOST, HOST, HOST, HOST, HOST, HOST},
				       {RISCV, RISCV, RISCV, RISCV, RISCV, RISCV},
				       {HOST, RISCV, APART, HOST, APART, RISCV}};
	cl_program program = compiled_program(*state, source, NULL);
	cl_int words[3][ITEMS];

	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < ITEMS; k++)
			words[i][k] = k * 7919 - 1000;
		run_mix(*state, program, lists[i], 6, words[i]);
	}
	assert_memory_equal(words[1], words[0], sizeof(words[0]));
	assert_memory_equal(words[2], words[0], sizeof(words[0]));
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* Commands of both follow each other in the memory that they share. */
static void commands_follow(void **state)
{
	cl_program program = compiled_program(*state, source, NULL);
	cl_kernel kernel = clCreateKernel(program, "count", NULL);
	cl_int sum = 0;
	cl_mem buffer = fixture_buffer_in(*state, CL_MEM_COPY_HOST_PTR, sizeof(sum), &sum);
	cl_command_queue queues[2];
	cl_event last = NULL;
	const size_t global = 8;

	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), CL_SUCCESS);
	for (int i = 0; i < 2; i++)
		queues[i] = fixture_queue(*state, devices[i], 0);
	for (int i = 0; i < 10; i++) {
		cl_event next;
		assert_int_equal(clEnqueueNDRangeKernel(queues[i % 2], kernel, 1, NULL, &global,
							NULL, last ? 1 : 0, last ? &last : NULL,
							&next),
				 CL_SUCCESS);
		if (last)
			assert_int_equal(clReleaseEvent(last), CL_SUCCESS);
		last = next;
	}
	assert_int_equal(clEnqueueReadBuffer(queues[0], buffer, CL_TRUE, 0, sizeof(sum), &sum, 1,
					     &last, NULL),
			 CL_SUCCESS);
	assert_int_equal(sum, 80);
	assert_int_equal(clReleaseEvent(last), CL_SUCCESS);
	for (int i = 0; i < 2; i++)
		assert_int_equal(clReleaseCommandQueue(queues[i]), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* The program that has this binary for the device; an error. */
static cl_int load(cl_context context, int device, const unsigned char *binary, size_t size)
{
	cl_int status, err;
	cl_program program = clCreateProgramWithBinary(context, 1, &devices[device], &size, &binary,
						       &status, &err);

	if (!program)
		return err;
	err = clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
	if (err == CL_SUCCESS) {
		cl_int words[ITEMS] = {1, 2, 3};
		run_mix(context, program, &device, 1, words);
	}
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	return err;
}

static void binaries_are_for_one(void **state)
{
	cl_program program = compiled_program(*state, source, NULL);
	unsigned char *binaries[NUM_DEVICES];
	size_t sizes[NUM_DEVICES];

	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(sizes), sizes, NULL),
		CL_SUCCESS);
	for (int i = 0; i < NUM_DEVICES; i++) {
		binaries[i] = malloc(sizes[i]);
		assert_non_null(binaries[i]);
	}
	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binaries), binaries, NULL),
		CL_SUCCESS);
	assert_int_equal(load(*state, HOST, binaries[HOST], sizes[HOST]), CL_SUCCESS);
	assert_int_equal(load(*state, RISCV, binaries[RISCV], sizes[RISCV]), CL_SUCCESS);
	assert_int_equal(load(*state, RISCV, binaries[APART], sizes[APART]), CL_SUCCESS);
	assert_int_equal(load(*state, RISCV, binaries[HOST], sizes[HOST]), CL_INVALID_BINARY);
	assert_int_equal(load(*state, HOST, binaries[RISCV], sizes[RISCV]), CL_INVALID_BINARY);
	for (int i = 0; i < NUM_DEVICES; i++)
		free(binaries[i]);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* A kernel that accesses what is not the device's ends with an error; the process and the device go on. */
static void wild_accesses_are_errors(void **state)
{
	static const cl_long distances[] = {INT64_C(1) << 40, -(INT64_C(1) << 40), 1 << 29};
	cl_program program = compiled_program(*state, source, NULL);
	cl_kernel kernel = clCreateKernel(program, "wild", NULL);
	cl_mem buffer = fixture_buffer_in(*state, 0, sizeof(cl_int), NULL);
	cl_int words[ITEMS] = {1};
	const int riscv = RISCV;

	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), CL_SUCCESS);
	for (size_t i = 0; i < sizeof(distances) / sizeof(distances[0]); i++) {
		cl_command_queue queue = fixture_queue(*state, devices[RISCV], 0);
		cl_event event;
		cl_int status;

		assert_int_equal(clSetKernelArg(kernel, 1, sizeof(distances[i]), &distances[i]),
				 CL_SUCCESS);
		enqueue(queue, kernel, &event);
		assert_int_equal(clWaitForEvents(1, &event),
				 CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
		assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
						sizeof(status), &status, NULL),
				 CL_SUCCESS);
		assert_int_equal(status, CL_OUT_OF_RESOURCES);
		assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
		assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	}
	run_mix(*state, program, &riscv, 1, words);
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

static const char *const spoiling = "constant float table[4] = {0.1f, 7.5f, -3.25f, 1e20f};\n"
				    "global int calls = 0;\n"
				    "kernel void spoil(global int *p, long distance) {\n"
				    "  p[0] = calls++;\n"
				    "  *(volatile global int *)((ulong)table + distance) = -1;\n"
				    "}\n";

/* A kernel's status, with one argument beside the buffer. */
static cl_int status_of(cl_command_queue queue, cl_kernel kernel, cl_long distance)
{
	const size_t one = 1;
	cl_event event;
	cl_int status;

	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(distance), &distance), CL_SUCCESS);
	assert_int_equal(
		clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event),
		CL_SUCCESS);
	(void)clFinish(queue);
	assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
					&status, NULL),
			 CL_SUCCESS);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	return status;
}

/* Stores to a program's constants and code, and to what the driver reads of it, which lies near them, are errors. Some of the places
 * are variables', or in no part of the program; none is what the driver follows. */
static void constants_are_not_written(void **state)
{
	cl_program program = compiled_program(*state, spoiling, "-cl-std=CL3.0");
	cl_kernel kernel = clCreateKernel(program, "spoil", NULL);
	cl_mem buffer = fixture_buffer_in(*state, 0, sizeof(cl_int), NULL);
	cl_int words[ITEMS] = {1}, calls;
	const int riscv = RISCV;
	cl_command_queue queue = fixture_queue(*state, devices[RISCV], 0);

	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), CL_SUCCESS);
	for (cl_long distance = 0; distance < 16; distance += 4)
		assert_int_equal(status_of(queue, kernel, distance), CL_OUT_OF_RESOURCES);
	for (cl_long distance = -4096; distance < 32768; distance += 36)
		(void)status_of(queue, kernel, distance);
	cl_program sound = compiled_program(*state, source, NULL);
	run_mix(*state, sound, &riscv, 1, words);
	assert_int_equal(clReleaseProgram(sound), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	queue = fixture_queue(*state, devices[APART], 0); /* where none of this was done */
	assert_int_equal(status_of(queue, kernel, 0), CL_OUT_OF_RESOURCES);
	assert_int_equal(status_of(queue, kernel, 0), CL_OUT_OF_RESOURCES);
	assert_int_equal(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(calls), &calls, 0,
					     NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(calls, 1); /* the variable is written */
	assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* Simulated nanoseconds of a launch. */
static cl_ulong time_of(cl_context context, cl_program program, int device, const char *name)
{
	cl_int words[ITEMS] = {0};
	const cl_int by = 3;
	cl_command_queue queue = fixture_queue(context, devices[device], CL_QUEUE_PROFILING_ENABLE);
	cl_kernel kernel = clCreateKernel(program, name, NULL);
	cl_mem buffer = fixture_buffer_in(context, CL_MEM_COPY_HOST_PTR, sizeof(words), words);
	cl_ulong begin, end;
	cl_event event;

	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(by), &by), CL_SUCCESS);
	enqueue(queue, kernel, &event);
	assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
	assert_int_equal(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(begin),
						 &begin, NULL),
			 CL_SUCCESS);
	assert_int_equal(
		clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL),
		CL_SUCCESS);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	return end - begin;
}

/* 16 groups of 16 work-items on 4 clusters of 16 elements: each element has 4 work-items at least, and a division takes 33 cycles
 * more than an addition. */
static void times_are_the_instructions(void **state)
{
	cl_program program = compiled_program(*state, source, NULL);
	const cl_ulong add = time_of(*state, program, RISCV, "add");
	const cl_ulong divide = time_of(*state, program, RISCV, "divide");

	assert_int_equal(time_of(*state, program, RISCV, "add"), add);
	assert_int_equal(time_of(*state, program, APART, "divide"), divide);
	assert_true(divide >= add + 4 * 30);
	assert_true(divide <= add + 4 * 40);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(results_are_equal),
		cmocka_unit_test(commands_follow),
		cmocka_unit_test(binaries_are_for_one),
		cmocka_unit_test(wild_accesses_are_errors),
		cmocka_unit_test(constants_are_not_written),
		cmocka_unit_test(times_are_the_instructions),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
