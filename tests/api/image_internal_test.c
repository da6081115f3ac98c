/* SPDX-License-Identifier: MIT
 *
 * Images from within: where their contents lie, and what fails when memory runs out as they, and samplers, are made.
 */
#include "alloc.h"
#include "images.h"
#include "memory/image.h"

/* ---- layout ---------------------------------------------------------------------------------- */

static void check_rect(const struct weft_image_info *info, cl_uint level, const size_t origin[3],
		       const size_t region[3], const struct weft_rect *expected, size_t row)
{
	struct weft_rect rect;
	size_t bytes[3];

	weft_image_rect(info, level, origin, region, &rect, bytes);
	assert_int_equal(rect.start, expected->start);
	assert_int_equal(rect.end, expected->end);
	assert_int_equal(rect.row_pitch, expected->row_pitch);
	assert_int_equal(rect.slice_pitch, expected->slice_pitch);
	assert_int_equal(bytes[0], row);
	assert_int_equal(bytes[1], region[1]);
	assert_int_equal(bytes[2], region[2]);
}

static void test_rectangles(void **state)
{
	static const size_t origin[3] = {1, 2, 3}, region[3] = {2, 1, 1}, layers[3] = {2, 4, 1};
	static const size_t second[3] = {1, 2, 0}, two[3] = {1, 1, 2};
	struct weft_image_info info;
	cl_image_desc desc = small_desc(CL_MEM_OBJECT_IMAGE3D); /* 5 x 3 x 4 */

	(void)state;
	desc.image_row_pitch = 24;
	desc.image_slice_pitch = 96;
	assert_true(weft_image_layout(&rgba8, &desc, &info));
	check_rect(&info, 0, origin, region,
		   &(struct weft_rect){4 + 2 * 24 + 3 * 96, 4 + 2 * 24 + 3 * 96 + 8, 24, 96}, 8);
	check_rect(&info, 0, second, two,
		   &(struct weft_rect){4 + 2 * 24, 4 + 2 * 24 + 96 + 4, 24, 96}, 4);
	/* the layers of a 1D array are what a region's rows are */
	desc = small_desc(CL_MEM_OBJECT_IMAGE1D_ARRAY);
	desc.image_row_pitch = 20;
	desc.image_slice_pitch = 40;
	assert_true(weft_image_layout(&rgba8, &desc, &info));
	check_rect(&info, 0, second, layers,
		   &(struct weft_rect){4 + 2 * 40, 4 + 5 * 40 + 8, 40, 40}, 8);
}

static void test_levels(void **state)
{
	static const size_t last[3] = {0, 0, 6}, one[3] = {1, 1, 1};
	cl_image_desc desc = small_desc(CL_MEM_OBJECT_IMAGE2D_ARRAY); /* 5 x 3, 7 layers */
	struct weft_image_info info;
	size_t size[3];

	(void)state;
	desc.num_mip_levels = 3;
	assert_true(weft_image_layout(&rgba8, &desc, &info));
	assert_int_equal(info.view.format, weft_image_format(CL_RGBA, CL_UNORM_INT8, 4, 3));
	weft_image_level_size(&info, 1, size);
	assert_memory_equal(size, ((const size_t[]){2, 1, 7}), sizeof(size));
	weft_image_level_size(&info, 2, size);
	assert_memory_equal(size, ((const size_t[]){1, 1, 7}), sizeof(size));
	assert_int_equal(info.view.level_offsets[0], 0);
	assert_int_equal(info.view.level_offsets[1], 420);
	assert_int_equal(info.view.level_offsets[2], 420 + 7 * 8);
	assert_int_equal(info.size, 420 + 7 * 8 + 7 * 4);
	check_rect(&info, 2, last, one, &(struct weft_rect){500, 504, 4, 4}, 4);
	/* and those of a 1D array */
	desc = small_desc(CL_MEM_OBJECT_IMAGE1D_ARRAY);
	desc.num_mip_levels = 2;
	assert_true(weft_image_layout(&rgba8, &desc, &info));
	assert_int_equal(info.view.level_offsets[1], 140);
	assert_int_equal(info.size, 140 + 7 * 8);
}

/* ---- contents -------------------------------------------------------------------------------- */

/* Rows and slices of the application's memory become those of the image. */
static void test_copied_contents(void **state)
{
	struct fixture *f = *state;
	cl_image_desc desc = small_desc(CL_MEM_OBJECT_IMAGE3D);
	unsigned char bytes[4 * 96];

	desc.image_row_pitch = 24;
	desc.image_slice_pitch = 96;
	fixture_random_bytes(bytes, sizeof(bytes));
	cl_mem image = make_image(f->context, CL_MEM_COPY_HOST_PTR, &rgba8, &desc, bytes);
	for (size_t i = 0; i < 4 * 3; i++) {
		size_t place = i / 3 * 96 + i % 3 * 24;

		assert_memory_equal(image->address + place, bytes + place, 20);
	}
	assert_int_equal((uintptr_t)image->address % 64, 0);
	assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
}

/* What lies in another object shares its memory. */
static void test_shared_contents(void **state)
{
	const cl_image_format srgba = {CL_sRGBA, CL_UNORM_INT8};
	struct fixture *f = *state;
	cl_mem buffer = fixture_buffer(f, 0, 4 * f->alignment, NULL);
	cl_mem part = fixture_sub_buffer(buffer, 0, f->alignment, 2 * f->alignment);
	cl_image_desc desc = IMAGE_2D(4, 4);

	desc.mem_object = part;
	cl_mem image = make_image(f->context, 0, &rgba8, &desc, NULL);
	desc.mem_object = image;
	cl_mem view = make_image(f->context, 0, &srgba, &desc, NULL);
	assert_ptr_equal(image->address, buffer->address + f->alignment);
	assert_ptr_equal(view->address, image->address);
	assert_ptr_equal(weft_mem_root(view), buffer);
	assert_int_equal(view->origin, f->alignment);
	assert_int_equal(view->image->view.format,
			 weft_image_format(CL_sRGBA, CL_UNORM_INT8, 4, 1));
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(part), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(view), CL_SUCCESS);
}

static void test_account(void **state)
{
	struct fixture *f = *state;
	const uint64_t before = weft_mem_allocated();
	cl_mem image = make_image(f->context, 0, &rgba8, &IMAGE_2D(100, 100), NULL);

	assert_int_equal(weft_mem_allocated() - before, 40000);
	assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
	assert_int_equal(weft_mem_allocated(), before);
}

/* ---- allocation failure, 1..n ---------------------------------------------------------------- */

static cl_mem parent;

static cl_int release_image(cl_mem image, cl_int err)
{
	assert_int_equal(image != NULL, err == CL_SUCCESS);
	if (image)
		assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
	return err;
}

static cl_int create(struct fixture *f, cl_mem in, void *host_ptr)
{
	static const cl_mem_properties none[] = {0};
	const cl_mem_flags flags = host_ptr ? CL_MEM_COPY_HOST_PTR : 0;
	cl_image_desc desc = IMAGE_2D(4, 4);
	cl_int err;

	desc.mem_object = in;
	cl_mem image =
		clCreateImageWithProperties(f->context, none, flags, &rgba8, &desc, host_ptr, &err);
	return release_image(image, err);
}

static cl_int create_own(struct fixture *f)
{
	char bytes[64] = {0};

	return create(f, NULL, bytes);
}

static cl_int create_within(struct fixture *f)
{
	return create(f, parent, NULL);
}

static cl_int create_sampler(struct fixture *f)
{
	const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_TRUE, 0};
	cl_int err;
	cl_sampler sampler = clCreateSamplerWithProperties(f->context, properties, &err);

	assert_int_equal(sampler != NULL, err == CL_SUCCESS);
	if (sampler)
		assert_int_equal(clReleaseSampler(sampler), CL_SUCCESS);
	return err;
}

static void replay(struct fixture *f, cl_int (*call)(struct fixture *), long least)
{
	for (long i = 0;; i++) {
		weft_alloc_fail_after(i);
		cl_int err = call(f);
		bool failed = weft_alloc_has_failed();
		weft_alloc_fail_after(-1);
		if (!failed) {
			assert_int_equal(err, CL_SUCCESS);
			assert_true(i >= least);
			return;
		}
		assert_true(err == CL_OUT_OF_HOST_MEMORY ||
			    err == CL_MEM_OBJECT_ALLOCATION_FAILURE);
	}
}

static void test_allocation_failures(void **state)
{
	struct fixture *f = *state;

	parent = fixture_buffer(f, 0, 64, NULL);
	replay(f, create_own, 4); /* the description, the object, its properties, its contents */
	replay(f, create_within, 3);
	replay(f, create_sampler, 2);
	assert_int_equal(clReleaseMemObject(parent), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rectangles),      cmocka_unit_test(test_levels),
		cmocka_unit_test(test_copied_contents), cmocka_unit_test(test_shared_contents),
		cmocka_unit_test(test_account),         cmocka_unit_test(test_allocation_failures),
	};

	return cmocka_run_group_tests(tests, fixture_set_up, fixture_tear_down);
}
