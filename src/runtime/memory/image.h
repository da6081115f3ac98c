/* SPDX-License-Identifier: MIT
 *
 * Images: memory objects with a format and a shape. An image's texels are linear in memory: rows follow each other at the
 * row pitch, slices and layers at the slice pitch. So commands on images are commands on rectangles of bytes, and an image
 * may lie in a buffer or in the application's memory. Further mip levels lie behind the first one, without gaps.
 */
#ifndef WEFT_RUNTIME_IMAGE_H
#define WEFT_RUNTIME_IMAGE_H

#include "kernel_abi.h"
#include "memory/mem.h"
#include "memory/rect.h"

/* What is known of an image besides its memory. It never changes. */
struct weft_image_info {
	cl_image_format format;
	/* As clGetImageInfo answers: of a dimension that the image lacks, 0; with the pitches that it has. No mem_object. */
	cl_image_desc desc;
	size_t texel_size; /* CL_IMAGE_ELEMENT_SIZE: bytes */
	/* Texels of a row that share bytes, and those bytes (image_format.h). Widths are whole groups, and so must be the regions of
	 * commands along x. */
	cl_uint group;
	size_t group_size;
	size_t size; /* bytes of all texels, the last row and slice with their whole pitches */
	struct weft_image view; /* as kernels see it, `data` being NULL */
};

struct weft_image_desc {
	cl_context context;
	const cl_mem_properties *properties; /* or NULL */
	cl_mem_flags flags;
	const cl_image_format *format;
	const cl_image_desc *desc;
	void *host_ptr;
};

/* The largest images, in texels. */
#define WEFT_IMAGE_2D_MAX 32768
#define WEFT_IMAGE_3D_MAX 8192
#define WEFT_IMAGE_LAYERS_MAX 2048
#define WEFT_IMAGE_BUFFER_MAX (1 << 28)

/* Which dimensions an image type has beside the width and, of a 3D image, the depth. */
static inline bool weft_image_has_height(cl_mem_object_type type)
{
	return type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
	       type == CL_MEM_OBJECT_IMAGE3D;
}

static inline bool weft_image_has_layers(cl_mem_object_type type)
{
	return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

static inline bool weft_image_type_valid(cl_mem_object_type type)
{
	return type == CL_MEM_OBJECT_IMAGE1D || type == CL_MEM_OBJECT_IMAGE1D_BUFFER ||
	       type == CL_MEM_OBJECT_IMAGE1D_ARRAY || weft_image_has_height(type);
}

/* The largest size in each dimension that images of a type have; 0: they lack it. Of no type: of each dimension, what suits
 * all types that have it. */
struct weft_image_limits {
	cl_uint width;
	cl_uint height;
	cl_uint depth;
	cl_uint layers;
};
struct weft_image_limits weft_image_limits(cl_mem_object_type type);
/* Whether a descriptor could be an image's, whatever memory it lies in. Unless `whole`, the type and sizes may be 0, for
 * unknown; and the format may be NULL. */
bool weft_image_shape_valid(const cl_image_format *format, const cl_image_desc *desc, bool whole);

/* The specification's checks of clCreateImageWithProperties (5.3.1), in its order, but for the context itself. */
cl_int weft_image_check(const struct weft_image_desc *desc) WEFT_MUST_CHECK;
/* `desc` has been checked. CL_MEM_OBJECT_ALLOCATION_FAILURE when the contents find no memory. */
cl_int weft_image_create(const struct weft_image_desc *desc, cl_mem *mem) WEFT_MUST_CHECK;

/* Fills in all of *info. Type, format, sizes, pitches and levels have been checked; pitches of 0 mean rows and slices without
 * gaps. False: more bytes than a size_t holds. */
bool weft_image_layout(const cl_image_format *format, const cl_image_desc *desc,
		       struct weft_image_info *info) WEFT_MUST_CHECK;

/* Texels of a level as the commands' regions count them: width; height, or the layers of a 1D array; depth, or the layers of a
 * 2D array; 1 where there is none. */
void weft_image_level_size(const struct weft_image_info *info, cl_uint level, size_t size[3]);

/* Bytes of some texels of a row, which are whole groups. */
static inline size_t weft_image_row_bytes(const struct weft_image_info *info, size_t texels)
{
	return texels / info->group * info->group_size;
}

/* The regions of commands count the layers of a 1D array as rows. */
static inline bool weft_image_layers_are_rows(const struct weft_image_info *info)
{
	return info->desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
}

/* Bytes of a level from row to row, and from slice to slice or layer to layer. */
void weft_image_pitches(const struct weft_image_info *info, cl_uint level, size_t *row,
			size_t *slice);

/* Where a region of a level lies, counted from the image's first byte, and the region in bytes per row, rows per slice and
 * slices. Origin and region are texels as the commands have them, inside of the level, whole groups, the region not
 * empty. */
void weft_image_rect(const struct weft_image_info *info, cl_uint level, const size_t origin[3],
		     const size_t region[3], struct weft_rect *rect, size_t bytes[3]);

static inline bool weft_image_valid(cl_mem mem)
{
	return weft_mem_valid(mem) && mem->image;
}

#endif
