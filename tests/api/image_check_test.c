/* SPDX-License-Identifier: MIT
 *
 * Every code of wrong arguments of the functions that make images (specification 5.3.1), one wrong thing at a time.
 */
#include "images.h"

static const cl_mem_properties some_property[] = {CL_MEM_SIZE, 1, 0};
static char memory[4096];

/* Arguments that are right, until a test changes one. */
struct call {
	cl_context context;
	const cl_mem_properties *properties;
	cl_mem_flags flags;
	const cl_image_format *format;
	cl_image_desc desc;
	void *host_ptr;
};

static struct call right(struct fixture *f, cl_mem_object_type type)
{
	return (struct call){f->context, NULL, 0, &rgba8, small_desc(type), NULL};
}

static void check(const struct call *call, cl_int expected)
{
	cl_int err = 77;
	cl_mem image = clCreateImageWithProperties(call->context, call->properties, call->flags,
						   call->format, &call->desc, call->host_ptr, &err);

	assert_int_equal(err, expected);
	assert_int_equal(image != NULL, expected == CL_SUCCESS);
	if (image)
		assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
}

/* A right call with one field changed. */
#define WRONG(type, field, value, expected)                                                        \
	do {                                                                                       \
		struct call wrong = right(f, type);                                                \
		wrong.field = (value);                                                             \
		check(&wrong, expected);                                                           \
	} while (0)

static void test_what_is_not_the_image(void **state)
{
	struct fixture *f = *state;
	cl_int err = 77;

	WRONG(CL_MEM_OBJECT_IMAGE2D, context, NULL, CL_INVALID_CONTEXT);
	WRONG(CL_MEM_OBJECT_IMAGE2D, context, (cl_context)f->queue, CL_INVALID_CONTEXT);
	WRONG(CL_MEM_OBJECT_IMAGE2D, properties, some_property, CL_INVALID_PROPERTY);
	WRONG(CL_MEM_OBJECT_IMAGE2D, flags, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, CL_INVALID_VALUE);
	WRONG(CL_MEM_OBJECT_IMAGE2D, flags, CL_MEM_KERNEL_READ_AND_WRITE, CL_INVALID_VALUE);
	WRONG(CL_MEM_OBJECT_IMAGE2D, flags, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR,
	      CL_INVALID_VALUE);
	WRONG(CL_MEM_OBJECT_IMAGE2D, format, NULL, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
	WRONG(CL_MEM_OBJECT_IMAGE2D, flags, CL_MEM_USE_HOST_PTR, CL_INVALID_HOST_PTR);
	WRONG(CL_MEM_OBJECT_IMAGE2D, flags, CL_MEM_COPY_HOST_PTR, CL_INVALID_HOST_PTR);
	WRONG(CL_MEM_OBJECT_IMAGE2D, host_ptr, memory, CL_INVALID_HOST_PTR);
	assert_null(clCreateImage(f->context, 0, &rgba8, NULL, NULL, &err));
	assert_int_equal(err, CL_INVALID_IMAGE_DESCRIPTOR);
	assert_null(clCreateImage(f->context, 0, &rgba8, NULL, NULL, NULL));
}

static void test_formats(void **state)
{
	struct fixture *f = *state;
	static const struct {
		cl_image_format format;
		cl_int expected;
	} rows[] = {
		{{CL_RGBA, 0}, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
		{{CL_RGBA, CL_SNORM_INT8 - 1}, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
		{{CL_RGBA, CL_SNORM_INT8 + 64}, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
		{{0, CL_UNORM_INT8}, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
		{{CL_ABGR + 1, CL_UNORM_INT8}, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
		{{CL_RGBA, CL_UNORM_SHORT_565}, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
		{{CL_RGB, CL_UNORM_INT_101010_2}, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
		/* not a power of two of bits */
		{{CL_RGB, CL_UNORM_INT8}, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
		{{CL_sRGB, CL_UNORM_INT8}, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
		{{CL_ARGB, CL_FLOAT}, CL_IMAGE_FORMAT_NOT_SUPPORTED},
		{{CL_INTENSITY, CL_SIGNED_INT8}, CL_IMAGE_FORMAT_NOT_SUPPORTED},
		{{CL_sRGBA, CL_FLOAT}, CL_IMAGE_FORMAT_NOT_SUPPORTED},
		{{CL_DEPTH, CL_UNORM_INT8}, CL_IMAGE_FORMAT_NOT_SUPPORTED},
		{{CL_DEPTH_STENCIL, CL_UNORM_INT24}, CL_IMAGE_FORMAT_NOT_SUPPORTED},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		WRONG(CL_MEM_OBJECT_IMAGE2D, format, &rows[i].format, rows[i].expected);
	/* images of depth have two dimensions */
	const cl_image_format depth = {CL_DEPTH, CL_FLOAT};
	WRONG(CL_MEM_OBJECT_IMAGE3D, format, &depth, CL_IMAGE_FORMAT_NOT_SUPPORTED);
	WRONG(CL_MEM_OBJECT_IMAGE1D, format, &depth, CL_IMAGE_FORMAT_NOT_SUPPORTED);
	/* RAW10 is not for writing */
	const cl_image_format raw10 = {CL_R, 0x10E3};
	struct call call = right(f, CL_MEM_OBJECT_IMAGE2D);
	call.format = &raw10;
	call.desc.image_width = 8;
	check(&call, CL_IMAGE_FORMAT_NOT_SUPPORTED);
	call.flags = CL_MEM_READ_ONLY;
	check(&call, CL_SUCCESS);
}

static void test_types_and_sizes(void **state)
{
	struct fixture *f = *state;
	const size_t over_2d = 32769, over_3d = 8193, over_layers = 2049;

	WRONG(CL_MEM_OBJECT_IMAGE2D, desc.image_type, CL_MEM_OBJECT_BUFFER,
	      CL_INVALID_IMAGE_DESCRIPTOR);
	WRONG(CL_MEM_OBJECT_IMAGE2D, desc.image_type, CL_MEM_OBJECT_PIPE,
	      CL_INVALID_IMAGE_DESCRIPTOR);
	WRONG(CL_MEM_OBJECT_IMAGE2D, desc.num_samples, 1, CL_INVALID_IMAGE_DESCRIPTOR);
	WRONG(CL_MEM_OBJECT_IMAGE1D_BUFFER, host_ptr, NULL, CL_INVALID_IMAGE_DESCRIPTOR);
	for (size_t i = 0; i < NUM_IMAGE_TYPES; i++) {
		if (image_types[i] != CL_MEM_OBJECT_IMAGE1D_BUFFER)
			WRONG(image_types[i], desc.image_width, 0, CL_INVALID_IMAGE_SIZE);
	}
	WRONG(CL_MEM_OBJECT_IMAGE1D, desc.image_width, over_2d, CL_INVALID_IMAGE_SIZE);
	WRONG(CL_MEM_OBJECT_IMAGE1D, desc.image_width, SIZE_MAX, CL_INVALID_IMAGE_SIZE);
	WRONG(CL_MEM_OBJECT_IMAGE2D, desc.image_width, over_2d, CL_INVALID_IMAGE_SIZE);
	WRONG(CL_MEM_OBJECT_IMAGE2D, desc.image_height, 0, CL_INVALID_IMAGE_SIZE);
	WRONG(CL_MEM_OBJECT_IMAGE2D, desc.image_height, over_2d, CL_INVALID_IMAGE_SIZE);
	WRONG(CL_MEM_OBJECT_IMAGE3D, desc.image_height, over_3d, CL_INVALID_IMAGE_SIZE);
	WRONG(CL_MEM_OBJECT_IMAGE3D, desc.image_depth, 0, CL_INVALID_IMAGE_SIZE);
	WRONG(CL_MEM_OBJECT_IMAGE3D, desc.image_depth, SIZE_MAX, CL_INVALID_IMAGE_SIZE);
	WRONG(CL_MEM_OBJECT_IMAGE1D_ARRAY, desc.image_array_size, 0, CL_INVALID_IMAGE_SIZE);
	WRONG(CL_MEM_OBJECT_IMAGE2D_ARRAY, desc.image_array_size, over_layers,
	      CL_INVALID_IMAGE_SIZE);
	/* what the type has not does not matter */
	WRONG(CL_MEM_OBJECT_IMAGE1D, desc.image_height, SIZE_MAX, CL_SUCCESS);
	WRONG(CL_MEM_OBJECT_IMAGE2D, desc.image_depth, SIZE_MAX, CL_SUCCESS);
	WRONG(CL_MEM_OBJECT_IMAGE3D, desc.image_array_size, SIZE_MAX, CL_SUCCESS);
}

/* Larger than any device's memory. */
static void test_too_large(void **state)
{
	struct fixture *f = *state;
	const cl_image_format widest = {CL_RGBA, CL_FLOAT};
	struct call call = right(f, CL_MEM_OBJECT_IMAGE3D);

	call.format = &widest;
	call.desc.image_width = call.desc.image_height = call.desc.image_depth = 8192;
	check(&call, CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

static void test_pitches_of_memory(void **state)
{
	struct fixture *f = *state;
	struct call call = right(f, CL_MEM_OBJECT_IMAGE2D_ARRAY); /* 5 x 3, 7 layers */
	static const struct {
		size_t row, slice;
		cl_int expected;
	} rows[] = {
		{0, 0, CL_SUCCESS},
		{20, 60, CL_SUCCESS},
		{24, 96, CL_SUCCESS},
		{0, 80, CL_SUCCESS},
		{16, 0, CL_INVALID_IMAGE_DESCRIPTOR},  /* less than a row */
		{22, 0, CL_INVALID_IMAGE_DESCRIPTOR},  /* no whole texels */
		{24, 48, CL_INVALID_IMAGE_DESCRIPTOR}, /* less than a slice */
		{24, 84, CL_INVALID_IMAGE_DESCRIPTOR}, /* no whole rows */
		{SIZE_MAX - 3, 0, CL_INVALID_IMAGE_SIZE},
		{(size_t)1 << 62, 0, CL_INVALID_IMAGE_SIZE},
		{0, (size_t)20 << 58, CL_INVALID_IMAGE_SIZE},
	};

	call.flags = CL_MEM_USE_HOST_PTR;
	call.host_ptr = memory;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		call.desc.image_row_pitch = rows[i].row;
		call.desc.image_slice_pitch = rows[i].slice;
		check(&call, rows[i].expected);
	}
	WRONG(CL_MEM_OBJECT_IMAGE2D, desc.image_row_pitch, 20, CL_INVALID_IMAGE_DESCRIPTOR);
	WRONG(CL_MEM_OBJECT_IMAGE3D, desc.image_slice_pitch, 60, CL_INVALID_IMAGE_DESCRIPTOR);
}

static void test_mip_levels(void **state)
{
	struct fixture *f = *state;
	const cl_image_format depth = {CL_DEPTH, CL_FLOAT};
	const cl_image_format raw10 = {CL_R, 0x10E3};
	struct call call;

	WRONG(CL_MEM_OBJECT_IMAGE2D, desc.num_mip_levels, 3, CL_SUCCESS);
	WRONG(CL_MEM_OBJECT_IMAGE2D, desc.num_mip_levels, 17, CL_SUCCESS); /* of a texel each */
	WRONG(CL_MEM_OBJECT_IMAGE2D, desc.num_mip_levels, 18, CL_INVALID_IMAGE_DESCRIPTOR);
	WRONG(CL_MEM_OBJECT_IMAGE2D_ARRAY, desc.num_mip_levels, 18, CL_INVALID_IMAGE_DESCRIPTOR);
	WRONG(CL_MEM_OBJECT_IMAGE2D, desc.num_mip_levels, UINT32_MAX, CL_INVALID_IMAGE_DESCRIPTOR);
	call = right(f, CL_MEM_OBJECT_IMAGE2D);
	call.desc.num_mip_levels = 2;
	call.flags = CL_MEM_COPY_HOST_PTR;
	call.host_ptr = memory;
	check(&call, CL_INVALID_IMAGE_DESCRIPTOR);
	call.flags = 0;
	call.host_ptr = NULL;
	call.format = &depth;
	check(&call, CL_SUCCESS);
	call = right(f, CL_MEM_OBJECT_IMAGE2D);
	call.format = &raw10;
	call.flags = CL_MEM_READ_ONLY;
	call.desc.image_width = 8;
	check(&call, CL_SUCCESS);
	call.desc.num_mip_levels = 2;
	check(&call, CL_INVALID_IMAGE_DESCRIPTOR);
}

static void test_in_buffers(void **state)
{
	struct fixture *f = *state;
	cl_mem buffer = fixture_buffer(f, CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 64, NULL);
	cl_mem odd = fixture_buffer(f, CL_MEM_USE_HOST_PTR, 64, memory + 1);
	cl_mem foreign = fixture_buffer_in(f->other_context, 0, 64, NULL);
	struct call call = right(f, CL_MEM_OBJECT_IMAGE2D); /* 5 x 3 texels, 60 bytes */

	call.desc.mem_object = buffer;
	check(&call, CL_SUCCESS);
	call.flags = CL_MEM_WRITE_ONLY;
	check(&call, CL_INVALID_VALUE);
	call.flags = CL_MEM_HOST_READ_ONLY;
	check(&call, CL_INVALID_VALUE);
	call.flags = CL_MEM_ALLOC_HOST_PTR;
	check(&call, CL_INVALID_VALUE);
	call.flags = 0;
	call.host_ptr = memory;
	check(&call, CL_INVALID_HOST_PTR);
	call.host_ptr = NULL;
	call.desc.image_row_pitch = 22;
	check(&call, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
	call.desc.image_row_pitch = 24; /* 72 bytes */
	check(&call, CL_INVALID_IMAGE_SIZE);
	call.desc.image_row_pitch = 0;
	call.desc.num_mip_levels = 2;
	check(&call, CL_INVALID_IMAGE_DESCRIPTOR);
	call.desc.num_mip_levels = 0;
	call.desc.mem_object = odd;
	check(&call, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
	call.desc.mem_object = foreign;
	check(&call, CL_INVALID_IMAGE_DESCRIPTOR);
	call.desc.mem_object = (cl_mem)f->queue;
	check(&call, CL_INVALID_IMAGE_DESCRIPTOR);
	call = right(f, CL_MEM_OBJECT_IMAGE1D_BUFFER);
	call.desc.mem_object = buffer;
	call.desc.image_width = 17;
	check(&call, CL_INVALID_IMAGE_SIZE);
	call.desc.image_width = 0;
	check(&call, CL_INVALID_IMAGE_SIZE);
	call.desc.image_width = 16;
	check(&call, CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(foreign), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(odd), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
}

/* A slice pitch that does not suit, of an image in a buffer. */
static void test_slices_in_buffers(void **state)
{
	struct fixture *f = *state;
	cl_mem buffer = fixture_buffer(f, 0, 1024, NULL);
	struct call call = right(f, CL_MEM_OBJECT_IMAGE3D);

	call.desc.mem_object = buffer;
	call.desc.image_row_pitch = 20;
	call.desc.image_slice_pitch = 61;
	check(&call, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
	call.desc.image_slice_pitch = 80;
	check(&call, CL_SUCCESS);
	call.desc.image_slice_pitch = 20 * 16;
	check(&call, CL_INVALID_IMAGE_SIZE);
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
}

static void test_views(void **state)
{
	struct fixture *f = *state;
	const cl_image_format srgba = {CL_sRGBA, CL_UNORM_INT8}, bgra = {CL_BGRA, CL_UNORM_INT8};
	const cl_image_format srgba16 = {CL_sRGBA, CL_UNORM_INT16};
	struct call call = right(f, CL_MEM_OBJECT_IMAGE2D);
	cl_mem image = make_image(f->context, 0, &rgba8, &call.desc, NULL);

	call.desc.mem_object = image;
	check(&call, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR); /* the same order */
	call.format = &bgra;
	check(&call, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
	call.format = &srgba16;
	check(&call, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
	call.format = &srgba;
	check(&call, CL_SUCCESS);
	call.desc.image_row_pitch = 20;
	check(&call, CL_SUCCESS);
	call.desc.image_row_pitch = 24;
	check(&call, CL_INVALID_IMAGE_DESCRIPTOR);
	call.desc.image_row_pitch = 0;
	call.desc.image_width = 4;
	check(&call, CL_INVALID_IMAGE_DESCRIPTOR);
	call.desc.image_width = 5;
	call.desc.num_mip_levels = 2;
	check(&call, CL_INVALID_IMAGE_DESCRIPTOR);
	call = right(f, CL_MEM_OBJECT_IMAGE1D);
	call.desc.mem_object = image;
	check(&call, CL_INVALID_IMAGE_DESCRIPTOR);
	call = right(f, CL_MEM_OBJECT_IMAGE1D_BUFFER);
	call.desc.mem_object = image;
	check(&call, CL_INVALID_IMAGE_DESCRIPTOR);
	assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
}

/* clCreateImage2D and 3D: pitches count as sizes, and a 3D image has two slices at least. */
static void test_older_functions(void **state)
{
	struct fixture *f = *state;
	cl_int err;

#define CHECK(call, expected)                                                                      \
	do {                                                                                       \
		err = 77;                                                                          \
		assert_null(call);                                                                 \
		assert_int_equal(err, expected);                                                   \
	} while (0)
	CHECK(clCreateImage2D(NULL, 0, &rgba8, 4, 4, 0, NULL, &err), CL_INVALID_CONTEXT);
	CHECK(clCreateImage2D(f->context, 1 << 20, &rgba8, 4, 4, 0, NULL, &err), CL_INVALID_VALUE);
	CHECK(clCreateImage2D(f->context, 0, NULL, 4, 4, 0, NULL, &err),
	      CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
	CHECK(clCreateImage2D(f->context, 0, &rgba8, 0, 4, 0, NULL, &err), CL_INVALID_IMAGE_SIZE);
	CHECK(clCreateImage2D(f->context, 0, &rgba8, 4, 4, 16, NULL, &err), CL_INVALID_IMAGE_SIZE);
	CHECK(clCreateImage2D(f->context, CL_MEM_USE_HOST_PTR, &rgba8, 4, 4, 12, memory, &err),
	      CL_INVALID_IMAGE_SIZE);
	CHECK(clCreateImage2D(f->context, 0, &rgba8, 4, 4, 0, memory, &err), CL_INVALID_HOST_PTR);
	CHECK(clCreateImage3D(NULL, 0, &rgba8, 4, 4, 2, 0, 0, NULL, &err), CL_INVALID_CONTEXT);
	CHECK(clCreateImage3D(f->context, 0, &rgba8, 4, 4, 1, 0, 0, NULL, &err),
	      CL_INVALID_IMAGE_SIZE);
	CHECK(clCreateImage3D(f->context, 0, &rgba8, 4, 4, 1, 0, 0, memory, &err),
	      CL_INVALID_IMAGE_SIZE); /* before the pointer */
	CHECK(clCreateImage3D(f->context, CL_MEM_USE_HOST_PTR, &rgba8, 4, 4, 2, 16, 72, memory,
			      &err),
	      CL_INVALID_IMAGE_SIZE);
#undef CHECK
}

/* ---- at random ------------------------------------------------------------------------------- */

static size_t random_size(void)
{
	static const size_t sizes[] = {0,
				       1,
				       4,
				       5,
				       16,
				       20,
				       64,
				       80,
				       2048,
				       32768,
				       65536,
				       (size_t)1 << 32,
				       (size_t)1 << 62,
				       SIZE_MAX / 4 + 1,
				       SIZE_MAX - 3,
				       SIZE_MAX};

	return sizes[fixture_random_below(sizeof(sizes) / sizeof(sizes[0]))];
}

/* Mostly what may be right. */
static size_t mostly_small(void)
{
	return fixture_random_below(4) ? 1 + fixture_random_below(8) : random_size();
}

/* An image that came into being is as large as its rows and slices. */
static void check_consistent(cl_mem image, const cl_image_desc *desc)
{
	const size_t row = image_number(image, CL_IMAGE_ROW_PITCH);
	const size_t slice = image_number(image, CL_IMAGE_SLICE_PITCH);
	const size_t height = image_number(image, CL_IMAGE_HEIGHT);
	const size_t count =
		image_number(image, CL_IMAGE_DEPTH) + image_number(image, CL_IMAGE_ARRAY_SIZE);
	const size_t size = mem_number(image, CL_MEM_SIZE);

	assert_true(row >= desc->image_width * image_number(image, CL_IMAGE_ELEMENT_SIZE));
	assert_true(!desc->image_row_pitch || row == desc->image_row_pitch);
	if (desc->num_mip_levels > 1)
		assert_true(size > row * (height ? height : 1));
	else if (slice)
		assert_int_equal(size, slice * count);
	else
		assert_int_equal(size, row * (height ? height : 1));
}

/* Any values: a code or an image, and never more memory than there is. */
static void test_random(void **state)
{
	struct fixture *f = *state;
	static const cl_image_format formats[] = {
		{CL_RGBA, CL_UNORM_INT8},     {CL_RGBA, CL_FLOAT}, {CL_R, CL_UNORM_INT8},
		{CL_RGB, CL_UNORM_SHORT_565}, {CL_R, 0x10E3},      {CL_DEPTH, CL_FLOAT}};
	cl_mem buffer = fixture_buffer(f, 0, 4096, NULL);
	int made = 0;

	for (int i = 0; i < 20000; i++) {
		const bool host = fixture_random_below(2);
		const cl_image_desc desc = {
			.image_type = image_types[fixture_random_below(NUM_IMAGE_TYPES)],
			.image_width = mostly_small(),
			.image_height = mostly_small(),
			.image_depth = mostly_small(),
			.image_array_size = mostly_small(),
			.image_row_pitch = fixture_random_below(2) ? random_size() : 0,
			.image_slice_pitch = fixture_random_below(4) ? 0 : random_size(),
			.num_mip_levels = fixture_random_below(4) ? 0 : (cl_uint)mostly_small(),
			.mem_object = fixture_random_below(3) ? NULL : buffer,
		};
		cl_int err = 77;
		cl_mem image = clCreateImage(f->context,
					     host && !desc.mem_object ? CL_MEM_USE_HOST_PTR : 0,
					     &formats[fixture_random_below(6)], &desc,
					     host && !desc.mem_object ? memory : NULL, &err);

		assert_int_equal(image != NULL, err == CL_SUCCESS);
		if (!image)
			continue;
		made++;
		check_consistent(image, &desc);
		assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
	}
	assert_true(made > 500);
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_not_the_image),
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_types_and_sizes),
		cmocka_unit_test(test_too_large),
		cmocka_unit_test(test_pitches_of_memory),
		cmocka_unit_test(test_mip_levels),
		cmocka_unit_test(test_in_buffers),
		cmocka_unit_test(test_slices_in_buffers),
		cmocka_unit_test(test_views),
		cmocka_unit_test(test_older_functions),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, fixture_set_up, fixture_tear_down);
}
