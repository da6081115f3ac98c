/* SPDX-License-Identifier: MIT
 *
 * The lists of image formats, and what images of each of them are.
 */
#include "images.h"

static cl_uint list(struct fixture *f, cl_mem_flags flags, cl_mem_object_type type,
		    cl_image_format *formats)
{
	cl_uint count = 0, again = 0;

	assert_int_equal(clGetSupportedImageFormats(f->context, flags, type, 0, NULL, &count),
			 CL_SUCCESS);
	assert_in_range(count, 1, 128);
	assert_int_equal(clGetSupportedImageFormats(f->context, flags, type, 128, formats, &again),
			 CL_SUCCESS);
	assert_int_equal(again, count);
	return count;
}

static bool has(const cl_image_format *formats, cl_uint count, cl_channel_order order,
		cl_channel_type type)
{
	for (cl_uint i = 0; i < count; i++) {
		if (formats[i].image_channel_order == order &&
		    formats[i].image_channel_data_type == type)
			return true;
	}
	return false;
}

/* More than OpenCL 2.0 asks for, for every kind of use, without a format twice. */
static void test_lists(void **state)
{
	static const cl_mem_flags flags[] = {0, CL_MEM_READ_WRITE, CL_MEM_READ_ONLY,
					     CL_MEM_WRITE_ONLY, CL_MEM_KERNEL_READ_AND_WRITE};
	static const cl_channel_type all[] = {
		CL_SNORM_INT8,     CL_SNORM_INT16,    CL_UNORM_INT8,   CL_UNORM_INT16,
		CL_SIGNED_INT8,    CL_SIGNED_INT16,   CL_SIGNED_INT32, CL_UNSIGNED_INT8,
		CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT,   CL_FLOAT};
	static const cl_channel_order orders[] = {CL_R, CL_RG, CL_RGBA, CL_A, CL_RA};
	struct fixture *f = *state;
	cl_image_format formats[128];

	for (size_t i = 0; i < NUM_IMAGE_TYPES * 5; i++) {
		const cl_mem_object_type type = image_types[i / 5];
		const bool flat =
			type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
		cl_uint count = list(f, flags[i % 5], type, formats);

		for (size_t k = 0; k < 12 * 5; k++)
			assert_true(has(formats, count, orders[k / 12], all[k % 12]));
		assert_true(has(formats, count, CL_BGRA, CL_UNORM_INT8));
		assert_true(has(formats, count, CL_sRGBA, CL_UNORM_INT8));
		assert_true(has(formats, count, CL_RGB, CL_UNORM_SHORT_565));
		assert_true(has(formats, count, CL_ABGR, 0x10E5)); /* CL_UNORM_INT_2_101010_EXT */
		assert_int_equal(has(formats, count, CL_DEPTH, CL_FLOAT), flat);
		for (cl_uint k = 0; k < count; k++)
			assert_false(has(formats, k, formats[k].image_channel_order,
					 formats[k].image_channel_data_type));
	}
}

static void test_part_of_a_list(void **state)
{
	struct fixture *f = *state;
	cl_image_format formats[2] = {{0, 0}, {0, 0}};
	cl_uint count = 0;

	assert_int_equal(clGetSupportedImageFormats(f->context, 0, CL_MEM_OBJECT_IMAGE2D, 1,
						    formats, &count),
			 CL_SUCCESS);
	assert_true(count > 100);
	assert_int_equal(formats[0].image_channel_order, CL_RGBA);
	assert_int_equal(formats[1].image_channel_order, 0);
	assert_int_equal(
		clGetSupportedImageFormats(f->context, 0, CL_MEM_OBJECT_IMAGE2D, 2, formats, NULL),
		CL_SUCCESS);
	assert_int_not_equal(formats[1].image_channel_order, 0);
}

static void test_wrong_arguments(void **state)
{
	struct fixture *f = *state;
	cl_image_format formats[4];
	cl_uint count = 9;

#define GET(context, flags, type, entries, list)                                                   \
	clGetSupportedImageFormats(context, flags, type, entries, list, &count)
	assert_int_equal(GET(NULL, 0, CL_MEM_OBJECT_IMAGE2D, 4, formats), CL_INVALID_CONTEXT);
	assert_int_equal(GET(f->context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
			     CL_MEM_OBJECT_IMAGE2D, 4, formats),
			 CL_INVALID_VALUE);
	assert_int_equal(GET(f->context, 0, CL_MEM_OBJECT_BUFFER, 4, formats), CL_INVALID_VALUE);
	assert_int_equal(GET(f->context, 0, CL_MEM_OBJECT_IMAGE2D, 0, formats), CL_INVALID_VALUE);
#undef GET
	assert_int_equal(count, 9);
}

/* An image of each format, in each type that has it: whole texels of a power of two of bytes. */
static void test_each_format(void **state)
{
	struct fixture *f = *state;
	cl_image_format formats[128];
	cl_mem buffer = fixture_buffer(f, 0, 5 * 16, NULL);

	for (size_t i = 0; i < NUM_IMAGE_TYPES; i++) {
		cl_uint count = list(f, 0, image_types[i], formats);
		cl_image_desc desc = small_desc(image_types[i]);

		if (image_types[i] == CL_MEM_OBJECT_IMAGE1D_BUFFER)
			desc.mem_object = buffer;
		for (cl_uint k = 0; k < count; k++) {
			cl_mem image = make_image(f->context, 0, &formats[k], &desc, NULL);
			size_t size = image_number(image, CL_IMAGE_ELEMENT_SIZE);

			assert_in_range(size, 1, 16);
			assert_int_equal(size & (size - 1), 0);
			assert_int_equal(image_number(image, CL_IMAGE_ROW_PITCH), 5 * size);
			assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
		}
	}
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
}

static void test_texel_sizes(void **state)
{
	static const struct {
		cl_image_format format;
		size_t size;
	} rows[] = {
		{{CL_R, CL_UNORM_INT8}, 1},
		{{CL_RGBA, CL_FLOAT}, 16},
		{{CL_RG, CL_HALF_FLOAT}, 4},
		{{CL_RGBx, CL_UNORM_INT8}, 4},
		{{CL_RGBx, CL_UNORM_SHORT_565}, 2},
		{{CL_RGB, CL_UNORM_INT_101010}, 4},
		{{CL_RGBA, CL_UNORM_INT_101010_2}, 4},
		{{CL_Rx, CL_FLOAT}, 4},
		{{CL_LUMINANCE, CL_UNORM_INT16}, 2},
		{{CL_sRGBx, CL_UNORM_INT8}, 4},
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cl_mem image = make_image(f->context, 0, &rows[i].format, &IMAGE_2D(2, 2), NULL);

		assert_int_equal(image_number(image, CL_IMAGE_ELEMENT_SIZE), rows[i].size);
		assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
	}
}

/* Four texels in five bytes, two in three. No list has these formats. */
static void test_raw_formats(void **state)
{
	const cl_image_format raw10 = {CL_R, 0x10E3}, raw12 = {CL_R, 0x10E4};
	struct fixture *f = *state;
	cl_image_format formats[128];
	cl_int err;

	cl_uint count = list(f, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, formats);
	assert_false(has(formats, count, CL_R, raw10.image_channel_data_type));
	assert_false(has(formats, count, CL_R, raw12.image_channel_data_type));
	cl_mem image = make_image(f->context, CL_MEM_READ_ONLY, &raw10, &IMAGE_2D(8, 3), NULL);
	assert_int_equal(image_number(image, CL_IMAGE_ELEMENT_SIZE), 2);
	assert_int_equal(image_number(image, CL_IMAGE_ROW_PITCH), 10);
	assert_int_equal(mem_number(image, CL_MEM_SIZE), 30);
	assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
	image = make_image(f->context, CL_MEM_READ_ONLY, &raw12, &IMAGE_2D(6, 3), NULL);
	assert_int_equal(image_number(image, CL_IMAGE_ROW_PITCH), 9);
	assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
	assert_null(
		clCreateImage(f->context, CL_MEM_READ_ONLY, &raw10, &IMAGE_2D(6, 3), NULL, &err));
	assert_int_equal(err, CL_INVALID_IMAGE_SIZE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists),           cmocka_unit_test(test_part_of_a_list),
		cmocka_unit_test(test_wrong_arguments), cmocka_unit_test(test_each_format),
		cmocka_unit_test(test_texel_sizes),     cmocka_unit_test(test_raw_formats),
	};

	return cmocka_run_group_tests(tests, fixture_set_up, fixture_tear_down);
}
