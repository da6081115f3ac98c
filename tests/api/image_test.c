/* SPDX-License-Identifier: MIT
 *
 * Images: what is made of a descriptor, and what the queries say of it. Errors are in image_check_test.c.
 */
#include "images.h"

/* What the queries say of an image of every type, made without pitches. */
static void test_queries(void **state)
{
	struct fixture *f = *state;
	const struct {
		size_t size, row, slice, height, depth, layers;
	} expected[NUM_IMAGE_TYPES] = {
		{20, 20, 0, 0, 0, 0}, {20, 20, 0, 0, 0, 0},   {140, 20, 20, 0, 0, 7},
		{60, 20, 0, 3, 0, 0}, {420, 20, 60, 3, 0, 7}, {240, 20, 60, 3, 4, 0},
	};

	for (size_t i = 0; i < NUM_IMAGE_TYPES; i++) {
		cl_image_desc desc = small_desc(image_types[i]);
		bool in_buffer = image_types[i] == CL_MEM_OBJECT_IMAGE1D_BUFFER;
		cl_mem buffer = in_buffer ? fixture_buffer(f, 0, 32, NULL) : NULL;
		cl_image_format format;
		cl_mem_object_type type;
		cl_uint number = 9;

		desc.mem_object = buffer;
		cl_mem image = make_image(f->context, 0, &rgba8, &desc, NULL);
		assert_int_equal(mem_number(image, CL_MEM_SIZE), expected[i].size);
		assert_int_equal(image_number(image, CL_IMAGE_ELEMENT_SIZE), 4);
		assert_int_equal(image_number(image, CL_IMAGE_ROW_PITCH), expected[i].row);
		assert_int_equal(image_number(image, CL_IMAGE_SLICE_PITCH), expected[i].slice);
		assert_int_equal(image_number(image, CL_IMAGE_WIDTH), 5);
		assert_int_equal(image_number(image, CL_IMAGE_HEIGHT), expected[i].height);
		assert_int_equal(image_number(image, CL_IMAGE_DEPTH), expected[i].depth);
		assert_int_equal(image_number(image, CL_IMAGE_ARRAY_SIZE), expected[i].layers);
		assert_ptr_equal(mem_handle(image, CL_MEM_ASSOCIATED_MEMOBJECT), buffer);
		assert_ptr_equal((cl_mem)image_number(image, CL_IMAGE_BUFFER), buffer);
		assert_int_equal(
			clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof(format), &format, NULL),
			CL_SUCCESS);
		assert_memory_equal(&format, &rgba8, sizeof(format));
		assert_int_equal(clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof(type), &type, NULL),
				 CL_SUCCESS);
		assert_int_equal(type, image_types[i]);
		assert_int_equal(clGetImageInfo(image, CL_IMAGE_NUM_MIP_LEVELS, sizeof(number),
						&number, NULL),
				 CL_SUCCESS);
		assert_int_equal(number, 0);
		assert_int_equal(
			clGetImageInfo(image, CL_IMAGE_NUM_SAMPLES, sizeof(number), &number, NULL),
			CL_SUCCESS);
		assert_int_equal(number, 0);
		assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
		if (buffer)
			assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
	}
}

static void test_wrong_queries(void **state)
{
	struct fixture *f = *state;
	cl_mem buffer = fixture_buffer(f, 0, 64, NULL);
	cl_mem image = make_image(f->context, 0, &rgba8, &IMAGE_2D(2, 2), NULL);
	size_t value = 5, size = 5;

	assert_int_equal(clGetImageInfo(NULL, CL_IMAGE_WIDTH, sizeof(value), &value, &size),
			 CL_INVALID_MEM_OBJECT);
	assert_int_equal(clGetImageInfo(buffer, CL_IMAGE_WIDTH, sizeof(value), &value, &size),
			 CL_INVALID_MEM_OBJECT);
	assert_int_equal(clGetImageInfo(image, CL_IMAGE_WIDTH, sizeof(value) - 1, &value, &size),
			 CL_INVALID_VALUE);
	assert_int_equal(clGetImageInfo(image, CL_MEM_SIZE, sizeof(value), &value, &size),
			 CL_INVALID_VALUE);
	assert_int_equal(value, 5);
	assert_int_equal(size, 5);
	assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
}

/* Flags and memory objects that an image inherits; the buffer lives as long as the image. */
static void test_in_a_sub_buffer(void **state)
{
	struct fixture *f = *state;
	cl_mem buffer = fixture_buffer(f, CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY,
				       2 * f->alignment + 64, NULL);
	cl_mem part = fixture_sub_buffer(buffer, 0, f->alignment, f->alignment);
	cl_image_desc desc = IMAGE_2D(2, 3);
	cl_mem_flags flags;

	desc.mem_object = part;
	desc.image_row_pitch = 12;
	cl_mem image = make_image(f->context, 0, &rgba8, &desc, NULL);
	assert_int_equal(mem_number(image, CL_MEM_SIZE), 36);
	assert_int_equal(mem_number(image, CL_MEM_OFFSET), 0);
	assert_int_equal(image_number(image, CL_IMAGE_ROW_PITCH), 12);
	assert_ptr_equal(mem_handle(image, CL_MEM_ASSOCIATED_MEMOBJECT), part);
	assert_int_equal(clGetMemObjectInfo(image, CL_MEM_FLAGS, sizeof(flags), &flags, NULL),
			 CL_SUCCESS);
	assert_int_equal(flags, CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY);
	assert_int_equal(clReleaseMemObject(part), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
	assert_ptr_equal(mem_handle(part, CL_MEM_ASSOCIATED_MEMOBJECT), buffer);

	/* and a view of the image keeps that */
	const cl_image_format srgba = {CL_sRGBA, CL_UNORM_INT8};
	desc.mem_object = image;
	cl_mem view = make_image(f->context, 0, &srgba, &desc, NULL);
	assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
	assert_int_equal(image_number(view, CL_IMAGE_ROW_PITCH), 12);
	assert_null((cl_mem)image_number(view, CL_IMAGE_BUFFER));
	assert_ptr_equal(mem_handle(view, CL_MEM_ASSOCIATED_MEMOBJECT), image);
	assert_int_equal(clReleaseMemObject(view), CL_SUCCESS);
}

static void test_pitches_of_host_memory(void **state)
{
	struct fixture *f = *state;
	char memory[4 * 96];
	cl_image_desc desc = small_desc(CL_MEM_OBJECT_IMAGE3D);

	desc.image_row_pitch = 24;
	desc.image_slice_pitch = 96;
	cl_mem image = make_image(f->context, CL_MEM_USE_HOST_PTR, &rgba8, &desc, memory);
	assert_int_equal(image_number(image, CL_IMAGE_ROW_PITCH), 24);
	assert_int_equal(image_number(image, CL_IMAGE_SLICE_PITCH), 96);
	assert_int_equal(mem_number(image, CL_MEM_SIZE), sizeof(memory));
	assert_ptr_equal((void *)mem_number(image, CL_MEM_HOST_PTR), memory);
	assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
}

static void test_mip_levels(void **state)
{
	struct fixture *f = *state;
	cl_image_desc desc = IMAGE_2D(5, 3);
	cl_uint levels;

	desc.num_mip_levels = 3; /* 5 x 3, 2 x 1, 1 x 1 */
	cl_mem image = make_image(f->context, 0, &rgba8, &desc, NULL);
	assert_int_equal(mem_number(image, CL_MEM_SIZE), 4 * (15 + 2 + 1));
	assert_int_equal(
		clGetImageInfo(image, CL_IMAGE_NUM_MIP_LEVELS, sizeof(levels), &levels, NULL),
		CL_SUCCESS);
	assert_int_equal(levels, 3);
	assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
}

static void CL_CALLBACK count(cl_mem image, void *counter)
{
	(void)image;
	++*(int *)counter;
}

static void test_destructor(void **state)
{
	struct fixture *f = *state;
	cl_mem image = make_image(f->context, 0, &rgba8, &IMAGE_2D(2, 2), NULL);
	int calls = 0;

	assert_int_equal(clSetMemObjectDestructorCallback(image, count, &calls), CL_SUCCESS);
	assert_int_equal(clSetMemObjectDestructorCallback(image, count, &calls), CL_SUCCESS);
	assert_int_equal(clRetainMemObject(image), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
	assert_int_equal(calls, 0);
	assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
	assert_int_equal(calls, 2);
}

/* An image is no buffer to have a part. */
static void test_no_sub_buffer(void **state)
{
	struct fixture *f = *state;
	cl_mem image = make_image(f->context, 0, &rgba8, &IMAGE_2D(64, 64), NULL);
	const cl_buffer_region region = {0, 64};
	cl_int err;

	assert_null(clCreateSubBuffer(image, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err));
	assert_int_equal(err, CL_INVALID_MEM_OBJECT);
	assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
}

static size_t device_number(struct fixture *f, cl_device_info param, size_t size)
{
	size_t number = 0;

	assert_int_equal(clGetDeviceInfo(f->device, param, size, &number, NULL), CL_SUCCESS);
	return number;
}

/* At least what the full profile asks for (specification 4.2), and what is promised beyond. */
static void test_device(void **state)
{
	static const struct {
		cl_device_info param;
		size_t size, least;
	} rows[] = {
		{CL_DEVICE_IMAGE_SUPPORT, sizeof(cl_bool), CL_TRUE},
		{CL_DEVICE_MAX_READ_IMAGE_ARGS, sizeof(cl_uint), 128},
		{CL_DEVICE_MAX_WRITE_IMAGE_ARGS, sizeof(cl_uint), 64},
		{CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, sizeof(cl_uint), 64},
		{CL_DEVICE_IMAGE2D_MAX_WIDTH, sizeof(size_t), 16384},
		{CL_DEVICE_IMAGE2D_MAX_HEIGHT, sizeof(size_t), 16384},
		{CL_DEVICE_IMAGE3D_MAX_WIDTH, sizeof(size_t), 2048},
		{CL_DEVICE_IMAGE3D_MAX_HEIGHT, sizeof(size_t), 2048},
		{CL_DEVICE_IMAGE3D_MAX_DEPTH, sizeof(size_t), 2048},
		{CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, sizeof(size_t), 65536},
		{CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, sizeof(size_t), 2048},
		{CL_DEVICE_MAX_SAMPLERS, sizeof(cl_uint), 16},
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_true(device_number(f, rows[i].param, rows[i].size) >= rows[i].least);
	assert_int_equal(device_number(f, CL_DEVICE_IMAGE_PITCH_ALIGNMENT, sizeof(cl_uint)), 1);
	assert_int_equal(device_number(f, CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, sizeof(cl_uint)),
			 1);
}

static void test_older_functions(void **state)
{
	struct fixture *f = *state;
	cl_int err;

	cl_mem image = clCreateImage2D(f->context, 0, &rgba8, 5, 3, 0, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(mem_number(image, CL_MEM_SIZE), 60);
	assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
	image = clCreateImage3D(f->context, 0, &rgba8, 5, 3, 2, 0, 0, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(mem_number(image, CL_MEM_SIZE), 120);
	assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_queries),
		cmocka_unit_test(test_wrong_queries),
		cmocka_unit_test(test_in_a_sub_buffer),
		cmocka_unit_test(test_pitches_of_host_memory),
		cmocka_unit_test(test_mip_levels),
		cmocka_unit_test(test_destructor),
		cmocka_unit_test(test_no_sub_buffer),
		cmocka_unit_test(test_device),
		cmocka_unit_test(test_older_functions),
	};

	return cmocka_run_group_tests(tests, fixture_set_up, fixture_tear_down);
}
