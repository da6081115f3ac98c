/* SPDX-License-Identifier: MIT
 *
 * Making images in tests: descriptors, and images that must come into being.
 */
#ifndef WEFT_TESTS_API_IMAGES_H
#define WEFT_TESTS_API_IMAGES_H

#include "fixture.h"

#define IMAGE_2D(width, height)                                                                    \
	(cl_image_desc)                                                                            \
	{                                                                                          \
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = (width),                       \
		.image_height = (height)                                                           \
	}

static const cl_image_format rgba8 = {CL_RGBA, CL_UNORM_INT8};
static const cl_image_format r_float = {CL_R, CL_FLOAT};

static const cl_mem_object_type image_types[] = {
	CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE1D_ARRAY,
	CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY,  CL_MEM_OBJECT_IMAGE3D,
};
#define NUM_IMAGE_TYPES (sizeof(image_types) / sizeof(image_types[0]))

/* A small image of any type, without memory: what the type has not is 0. */
static inline cl_image_desc small_desc(cl_mem_object_type type)
{
	cl_image_desc desc = {.image_type = type, .image_width = 5};

	if (type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
	    type == CL_MEM_OBJECT_IMAGE3D)
		desc.image_height = 3;
	if (type == CL_MEM_OBJECT_IMAGE3D)
		desc.image_depth = 4;
	if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
		desc.image_array_size = 7;
	return desc;
}

static inline cl_mem make_image(cl_context context, cl_mem_flags flags,
				const cl_image_format *format, const cl_image_desc *desc,
				void *host_ptr)
{
	cl_int err;
	cl_mem image = clCreateImage(context, flags, format, desc, host_ptr, &err);

	assert_int_equal(err, CL_SUCCESS);
	assert_non_null(image);
	return image;
}

static inline size_t image_number(cl_mem image, cl_image_info param)
{
	size_t number;

	assert_int_equal(clGetImageInfo(image, param, sizeof(number), &number, NULL), CL_SUCCESS);
	return number;
}

static inline size_t mem_number(cl_mem mem, cl_mem_info param)
{
	size_t number;

	assert_int_equal(clGetMemObjectInfo(mem, param, sizeof(number), &number, NULL), CL_SUCCESS);
	return number;
}

static inline cl_mem mem_handle(cl_mem mem, cl_mem_info param)
{
	cl_mem handle;

	assert_int_equal(clGetMemObjectInfo(mem, param, sizeof(handle), &handle, NULL), CL_SUCCESS);
	return handle;
}

#endif
