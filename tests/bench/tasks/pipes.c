/* SPDX-License-Identifier: MIT
 *
 * Pipes: one kernel writes numbers into a pipe and another one, in another queue, reads them and adds them up. Both are one group
 * and begin together. By reservations of the group, and by its work-items one by one.
 */
#include "tasks.h"

#include <unistd.h>

#define RUNS 5 /* and one that isn't counted */
#define ROOM 65536
#define GROUP 1024

static const char source[] =
	"kernel void write_groups(write_only pipe uint p, uint rounds) {\n"
	"  uint n = get_local_size(0), l = get_local_id(0);\n"
	"  for (uint r = 0; r < rounds; r++) {\n"
	"    reserve_id_t id; uint x = r * n + l;\n"
	"    do id = work_group_reserve_write_pipe(p, n); while (!is_valid_reserve_id(id));\n"
	"    write_pipe(p, id, l, &x); work_group_commit_write_pipe(p, id); } }\n"
	"kernel void read_groups(read_only pipe uint p, uint rounds, global ulong *sums) {\n"
	"  uint n = get_local_size(0), l = get_local_id(0); ulong sum = 0;\n"
	"  for (uint r = 0; r < rounds; r++) {\n"
	"    reserve_id_t id; uint x;\n"
	"    do id = work_group_reserve_read_pipe(p, n); while (!is_valid_reserve_id(id));\n"
	"    read_pipe(p, id, l, &x); work_group_commit_read_pipe(p, id); sum += x; }\n"
	"  sums[l] = sum; }\n"
	"kernel void write_items(write_only pipe uint p, uint rounds) {\n"
	"  uint n = get_local_size(0), l = get_local_id(0);\n"
	"  for (uint r = 0; r < rounds; r++) { uint x = r * n + l; while (write_pipe(p, &x)) ; } "
	"}\n"
	"kernel void read_items(read_only pipe uint p, uint rounds, global ulong *sums) {\n"
	"  ulong sum = 0;\n"
	"  for (uint r = 0; r < rounds; r++) { uint x; while (read_pipe(p, &x)) ; sum += x; }\n"
	"  sums[get_local_id(0)] = sum; }\n";

struct pipes {
	const struct device *device;
	cl_program program;
	cl_command_queue queues[2];
	cl_mem pipe;
	cl_mem sums;
	cl_uint rounds;
};

static cl_kernel kernel_of(const struct pipes *pipes, const char *name)
{
	cl_int error;
	cl_kernel kernel = clCreateKernel(pipes->program, name, &error);

	must(error, name);
	must(clSetKernelArg(kernel, 0, sizeof(pipes->pipe), &pipes->pipe), "clSetKernelArg");
	must(clSetKernelArg(kernel, 1, sizeof(pipes->rounds), &pipes->rounds), "clSetKernelArg");
	return kernel;
}

static void check_sums(const struct pipes *pipes)
{
	const cl_ulong count = (cl_ulong)pipes->rounds * GROUP;
	cl_ulong sums[GROUP], sum = 0;

	must(clEnqueueReadBuffer(pipes->queues[0], pipes->sums, CL_TRUE, 0, sizeof(sums), sums, 0,
				 NULL, NULL),
	     "clEnqueueReadBuffer");
	for (unsigned i = 0; i < GROUP; i++)
		sum += sums[i];
	expect(sum == count * (count - 1) / 2, "pipes");
}

/* Nanoseconds per packet. */
static double run(const struct pipes *pipes, cl_kernel writer, cl_kernel reader)
{
	cl_event gate = device_gate(pipes->device);

	for (unsigned i = 0; i < 2; i++)
		must(clEnqueueMarkerWithWaitList(pipes->queues[i], 1, &gate, NULL), "the gate");
	enqueue(pipes->queues[0], writer, GROUP, GROUP);
	enqueue(pipes->queues[1], reader, GROUP, GROUP);
	double seconds = time_behind(gate, pipes->queues, 2);
	check_sums(pipes);
	clReleaseEvent(gate);
	return seconds * 1e9 / pipes->rounds / GROUP;
}

static double median_of_runs(struct pipes *pipes, const char *write, const char *read,
			     cl_uint rounds)
{
	double times[RUNS];

	pipes->rounds = rounds;
	cl_kernel writer = kernel_of(pipes, write), reader = kernel_of(pipes, read);
	must(clSetKernelArg(reader, 2, sizeof(pipes->sums), &pipes->sums), "clSetKernelArg");
	(void)run(pipes, writer, reader);
	for (unsigned i = 0; i < RUNS; i++)
		times[i] = run(pipes, writer, reader);
	clReleaseKernel(writer);
	clReleaseKernel(reader);
	return median(times, RUNS);
}

static void measure(const struct device *device, double *numbers)
{
	const char *text = source;
	struct pipes pipes = {.device = device};
	cl_int error;

	numbers[0] = numbers[1] = NOT_OFFERED;
	pipes.pipe = clCreatePipe(device->context, 0, sizeof(cl_uint), ROOM, NULL, &error);
	if (error == CL_INVALID_OPERATION)
		return;
	must(error, "clCreatePipe");
	pipes.program = clCreateProgramWithSource(device->context, 1, &text, NULL, &error);
	must(error, "clCreateProgramWithSource");
	must(clBuildProgram(pipes.program, 1, &device->id, "-cl-std=CL2.0", NULL, NULL),
	     "clBuildProgram");
	pipes.sums = device_buffer(device, 0, GROUP * sizeof(cl_ulong));
	for (unsigned i = 0; i < 2; i++)
		pipes.queues[i] = device_queue(device, 0);
	(void)alarm(60); /* for drivers that run one kernel after the other */
	numbers[0] =
		median_of_runs(&pipes, "write_groups", "read_groups", device->small ? 100 : 20000);
	numbers[1] = median_of_runs(&pipes, "write_items", "read_items", device->small ? 10 : 1000);
	(void)alarm(0);
	for (unsigned i = 0; i < 2; i++)
		clReleaseCommandQueue(pipes.queues[i]);
	clReleaseMemObject(pipes.sums);
	clReleaseMemObject(pipes.pipe);
	clReleaseProgram(pipes.program);
}

const struct task_case pipe_cases[] = {
	{"a pipe between two kernels",
	 {{"by groups, a packet", "ns", 10}, {"by work-items, a packet", "ns", 0}},
	 measure},
	{0}};
