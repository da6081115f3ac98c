/* SPDX-License-Identifier: MIT
 *
 * Pipes in kernels, with the real compiler: every function, several types of packets, many readers and writers at once, kernels that
 * wait for each other. Run on every driver and at every vector width (CMakeLists.txt).
 */
#include "compiled_fixture.h"

#include <stdio.h>

#define GROUP 37
#define GROUPS 3
#define ITEMS (GROUP * GROUPS)

/* `make` and `number` turn a number into a packet and back. */
static const char source[] =
	"typedef struct { uint a; uchar b[7]; } odd;\n"
	"typedef struct { uint a[250]; } large;\n"
	"#define SIMPLE(type) type make_##type(uint i) { return (type)i; }\\\n"
	"	uint number_##type(type x) { return (uint)x; }\n"
	"#define VECTOR(type, last) type make_##type(uint i) { type x = 0; x.s0 = i; x.last = i; "
	"return x; }\\\n"
	"	uint number_##type(type x) { return x.s0 == x.last ? (uint)x.s0 : ~0u; }\n"
	"SIMPLE(uchar) SIMPLE(ushort) SIMPLE(int) SIMPLE(float) SIMPLE(ulong)\n"
	"VECTOR(uchar3, s2) VECTOR(int2, s1) VECTOR(float4, s3) VECTOR(long16, sf)\n"
	"odd make_odd(uint i) { odd x; x.a = i; x.b[6] = (uchar)i; return x; }\n"
	"uint number_odd(odd x) { return x.b[6] == (uchar)x.a ? x.a : ~0u; }\n"
	"large make_large(uint i) { large x; for (int k = 0; k < 250; k++) x.a[k] = i + k; return "
	"x; }\n"
	"uint number_large(large x) { uint i = x.a[0];\n"
	"	for (int k = 0; k < 250; k++) i = x.a[k] == x.a[0] + k ? i : ~0u; return i; }\n"
	/* a packet for each work-item, by each kind of reservation; what was written, and what was read */
	"#define FORMS(type)\\\n"
	"kernel void write_##type(write_only pipe type p, global int *done) {\\\n"
	"	uint i = get_global_id(0); type x = make_##type(i); done[i] = write_pipe(p, &x); "
	"}\\\n"
	"kernel void read_##type(read_only pipe type p, global int *done) {\\\n"
	"	uint i = get_global_id(0); type x; done[i] = read_pipe(p, &x) == 0 ? "
	"(int)number_##type(x) : -1; }\n"
	"FORMS(uchar) FORMS(ushort) FORMS(int) FORMS(float) FORMS(ulong)\n"
	"FORMS(uchar3) FORMS(int2) FORMS(float4) FORMS(long16) FORMS(odd) FORMS(large)\n"
	"int put(write_only pipe int p, reserve_id_t id, uint index, int x) { return write_pipe(p, "
	"id, index, &x); }\n"
	"#define RESERVED(prefix, count, index)\\\n"
	"kernel void prefix##write(write_only pipe int p, global int *done) {\\\n"
	"	uint i = get_global_id(0); reserve_id_t id = prefix##reserve_write_pipe(p, "
	"count);\\\n"
	"	done[i] = -1;\\\n"
	"	if (is_valid_reserve_id(id)) { done[i] = put(p, id, index, i); "
	"prefix##commit_write_pipe(p, id); } }\\\n"
	"kernel void prefix##read(read_only pipe int p, global int *done) {\\\n"
	"	uint i = get_global_id(0); reserve_id_t id = prefix##reserve_read_pipe(p, "
	"count);\\\n"
	"	int x = -1;\\\n"
	"	if (is_valid_reserve_id(id)) { if (read_pipe(p, id, index, &x)) x = -2;\\\n"
	"		prefix##commit_read_pipe(p, id); }\\\n"
	"	done[i] = x; }\n"
	"RESERVED(, 1, 0)\n"
	"RESERVED(work_group_, get_local_size(0), get_local_id(0))\n"
	"RESERVED(sub_group_, get_sub_group_size(), get_sub_group_local_id())\n"
	/* all reserve, and then commit in the other order */
	"kernel void write_late(write_only pipe int p, global int *done) {\n"
	"	local reserve_id_t ids[64]; uint i = get_local_id(0), n = get_local_size(0);\n"
	"	ids[i] = reserve_write_pipe(p, 2);\n"
	"	barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	done[i] = put(p, ids[i], 0, 2 * i) | put(p, ids[i], 1, 2 * i + 1) | "
	"(int)get_pipe_num_packets(p);\n"
	"	barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	commit_write_pipe(p, ids[n - 1 - i]); }\n"
	"kernel void in_order(write_only pipe int p, uint from, uint count, global int *done) {\n"
	"	uint i = 0; for (; i < count; i++) { int x = from + i; if (write_pipe(p, &x)) "
	"break; } done[0] = i; }\n"
	"kernel void check_order(read_only pipe int p, uint from, uint count, global int *done) {\n"
	"	uint i = 0; int x; for (; i < count; i++) if (read_pipe(p, &x) || x != from + i) "
	"break; done[0] = i; }\n"
	"kernel void ask(read_only pipe int p, global int *done) {\n"
	"	reserve_id_t none = CLK_NULL_RESERVE_ID; int x;\n"
	"	done[0] = get_pipe_num_packets(p); done[1] = get_pipe_max_packets(p);\n"
	"	done[2] = is_valid_reserve_id(none) ? 1 : 0; done[3] = "
	"is_valid_reserve_id(reserve_read_pipe(p, 1000)) ? 1 : 0;\n"
	"	done[4] = read_pipe(p, none, 0, &x); }\n"
	"kernel void many_write(write_only pipe int p, uint rounds) {\n"
	"	for (uint r = 0; r < rounds; r++) { int x = r * get_global_size(0) + "
	"get_global_id(0);\n"
	"		while (write_pipe(p, &x)) ; } }\n"
	"kernel void many_read(read_only pipe int p, uint rounds, global int *seen) {\n"
	"	for (uint r = 0; r < rounds; r++) { int x; while (read_pipe(p, &x)) ; "
	"atomic_inc(&seen[x]); } }\n"
	"kernel void polled_write(write_only pipe int p, uint rounds) {\n"
	"	for (uint r = 0; r < rounds; r++) { int x = r * get_global_size(0) + "
	"get_global_id(0);\n"
	"		do while (get_pipe_num_packets(p) == get_pipe_max_packets(p)) ; while "
	"(write_pipe(p, &x)); } }\n"
	"kernel void polled_read(read_only pipe int p, uint rounds, global int *seen) {\n"
	"	for (uint r = 0; r < rounds; r++) { int x; do while (get_pipe_num_packets(p) == 0) "
	"; "
	"while (read_pipe(p, &x));\n"
	"		atomic_inc(&seen[x]); } }\n"
	"kernel void held_write(write_only pipe int p, uint rounds) {\n"
	"	for (uint r = 0; r < rounds; r++) { int x = r * get_global_size(0) + "
	"get_global_id(0); reserve_id_t id;\n"
	"		do id = reserve_write_pipe(p, 1); while (!is_valid_reserve_id(id));\n"
	"		write_pipe(p, id, 0, &x); commit_write_pipe(p, id); } }\n"
	"kernel void held_read(read_only pipe int p, uint rounds, global int *seen) {\n"
	"	for (uint r = 0; r < rounds; r++) { int x; reserve_id_t id;\n"
	"		do id = reserve_read_pipe(p, 1); while (!is_valid_reserve_id(id));\n"
	"		read_pipe(p, id, 0, &x); commit_read_pipe(p, id); atomic_inc(&seen[x]); } "
	"}\n"
	"kernel void groups_write(write_only pipe int p, uint rounds) {\n"
	"	for (uint r = 0; r < rounds; r++) { int x = r * get_global_size(0) + "
	"get_global_id(0); reserve_id_t id;\n"
	"		do id = work_group_reserve_write_pipe(p, get_local_size(0)); while "
	"(!is_valid_reserve_id(id));\n"
	"		write_pipe(p, id, get_local_id(0), &x); work_group_commit_write_pipe(p, "
	"id); } }\n"
	"kernel void groups_read(read_only pipe int p, uint rounds, global int *seen) {\n"
	"	for (uint r = 0; r < rounds; r++) { int x; reserve_id_t id;\n"
	"		do id = work_group_reserve_read_pipe(p, get_local_size(0)); while "
	"(!is_valid_reserve_id(id));\n"
	"		read_pipe(p, id, get_local_id(0), &x); work_group_commit_read_pipe(p, id); "
	"atomic_inc(&seen[x]); } }\n";

static cl_program program;

static int set_up(void **state)
{
	compiled_set_up(state);
	struct fixture *f = *state;

	program = clCreateProgramWithSource(f->context, 1, (const char *[]){source}, NULL, NULL);
	if (clBuildProgram(program, 0, NULL, "-cl-std=CL3.0 -cl-kernel-arg-info", NULL, NULL) !=
	    CL_SUCCESS) {
		char log[4096] = "";

		clGetProgramBuildInfo(program, f->device, CL_PROGRAM_BUILD_LOG, sizeof(log), log,
				      NULL);
		fail_msg("%s", log);
	}
	return 0;
}

static int tear_down(void **state)
{
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	return fixture_tear_down(state);
}

static cl_kernel kernel_of(const char *prefix, const char *name)
{
	char whole[64];

	snprintf(whole, sizeof(whole), "%s%s", prefix, name);
	cl_kernel kernel = clCreateKernel(program, whole, NULL);
	assert_non_null(kernel);
	return kernel;
}

static void set_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
	assert_int_equal(clSetKernelArg(kernel, index, size, value), CL_SUCCESS);
}

static void enqueue(cl_command_queue queue, cl_kernel kernel, size_t global, size_t local)
{
	assert_int_equal(
		clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(clFlush(queue), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

static cl_mem pipe_of(struct fixture *f, cl_uint packet_size, cl_uint max_packets)
{
	cl_mem pipe = clCreatePipe(f->context, 0, packet_size, max_packets, NULL, NULL);

	assert_non_null(pipe);
	return pipe;
}

/* Enqueues a kernel of a pipe and of one number for each work-item; `results` is filled when the queue has come so far. */
static void run(struct fixture *f, cl_kernel kernel, cl_mem pipe, size_t global, size_t local,
		cl_int *results)
{
	cl_mem done = clCreateBuffer(f->context, 0, global * sizeof(cl_int), NULL, NULL);

	assert_non_null(done);
	set_arg(kernel, 0, sizeof(pipe), &pipe);
	set_arg(kernel, 1, sizeof(done), &done);
	enqueue(f->queue, kernel, global, local);
	assert_int_equal(clEnqueueReadBuffer(f->queue, done, CL_FALSE, 0, global * sizeof(cl_int),
					     results, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(done), CL_SUCCESS);
}

/* `count` of the numbers below `limit`, each once at most; -1 elsewhere. */
static void check_read(const cl_int *results, size_t items, size_t count, size_t limit)
{
	bool seen[4 * ITEMS] = {false};
	size_t found = 0;

	for (size_t i = 0; i < items; i++) {
		if (results[i] == -1)
			continue;
		assert_in_range(results[i], 0, limit - 1);
		assert_false(seen[results[i]]);
		seen[results[i]] = true;
		found++;
	}
	assert_int_equal(found, count);
}

static size_t count_zeros(const cl_int *results, size_t items)
{
	size_t count = 0;

	for (size_t i = 0; i < items; i++)
		count += results[i] == 0;
	return count;
}

/* Writes more than there is room for, and reads more than there is: twice, so that the packets wrap around. */
static void check_forms(struct fixture *f, const char *type, cl_uint packet_size)
{
	const cl_uint room = ITEMS - 20;
	cl_mem pipe = pipe_of(f, packet_size, room);
	cl_int written[ITEMS], read[ITEMS];

	for (int round = 0; round < 2; round++) {
		run(f, kernel_of("write_", type), pipe, ITEMS, GROUP, written);
		run(f, kernel_of("read_", type), pipe, ITEMS, GROUP, read);
		assert_int_equal(clFinish(f->queue), CL_SUCCESS);
		assert_int_equal(count_zeros(written, ITEMS), room);
		check_read(read, ITEMS, room, ITEMS);
	}
	assert_int_equal(clReleaseMemObject(pipe), CL_SUCCESS);
}

static void test_packets(void **state)
{
	static const struct {
		const char *type;
		cl_uint size;
	} packets[] = {{"uchar", 1},    {"ushort", 2}, {"int", 4},     {"float", 4},
		       {"ulong", 8},    {"uchar3", 4}, {"int2", 8},    {"float4", 16},
		       {"long16", 128}, {"odd", 12},   {"large", 1000}};

	for (size_t i = 0; i < sizeof(packets) / sizeof(packets[0]); i++)
		check_forms(*state, packets[i].type, packets[i].size);
}

/* Whole reservations find room, or nothing of them does. Each kernel runs several times, so that reservations wrap around. */
static void check_reservations(struct fixture *f, const char *prefix, cl_uint room, size_t whole)
{
	cl_mem pipe = pipe_of(f, sizeof(cl_int), room);
	cl_int written[ITEMS], read[ITEMS];

	for (int round = 0; round < 4; round++) {
		run(f, kernel_of(prefix, "write"), pipe, ITEMS, GROUP, written);
		run(f, kernel_of(prefix, "read"), pipe, ITEMS, GROUP, read);
		assert_int_equal(clFinish(f->queue), CL_SUCCESS);
		assert_int_equal(count_zeros(written, ITEMS), whole);
		check_read(read, ITEMS, whole, ITEMS);
	}
	assert_int_equal(clReleaseMemObject(pipe), CL_SUCCESS);
}

static void test_reservations(void **state)
{
	check_reservations(*state, "", ITEMS - 1, ITEMS - 1);
	check_reservations(*state, "", 1, 1);
	check_reservations(*state, "work_group_", ITEMS, ITEMS);
	check_reservations(*state, "work_group_", 2 * GROUP + 5, (size_t)2 * GROUP);
	check_reservations(*state, "work_group_", GROUP, GROUP);
	check_reservations(*state, "work_group_", GROUP - 1, 0);
	check_reservations(*state, "sub_group_", ITEMS, ITEMS);
}

static void test_late_commits(void **state)
{
	struct fixture *f = *state;
	cl_mem pipe = pipe_of(f, sizeof(cl_int), 2 * GROUP);
	cl_int written[GROUP], read[ITEMS];

	for (int round = 0; round < 3; round++) {
		run(f, kernel_of("write_", "late"), pipe, GROUP, GROUP, written);
		run(f, kernel_of("read_", "int"), pipe, ITEMS, GROUP, read);
		assert_int_equal(clFinish(f->queue), CL_SUCCESS);
		/* nothing is in the pipe until it is committed */
		assert_int_equal(count_zeros(written, GROUP), GROUP);
		check_read(read, ITEMS, (size_t)2 * GROUP, (size_t)2 * GROUP);
	}
	assert_int_equal(clReleaseMemObject(pipe), CL_SUCCESS);
}

/* One work-item writes or checks `count` numbers from `from` on; returns how many. */
static cl_int move(struct fixture *f, const char *name, cl_mem pipe, cl_uint from, cl_uint count)
{
	cl_mem done = clCreateBuffer(f->context, 0, sizeof(cl_int), NULL, NULL);
	cl_kernel kernel = kernel_of("", name);
	cl_int result = -1;

	set_arg(kernel, 0, sizeof(pipe), &pipe);
	set_arg(kernel, 1, sizeof(from), &from);
	set_arg(kernel, 2, sizeof(count), &count);
	set_arg(kernel, 3, sizeof(done), &done);
	enqueue(f->queue, kernel, 1, 1);
	assert_int_equal(clEnqueueReadBuffer(f->queue, done, CL_TRUE, 0, sizeof(result), &result, 0,
					     NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(done), CL_SUCCESS);
	return result;
}

/* Packets stay between kernels, in their order; as many as the pipe was made for, whatever their number. */
static void test_order(void **state)
{
	struct fixture *f = *state;

	for (cl_uint room = 1; room < 10; room++) {
		cl_mem pipe = pipe_of(f, sizeof(cl_int), room);
		cl_int results[5];

		assert_int_equal(move(f, "in_order", pipe, 0, 100), room);
		assert_int_equal(move(f, "check_order", pipe, 0, room - 1), room - 1);
		assert_int_equal(move(f, "in_order", pipe, room, 100), room - 1);
		run(f, kernel_of("", "ask"), pipe, 5, 1, results);
		assert_int_equal(clFinish(f->queue), CL_SUCCESS);
		assert_int_equal(results[0], room);
		assert_int_equal(results[1], room);
		assert_int_equal(results[2], 0);
		assert_int_equal(results[3], 0);
		assert_true(results[4] < 0);
		assert_int_equal(move(f, "check_order", pipe, room - 1, 100), room);
		assert_int_equal(clReleaseMemObject(pipe), CL_SUCCESS);
	}
}

/* A pipe of other packets than the kernel's: nothing is read or written. */
static void test_other_packets(void **state)
{
	struct fixture *f = *state;
	cl_mem pipe = pipe_of(f, 2, ITEMS);
	cl_int results[ITEMS];

	run(f, kernel_of("write_", "ulong"), pipe, ITEMS, GROUP, results);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	assert_int_equal(count_zeros(results, ITEMS), 0);
	run(f, kernel_of("work_group_", "write"), pipe, ITEMS, GROUP, results);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	assert_int_equal(count_zeros(results, ITEMS), 0);
	assert_int_equal(clReleaseMemObject(pipe), CL_SUCCESS);
}

/* The reader is there first, in all its groups, more than there are threads; it waits for a writer of another queue. */
static void check_meeting(struct fixture *f, const char *prefix, cl_uint room)
{
	const size_t local = GROUP, global = (size_t)8 * GROUP;
	const cl_uint rounds = 20;
	const cl_uint packets = rounds * (cl_uint)global;
	cl_command_queue other = fixture_queue(f->context, f->device, 0);
	cl_mem pipe = pipe_of(f, sizeof(cl_int), room);
	cl_int *seen = calloc(packets, sizeof(*seen));
	cl_mem counts = clCreateBuffer(f->context, CL_MEM_COPY_HOST_PTR, packets * sizeof(*seen),
				       seen, NULL);
	cl_kernel reader = kernel_of(prefix, "_read"), writer = kernel_of(prefix, "_write");

	set_arg(reader, 0, sizeof(pipe), &pipe);
	set_arg(reader, 1, sizeof(rounds), &rounds);
	set_arg(reader, 2, sizeof(counts), &counts);
	set_arg(writer, 0, sizeof(pipe), &pipe);
	set_arg(writer, 1, sizeof(rounds), &rounds);
	enqueue(f->queue, reader, global, local);
	enqueue(other, writer, global, local);
	assert_int_equal(clFinish(other), CL_SUCCESS);
	assert_int_equal(clEnqueueReadBuffer(f->queue, counts, CL_TRUE, 0, packets * sizeof(*seen),
					     seen, 0, NULL, NULL),
			 CL_SUCCESS);
	for (cl_uint i = 0; i < packets; i++)
		assert_int_equal(seen[i], 1);
	free(seen);
	assert_int_equal(clReleaseMemObject(counts), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(pipe), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(other), CL_SUCCESS);
}

/* Other devices run one kernel after the other. */
static void test_kernels_that_wait(void **state)
{
	const char *devices = getenv("WEFT_DEVICES");

	if (devices && strcmp(devices, "pthread") != 0)
		skip();
	check_meeting(*state, "many", 1);
	check_meeting(*state, "many", 100);
	check_meeting(*state, "polled", 1);
	check_meeting(*state, "held", 1);
	check_meeting(*state, "held", 100);
	check_meeting(*state, "groups", GROUP);
	check_meeting(*state, "groups", 5 * GROUP + 3);
}

static void test_arguments(void **state)
{
	struct fixture *f = *state;
	cl_kernel kernel = kernel_of("write_", "int");
	cl_mem pipe = pipe_of(f, sizeof(cl_int), 4), nothing = NULL;
	cl_mem foreign = clCreatePipe(f->other_context, 0, 4, 4, NULL, NULL);
	cl_mem buffer = clCreateBuffer(f->context, 0, 64, NULL, NULL);
	const size_t size = sizeof(cl_mem), one = 1;
	cl_kernel_arg_type_qualifier qualifier = 0;
	cl_kernel_arg_access_qualifier access = 0;
	char type[16] = "";

#define WRONG(index, size, value, expected)                                                        \
	assert_int_equal(clSetKernelArg(kernel, index, size, value), expected)
	WRONG(0, size - 1, &pipe, CL_INVALID_ARG_SIZE);
	WRONG(0, size, NULL, CL_INVALID_MEM_OBJECT);
	WRONG(0, size, &nothing, CL_INVALID_MEM_OBJECT);
	WRONG(0, size, &buffer, CL_INVALID_MEM_OBJECT);
	WRONG(0, size, &foreign, CL_INVALID_CONTEXT);
	WRONG(1, size, &pipe, CL_INVALID_MEM_OBJECT);
#undef WRONG
	set_arg(kernel, 1, size, &buffer);
	assert_int_equal(
		clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
		CL_INVALID_KERNEL_ARGS);
	set_arg(kernel, 0, size, &pipe);
	assert_int_equal(clReleaseMemObject(pipe), CL_SUCCESS);
	assert_int_equal(
		clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
		CL_INVALID_KERNEL_ARGS);
	assert_int_equal(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER,
					    sizeof(qualifier), &qualifier, NULL),
			 CL_SUCCESS);
	assert_true(qualifier == CL_KERNEL_ARG_TYPE_PIPE);
	assert_int_equal(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ACCESS_QUALIFIER,
					    sizeof(access), &access, NULL),
			 CL_SUCCESS);
	assert_int_equal(access, CL_KERNEL_ARG_ACCESS_WRITE_ONLY);
	assert_int_equal(
		clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof(type), type, NULL),
		CL_SUCCESS);
	assert_string_equal(type, "int");
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(foreign), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_packets),       cmocka_unit_test(test_reservations),
		cmocka_unit_test(test_late_commits),  cmocka_unit_test(test_order),
		cmocka_unit_test(test_other_packets), cmocka_unit_test(test_kernels_that_wait),
		cmocka_unit_test(test_arguments),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
