/* SPDX-License-Identifier: MIT
 *
 * Pipes as memory objects: making them, their queries, and the commands that refuse them (specification 5.4).
 */
#include "fixture.h"

#define PACKET 12
#define PACKETS 100

static cl_mem make(struct fixture *f)
{
	cl_int err = CL_INVALID_VALUE;
	cl_mem pipe = clCreatePipe(f->context, 0, PACKET, PACKETS, NULL, &err);

	assert_int_equal(err, CL_SUCCESS);
	assert_non_null(pipe);
	return pipe;
}

static void test_wrong_pipes(void **state)
{
	const cl_pipe_properties none[] = {0};
	struct fixture *f = *state;
	cl_uint largest = 0;
	cl_ulong most_bytes = 0;

	assert_int_equal(clGetDeviceInfo(f->device, CL_DEVICE_PIPE_MAX_PACKET_SIZE, sizeof(largest),
					 &largest, NULL),
			 CL_SUCCESS);
	assert_int_equal(clGetDeviceInfo(f->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE,
					 sizeof(most_bytes), &most_bytes, NULL),
			 CL_SUCCESS);
	/* their states and the rest take more than what is left */
	const cl_uint too_many = (cl_uint)(most_bytes / largest);
	const struct {
		cl_context context;
		cl_mem_flags flags;
		cl_uint packet_size, max_packets;
		const cl_pipe_properties *properties;
		cl_int expected;
	} wrong[] = {
		{NULL, 0, 4, 4, NULL, CL_INVALID_CONTEXT},
		{(cl_context)f->queue, 0, 4, 4, NULL, CL_INVALID_CONTEXT},
		{f->context, CL_MEM_READ_ONLY, 4, 4, NULL, CL_INVALID_VALUE},
		{f->context, CL_MEM_WRITE_ONLY, 4, 4, NULL, CL_INVALID_VALUE},
		{f->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, 4, 4, NULL,
		 CL_INVALID_VALUE},
		{f->context, CL_MEM_HOST_READ_ONLY, 4, 4, NULL, CL_INVALID_VALUE},
		{f->context, 0, 4, 4, none, CL_INVALID_VALUE},
		{f->context, 0, 0, 4, NULL, CL_INVALID_PIPE_SIZE},
		{f->context, 0, largest + 1, 4, NULL, CL_INVALID_PIPE_SIZE},
		{f->context, 0, 4, 0, NULL, CL_INVALID_PIPE_SIZE},
		{f->context, 0, largest, too_many, NULL, CL_MEM_OBJECT_ALLOCATION_FAILURE},
		{f->context, 0, largest, CL_UINT_MAX, NULL, CL_MEM_OBJECT_ALLOCATION_FAILURE},
		{f->context, 0, largest, 1u << 31, NULL, CL_MEM_OBJECT_ALLOCATION_FAILURE},
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		cl_int err = CL_SUCCESS;

		assert_null(clCreatePipe(wrong[i].context, wrong[i].flags, wrong[i].packet_size,
					 wrong[i].max_packets, wrong[i].properties, &err));
		assert_int_equal(err, wrong[i].expected);
	}
	assert_null(clCreatePipe(f->context, 0, 0, 0, NULL, NULL));
}

static cl_uint number_of(cl_mem pipe, cl_pipe_info param)
{
	cl_uint number = 0;
	size_t size = 0;

	assert_int_equal(clGetPipeInfo(pipe, param, sizeof(number), &number, &size), CL_SUCCESS);
	assert_int_equal(size, sizeof(number));
	return number;
}

static cl_mem_flags flags_of(cl_mem pipe)
{
	cl_mem_flags flags = 0;

	assert_int_equal(clGetMemObjectInfo(pipe, CL_MEM_FLAGS, sizeof(flags), &flags, NULL),
			 CL_SUCCESS);
	return flags;
}

static void test_queries(void **state)
{
	struct fixture *f = *state;
	cl_mem pipe = make(f);
	cl_mem buffer = clCreateBuffer(f->context, 0, 64, NULL, NULL);
	cl_mem_object_type type = 0;
	cl_uint number;
	size_t size = 1;
	void *pointer = &size;

	assert_int_equal(number_of(pipe, CL_PIPE_PACKET_SIZE), PACKET);
	assert_int_equal(number_of(pipe, CL_PIPE_MAX_PACKETS), PACKETS);
	assert_int_equal(clGetPipeInfo(pipe, CL_PIPE_PROPERTIES, 0, NULL, &size), CL_SUCCESS);
	assert_int_equal(size, 0);
	assert_int_equal(clGetPipeInfo(pipe, CL_MEM_FLAGS, 64, &number, NULL), CL_INVALID_VALUE);
	assert_int_equal(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, 3, &number, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(clGetPipeInfo(NULL, CL_PIPE_PACKET_SIZE, 4, &number, NULL),
			 CL_INVALID_MEM_OBJECT);
	assert_int_equal(clGetPipeInfo(buffer, CL_PIPE_PACKET_SIZE, 4, &number, NULL),
			 CL_INVALID_MEM_OBJECT);
	assert_int_equal(clGetMemObjectInfo(pipe, CL_MEM_TYPE, sizeof(type), &type, NULL),
			 CL_SUCCESS);
	assert_int_equal(type, CL_MEM_OBJECT_PIPE);
	assert_int_equal(clGetMemObjectInfo(pipe, CL_MEM_HOST_PTR, sizeof(pointer), &pointer, NULL),
			 CL_SUCCESS);
	assert_null(pointer);
	assert_int_equal(clGetMemObjectInfo(pipe, CL_MEM_SIZE, sizeof(size), &size, NULL),
			 CL_SUCCESS);
	assert_true(size >= (size_t)PACKET * PACKETS);
	assert_int_equal(clGetImageInfo(pipe, CL_IMAGE_WIDTH, sizeof(size), &size, NULL),
			 CL_INVALID_MEM_OBJECT);
	assert_true(flags_of(pipe) == (CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS));
	assert_int_equal(clReleaseMemObject(pipe), CL_SUCCESS);
	pipe = clCreatePipe(f->context, CL_MEM_HOST_NO_ACCESS, 1, 1, NULL, NULL);
	assert_true(flags_of(pipe) == CL_MEM_HOST_NO_ACCESS);
	assert_int_equal(clReleaseMemObject(pipe), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
}

/* What is for buffers or images. */
static void test_wrong_commands(void **state)
{
	const size_t zeros[3] = {0}, region[3] = {4, 1, 1};
	const cl_buffer_region part = {0, 4};
	const cl_image_format format = {CL_R, CL_UNSIGNED_INT8};
	struct fixture *f = *state;
	cl_mem pipe = make(f);
	cl_mem buffer = clCreateBuffer(f->context, 0, 64, NULL, NULL);
	cl_image_desc in_pipe = {
		.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 4, .mem_object = pipe};
	cl_uint data[4] = {0};
	cl_int err = CL_SUCCESS;

#define REFUSED(call) assert_int_equal(call, CL_INVALID_MEM_OBJECT)
	REFUSED(clEnqueueReadBuffer(f->queue, pipe, CL_TRUE, 0, 4, data, 0, NULL, NULL));
	REFUSED(clEnqueueWriteBuffer(f->queue, pipe, CL_TRUE, 0, 4, data, 0, NULL, NULL));
	REFUSED(clEnqueueFillBuffer(f->queue, pipe, data, 4, 0, 4, 0, NULL, NULL));
	REFUSED(clEnqueueCopyBuffer(f->queue, pipe, buffer, 0, 0, 4, 0, NULL, NULL));
	REFUSED(clEnqueueCopyBuffer(f->queue, buffer, pipe, 0, 0, 4, 0, NULL, NULL));
	REFUSED(clEnqueueReadBufferRect(f->queue, pipe, CL_TRUE, zeros, zeros, region, 0, 0, 0, 0,
					data, 0, NULL, NULL));
	REFUSED(clEnqueueReadImage(f->queue, pipe, CL_TRUE, zeros, region, 0, 0, data, 0, NULL,
				   NULL));
	REFUSED(clEnqueueFillImage(f->queue, pipe, data, zeros, region, 0, NULL, NULL));
	REFUSED(clEnqueueCopyImageToBuffer(f->queue, pipe, buffer, zeros, region, 0, 0, NULL,
					   NULL));
	REFUSED(clEnqueueUnmapMemObject(f->queue, pipe, data, 0, NULL, NULL));
	assert_null(clEnqueueMapBuffer(f->queue, pipe, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL,
				       &err));
	REFUSED(err);
	assert_null(clCreateSubBuffer(pipe, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &err));
	REFUSED(err);
#undef REFUSED
	assert_null(clCreateImage(f->context, 0, &format, &in_pipe, NULL, &err));
	assert_int_equal(err, CL_INVALID_IMAGE_DESCRIPTOR);
	assert_int_equal(clEnqueueMigrateMemObjects(f->queue, 1, &pipe,
						    CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0,
						    NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	assert_int_equal(number_of(pipe, CL_PIPE_PACKET_SIZE), PACKET);
	assert_int_equal(clReleaseMemObject(pipe), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
}

static void CL_CALLBACK note_end(cl_mem pipe, void *ended)
{
	(void)pipe;
	*(bool *)ended = true;
}

static void test_life(void **state)
{
	struct fixture *f = *state;
	cl_mem pipe = make(f);
	bool ended = false;

	assert_int_equal(clSetMemObjectDestructorCallback(pipe, note_end, &ended), CL_SUCCESS);
	assert_int_equal(clRetainMemObject(pipe), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(pipe), CL_SUCCESS);
	assert_false(ended);
	assert_int_equal(clReleaseMemObject(pipe), CL_SUCCESS);
	assert_true(ended);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrong_pipes),
		cmocka_unit_test(test_queries),
		cmocka_unit_test(test_wrong_commands),
		cmocka_unit_test(test_life),
	};

	return cmocka_run_group_tests(tests, fixture_set_up, fixture_tear_down);
}
