/* SPDX-License-Identifier: MIT
 *
 * The layout of images in memory, and making them (image_check.c has the checks).
 */
#include "memory/image.h"

#include "alloc.h"
#include "memory/image_format.h"
#include "overflow.h"

#include <string.h>

/* ---- shapes ---------------------------------------------------------------------------------- */

static size_t at_least_1(size_t size)
{
	return size ? size : 1;
}

void weft_image_level_size(const struct weft_image_info *info, cl_uint level, size_t size[3])
{
	const struct weft_image *view = &info->view;
	const size_t height = at_least_1(view->height >> level);
	const size_t depth = at_least_1(view->depth >> level);

	size[0] = at_least_1(view->width >> level);
	size[1] = info->desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? view->layers : height;
	size[2] = info->desc.image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? view->layers : depth;
}

void weft_image_pitches(const struct weft_image_info *info, cl_uint level, size_t *row,
			size_t *slice)
{
	const struct weft_image *view = &info->view;
	size_t size[3];

	*row = view->row_pitch;
	*slice = view->slice_pitch;
	if (level) {
		weft_image_level_size(info, level, size);
		*row = weft_image_row_bytes(info, size[0]);
		*slice = *row * at_least_1(view->height >> level);
	}
}

void weft_image_rect(const struct weft_image_info *info, cl_uint level, const size_t origin[3],
		     const size_t region[3], struct weft_rect *rect, size_t bytes[3])
{
	size_t row, slice;

	weft_image_pitches(info, level, &row, &slice);
	if (weft_image_layers_are_rows(info))
		row = slice;
	bytes[0] = weft_image_row_bytes(info, region[0]);
	bytes[1] = region[1];
	bytes[2] = region[2];
	rect->row_pitch = row;
	rect->slice_pitch = slice;
	rect->start = info->view.level_offsets[level] + weft_image_row_bytes(info, origin[0]) +
		      origin[1] * row + origin[2] * slice;
	rect->end = rect->start + (region[2] - 1) * slice + (region[1] - 1) * row + bytes[0];
}

/* ---- layout ---------------------------------------------------------------------------------- */

/* What the specification calls unused is 0 from here on. */
static cl_image_desc used(const cl_image_desc *given)
{
	cl_image_desc desc = *given;

	if (!weft_image_has_height(desc.image_type))
		desc.image_height = 0;
	if (desc.image_type != CL_MEM_OBJECT_IMAGE3D)
		desc.image_depth = 0;
	if (!weft_image_has_layers(desc.image_type))
		desc.image_array_size = 0;
	if (!weft_image_has_layers(desc.image_type) && desc.image_type != CL_MEM_OBJECT_IMAGE3D)
		desc.image_slice_pitch = 0;
	desc.mem_object = NULL;
	return desc;
}

/* Bytes of a slice or layer of the first level, *pitch, and of the level, *size. */
static bool find_pitches(const struct weft_image_info *info, cl_image_desc *desc, size_t *pitch,
			 size_t *size)
{
	const size_t rows = at_least_1(desc->image_height);
	const size_t slices = at_least_1(desc->image_depth | desc->image_array_size);

	if (!desc->image_row_pitch)
		desc->image_row_pitch = weft_image_row_bytes(info, desc->image_width);
	*pitch = desc->image_slice_pitch;
	if (!*pitch && weft_mul_overflows(desc->image_row_pitch, rows, pitch))
		return false;
	if (desc->image_depth || desc->image_array_size)
		desc->image_slice_pitch = *pitch;
	return !weft_mul_overflows(*pitch, slices, size);
}

/* Rows, slices and layers of further levels have no gaps; no level is larger than the one before. */
static bool place_levels(struct weft_image_info *info)
{
	size_t size[3];

	for (cl_uint level = 1; level < info->desc.num_mip_levels; level++) {
		info->view.level_offsets[level] = info->size;
		weft_image_level_size(info, level, size);
		size_t bytes = size[0] * size[1] * size[2] * info->texel_size;
		if (weft_add_overflows(info->size, bytes, &info->size))
			return false;
	}
	return true;
}

bool weft_image_layout(const cl_image_format *format, const cl_image_desc *given,
		       struct weft_image_info *info)
{
	const cl_uint levels = given->num_mip_levels > 1 ? given->num_mip_levels : 1;
	cl_image_desc desc = used(given);
	size_t slice_pitch;

	*info = (struct weft_image_info){.format = *format,
					 .texel_size = weft_image_texel_size(format)};
	info->group = weft_image_texel_group(format, &info->group_size);
	if (!find_pitches(info, &desc, &slice_pitch, &info->size))
		return false;
	info->desc = desc;
	info->view = (struct weft_image){
		.format = weft_image_format(format->image_channel_order,
					    format->image_channel_data_type,
					    (uint32_t)info->texel_size, levels),
		.width = (uint32_t)desc.image_width,
		.height = (uint32_t)at_least_1(desc.image_height),
		.depth = (uint32_t)at_least_1(desc.image_depth),
		.layers = (uint32_t)at_least_1(desc.image_array_size),
		.row_pitch = desc.image_row_pitch,
		.slice_pitch = slice_pitch,
	};
	return place_levels(info);
}

/* ---- creation -------------------------------------------------------------------------------- */

/* From the application's memory, which has the image's pitches; what lies between rows is not touched. */
static void copy_contents(cl_mem image, const char *source)
{
	static const size_t origin[3];
	const struct weft_image_info *info = image->image;
	size_t size[3], bytes[3];
	struct weft_rect rect;

	weft_image_level_size(info, 0, size);
	weft_image_rect(info, 0, origin, size, &rect, bytes);
	for (size_t z = 0; z < bytes[2]; z++) {
		for (size_t y = 0; y < bytes[1]; y++) {
			size_t place = z * rect.slice_pitch + y * rect.row_pitch;

			memcpy(image->address + place, source + place, bytes[0]);
		}
	}
}

/* From another image: the same texels, with another channel order. */
static bool describe(const struct weft_image_desc *desc, struct weft_image_info *info)
{
	const cl_mem parent = desc->desc->mem_object;

	if (!parent || !parent->image)
		return weft_image_layout(desc->format, desc->desc, info);
	*info = *parent->image;
	info->format = *desc->format;
	info->view.format = weft_image_format(desc->format->image_channel_order,
					      desc->format->image_channel_data_type,
					      (uint32_t)info->texel_size, info->view.format >> 24);
	return true;
}

static cl_int create_storage(const struct weft_image_desc *desc, size_t size, cl_mem *mem)
{
	const cl_mem_object_type type = desc->desc->image_type;
	const cl_mem parent = desc->desc->mem_object;
	const struct weft_buffer_desc storage = {.context = desc->context,
						 .properties = desc->properties,
						 .flags = desc->flags,
						 .size = size,
						 .host_ptr = desc->host_ptr};

	if (parent)
		return weft_mem_create_within(parent, 0, &storage, type, mem);
	if (size > weft_mem_largest(desc->context))
		return CL_MEM_OBJECT_ALLOCATION_FAILURE;
	cl_int err = weft_mem_create(&storage, type, mem);
	return err == CL_INVALID_BUFFER_SIZE ? CL_INVALID_IMAGE_SIZE : err;
}

cl_int weft_image_create(const struct weft_image_desc *desc, cl_mem *mem)
{
	struct weft_image_info *info = weft_zalloc(sizeof(*info));
	cl_mem image;

	if (!info)
		return CL_OUT_OF_HOST_MEMORY;
	cl_int err = describe(desc, info) ? create_storage(desc, info->size, &image)
					  : CL_INVALID_IMAGE_SIZE;
	if (err != CL_SUCCESS) {
		weft_free(info);
		return err;
	}
	image->image = info;
	if (desc->flags & CL_MEM_COPY_HOST_PTR)
		copy_contents(image, desc->host_ptr);
	*mem = image;
	return CL_SUCCESS;
}
