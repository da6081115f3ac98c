/* SPDX-License-Identifier: MIT
 *
 * The fake kernel `pictures`, and what suits its arguments.
 */
#ifndef WEFT_TESTS_API_PICTURES_H
#define WEFT_TESTS_API_PICTURES_H

#include "images.h"
#include "program_fixture.h"

static const cl_image_format depth = {CL_DEPTH, CL_FLOAT};

struct pictures {
	cl_kernel kernel;
	cl_mem out;
	cl_mem images[3];
	cl_sampler sampler;
};

static inline struct pictures make_pictures(struct program_fixture *f)
{
	cl_context context = f->base.context;
	cl_image_desc array = small_desc(CL_MEM_OBJECT_IMAGE1D_ARRAY);

	return (struct pictures){
		.kernel = program_kernel(f->program, "pictures"),
		.out = fixture_buffer(&f->base, 0, sizeof(struct fake_pictures), NULL),
		.images = {make_image(context, 0, &rgba8, &IMAGE_2D(5, 3), NULL),
			   make_image(context, CL_MEM_WRITE_ONLY, &r_float, &array, NULL),
			   make_image(context, 0, &depth, &IMAGE_2D(2, 2), NULL)},
		.sampler = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE,
					   CL_FILTER_LINEAR, NULL),
	};
}

static inline void set_all(const struct pictures *p)
{
	assert_int_equal(clSetKernelArg(p->kernel, 0, sizeof(cl_mem), &p->out), CL_SUCCESS);
	for (cl_uint i = 0; i < 3; i++)
		assert_int_equal(clSetKernelArg(p->kernel, 1 + i, sizeof(cl_mem), &p->images[i]),
				 CL_SUCCESS);
	assert_int_equal(clSetKernelArg(p->kernel, 4, sizeof(cl_sampler), &p->sampler), CL_SUCCESS);
}

static inline void release_images(const struct pictures *p)
{
	for (int i = 0; i < 3; i++)
		assert_int_equal(clReleaseMemObject(p->images[i]), CL_SUCCESS);
}

static inline void release_rest(const struct pictures *p)
{
	assert_int_equal(clReleaseMemObject(p->out), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(p->kernel), CL_SUCCESS);
}

#endif
