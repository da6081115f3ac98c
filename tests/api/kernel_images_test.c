/* SPDX-License-Identifier: MIT
 *
 * Images and samplers as arguments of kernels: every code of a wrong one (specification 5.9.2), and what the kernel gets.
 */
#include "pictures.h"

static cl_int run(struct program_fixture *f, const struct pictures *p)
{
	const size_t one = 1;

	return clEnqueueNDRangeKernel(f->base.queue, p->kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
}

/* The images themselves, and the sampler as the number of the ABI; the sampler's end does not matter. */
static void test_what_the_kernel_gets(void **state)
{
	struct program_fixture *f = *state;
	struct pictures p = make_pictures(f);
	struct fake_pictures seen;

	set_all(&p);
	assert_int_equal(clReleaseSampler(p.sampler), CL_SUCCESS);
	assert_int_equal(run(f, &p), CL_SUCCESS);
	fixture_read(&f->base, p.out, &seen, sizeof(seen));
	assert_non_null(seen.images[0].data);
	assert_int_equal(seen.images[0].format, weft_image_format(CL_RGBA, CL_UNORM_INT8, 4, 1));
	assert_int_equal(seen.images[0].width, 5);
	assert_int_equal(seen.images[0].height, 3);
	assert_int_equal(seen.images[0].depth, 1);
	assert_int_equal(seen.images[0].layers, 1);
	assert_int_equal(seen.images[0].row_pitch, 20);
	assert_int_equal(seen.images[1].format, weft_image_format(CL_R, CL_FLOAT, 4, 1));
	assert_int_equal(seen.images[1].height, 1);
	assert_int_equal(seen.images[1].layers, 7);
	assert_int_equal(seen.images[1].slice_pitch, 20);
	assert_int_equal(seen.images[2].format, weft_image_format(CL_DEPTH, CL_FLOAT, 4, 1));
	assert_int_equal(seen.sampler, WEFT_SAMPLER_CLAMP_TO_EDGE | WEFT_SAMPLER_LINEAR);
	release_images(&p);
	release_rest(&p);
}

/* A kernel keeps no image alive. */
static void test_image_that_has_ended(void **state)
{
	struct program_fixture *f = *state;
	struct pictures p = make_pictures(f);

	set_all(&p);
	release_images(&p);
	assert_int_equal(run(f, &p), CL_INVALID_KERNEL_ARGS);
	assert_int_equal(clReleaseSampler(p.sampler), CL_SUCCESS);
	release_rest(&p);
}

static void check_refused(const struct pictures *p, cl_uint index, cl_mem image, cl_int expected)
{
	assert_int_equal(clSetKernelArg(p->kernel, index, sizeof(image), &image), expected);
}

static void check_image_refused(const struct pictures *p, cl_uint index, cl_mem image,
				cl_int expected)
{
	check_refused(p, index, image, expected);
	assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
}

static void test_wrong_images(void **state)
{
	struct program_fixture *f = *state;
	struct pictures p = make_pictures(f);
	cl_context context = f->base.context;
	cl_image_desc line = small_desc(CL_MEM_OBJECT_IMAGE1D);
	cl_image_desc array = small_desc(CL_MEM_OBJECT_IMAGE1D_ARRAY);
	const cl_image_desc plane = IMAGE_2D(4, 4);

	assert_int_equal(clSetKernelArg(p.kernel, 1, sizeof(cl_mem) - 1, &p.images[0]),
			 CL_INVALID_ARG_SIZE);
	assert_int_equal(clSetKernelArg(p.kernel, 1, sizeof(cl_mem), NULL), CL_INVALID_MEM_OBJECT);
	check_refused(&p, 1, NULL, CL_INVALID_MEM_OBJECT);
	check_refused(&p, 1, (cl_mem)p.kernel, CL_INVALID_MEM_OBJECT);
	check_refused(&p, 1, p.out, CL_INVALID_MEM_OBJECT);
	check_refused(&p, 0, p.images[0], CL_INVALID_MEM_OBJECT); /* an image for a pointer */
	check_image_refused(&p, 1, make_image(f->base.other_context, 0, &rgba8, &plane, NULL),
			    CL_INVALID_CONTEXT);
	check_image_refused(&p, 1, make_image(context, 0, &rgba8, &line, NULL),
			    CL_INVALID_MEM_OBJECT);
	check_image_refused(&p, 3, make_image(context, 0, &r_float, &plane, NULL),
			    CL_INVALID_MEM_OBJECT); /* not of depth */
	check_image_refused(&p, 1, make_image(context, CL_MEM_WRITE_ONLY, &rgba8, &plane, NULL),
			    CL_INVALID_ARG_VALUE);
	check_image_refused(&p, 2, make_image(context, CL_MEM_READ_ONLY, &rgba8, &array, NULL),
			    CL_INVALID_ARG_VALUE);
	assert_int_equal(run(f, &p), CL_INVALID_KERNEL_ARGS); /* none of them was set */
	assert_int_equal(clReleaseSampler(p.sampler), CL_SUCCESS);
	release_images(&p);
	release_rest(&p);
}

static void test_wrong_samplers(void **state)
{
	struct program_fixture *f = *state;
	struct pictures p = make_pictures(f);
	const cl_sampler none = NULL;
	const cl_sampler wrong = (cl_sampler)p.out;
	cl_sampler foreign = clCreateSampler(f->base.other_context, CL_TRUE, CL_ADDRESS_CLAMP,
					     CL_FILTER_NEAREST, NULL);

	assert_int_equal(clSetKernelArg(p.kernel, 4, sizeof(cl_sampler) + 1, &p.sampler),
			 CL_INVALID_ARG_SIZE);
	assert_int_equal(clSetKernelArg(p.kernel, 4, sizeof(cl_sampler), NULL), CL_INVALID_SAMPLER);
	assert_int_equal(clSetKernelArg(p.kernel, 4, sizeof(none), &none), CL_INVALID_SAMPLER);
	assert_int_equal(clSetKernelArg(p.kernel, 4, sizeof(wrong), &wrong), CL_INVALID_SAMPLER);
	assert_int_equal(clSetKernelArg(p.kernel, 4, sizeof(foreign), &foreign),
			 CL_INVALID_CONTEXT);
	assert_int_equal(clReleaseSampler(foreign), CL_SUCCESS);
	assert_int_equal(clReleaseSampler(p.sampler), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(p.kernel, 4, sizeof(p.sampler), &p.sampler),
			 CL_INVALID_SAMPLER);
	release_images(&p);
	release_rest(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_the_kernel_gets),
		cmocka_unit_test(test_image_that_has_ended),
		cmocka_unit_test(test_wrong_images),
		cmocka_unit_test(test_wrong_samplers),
	};

	return cmocka_run_group_tests(tests, built_set_up, built_tear_down);
}
