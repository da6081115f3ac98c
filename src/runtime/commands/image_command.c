/* SPDX-License-Identifier: MIT
 *
 * Regions of images, checked and placed. Nothing here changes anything.
 */
#include "commands/image_command.h"

#include "graph/queue.h"
#include "overflow.h"

#include <string.h>

cl_int weft_image_check_use(cl_command_queue queue, cl_mem image)
{
	if (!weft_queue_is_on_host(queue))
		return CL_INVALID_COMMAND_QUEUE;
	return weft_image_valid(image) ? weft_mem_check_use(queue, image) : CL_INVALID_MEM_OBJECT;
}

cl_int weft_image_check_copy(cl_command_queue queue, cl_mem source, cl_mem destination)
{
	cl_int err = weft_image_check_use(queue, source);

	if (err == CL_SUCCESS)
		err = weft_image_check_use(queue, destination);
	if (err != CL_SUCCESS)
		return err;
	const cl_image_format *from = &source->image->format, *to = &destination->image->format;
	return from->image_channel_order == to->image_channel_order &&
			       from->image_channel_data_type == to->image_channel_data_type
		       ? CL_SUCCESS
		       : CL_IMAGE_FORMAT_MISMATCH;
}

cl_int weft_image_check_buffer_copy(cl_command_queue queue, cl_mem image, cl_mem buffer)
{
	cl_int err = weft_image_check_use(queue, image);

	if (err == CL_SUCCESS)
		err = weft_mem_check_buffer(queue, buffer);
	/* "a 1D image buffer object created from dst_buffer" */
	if (err == CL_SUCCESS && image->type == CL_MEM_OBJECT_IMAGE1D_BUFFER &&
	    image->parent == buffer)
		err = CL_INVALID_MEM_OBJECT;
	return err;
}

/* ---- in the image ---------------------------------------------------------------------------- */

static bool has_slices(const struct weft_image_info *info)
{
	return info->desc.image_type == CL_MEM_OBJECT_IMAGE3D ||
	       weft_image_has_layers(info->desc.image_type);
}

/* Elements of an origin that are places; the next one is the mip level. */
static unsigned num_coordinates(const struct weft_image_info *info)
{
	switch (info->desc.image_type) {
	case CL_MEM_OBJECT_IMAGE1D:
	case CL_MEM_OBJECT_IMAGE1D_BUFFER:
		return 1;
	case CL_MEM_OBJECT_IMAGE1D_ARRAY:
	case CL_MEM_OBJECT_IMAGE2D:
		return 2;
	default:
		return 3;
	}
}

/* "Specifying Mipmap Levels to Image Operations". Also where the region lies in its level. */
static size_t level_of(const struct weft_image_region *region, size_t origin[3])
{
	const struct weft_image_info *info = region->image->image;
	const unsigned coordinates = num_coordinates(info);

	memcpy(origin, region->origin, 3 * sizeof(origin[0]));
	if (info->desc.num_mip_levels < 2)
		return 0;
	if (coordinates < 3)
		origin[coordinates] = 0;
	return region->origin[coordinates];
}

/* Of dimensions that the image lacks, size 1 and origin 0 are within bounds alone. */
static bool is_inside(const size_t origin[3], const size_t region[3], const size_t size[3])
{
	for (int i = 0; i < 3; i++) {
		if (region[i] == 0 || origin[i] >= size[i] || region[i] > size[i] - origin[i])
			return false;
	}
	return true;
}

cl_int weft_image_place(const struct weft_image_region *region, struct weft_mem_place *place,
			size_t bytes[3])
{
	const struct weft_image_info *info = region->image->image;
	size_t origin[3], size[3];

	if (!region->origin || !region->size)
		return CL_INVALID_VALUE;
	const size_t level = level_of(region, origin);
	if (level > 0 && level >= info->desc.num_mip_levels)
		return CL_INVALID_MIP_LEVEL;
	weft_image_level_size(info, (cl_uint)level, size);
	if (!is_inside(origin, region->size, size) || origin[0] % info->group != 0 ||
	    region->size[0] % info->group != 0)
		return CL_INVALID_VALUE;
	place->mem = region->image;
	weft_image_rect(info, (cl_uint)level, origin, region->size, &place->rect, bytes);
	return CL_SUCCESS;
}

void weft_image_map_pitches(const struct weft_image_region *region, size_t *row, size_t *slice)
{
	const struct weft_image_info *info = region->image->image;
	size_t origin[3];

	weft_image_pitches(info, (cl_uint)level_of(region, origin), row, slice);
	if (!has_slices(info))
		*slice = 0;
}

/* ---- outside of it --------------------------------------------------------------------------- */

/* 5.3.3: row_pitch and slice_pitch. The layers of a 1D array are slices of one row. */
cl_int weft_image_place_host(const struct weft_image_region *region, size_t row_pitch,
			     size_t slice_pitch, struct weft_rect *rect)
{
	const struct weft_image_info *info = region->image->image;
	const bool layers_are_rows = weft_image_layers_are_rows(info);
	const size_t width = weft_image_row_bytes(info, region->size[0]);
	const size_t rows = region->size[1], slices = region->size[2];
	size_t slice, last_row, last_slice;

	row_pitch = row_pitch ? row_pitch : width;
	if (row_pitch < width || (slice_pitch && !has_slices(info)))
		return CL_INVALID_VALUE;
	if (weft_mul_overflows(row_pitch, layers_are_rows ? 1 : rows, &slice))
		return CL_INVALID_VALUE;
	slice_pitch = slice_pitch ? slice_pitch : slice;
	if (slice_pitch < slice)
		return CL_INVALID_VALUE;
	row_pitch = layers_are_rows ? slice_pitch : row_pitch;
	if (weft_mul_overflows(row_pitch, rows - 1, &last_row) ||
	    weft_mul_overflows(slice_pitch, slices - 1, &last_slice) ||
	    weft_add_overflows(last_row, last_slice, &last_row) ||
	    weft_add_overflows(last_row, width, &last_row))
		return CL_INVALID_VALUE;
	*rect = (struct weft_rect){0, last_row, row_pitch, slice_pitch};
	return CL_SUCCESS;
}

/* ---- commands -------------------------------------------------------------------------------- */

cl_int weft_image_place_copy(const struct weft_image_region *source,
			     const struct weft_image_region *destination,
			     struct weft_mem_copy *copy)
{
	cl_int err = weft_image_place(source, &copy->source, copy->region);

	if (err == CL_SUCCESS)
		err = weft_image_place(destination, &copy->destination, copy->region);
	return err;
}

/* The product cannot wrap: the image has as many bytes. */
static cl_int place_in_buffer(size_t offset, const size_t bytes[3], struct weft_mem_place *place)
{
	const size_t slice = bytes[0] * bytes[1];

	place->rect = (struct weft_rect){offset, 0, bytes[0], slice};
	if (weft_add_overflows(offset, slice * bytes[2], &place->rect.end))
		return CL_INVALID_VALUE;
	return weft_mem_check_bounds(place->mem, &place->rect);
}

cl_int weft_image_place_to_buffer(const struct weft_image_region *source, size_t offset,
				  struct weft_mem_copy *copy)
{
	cl_int err = weft_image_place(source, &copy->source, copy->region);

	return err == CL_SUCCESS ? place_in_buffer(offset, copy->region, &copy->destination) : err;
}

cl_int weft_image_place_from_buffer(const struct weft_image_region *destination, size_t offset,
				    struct weft_mem_copy *copy)
{
	cl_int err = weft_image_place(destination, &copy->destination, copy->region);

	return err == CL_SUCCESS ? place_in_buffer(offset, copy->region, &copy->source) : err;
}

cl_int weft_image_place_fill(const struct weft_image_region *region, const void *color,
			     struct weft_image_color *texel, struct weft_mem_fill *fill)
{
	struct weft_mem_place place;

	cl_int err = color ? weft_image_place(region, &place, fill->region) : CL_INVALID_VALUE;
	if (err != CL_SUCCESS)
		return err;
	*texel = weft_image_encode(region->image->image, color);
	fill->destination = place;
	fill->pattern = texel;
	fill->pattern_size = region->image->image->group_size;
	return CL_SUCCESS;
}
