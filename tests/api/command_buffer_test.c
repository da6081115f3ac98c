/* SPDX-License-Identifier: MIT
 *
 * Command buffers without kernels: every error that can be provoked, queries, life, what copies and fills leave.
 */
#include "command_buffers.h"

#define BYTES 256

static cl_mem source;
static cl_mem target;
static cl_mem foreign;
static cl_command_buffer_khr recording; /* of the in-order queue; nothing is recorded in it */
static cl_command_buffer_khr done;      /* finalized, empty */
static const size_t zeros[3];
static const size_t region[3] = {16, 4, 1};

static int set_up(void **state)
{
	int err = fixture_set_up(state);
	struct fixture *f = *state;

	command_buffers_find();
	source = fixture_buffer(f, 0, BYTES, NULL);
	target = fixture_buffer(f, 0, BYTES, NULL);
	foreign = clCreateBuffer(f->other_context, 0, BYTES, NULL, NULL);
	assert_non_null(foreign);
	recording = command_buffer_for(f->queue, 0);
	done = command_buffer_for(f->queue, 0);
	command_buffer_finalize(done);
	return err;
}

static int tear_down(void **state)
{
	command_buffer_release(recording);
	command_buffer_release(done);
	assert_int_equal(clReleaseMemObject(source), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(target), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(foreign), CL_SUCCESS);
	return fixture_tear_down(state);
}

/* ---- what devices say ------------------------------------------------------------------------ */

static cl_bitfield device_bits(struct fixture *f, cl_device_info param)
{
	cl_bitfield bits = ~(cl_bitfield)0;
	size_t size = 0;

	assert_int_equal(clGetDeviceInfo(f->device, param, sizeof(bits), &bits, &size), CL_SUCCESS);
	assert_int_equal(size, sizeof(bits));
	return bits;
}

static void devices(void **state)
{
	struct fixture *f = *state;
	char extensions[4096];
	const bool enqueues = device_bits(f, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) != 0;

	assert_int_equal(device_bits(f, CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR),
			 (enqueues ? CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR : 0) |
				 CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR |
				 CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR |
				 CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR);
	assert_int_equal(device_bits(f, CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR), 0);
	assert_int_equal(device_bits(f, CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR),
			 CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
	assert_int_equal(
		device_bits(f, CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR),
		CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR |
			CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR | CL_MUTABLE_DISPATCH_ARGUMENTS_KHR |
			CL_MUTABLE_DISPATCH_EXEC_INFO_KHR);
	assert_int_equal(clGetDeviceInfo(f->device, CL_DEVICE_EXTENSIONS, sizeof(extensions),
					 extensions, NULL),
			 CL_SUCCESS);
	assert_non_null(strstr(extensions, "cl_khr_command_buffer "));
	assert_non_null(strstr(extensions, "cl_khr_command_buffer_mutable_dispatch"));
	assert_non_null(strstr(extensions, "cl_khr_command_buffer_multi_device"));
}

/* ---- making them ----------------------------------------------------------------------------- */

static cl_int create_error(cl_uint num_queues, const cl_command_queue *queues,
			   const cl_command_buffer_properties_khr *properties)
{
	cl_int err = CL_SUCCESS;

	assert_null(ext.clCreateCommandBufferKHR(num_queues, queues, properties, &err));
	assert_null(ext.clCreateCommandBufferKHR(num_queues, queues, properties, NULL));
	return err;
}

static void creation_errors(void **state)
{
	struct fixture *f = *state;
	const cl_command_queue queues[] = {f->queue};
	const cl_command_queue other[] = {f->queue, f->other_queue};
	const cl_command_queue wrong[] = {(cl_command_queue)f->context};
	const cl_command_buffer_properties_khr unknown[] = {0x1234, 0, 0};
	const cl_command_buffer_properties_khr bits[] = {CL_COMMAND_BUFFER_FLAGS_KHR, 1u << 7, 0};
	const cl_command_buffer_properties_khr asserts[] = {
		CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR, 2, 0};
	const cl_command_buffer_properties_khr twice[] = {CL_COMMAND_BUFFER_FLAGS_KHR, 0,
							  CL_COMMAND_BUFFER_FLAGS_KHR, 0, 0};

	assert_int_equal(create_error(1, wrong, NULL), CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(create_error(2, other, NULL), CL_INVALID_CONTEXT);
	assert_int_equal(create_error(0, queues, NULL), CL_INVALID_VALUE);
	assert_int_equal(create_error(2, NULL, NULL), CL_INVALID_VALUE);
	assert_int_equal(create_error(1, NULL, NULL), CL_INVALID_VALUE);
	assert_int_equal(create_error(1, queues, unknown), CL_INVALID_VALUE);
	assert_int_equal(create_error(1, queues, bits), CL_INVALID_VALUE);
	assert_int_equal(create_error(1, queues, asserts), CL_INVALID_VALUE);
	assert_int_equal(create_error(1, queues, twice), CL_INVALID_VALUE);
}

static void queries(void **state)
{
	struct fixture *f = *state;
	const cl_command_buffer_properties_khr properties[] = {
		CL_COMMAND_BUFFER_FLAGS_KHR,
		CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR,
		CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR,
		CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR, 0};
	cl_command_buffer_khr buffer = ext.clCreateCommandBufferKHR(1, &f->queue, properties, NULL);
	cl_command_buffer_properties_khr given[5];
	cl_command_queue queue;
	cl_context context;
	cl_uint count;
	size_t size;

#define QUERY(param, value)                                                                        \
	ext.clGetCommandBufferInfoKHR(buffer, (param), sizeof(value), &(value), &size)
	assert_int_equal(QUERY(CL_COMMAND_BUFFER_NUM_QUEUES_KHR, count), CL_SUCCESS);
	assert_int_equal(count, 1);
	assert_int_equal(QUERY(CL_COMMAND_BUFFER_QUEUES_KHR, queue), CL_SUCCESS);
	assert_ptr_equal(queue, f->queue);
	assert_int_equal(size, sizeof(queue));
	assert_int_equal(QUERY(CL_COMMAND_BUFFER_CONTEXT_KHR, context), CL_SUCCESS);
	assert_ptr_equal(context, f->context);
	assert_int_equal(QUERY(CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, given), CL_SUCCESS);
	assert_int_equal(size, sizeof(properties));
	assert_memory_equal(given, properties, sizeof(properties));
	assert_int_equal(QUERY(CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, count), CL_SUCCESS);
	assert_int_equal(count, 1);
	assert_int_equal(ext.clRetainCommandBufferKHR(buffer), CL_SUCCESS);
	assert_int_equal(QUERY(CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, count), CL_SUCCESS);
	assert_int_equal(count, 2);
	command_buffer_release(buffer);
	assert_int_equal(command_buffer_state(buffer), CL_COMMAND_BUFFER_STATE_RECORDING_KHR);
	command_buffer_finalize(buffer);
	assert_int_equal(command_buffer_state(buffer), CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
	assert_int_equal(QUERY(0x1234, count), CL_INVALID_VALUE);
	assert_int_equal(ext.clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_CONTEXT_KHR, 4,
						       &context, NULL),
			 CL_INVALID_VALUE);
#undef QUERY
	command_buffer_release(buffer);
	assert_int_equal(ext.clGetCommandBufferInfoKHR(done, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR,
						       0, NULL, &size),
			 CL_SUCCESS);
	assert_int_equal(size, 0);
}

/* ---- recording ------------------------------------------------------------------------------- */

/* What the errors of all recordings are provoked with. */
struct trial {
	cl_command_buffer_khr buffer;
	cl_command_queue queue;
	const cl_command_properties_khr *properties;
	cl_uint num_waits;
	const cl_sync_point_khr *waits;
	cl_mutable_command_khr *handle;
};
#define TRIAL_BEGIN trial->buffer, trial->queue, trial->properties
#define TRIAL_END trial->num_waits, trial->waits, NULL, trial->handle

static cl_int try_barrier(const struct trial *trial)
{
	return ext.clCommandBarrierWithWaitListKHR(TRIAL_BEGIN, TRIAL_END);
}

static cl_int try_copy(const struct trial *trial)
{
	return ext.clCommandCopyBufferKHR(TRIAL_BEGIN, source, target, 0, 0, 16, TRIAL_END);
}

static cl_int try_rect(const struct trial *trial)
{
	return ext.clCommandCopyBufferRectKHR(TRIAL_BEGIN, source, target, zeros, zeros, region, 0,
					      0, 0, 0, TRIAL_END);
}

static cl_int try_fill(const struct trial *trial)
{
	return ext.clCommandFillBufferKHR(TRIAL_BEGIN, target, "abcd", 4, 0, 16, TRIAL_END);
}

static void errors_of_all_recordings(void **state)
{
	static cl_int (*const tries[])(const struct trial *) = {try_barrier, try_copy, try_rect,
								try_fill};
	static const cl_command_properties_khr none[] = {0};
	static const cl_command_properties_khr unknown[] = {0x1234, 1, 0};
	static const cl_sync_point_khr points[] = {0, 1, 1000};
	struct fixture *f = *state;
	cl_mutable_command_khr handle;
	const struct trial wrong[] = {
		{NULL, NULL, NULL, 0, NULL, NULL},
		{(cl_command_buffer_khr)f->queue, NULL, NULL, 0, NULL, NULL},
		{recording, f->out_of_order, NULL, 0, NULL, NULL},
		{done, NULL, NULL, 0, NULL, NULL},
		{recording, NULL, unknown, 0, NULL, NULL},
		{recording, NULL, NULL, 0, NULL, &handle},
		{recording, NULL, NULL, 1, NULL, NULL},
		{recording, NULL, NULL, 0, points, NULL},
		{recording, NULL, NULL, 1, points, NULL},
		{recording, NULL, NULL, 1, points + 2, NULL},
	};
	const cl_int codes[] = {CL_INVALID_COMMAND_BUFFER_KHR,
				CL_INVALID_COMMAND_BUFFER_KHR,
				CL_INVALID_COMMAND_QUEUE,
				CL_INVALID_OPERATION,
				CL_INVALID_VALUE,
				CL_INVALID_VALUE,
				CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
				CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
				CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
				CL_INVALID_SYNC_POINT_WAIT_LIST_KHR};

	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++)
			assert_int_equal(tries[i](&wrong[k]), codes[k]);
		const struct trial right[] = {{recording, NULL, none, 0, NULL, NULL},
					      {recording, f->queue, none, 0, NULL, NULL}};
		assert_int_equal(tries[i](&right[0]), CL_SUCCESS);
		assert_int_equal(tries[i](&right[1]), CL_SUCCESS);
	}
	/* and now there are commands to wait for */
	const struct trial waiting = {recording, NULL, NULL, 1, points + 1, NULL};
	assert_int_equal(try_copy(&waiting), CL_SUCCESS);
}

static cl_int copy_error(cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t size)
{
	return ext.clCommandCopyBufferKHR(recording, NULL, NULL, from, to, from_offset, to_offset,
					  size, 0, NULL, NULL, NULL);
}

static void copy_errors(void **state)
{
	struct fixture *f = *state;
	cl_mem wrong = (cl_mem)f->queue;

	assert_int_equal(copy_error(wrong, target, 0, 0, 16), CL_INVALID_MEM_OBJECT);
	assert_int_equal(copy_error(source, NULL, 0, 0, 16), CL_INVALID_MEM_OBJECT);
	assert_int_equal(copy_error(foreign, target, 0, 0, 16), CL_INVALID_CONTEXT);
	assert_int_equal(copy_error(source, foreign, 0, 0, 16), CL_INVALID_CONTEXT);
	assert_int_equal(copy_error(source, target, BYTES, 0, 16), CL_INVALID_VALUE);
	assert_int_equal(copy_error(source, target, 0, BYTES, 16), CL_INVALID_VALUE);
	assert_int_equal(copy_error(source, target, SIZE_MAX, 0, 16), CL_INVALID_VALUE);
	assert_int_equal(copy_error(source, source, 0, 8, 16), CL_MEM_COPY_OVERLAP);
}

static cl_int rect_error(cl_mem from, cl_mem to, const size_t *from_origin, const size_t *size,
			 size_t pitch)
{
	return ext.clCommandCopyBufferRectKHR(recording, NULL, NULL, from, to, from_origin, zeros,
					      size, pitch, 0, 0, 0, 0, NULL, NULL, NULL);
}

static void rect_errors(void **state)
{
	static const size_t far[3] = {0, 100, 0};
	static const size_t empty[3] = {0, 1, 1};

	(void)state;
	assert_int_equal(rect_error(NULL, target, zeros, region, 0), CL_INVALID_MEM_OBJECT);
	assert_int_equal(rect_error(foreign, target, zeros, region, 0), CL_INVALID_CONTEXT);
	assert_int_equal(rect_error(source, target, NULL, region, 0), CL_INVALID_VALUE);
	assert_int_equal(rect_error(source, target, zeros, NULL, 0), CL_INVALID_VALUE);
	assert_int_equal(rect_error(source, target, zeros, empty, 0), CL_INVALID_VALUE);
	assert_int_equal(rect_error(source, target, far, region, 0), CL_INVALID_VALUE);
	assert_int_equal(rect_error(source, target, zeros, region, 8), CL_INVALID_VALUE);
	assert_int_equal(rect_error(source, source, zeros, region, 32), CL_INVALID_VALUE);
	assert_int_equal(rect_error(source, source, zeros, region, 0), CL_MEM_COPY_OVERLAP);
}

static cl_int fill_error(cl_mem mem, const void *pattern, size_t pattern_size, size_t offset,
			 size_t size)
{
	return ext.clCommandFillBufferKHR(recording, NULL, NULL, mem, pattern, pattern_size, offset,
					  size, 0, NULL, NULL, NULL);
}

static void fill_errors(void **state)
{
	(void)state;
	assert_int_equal(fill_error(NULL, "ab", 2, 0, 4), CL_INVALID_MEM_OBJECT);
	assert_int_equal(fill_error(foreign, "ab", 2, 0, 4), CL_INVALID_CONTEXT);
	assert_int_equal(fill_error(target, NULL, 2, 0, 4), CL_INVALID_VALUE);
	assert_int_equal(fill_error(target, "abc", 3, 0, 6), CL_INVALID_VALUE);
	assert_int_equal(fill_error(target, "ab", 2, 1, 4), CL_INVALID_VALUE);
	assert_int_equal(fill_error(target, "ab", 2, 0, 5), CL_INVALID_VALUE);
	assert_int_equal(fill_error(target, "ab", 2, BYTES, 4), CL_INVALID_VALUE);
}

/* Of shared memory. */
static void svm_errors(void **state)
{
	struct fixture *f = *state;
	cl_command_buffer_khr b = recording;
	const cl_device_svm_capabilities offered = fixture_svm(f);
	const bool anywhere = offered & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
	char bytes[64];

#define REST 0, NULL, NULL, NULL
#define EACH(buffer, queue, code)                                                                  \
	assert_int_equal(ext.clCommandSVMMemcpyKHR(buffer, queue, NULL, &f, &f, 1, REST), code);   \
	assert_int_equal(ext.clCommandSVMMemFillKHR(buffer, queue, NULL, &f, "", 1, 1, REST), code)
	EACH(NULL, NULL, CL_INVALID_COMMAND_BUFFER_KHR);
	EACH(b, f->out_of_order, CL_INVALID_COMMAND_QUEUE);
#undef EACH
#define COPY(to, from, size) ext.clCommandSVMMemcpyKHR(b, NULL, NULL, to, from, size, REST)
#define FILL(to, pattern, pattern_size, size)                                                      \
	ext.clCommandSVMMemFillKHR(b, NULL, NULL, to, pattern, pattern_size, size, REST)
#define EXPECT(call, code) assert_int_equal(call, offered ? (code) : CL_INVALID_OPERATION)
	EXPECT(COPY(NULL, bytes, 8), CL_INVALID_VALUE);
	EXPECT(COPY(bytes, NULL, 8), CL_INVALID_VALUE);
	EXPECT(COPY(bytes, bytes + 7, 8), CL_MEM_COPY_OVERLAP);
	EXPECT(FILL(NULL, "ab", 2, 8), CL_INVALID_VALUE);
	EXPECT(FILL(bytes, NULL, 2, 8), CL_INVALID_VALUE);
	EXPECT(FILL(bytes, "abc", 3, 9), CL_INVALID_VALUE);
	EXPECT(FILL(bytes, "a", 1, 0), anywhere ? CL_SUCCESS : CL_INVALID_VALUE);
#undef EXPECT
#undef FILL
#undef COPY
#undef REST
}

/* ---- running --------------------------------------------------------------------------------- */

static cl_int enqueue_error(cl_uint num_queues, cl_command_queue *queues,
			    cl_command_buffer_khr buffer, cl_uint num_waits, const cl_event *waits)
{
	return ext.clEnqueueCommandBufferKHR(num_queues, queues, buffer, num_waits, waits, NULL);
}

static void enqueue_errors(void **state)
{
	struct fixture *f = *state;
	cl_command_queue wrong = (cl_command_queue)f->context;
	cl_command_queue two[] = {f->queue, f->queue};
	cl_event own = clCreateUserEvent(f->context, NULL);
	cl_event other = clCreateUserEvent(f->other_context, NULL);

	assert_int_equal(enqueue_error(0, NULL, NULL, 0, NULL), CL_INVALID_COMMAND_BUFFER_KHR);
	assert_int_equal(enqueue_error(0, NULL, recording, 0, NULL), CL_INVALID_OPERATION);
	assert_int_equal(enqueue_error(1, NULL, done, 0, NULL), CL_INVALID_VALUE);
	assert_int_equal(enqueue_error(0, two, done, 0, NULL), CL_INVALID_VALUE);
	assert_int_equal(enqueue_error(2, two, done, 0, NULL), CL_INVALID_VALUE);
	assert_int_equal(enqueue_error(1, &wrong, done, 0, NULL), CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(enqueue_error(1, &f->other_queue, done, 0, NULL), CL_INVALID_CONTEXT);
	assert_int_equal(enqueue_error(0, NULL, done, 1, NULL), CL_INVALID_EVENT_WAIT_LIST);
	assert_int_equal(enqueue_error(0, NULL, done, 0, &own), CL_INVALID_EVENT_WAIT_LIST);
	assert_int_equal(enqueue_error(0, NULL, done, 1, (cl_event *)&f->queue),
			 CL_INVALID_EVENT_WAIT_LIST);
	assert_int_equal(enqueue_error(0, NULL, done, 1, &other), CL_INVALID_CONTEXT);
	assert_int_equal(ext.clFinalizeCommandBufferKHR(done), CL_INVALID_OPERATION);
	assert_int_equal(clReleaseEvent(own), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(other), CL_SUCCESS);
}

/* Fill, copy, copy a rectangle; what is recorded outlives the handles. */
static cl_command_buffer_khr record_moves(struct fixture *f, cl_command_queue queue, cl_mem last)
{
	cl_command_buffer_khr buffer = command_buffer_for(queue, 0);
	cl_mem first = fixture_buffer(f, 0, BYTES, NULL);
	cl_mem second = fixture_buffer(f, 0, BYTES, NULL);
	cl_sync_point_khr points[3];

	assert_int_equal(ext.clCommandFillBufferKHR(buffer, NULL, NULL, first, "abcd", 4, 0, BYTES,
						    0, NULL, &points[0], NULL),
			 CL_SUCCESS);
	assert_int_equal(ext.clCommandCopyBufferKHR(buffer, NULL, NULL, first, second, 0, 2,
						    BYTES - 2, 1, &points[0], &points[1], NULL),
			 CL_SUCCESS);
	assert_int_equal(
		ext.clCommandBarrierWithWaitListKHR(buffer, NULL, NULL, 0, NULL, &points[2], NULL),
		CL_SUCCESS);
	assert_int_equal(ext.clCommandCopyBufferRectKHR(buffer, NULL, NULL, second, last,
							(const size_t[]){4, 1, 0}, zeros, region,
							32, 0, 0, 0, 0, NULL, NULL, NULL),
			 CL_SUCCESS);
	/* nothing at all */
	assert_int_equal(ext.clCommandFillBufferKHR(buffer, NULL, NULL, first, "x", 1, 0, 0, 0,
						    NULL, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(first), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(second), CL_SUCCESS);
	command_buffer_finalize(buffer);
	return buffer;
}

static void moves(void **state)
{
	struct fixture *f = *state;
	cl_command_queue queues[] = {f->queue, f->out_of_order};

	for (int i = 0; i < 4; i++) {
		cl_command_queue queue = queues[i % 2];
		cl_mem last = fixture_buffer(f, 0, BYTES, NULL);
		cl_command_buffer_khr buffer = record_moves(f, queues[i / 2], last);
		unsigned char bytes[64];
		cl_event event;
		cl_command_type type;

		for (int turn = 0; turn < 3; turn++) {
			memset(bytes, 0, sizeof(bytes));
			assert_int_equal(
				clEnqueueFillBuffer(queue, last, "", 1, 0, BYTES, 0, NULL, &event),
				CL_SUCCESS);
			cl_event filled = event;
			assert_int_equal(ext.clEnqueueCommandBufferKHR(1, &queue, buffer, 1,
								       &filled, &event),
					 CL_SUCCESS);
			assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type),
							&type, NULL),
					 CL_SUCCESS);
			assert_int_equal(type, CL_COMMAND_COMMAND_BUFFER_KHR);
			assert_int_equal(clEnqueueReadBuffer(queue, last, CL_TRUE, 0, sizeof(bytes),
							     bytes, 1, &event, NULL),
					 CL_SUCCESS);
			assert_int_equal(clReleaseEvent(filled), CL_SUCCESS);
			assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
			for (size_t k = 0; k < sizeof(bytes); k++)
				assert_int_equal(bytes[k], "cdab"[k % 4]);
		}
		command_buffer_release(buffer);
		assert_int_equal(clReleaseMemObject(last), CL_SUCCESS);
	}
}

/* The queue that it was recorded for may be released, and the command buffer itself while it is pending. */
static void life(void **state)
{
	struct fixture *f = *state;
	cl_command_queue queue =
		clCreateCommandQueueWithProperties(f->context, f->device, NULL, NULL);
	cl_mem last = fixture_buffer(f, 0, BYTES, NULL);
	cl_command_buffer_khr buffer = record_moves(f, queue, last);
	cl_event gate = clCreateUserEvent(f->context, NULL);
	unsigned char bytes[4];
	cl_event event;

	assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	command_buffer_run(buffer);
	assert_int_equal(ext.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &gate, &event),
			 CL_SUCCESS);
	command_buffer_release(buffer);
	assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
	fixture_read(f, last, bytes, sizeof(bytes));
	assert_memory_equal(bytes, "cdab", 4);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(gate), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(last), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(devices),        cmocka_unit_test(creation_errors),
		cmocka_unit_test(queries),        cmocka_unit_test(errors_of_all_recordings),
		cmocka_unit_test(copy_errors),    cmocka_unit_test(rect_errors),
		cmocka_unit_test(fill_errors),    cmocka_unit_test(svm_errors),
		cmocka_unit_test(enqueue_errors), cmocka_unit_test(moves),
		cmocka_unit_test(life),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
