/* SPDX-License-Identifier: MIT
 *
 * Buffers that CPU devices and accelerators use in one context: their contents are where commands need them, and are
 * moved no more often than that.
 */
#include "memories.h"

#include "alloc.h"
#include "child.h"
#include "command_buffers.h"
#include "migration/migration.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 5000 };

static void finish_all(struct memories *m)
{
	for (int i = 0; i < NUM_DEVICES; i++)
		assert_int_equal(clFinish(m->queues[i]), CL_SUCCESS);
}

static void add(struct memories *m, int device, cl_mem mem, cl_uint value)
{
	assert_int_equal(memories_add(m, device, mem, value, NULL, NULL), CL_SUCCESS);
	assert_int_equal(clFinish(m->queues[device]), CL_SUCCESS);
}

/* Every element is its number and `more`. */
static void expect(struct memories *m, int device, cl_mem mem, cl_uint more)
{
	cl_uint words[COUNT];

	assert_int_equal(clEnqueueReadBuffer(m->queues[device], mem, CL_TRUE, 0, sizeof(words),
					     words, 0, NULL, NULL),
			 CL_SUCCESS);
	for (cl_uint i = 0; i < COUNT; i++)
		assert_int_equal(words[i], i + more);
}

static cl_mem numbers(struct memories *m, cl_mem_flags flags, cl_uint *words)
{
	for (cl_uint i = 0; i < COUNT; i++)
		words[i] = i;
	return fixture_buffer_in(m->context, flags, COUNT * sizeof(*words), words);
}

/* ---- what is moved --------------------------------------------------------------------------- */

static uint64_t transfers_since(uint64_t *before)
{
	uint64_t now = weft_migration_num_transfers();
	uint64_t since = now - *before;

	*before = now;
	return since;
}

static void only_what_is_stale(void **state)
{
	struct memories *m = *state;
	cl_uint words[COUNT];
	const cl_uint zero = 0;
	cl_mem mem = numbers(m, CL_MEM_COPY_HOST_PTR, words);
	uint64_t before = weft_migration_num_transfers();

	add(m, PTHREAD, mem, 1); /* where it is */
	add(m, BASIC, mem, 1);
	assert_int_equal(transfers_since(&before), 0);
	add(m, FIRST, mem, 1);
	assert_int_equal(transfers_since(&before), 1);
	add(m, SECOND, mem, 1); /* shares the memory */
	add(m, FIRST, mem, 1);
	assert_int_equal(transfers_since(&before), 0);
	add(m, APART, mem, 1); /* from one accelerator's to the other's */
	assert_int_equal(transfers_since(&before), 1);
	expect(m, APART, mem, 6);
	assert_int_equal(transfers_since(&before), 0);
	expect(m, PTHREAD, mem, 6); /* reading leaves the other valid */
	expect(m, PTHREAD, mem, 6);
	expect(m, APART, mem, 6);
	assert_int_equal(transfers_since(&before), 1);
	assert_int_equal(clEnqueueFillBuffer(m->queues[FIRST], mem, &zero, sizeof(zero), 0,
					     sizeof(words), 0, NULL, NULL),
			 CL_SUCCESS); /* of the old contents nothing is needed */
	add(m, FIRST, mem, 0);
	assert_int_equal(transfers_since(&before), 0);
	/* what a kernel does not touch stays where it is */
	assert_int_equal(clSetKernelArg(m->empty, 0, sizeof(mem), &mem), CL_SUCCESS);
	assert_int_equal(clEnqueueTask(m->queues[APART], m->empty, 0, NULL, NULL), CL_SUCCESS);
	assert_int_equal(clFinish(m->queues[APART]), CL_SUCCESS);
	assert_int_equal(transfers_since(&before), 0);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

static void undefined_contents_stay(void **state)
{
	struct memories *m = *state;
	cl_mem mem = fixture_buffer_in(m->context, 0, COUNT * sizeof(cl_uint), NULL);
	uint64_t before = weft_migration_num_transfers();

	add(m, FIRST, mem, 1);
	assert_int_equal(transfers_since(&before), 0);
	add(m, PTHREAD, mem, 1);
	assert_int_equal(transfers_since(&before), 1);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

static void migrate(struct memories *m, int device, cl_mem mem, cl_mem_migration_flags flags)
{
	assert_int_equal(
		clEnqueueMigrateMemObjects(m->queues[device], 1, &mem, flags, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(clFinish(m->queues[device]), CL_SUCCESS);
}

static void migrations(void **state)
{
	struct memories *m = *state;
	cl_uint words[COUNT];
	cl_mem mem = numbers(m, CL_MEM_COPY_HOST_PTR, words);
	uint64_t before = weft_migration_num_transfers();

	migrate(m, FIRST, mem, 0);
	assert_int_equal(transfers_since(&before), 1);
	add(m, SECOND, mem, 1);
	assert_int_equal(transfers_since(&before), 0);
	migrate(m, FIRST, mem, CL_MIGRATE_MEM_OBJECT_HOST);
	assert_int_equal(transfers_since(&before), 1);
	expect(m, BASIC, mem, 1);
	assert_int_equal(transfers_since(&before), 0);
	migrate(m, APART, mem, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED);
	add(m, APART, mem, 1);
	assert_int_equal(transfers_since(&before), 0);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

/* ---- commands of every kind, after one another ----------------------------------------------- */

enum { NUM_BUFFERS = 4, WORDS = 256, BYTES = WORDS * 4 };

struct model {
	struct memories *m;
	cl_mem mems[NUM_BUFFERS];
	cl_mem halves[NUM_BUFFERS]; /* the upper ones */
	cl_uint words[NUM_BUFFERS][WORDS];
	cl_event last;
};

static size_t below(size_t limit)
{
	return (size_t)rand() % limit;
}

/* The next command waits for this one, whatever their queues. */
static void chain(struct model *model, cl_event event)
{
	assert_int_equal(clReleaseEvent(model->last), CL_SUCCESS);
	model->last = event;
}

static void step_kernel(struct model *model, int device, size_t at)
{
	bool half = below(2);
	cl_uint value = (cl_uint)rand();
	cl_event event;

	assert_int_equal(memories_add(model->m, device, half ? model->halves[at] : model->mems[at],
				      value, &model->last, &event),
			 CL_SUCCESS);
	chain(model, event);
	for (size_t i = half ? WORDS / 2 : 0; i < WORDS; i++)
		model->words[at][i] += value;
}

static void step_sum(struct model *model, int device, size_t at)
{
	cl_kernel sum = model->m->sum;
	const size_t global = WORDS;
	size_t a = below(NUM_BUFFERS);
	size_t b = (at + 1) % NUM_BUFFERS;
	cl_event event;

	assert_int_equal(clSetKernelArg(sum, 0, sizeof(cl_mem), &model->mems[at]), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(sum, 1, sizeof(cl_mem), &model->mems[a]), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(sum, 2, sizeof(cl_mem), &model->mems[b]), CL_SUCCESS);
	assert_int_equal(clEnqueueNDRangeKernel(model->m->queues[device], sum, 1, NULL, &global,
						NULL, 1, &model->last, &event),
			 CL_SUCCESS);
	chain(model, event);
	for (size_t i = 0; i < WORDS; i++)
		model->words[at][i] = model->words[a][i] + model->words[b][i];
}

static void step_fill(struct model *model, int device, size_t at)
{
	size_t first = below(WORDS);
	size_t count = below(WORDS - first) + 1;
	cl_uint value = (cl_uint)rand();
	cl_event event;

	assert_int_equal(clEnqueueFillBuffer(model->m->queues[device], model->mems[at], &value, 4,
					     first * 4, count * 4, 1, &model->last, &event),
			 CL_SUCCESS);
	chain(model, event);
	for (size_t i = first; i < first + count; i++)
		model->words[at][i] = value;
}

static void step_copy(struct model *model, int device, size_t at)
{
	size_t from = (at + 1) % NUM_BUFFERS;
	size_t first = below(WORDS / 2);
	size_t to = below(WORDS / 2);
	size_t count = below(WORDS / 2) + 1;
	cl_event event;

	assert_int_equal(clEnqueueCopyBuffer(model->m->queues[device], model->mems[from],
					     model->mems[at], first * 4, to * 4, count * 4, 1,
					     &model->last, &event),
			 CL_SUCCESS);
	chain(model, event);
	memcpy(&model->words[at][to], &model->words[from][first], count * 4);
}

/* Every second word. */
static void step_write(struct model *model, int device, size_t at)
{
	cl_uint words[WORDS / 2];
	const size_t zeros[3] = {0};
	const size_t region[3] = {4, WORDS / 2, 1};

	for (size_t i = 0; i < WORDS / 2; i++)
		model->words[at][2 * i] = words[i] = (cl_uint)rand();
	assert_int_equal(clEnqueueWriteBufferRect(model->m->queues[device], model->mems[at],
						  CL_TRUE, zeros, zeros, region, 8, 0, 4, 0, words,
						  1, &model->last, NULL),
			 CL_SUCCESS);
}

static void step_read(struct model *model, int device, size_t at)
{
	cl_uint words[WORDS];
	size_t first = below(WORDS);
	size_t count = below(WORDS - first) + 1;

	assert_int_equal(clEnqueueReadBuffer(model->m->queues[device], model->mems[at], CL_TRUE,
					     first * 4, count * 4, words, 1, &model->last, NULL),
			 CL_SUCCESS);
	assert_memory_equal(words, &model->words[at][first], count * 4);
}

static void step_map(struct model *model, int device, size_t at)
{
	static const cl_map_flags kinds[] = {CL_MAP_READ, CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE,
					     CL_MAP_WRITE_INVALIDATE_REGION};
	cl_map_flags flags = kinds[below(4)];
	size_t first = below(WORDS);
	size_t count = below(WORDS - first) + 1;
	cl_event event;
	cl_int err;

	cl_uint *words =
		clEnqueueMapBuffer(model->m->queues[device], model->mems[at], CL_TRUE, flags,
				   first * 4, count * 4, 1, &model->last, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	for (size_t i = 0; i < count; i++) {
		if (flags != CL_MAP_WRITE_INVALIDATE_REGION)
			assert_int_equal(words[i], model->words[at][first + i]);
		if (flags != CL_MAP_READ && (flags == CL_MAP_WRITE_INVALIDATE_REGION || i % 3))
			model->words[at][first + i] = words[i] = (cl_uint)rand();
	}
	assert_int_equal(clEnqueueUnmapMemObject(model->m->queues[device], model->mems[at], words,
						 0, NULL, &event),
			 CL_SUCCESS);
	chain(model, event);
}

static void step_migrate(struct model *model, int device, size_t at)
{
	cl_event event;

	assert_int_equal(clEnqueueMigrateMemObjects(model->m->queues[device], 1, &model->mems[at],
						    below(2) ? CL_MIGRATE_MEM_OBJECT_HOST : 0, 1,
						    &model->last, &event),
			 CL_SUCCESS);
	chain(model, event);
}

static void run_model(struct memories *m, int steps, bool use_host)
{
	static void (*const kinds[])(struct model *, int, size_t) = {
		step_kernel, step_kernel, step_kernel, step_sum, step_fill,
		step_copy,   step_write,  step_read,   step_map, step_migrate};
	struct model model = {.m = m};
	static cl_uint host[NUM_BUFFERS][WORDS];
	const cl_buffer_region upper = {BYTES / 2, BYTES / 2};

	memset(host, 0, sizeof(host));
	for (int i = 0; i < NUM_BUFFERS; i++) {
		model.mems[i] = fixture_buffer_in(
			m->context, use_host && i % 2 ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR,
			BYTES, host[i]);
		model.halves[i] = clCreateSubBuffer(model.mems[i], 0, CL_BUFFER_CREATE_TYPE_REGION,
						    &upper, NULL);
		assert_non_null(model.halves[i]);
	}
	model.last = clCreateUserEvent(m->context, NULL);
	assert_int_equal(clSetUserEventStatus(model.last, CL_COMPLETE), CL_SUCCESS);
	for (int i = 0; i < steps; i++)
		kinds[below(sizeof(kinds) / sizeof(kinds[0]))](&model, (int)below(NUM_DEVICES),
							       below(NUM_BUFFERS));
	for (size_t i = 0; i < NUM_BUFFERS; i++) {
		step_read(&model, (int)i, i);
		assert_int_equal(clReleaseMemObject(model.halves[i]), CL_SUCCESS);
		assert_int_equal(clReleaseMemObject(model.mems[i]), CL_SUCCESS);
	}
	assert_int_equal(clReleaseEvent(model.last), CL_SUCCESS);
	finish_all(m);
}

static void random_commands(void **state)
{
	run_model(*state, 4000, false);
	run_model(*state, 2000, true);
}

/* ---- commands at the same time --------------------------------------------------------------- */

/* One half on a CPU, the other on an accelerator, without an order between them. */
static void halves_at_once(void **state)
{
	struct memories *m = *state;
	enum { HALF = 4096, ROUNDS = 50 };
	static cl_uint words[2 * HALF];
	const cl_buffer_region regions[2] = {{0, HALF * 4}, {HALF * 4, HALF * 4}};
	cl_mem halves[2];

	memset(words, 0, sizeof(words));
	cl_mem mem = fixture_buffer_in(m->context, CL_MEM_COPY_HOST_PTR, sizeof(words), words);
	for (int i = 0; i < 2; i++)
		halves[i] =
			clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &regions[i], NULL);
	for (int round = 0; round < ROUNDS; round++) {
		int devices[2] = {round % NUM_DEVICES, (round + 2) % NUM_DEVICES};

		for (int i = 0; i < 2; i++)
			assert_int_equal(
				memories_add(m, devices[i], halves[i], (cl_uint)i + 1, NULL, NULL),
				CL_SUCCESS);
		finish_all(m);
	}
	assert_int_equal(clEnqueueReadBuffer(m->queues[BASIC], mem, CL_TRUE, 0, sizeof(words),
					     words, 0, NULL, NULL),
			 CL_SUCCESS);
	for (size_t i = 0; i < 2 * HALF; i++)
		assert_int_equal(words[i], ROUNDS * (1 + i / HALF));
	for (int i = 0; i < 2; i++)
		assert_int_equal(clReleaseMemObject(halves[i]), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

/* All want the same bytes, in all memories: the second command waits for the first one's transfer. */
static void readers_at_once(void **state)
{
	struct memories *m = *state;
	enum { ROUNDS = 100 };
	cl_uint words[COUNT];
	cl_mem mem = numbers(m, CL_MEM_COPY_HOST_PTR, words);
	cl_mem out[NUM_DEVICES];
	const size_t global = COUNT;

	for (int i = 0; i < NUM_DEVICES; i++)
		out[i] = fixture_buffer_in(m->context, 0, sizeof(words), NULL);
	uint64_t before = weft_migration_num_transfers();
	for (cl_uint round = 0; round < ROUNDS; round++) {
		add(m, (int)round % NUM_DEVICES, mem, 1);
		for (int i = 0; i < NUM_DEVICES; i++) {
			assert_int_equal(clSetKernelArg(m->sum, 0, sizeof(cl_mem), &out[i]),
					 CL_SUCCESS);
			assert_int_equal(clSetKernelArg(m->sum, 1, sizeof(cl_mem), &mem),
					 CL_SUCCESS);
			assert_int_equal(clSetKernelArg(m->sum, 2, sizeof(cl_mem), &mem),
					 CL_SUCCESS);
			assert_int_equal(clEnqueueNDRangeKernel(m->queues[i], m->sum, 1, NULL,
								&global, NULL, 0, NULL, NULL),
					 CL_SUCCESS);
			assert_int_equal(clFlush(m->queues[i]), CL_SUCCESS);
		}
		finish_all(m);
		assert_true(transfers_since(&before) <= 3); /* one for each memory */
	}
	for (int i = 0; i < NUM_DEVICES; i++) {
		assert_int_equal(clEnqueueReadBuffer(m->queues[PTHREAD], out[i], CL_TRUE, 0,
						     sizeof(words), words, 0, NULL, NULL),
				 CL_SUCCESS);
		for (cl_uint k = 0; k < COUNT; k++)
			assert_int_equal(words[k], 2 * (k + ROUNDS));
		assert_int_equal(clReleaseMemObject(out[i]), CL_SUCCESS);
	}
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

static void CL_CALLBACK set_user_event(cl_event event, cl_int status, void *user)
{
	(void)event;
	assert_int_equal(clSetUserEventStatus(user, status), CL_SUCCESS);
}

/* Enqueued first, run last: what it needs is decided when it runs. */
static void against_the_order_of_enqueueing(void **state)
{
	struct memories *m = *state;
	cl_uint words[COUNT];

	for (int early = 0; early < NUM_DEVICES; early++) {
		int late = (early + 2) % NUM_DEVICES;
		cl_mem mem = numbers(m, CL_MEM_COPY_HOST_PTR, words);
		cl_event user = clCreateUserEvent(m->context, NULL);
		cl_event event;

		add(m, early, mem, 1); /* valid there, for now */
		assert_int_equal(memories_add(m, early, mem, 1, &user, NULL), CL_SUCCESS);
		assert_int_equal(memories_add(m, late, mem, 1, NULL, &event), CL_SUCCESS);
		assert_int_equal(clSetEventCallback(event, CL_COMPLETE, set_user_event, user),
				 CL_SUCCESS);
		finish_all(m);
		expect(m, late, mem, 3);
		assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
		assert_int_equal(clReleaseEvent(user), CL_SUCCESS);
		assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	}
}

/* ---- the application's memory ---------------------------------------------------------------- */

static void host_pointers(void **state)
{
	struct memories *m = *state;
	static cl_uint words[COUNT];
	cl_mem mem = numbers(m, CL_MEM_USE_HOST_PTR, words);
	cl_int err;

	add(m, FIRST, mem, 5);
	cl_uint *mapped =
		clEnqueueMapBuffer(m->queues[FIRST], mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
				   sizeof(words), 0, NULL, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_ptr_equal(mapped, words);
	for (cl_uint i = 0; i < COUNT; i++)
		assert_int_equal(words[i]++, i + 5);
	assert_int_equal(clEnqueueUnmapMemObject(m->queues[FIRST], mem, mapped, 0, NULL, NULL),
			 CL_SUCCESS);
	add(m, SECOND, mem, 5);
	expect(m, APART, mem, 11);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

static void CL_CALLBACK add_one(void *args)
{
	cl_uint *words = *(cl_uint **)args;

	for (cl_uint i = 0; i < COUNT; i++)
		words[i]++;
}

static void native_kernels(void **state)
{
	struct memories *m = *state;
	cl_uint words[COUNT];
	cl_mem mem = numbers(m, CL_MEM_COPY_HOST_PTR, words);
	void *args = NULL;
	const void *location = &args;

	add(m, FIRST, mem, 1);
	assert_int_equal(clEnqueueNativeKernel(m->queues[PTHREAD], add_one, &args, sizeof(args), 1,
					       &mem, &location, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clFinish(m->queues[PTHREAD]), CL_SUCCESS);
	add(m, FIRST, mem, 1);
	expect(m, FIRST, mem, 3);
	assert_int_equal(clEnqueueNativeKernel(m->queues[FIRST], add_one, &args, sizeof(args), 1,
					       &mem, &location, 0, NULL, NULL),
			 CL_INVALID_OPERATION);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void full_memory(void **state)
{
	struct memories *m = *state;
	enum { SIZE = 20 << 20, MOST = 4 };
	const cl_uint zero = 0;
	cl_mem mems[MOST];
	int held = 0;
	cl_int err = CL_SUCCESS;

	for (; held < MOST && err == CL_SUCCESS; held++) {
		mems[held] = fixture_buffer_in(m->context, 0, SIZE, NULL);
		err = clEnqueueFillBuffer(m->queues[APART], mems[held], &zero, sizeof(zero), 0,
					  SIZE, 0, NULL, NULL);
	}
	assert_int_equal(err, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	assert_int_equal(held, MOST);
	assert_int_equal(memories_add(m, APART, mems[held - 1], 1, NULL, NULL),
			 CL_MEM_OBJECT_ALLOCATION_FAILURE);
	add(m, PTHREAD, mems[held - 1], 1); /* elsewhere there is room */
	assert_int_equal(clFinish(m->queues[APART]), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mems[0]), CL_SUCCESS);
	add(m, APART, mems[held - 1], 1);
	for (int i = 1; i < held; i++)
		assert_int_equal(clReleaseMemObject(mems[i]), CL_SUCCESS);
}

/* Whichever allocation fails: an error, or the right result. */
static void every_allocation_fails(void **state)
{
	struct memories *m = *state;
	cl_uint words[COUNT];

	for (long n = 0;; n++) {
		cl_mem mem = numbers(m, CL_MEM_COPY_HOST_PTR, words);
		cl_event event = NULL;
		cl_int status = CL_SUCCESS;

		add(m, FIRST, mem, 1);
		weft_alloc_fail_after(n);
		cl_int err = memories_add(m, APART, mem, 1, NULL, &event);
		if (err == CL_SUCCESS)
			assert_int_not_equal(clWaitForEvents(1, &event), CL_INVALID_VALUE);
		bool failed = weft_alloc_has_failed();
		weft_alloc_fail_after(-1);
		if (err == CL_SUCCESS) {
			status = fixture_status(event);
			assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
		}
		expect(m, PTHREAD, mem, err == CL_SUCCESS && status == CL_COMPLETE ? 2 : 1);
		assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
		if (!failed)
			break;
	}
}

/* A command that is not run brings nothing. */
static void failed_dependencies(void **state)
{
	struct memories *m = *state;
	cl_uint words[COUNT];
	cl_mem mem = numbers(m, CL_MEM_COPY_HOST_PTR, words);
	cl_event user = clCreateUserEvent(m->context, NULL);
	uint64_t before = weft_migration_num_transfers();

	assert_int_equal(memories_add(m, FIRST, mem, 1, &user, NULL), CL_SUCCESS);
	assert_int_equal(clSetUserEventStatus(user, -5), CL_SUCCESS);
	assert_int_equal(clFinish(m->queues[FIRST]), CL_SUCCESS);
	assert_int_equal(transfers_since(&before), 0);
	expect(m, PTHREAD, mem, 0);
	assert_int_equal(clReleaseEvent(user), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

/* ---- command buffers, forks ------------------------------------------------------------------ */

static void recorded_commands(void **state)
{
	struct memories *m = *state;
	cl_uint words[COUNT];
	const size_t global = COUNT;
	const cl_uint value = 3;

	command_buffers_find();
	for (int device = 0; device < NUM_DEVICES; device++) {
		int other = (device + 2) % NUM_DEVICES;
		cl_mem mem = numbers(m, CL_MEM_COPY_HOST_PTR, words);
		cl_command_buffer_khr buffer = command_buffer_for(m->queues[device], 0);

		assert_int_equal(clSetKernelArg(m->add, 0, sizeof(mem), &mem), CL_SUCCESS);
		assert_int_equal(clSetKernelArg(m->add, 1, sizeof(value), &value), CL_SUCCESS);
		for (int i = 0; i < 4; i++)
			assert_int_equal(ext.clCommandNDRangeKernelKHR(buffer, NULL, NULL, m->add,
								       1, NULL, &global, NULL, 0,
								       NULL, NULL, NULL),
					 CL_SUCCESS);
		assert_int_equal(ext.clFinalizeCommandBufferKHR(buffer), CL_SUCCESS);
		for (int i = 0; i < 5; i++) {
			assert_int_equal(
				ext.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL),
				CL_SUCCESS);
			assert_int_equal(clFinish(m->queues[device]), CL_SUCCESS);
			add(m, other, mem, 1);
		}
		expect(m, PTHREAD, mem, 5 * (4 * value + 1));
		assert_int_equal(ext.clReleaseCommandBufferKHR(buffer), CL_SUCCESS);
		assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	}
}

static void forked_process(void **state)
{
	struct memories *m = *state;
	cl_uint words[COUNT];
	cl_mem mem = numbers(m, CL_MEM_COPY_HOST_PTR, words);
	int status = 1;

#if defined(__SANITIZE_THREAD__)
	skip(); /* it supports no threads in a child of a process with threads */
#endif
	add(m, FIRST, mem, 1);
	fflush(NULL);
	pid_t child = fork_limited();
	assert_true(child >= 0);
	if (child == 0) {
		add(m, APART, mem, 1);
		add(m, SECOND, mem, 1);
		expect(m, PTHREAD, mem, 3);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	expect(m, SECOND, mem, 1);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_is_stale),
		cmocka_unit_test(undefined_contents_stay),
		cmocka_unit_test(migrations),
		cmocka_unit_test(random_commands),
		cmocka_unit_test(halves_at_once),
		cmocka_unit_test(readers_at_once),
		cmocka_unit_test(against_the_order_of_enqueueing),
		cmocka_unit_test(host_pointers),
		cmocka_unit_test(native_kernels),
		cmocka_unit_test(full_memory),
		cmocka_unit_test(every_allocation_fails),
		cmocka_unit_test(failed_dependencies),
		cmocka_unit_test(recorded_commands),
		cmocka_unit_test(forked_process),
	};

	return cmocka_run_group_tests(tests, memories_set_up, memories_tear_down);
}
