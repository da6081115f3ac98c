/* SPDX-License-Identifier: MIT
 *
 * clGetImageRequirementsInfoEXT: what it answers, and every code of a wrong argument.
 */
#include "images.h"

#include <CL/cl_ext.h>

static clGetImageRequirementsInfoEXT_fn get_requirements;

static int set_up(void **state)
{
	cl_platform_id platform;

	fixture_set_up(state);
	assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
	get_requirements =
		(clGetImageRequirementsInfoEXT_fn)clGetExtensionFunctionAddressForPlatform(
			platform, "clGetImageRequirementsInfoEXT");
	assert_non_null(get_requirements);
	return 0;
}

static size_t ask_size(struct fixture *f, const cl_image_format *format, const cl_image_desc *desc,
		       cl_image_requirements_info_ext param)
{
	size_t number = 0;

	assert_int_equal(get_requirements(f->context, NULL, CL_MEM_KERNEL_READ_AND_WRITE, format,
					  desc, param, sizeof(number), &number, NULL),
			 CL_SUCCESS);
	return number;
}

static cl_uint ask_limit(struct fixture *f, const cl_image_desc *desc,
			 cl_image_requirements_info_ext param)
{
	cl_uint number = 0;
	size_t size;

	assert_int_equal(get_requirements(f->context, NULL, 0, NULL, desc, param, sizeof(number),
					  &number, &size),
			 CL_SUCCESS);
	assert_int_equal(size, sizeof(number));
	return number;
}

static void test_alignments(void **state)
{
	static const cl_image_requirements_info_ext params[] = {
		CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT,
		CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT,
		CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT};
	struct fixture *f = *state;
	const cl_image_desc desc = small_desc(CL_MEM_OBJECT_IMAGE3D);

	for (int i = 0; i < 3; i++) {
		assert_int_equal(ask_size(f, &rgba8, &desc, params[i]), 4);
		assert_int_equal(ask_size(f, &rgba8, NULL, params[i]), 4);
		assert_int_equal(ask_size(f, NULL, &desc, params[i]), 16);
		assert_int_equal(ask_size(f, NULL, NULL, params[i]), 16);
	}
}

/* As large as an image, which fits into such a buffer. */
static void test_size(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < NUM_IMAGE_TYPES; i++) {
		cl_image_desc desc = small_desc(image_types[i]);
		size_t size = ask_size(f, &rgba8, &desc, CL_IMAGE_REQUIREMENTS_SIZE_EXT);
		cl_mem buffer = fixture_buffer(f, 0, size, NULL);

		desc.mem_object = buffer;
		cl_mem image = make_image(f->context, 0, &rgba8, &desc, NULL);
		assert_int_equal(mem_number(image, CL_MEM_SIZE), size);
		assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
		assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
	}
}

static size_t device_limit(struct fixture *f, cl_device_info param)
{
	size_t number;

	assert_int_equal(clGetDeviceInfo(f->device, param, sizeof(number), &number, NULL),
			 CL_SUCCESS);
	return number;
}

/* As the device says, of every type that has the dimension; sizes of 0 are for all sizes. */
static void test_limits(void **state)
{
	struct fixture *f = *state;
	cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D};

	assert_int_equal(ask_limit(f, &desc, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT),
			 device_limit(f, CL_DEVICE_IMAGE2D_MAX_WIDTH));
	assert_int_equal(ask_limit(f, &desc, CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT),
			 device_limit(f, CL_DEVICE_IMAGE2D_MAX_HEIGHT));
	desc = small_desc(CL_MEM_OBJECT_IMAGE3D);
	assert_int_equal(ask_limit(f, &desc, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT),
			 device_limit(f, CL_DEVICE_IMAGE3D_MAX_WIDTH));
	assert_int_equal(ask_limit(f, &desc, CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT),
			 device_limit(f, CL_DEVICE_IMAGE3D_MAX_DEPTH));
	desc = small_desc(CL_MEM_OBJECT_IMAGE1D_ARRAY);
	assert_int_equal(ask_limit(f, &desc, CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT),
			 device_limit(f, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE));
	desc = small_desc(CL_MEM_OBJECT_IMAGE1D_BUFFER);
	assert_int_equal(ask_limit(f, &desc, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT),
			 device_limit(f, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE));
	assert_in_range(ask_limit(f, NULL, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT), 1,
			device_limit(f, CL_DEVICE_IMAGE3D_MAX_WIDTH));
	desc.image_type = 0;
	assert_in_range(ask_limit(f, &desc, CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT), 1,
			device_limit(f, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE));
}

static void test_dimensions_that_are_none(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < NUM_IMAGE_TYPES; i++) {
		const cl_image_desc desc = small_desc(image_types[i]);
		const struct {
			cl_image_requirements_info_ext param;
			bool has;
		} params[] = {
			{CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, true},
			{CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, desc.image_height},
			{CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, desc.image_depth},
			{CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT, desc.image_array_size},
		};
		for (size_t k = 0; k < 4; k++)
			assert_int_equal(get_requirements(f->context, NULL, 0, &rgba8, &desc,
							  params[k].param, 0, NULL, NULL),
					 params[k].has ? CL_SUCCESS : CL_INVALID_IMAGE_DESCRIPTOR);
	}
}

static void test_wrong_arguments(void **state)
{
	const cl_image_requirements_info_ext row = CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT;
	const cl_image_requirements_info_ext all = CL_IMAGE_REQUIREMENTS_SIZE_EXT;
	const cl_mem_properties property[] = {CL_MEM_SIZE, 1, 0};
	const cl_image_format wrong = {CL_INTENSITY, CL_UNORM_SHORT_555};
	const cl_image_desc desc = IMAGE_2D(4, 4), empty = IMAGE_2D(4, 0),
			    huge = IMAGE_2D(4, 1 << 20);
	const cl_image_desc no_image = {.image_type = CL_MEM_OBJECT_BUFFER, .image_width = 4};
	struct fixture *f = *state;
	size_t number = 7;

#define CHECK(context, properties, flags, format, desc, param, size, expected)                     \
	assert_int_equal(get_requirements(context, properties, flags, format, desc, param, size,   \
					  &number, NULL),                                          \
			 expected)
	CHECK(NULL, NULL, 0, &rgba8, &desc, row, 8, CL_INVALID_CONTEXT);
	CHECK(f->context, property, 0, &rgba8, &desc, row, 8, CL_INVALID_PROPERTY);
	CHECK(f->context, NULL, ~(cl_mem_flags)0, &rgba8, &desc, row, 8, CL_INVALID_VALUE);
	CHECK(f->context, NULL, 0, &wrong, &desc, row, 8, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
	CHECK(f->context, NULL, 0, &rgba8, &no_image, row, 8, CL_INVALID_IMAGE_DESCRIPTOR);
	CHECK(f->context, NULL, 0, &rgba8, &empty, row, 8, CL_INVALID_IMAGE_DESCRIPTOR);
	CHECK(f->context, NULL, 0, &rgba8, &huge, row, 8, CL_INVALID_IMAGE_DESCRIPTOR);
	CHECK(f->context, NULL, 0, &rgba8, &huge, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, 8,
	      CL_INVALID_IMAGE_DESCRIPTOR);
	CHECK(f->context, NULL, 0, &rgba8, &desc, CL_IMAGE_FORMAT, 8, CL_INVALID_VALUE);
	CHECK(f->context, NULL, 0, &rgba8, &desc, row, 7, CL_INVALID_VALUE);
	CHECK(f->context, NULL, 0, &rgba8, &desc, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, 3,
	      CL_INVALID_VALUE);
	CHECK(f->context, NULL, 0, NULL, &desc, all, 8, CL_INVALID_VALUE);
	CHECK(f->context, NULL, 0, &rgba8, NULL, all, 8, CL_INVALID_VALUE);
#undef CHECK
	assert_int_equal(number, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alignments),
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_dimensions_that_are_none),
		cmocka_unit_test(test_wrong_arguments),
	};

	return cmocka_run_group_tests(tests, set_up, fixture_tear_down);
}
