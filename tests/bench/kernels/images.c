/* SPDX-License-Identifier: MIT
 *
 * What a session does with the arguments that are images or samplers.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

static size_t texel_bytes(const struct picture *picture)
{
	size_t channels = 4;
	size_t bytes = 1;

	if (picture->order == CL_R)
		channels = 1;
	if (picture->order == CL_RG)
		channels = 2;
	if (picture->type == CL_HALF_FLOAT || picture->type == CL_UNSIGNED_INT16)
		bytes = 2;
	if (picture->type == CL_FLOAT)
		bytes = 4;
	return channels * bytes;
}

static unsigned num_levels(const struct picture *picture)
{
	return picture->levels ? picture->levels : 1;
}

/* The size of a level. */
static void level_region(const struct picture *picture, unsigned level, size_t region[3])
{
	const size_t sizes[3] = {picture->width, picture->height, picture->depth};

	for (int i = 0; i < 3; i++)
		region[i] = sizes[i] >> level ? sizes[i] >> level : 1;
}

static size_t level_bytes(const struct picture *picture, unsigned level)
{
	size_t region[3];

	level_region(picture, level, region);
	return region[0] * region[1] * region[2] * texel_bytes(picture);
}

size_t image_bytes(const struct picture *picture)
{
	size_t bytes = 0;

	for (unsigned level = 0; level < num_levels(picture); level++)
		bytes += level_bytes(picture, level);
	return bytes;
}

static bool has_extension(cl_device_id device, const char *name)
{
	size_t size = 0;

	if (clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, NULL, &size) != CL_SUCCESS)
		return false;
	char *names = calloc(1, size + 1);
	bool found =
		names &&
		clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, names, NULL) == CL_SUCCESS &&
		strstr(names, name);
	free(names);
	return found;
}

/* A device of OpenCL 1.2 has no such limit. */
static bool has_read_write_images(cl_device_id device)
{
	cl_uint count = 0;

	return clGetDeviceInfo(device, CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, sizeof(count), &count,
			       NULL) == CL_SUCCESS &&
	       count > 0;
}

bool images_offered(cl_device_id device, const struct work *work)
{
	cl_bool images = CL_FALSE;

	clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof(images), &images, NULL);
	for (unsigned i = 0; i < work->num_arguments; i++) {
		const struct picture *picture = &work->arguments[i].picture;

		if ((picture->order && !images) ||
		    (picture->levels && !has_extension(device, "cl_khr_mipmap_image")) ||
		    (picture->read_write && !has_read_write_images(device)))
			return false;
	}
	return true;
}

/* A level of an image with mip levels is the coordinate behind the last. */
static void level_origin(const struct picture *picture, unsigned level, size_t origin[4])
{
	memset(origin, 0, 4 * sizeof(*origin));
	origin[picture->depth ? 3 : 2] = level;
}

static cl_int write_levels(cl_command_queue queue, cl_mem image, const struct argument *argument)
{
	const struct picture *picture = &argument->picture;
	const char *data = argument->data;
	cl_int error = CL_SUCCESS;

	for (unsigned level = 0; level < num_levels(picture) && error == CL_SUCCESS; level++) {
		size_t origin[4];
		size_t region[3];

		level_origin(picture, level, origin);
		level_region(picture, level, region);
		error = clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0, 0, data, 0,
					    NULL, NULL);
		data += level_bytes(picture, level);
	}
	return error;
}

static bool format_offered(cl_context context, cl_mem_flags flags, cl_mem_object_type type,
			   const cl_image_format *format)
{
	cl_image_format formats[512];
	cl_uint count = 0;

	if (clGetSupportedImageFormats(context, flags, type, 512, formats, &count) != CL_SUCCESS)
		return false;
	for (cl_uint i = 0; i < count && i < 512; i++) {
		if (memcmp(&formats[i], format, sizeof(*format)) == 0)
			return true;
	}
	return false;
}

cl_mem image_create(cl_context context, cl_command_queue queue, const struct argument *argument,
		    cl_int *error)
{
	const struct picture *picture = &argument->picture;
	const cl_image_format format = {picture->order, picture->type};
	const cl_image_desc desc = {
		.image_type = picture->depth ? CL_MEM_OBJECT_IMAGE3D : CL_MEM_OBJECT_IMAGE2D,
		.image_width = picture->width,
		.image_height = picture->height,
		.image_depth = picture->depth,
		.num_mip_levels = picture->levels,
	};
	cl_mem_flags flags =
		argument->kind == ARGUMENT_OUTPUT ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY;

	*error = CL_IMAGE_FORMAT_NOT_SUPPORTED;
	if (!format_offered(context, flags, desc.image_type, &format))
		return NULL;
	cl_mem image = clCreateImage(context, flags, &format, &desc, NULL, error);
	if (image)
		*error = write_levels(queue, image, argument);
	return image;
}

bool image_clear(cl_command_queue queue, cl_mem image, const struct picture *picture)
{
	const cl_uint4 zero = {{0}}; /* for every format */
	const size_t origin[3] = {0};
	size_t region[3];

	level_region(picture, 0, region);
	return clEnqueueFillImage(queue, image, &zero, origin, region, 0, NULL, NULL) == CL_SUCCESS;
}

bool image_read(cl_command_queue queue, cl_mem image, const struct picture *picture, void *data)
{
	const size_t origin[3] = {0};
	size_t region[3];

	level_region(picture, 0, region);
	return clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, data, 0, NULL,
				  NULL) == CL_SUCCESS;
}

cl_sampler image_sampler(cl_context context, const struct sampling *sampling)
{
	const cl_sampler_properties properties[] = {
		CL_SAMPLER_NORMALIZED_COORDS,
		sampling->normalized,
		CL_SAMPLER_ADDRESSING_MODE,
		sampling->addressing,
		CL_SAMPLER_FILTER_MODE,
		sampling->filter,
		sampling->mip_filter ? CL_SAMPLER_MIP_FILTER_MODE : 0,
		sampling->mip_filter,
		0,
	};

	return clCreateSamplerWithProperties(context, properties, NULL);
}
