/* SPDX-License-Identifier: MIT
 *
 * cl_ext_immutable_memory_objects: what cannot be created, and every command that would change one.
 */
#include "command_buffers.h"

#include "buffers.h"

#define SIZE 1024
#define IMMUTABLE ((cl_mem_flags)1 << 6) /* CL_MEM_IMMUTABLE_EXT, newer than Debian's headers */

static const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
static unsigned char bytes[SIZE] __attribute__((aligned(128)));
static cl_mem fixed_buffer, fixed_part, fixed_image;

static cl_mem create_image(struct fixture *f, cl_mem_flags flags, cl_mem from, void *host_ptr,
			   cl_int *err)
{
	const cl_image_desc desc = {.image_type = from ? CL_MEM_OBJECT_IMAGE1D_BUFFER
						       : CL_MEM_OBJECT_IMAGE2D,
				    .image_width = 16,
				    .image_height = 16,
				    .mem_object = from};

	return clCreateImage(f->context, flags, &format, &desc, host_ptr, err);
}

static int set_up(void **state)
{
	cl_int err;

	buffers_set_up(state, SIZE);
	command_buffers_find();
	struct fixture *f = *state;
	memset(bytes, 5, SIZE);
	fixed_buffer = fixture_buffer(f, IMMUTABLE | CL_MEM_COPY_HOST_PTR, SIZE, bytes);
	fixed_part = fixture_sub_buffer(fixed_buffer, 0, 0, 128);
	fixed_image = create_image(f, IMMUTABLE | CL_MEM_COPY_HOST_PTR, NULL, bytes, &err);
	assert_int_equal(err, CL_SUCCESS);
	return 0;
}

static int tear_down(void **state)
{
	release_mems((const cl_mem[]){fixed_image, fixed_part, fixed_buffer, NULL});
	return buffers_tear_down(state);
}

static void test_creation(void **state)
{
	static const cl_mem_flags writing[] = {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY,
					       CL_MEM_HOST_WRITE_ONLY};
	struct fixture *f = *state;
	const cl_buffer_region region = {0, 128};
	cl_mem_flags flags;
	cl_int err;

#define EXPECT_INVALID(call) assert_null(call), assert_int_equal(err, CL_INVALID_VALUE)
	for (int i = 0; i < 3; i++) {
		const cl_mem_flags both = IMMUTABLE | writing[i] | CL_MEM_COPY_HOST_PTR;

		EXPECT_INVALID(clCreateBuffer(f->context, both, SIZE, bytes, &err));
		EXPECT_INVALID(create_image(f, both, NULL, bytes, &err));
		EXPECT_INVALID(clCreateSubBuffer(fixed_buffer, writing[i],
						 CL_BUFFER_CREATE_TYPE_REGION, &region, &err));
	}
	EXPECT_INVALID(clCreateBuffer(f->context, IMMUTABLE, SIZE, NULL, &err));
	EXPECT_INVALID(create_image(f, IMMUTABLE, NULL, NULL, &err));
	EXPECT_INVALID(create_image(f, CL_MEM_READ_ONLY, fixed_buffer, NULL, &err));
#undef EXPECT_INVALID
	cl_mem view = create_image(f, IMMUTABLE | CL_MEM_READ_ONLY, fixed_buffer, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	cl_mem reader = fixture_sub_buffer(fixed_buffer, CL_MEM_READ_ONLY, 0, 128);
	const cl_mem made[] = {fixed_buffer, fixed_part, fixed_image, view, reader};
	for (int i = 0; i < 5; i++) {
		assert_int_equal(
			clGetMemObjectInfo(made[i], CL_MEM_FLAGS, sizeof(flags), &flags, NULL),
			CL_SUCCESS);
		assert_true(flags & IMMUTABLE);
	}
	release_mems((const cl_mem[]){view, reader, NULL});
}

static void test_formats(void **state)
{
	struct fixture *f = *state;
	cl_uint readable = 0;
	cl_uint immutable = 0;

	assert_int_equal(clGetSupportedImageFormats(f->context, CL_MEM_READ_ONLY,
						    CL_MEM_OBJECT_IMAGE2D, 0, NULL, &readable),
			 CL_SUCCESS);
	assert_int_equal(clGetSupportedImageFormats(f->context, IMMUTABLE, CL_MEM_OBJECT_IMAGE2D, 0,
						    NULL, &immutable),
			 CL_SUCCESS);
	assert_int_equal(immutable, readable);
}

/* Each command with the object as what it changes. */
static void test_buffer_commands(void **state)
{
	const size_t origin[3] = {0, 0, 0};
	const size_t region[3] = {16, 4, 1};
	const cl_mem targets[] = {fixed_buffer, fixed_part};
	struct fixture *f = *state;
	cl_command_queue q = f->queue;
	cl_int err;

#define REFUSED(call) assert_int_equal(call, CL_INVALID_OPERATION)
	for (int i = 0; i < 2; i++) {
		cl_mem mem = targets[i];

		REFUSED(clEnqueueWriteBuffer(q, mem, CL_TRUE, 0, 64, bytes, 0, NULL, NULL));
		REFUSED(clEnqueueWriteBufferRect(q, mem, CL_TRUE, origin, origin, region, 0, 0, 0,
						 0, bytes, 0, NULL, NULL));
		REFUSED(clEnqueueCopyBuffer(q, buffer, mem, 0, 0, 64, 0, NULL, NULL));
		REFUSED(clEnqueueCopyBufferRect(q, buffer, mem, origin, origin, region, 0, 0, 0, 0,
						0, NULL, NULL));
		REFUSED(clEnqueueCopyImageToBuffer(q, fixed_image, mem, origin,
						   (const size_t[3]){4, 4, 1}, 0, 0, NULL, NULL));
		REFUSED(clEnqueueFillBuffer(q, mem, bytes, 1, 0, 64, 0, NULL, NULL));
		assert_null(clEnqueueMapBuffer(q, mem, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, NULL, NULL,
					       &err));
		REFUSED(err);
		assert_null(clEnqueueMapBuffer(q, mem, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0,
					       64, 0, NULL, NULL, &err));
		REFUSED(err);
	}
	cl_command_buffer_khr recording = command_buffer_for(q, 0);
	REFUSED(ext.clCommandCopyBufferKHR(recording, NULL, NULL, buffer, fixed_buffer, 0, 0, 64, 0,
					   NULL, NULL, NULL));
	REFUSED(ext.clCommandFillBufferKHR(recording, NULL, NULL, fixed_buffer, bytes, 1, 0, 64, 0,
					   NULL, NULL, NULL));
	REFUSED(ext.clCommandFillImageKHR(recording, NULL, NULL, fixed_image, bytes, origin,
					  (const size_t[3]){4, 4, 1}, 0, NULL, NULL, NULL));
	command_buffer_release(recording);
}

static void test_image_commands(void **state)
{
	const size_t origin[3] = {0, 0, 0};
	const size_t region[3] = {4, 4, 1};
	const float color[4] = {0};
	struct fixture *f = *state;
	cl_command_queue q = f->queue;
	size_t pitch;
	cl_int err;
	cl_mem image = create_image(f, CL_MEM_READ_WRITE, NULL, NULL, &err);

	assert_int_equal(err, CL_SUCCESS);
	REFUSED(clEnqueueWriteImage(q, fixed_image, CL_TRUE, origin, region, 0, 0, bytes, 0, NULL,
				    NULL));
	REFUSED(clEnqueueCopyImage(q, image, fixed_image, origin, origin, region, 0, NULL, NULL));
	REFUSED(clEnqueueCopyBufferToImage(q, buffer, fixed_image, 0, origin, region, 0, NULL,
					   NULL));
	REFUSED(clEnqueueFillImage(q, fixed_image, color, origin, region, 0, NULL, NULL));
	assert_null(clEnqueueMapImage(q, fixed_image, CL_TRUE, CL_MAP_WRITE, origin, region, &pitch,
				      NULL, 0, NULL, NULL, &err));
	REFUSED(err);
#undef REFUSED
	assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
}

/* And what reads them is as ever. */
static void test_reading(void **state)
{
	const size_t origin[3] = {0, 0, 0};
	const size_t region[3] = {16, 16, 1};
	struct fixture *f = *state;
	unsigned char read[SIZE];
	cl_int err;

	assert_int_equal(
		clEnqueueCopyBuffer(f->queue, fixed_buffer, buffer, 0, 0, SIZE, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(
		clEnqueueReadBuffer(f->queue, buffer, CL_TRUE, 0, SIZE, read, 0, NULL, NULL),
		CL_SUCCESS);
	assert_memory_equal(read, bytes, SIZE);
	memset(read, 0, SIZE);
	assert_int_equal(clEnqueueReadImage(f->queue, fixed_image, CL_TRUE, origin, region, 0, 0,
					    read, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_memory_equal(read, bytes, SIZE);
	void *mapped = clEnqueueMapBuffer(f->queue, fixed_buffer, CL_TRUE, CL_MAP_READ, 0, SIZE, 0,
					  NULL, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_memory_equal(mapped, bytes, SIZE);
	assert_int_equal(clEnqueueUnmapMemObject(f->queue, fixed_buffer, mapped, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_creation),        cmocka_unit_test(test_formats),
		cmocka_unit_test(test_buffer_commands), cmocka_unit_test(test_image_commands),
		cmocka_unit_test(test_reading),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
