/* SPDX-License-Identifier: MIT
 *
 * What the specification demands of the arguments that make images (5.3.1). Nothing here changes anything.
 */
#include "memory/external_memory.h"
#include "memory/image.h"
#include "memory/image_format.h"
#include "overflow.h"

/* ---- the descriptor -------------------------------------------------------------------------- */

/* The memory object that the image shall lie in, if there is one. It must be a buffer, or a 2D image for another one. */
static bool valid_parent(const struct weft_image_desc *desc)
{
	const cl_mem_object_type type = desc->desc->image_type;
	const cl_mem parent = desc->desc->mem_object;

	if (!parent)
		return type != CL_MEM_OBJECT_IMAGE1D_BUFFER;
	if (!weft_mem_valid(parent) || parent->context != desc->context)
		return false;
	return parent->type == CL_MEM_OBJECT_BUFFER ||
	       (parent->type == CL_MEM_OBJECT_IMAGE2D && type == CL_MEM_OBJECT_IMAGE2D);
}

/* "The following restrictions apply when mipmapped images are created with clCreateImage": they lie in memory of their own. A
 * view of a mipmapped image has its levels. There may be more than it takes to come down to one texel: nothing forbids it,
 * and the conformance tests have two levels of one texel, and of depth images, too, which the text excludes. */
static bool valid_levels(const struct weft_image_desc *desc)
{
	const cl_image_desc *shape = desc->desc;
	size_t bytes;

	if (shape->num_mip_levels <= 1)
		return true;
	return shape->num_mip_levels <= WEFT_IMAGE_LEVELS_MAX && !shape->mem_object &&
	       !(desc->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) && !desc->host_ptr &&
	       weft_image_texel_group(desc->format, &bytes) == 1;
}

/* Non-zero pitches: at least a row, at least the rows of a slice, and whole numbers of texels and rows. What is too large for
 * a size_t counts as large enough: the sizes have a code of their own. */
static bool valid_pitches(const cl_image_desc *desc, const cl_image_format *format)
{
	const size_t rows = weft_image_has_height(desc->image_type) ? desc->image_height : 1;
	const bool slices = weft_image_has_layers(desc->image_type) ||
			    desc->image_type == CL_MEM_OBJECT_IMAGE3D;
	size_t row = desc->image_row_pitch;
	size_t bytes, least;

	const cl_uint group = weft_image_texel_group(format, &bytes);
	if (weft_mul_overflows(desc->image_width / group, bytes, &least))
		return true;
	if (row && (row < least || row % weft_image_alignment(format) != 0))
		return false;
	row = row ? row : least;
	if (!slices || !desc->image_slice_pitch || !row || weft_mul_overflows(row, rows, &least))
		return true;
	return desc->image_slice_pitch >= least && desc->image_slice_pitch % row == 0;
}

/* "All of the values specified in image_desc must match the image descriptor information associated with mem_object" */
static bool matches(const cl_image_desc *view, const cl_image_desc *image)
{
	return view->image_width == image->image_width &&
	       view->image_height == image->image_height &&
	       (!view->image_row_pitch || view->image_row_pitch == image->image_row_pitch) &&
	       !view->image_slice_pitch && view->num_mip_levels == image->num_mip_levels;
}

static cl_int check_view(const struct weft_image_desc *desc)
{
	const struct weft_image_info *image = desc->desc->mem_object->image;

	if (desc->format->image_channel_data_type != image->format.image_channel_data_type ||
	    !weft_image_orders_compatible(image->format.image_channel_order,
					  desc->format->image_channel_order))
		return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
	return matches(desc->desc, &image->desc) ? CL_SUCCESS : CL_INVALID_IMAGE_DESCRIPTOR;
}

/* "if an image is created from a buffer and the row pitch, or slice pitch, … or base address alignment do not follow the
 * rules": texels are aligned to their size. */
static cl_int check_in_buffer(const struct weft_image_desc *desc)
{
	const uintptr_t address = (uintptr_t)desc->desc->mem_object->address;

	if (!valid_pitches(desc->desc, desc->format) ||
	    address % weft_image_alignment(desc->format) != 0)
		return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
	return CL_SUCCESS;
}

static cl_int check_desc(const struct weft_image_desc *desc, bool external)
{
	const cl_image_desc *shape = desc->desc;

	if (!shape || !weft_image_type_valid(shape->image_type) || shape->num_samples ||
	    !valid_parent(desc) || (external && shape->mem_object))
		return CL_INVALID_IMAGE_DESCRIPTOR;
	if (shape->mem_object && shape->mem_object->image)
		return check_view(desc);
	if (!valid_levels(desc))
		return CL_INVALID_IMAGE_DESCRIPTOR;
	if (shape->mem_object)
		return check_in_buffer(desc);
	if (!desc->host_ptr && !external && (shape->image_row_pitch || shape->image_slice_pitch))
		return CL_INVALID_IMAGE_DESCRIPTOR;
	return valid_pitches(shape, desc->format) ? CL_SUCCESS : CL_INVALID_IMAGE_DESCRIPTOR;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

struct weft_image_limits weft_image_limits(cl_mem_object_type type)
{
	switch (type) {
	case CL_MEM_OBJECT_IMAGE1D:
		return (struct weft_image_limits){.width = WEFT_IMAGE_2D_MAX};
	case CL_MEM_OBJECT_IMAGE1D_BUFFER:
		return (struct weft_image_limits){.width = WEFT_IMAGE_BUFFER_MAX};
	case CL_MEM_OBJECT_IMAGE1D_ARRAY:
		return (struct weft_image_limits){.width = WEFT_IMAGE_2D_MAX,
						  .layers = WEFT_IMAGE_LAYERS_MAX};
	case CL_MEM_OBJECT_IMAGE2D:
		return (struct weft_image_limits){WEFT_IMAGE_2D_MAX, WEFT_IMAGE_2D_MAX, 0, 0};
	case CL_MEM_OBJECT_IMAGE2D_ARRAY:
		return (struct weft_image_limits){WEFT_IMAGE_2D_MAX, WEFT_IMAGE_2D_MAX, 0,
						  WEFT_IMAGE_LAYERS_MAX};
	case CL_MEM_OBJECT_IMAGE3D:
		return (struct weft_image_limits){WEFT_IMAGE_3D_MAX, WEFT_IMAGE_3D_MAX,
						  WEFT_IMAGE_3D_MAX, 0};
	default: /* those of 3D images are the smallest */
		return (struct weft_image_limits){WEFT_IMAGE_3D_MAX, WEFT_IMAGE_3D_MAX,
						  WEFT_IMAGE_3D_MAX, WEFT_IMAGE_LAYERS_MAX};
	}
}

/* Where there is no limit, there is no such dimension. */
static bool within(size_t size, size_t limit, size_t least)
{
	return !limit || (size >= least && size <= limit);
}

static bool valid_dimensions(const cl_image_desc *desc, size_t least)
{
	const struct weft_image_limits limits = weft_image_limits(desc->image_type);

	return within(desc->image_width, limits.width, least) &&
	       within(desc->image_height, limits.height, least) &&
	       within(desc->image_depth, limits.depth, least) &&
	       within(desc->image_array_size, limits.layers, least);
}

static cl_int check_size(const struct weft_image_desc *desc)
{
	const cl_mem parent = desc->desc->mem_object;
	struct weft_image_info info;
	size_t bytes;

	if (!valid_dimensions(desc->desc, 1) ||
	    desc->desc->image_width % weft_image_texel_group(desc->format, &bytes) != 0 ||
	    !weft_image_layout(desc->format, desc->desc, &info))
		return CL_INVALID_IMAGE_SIZE;
	/* "the buffer … is too small to be used as a data store for the image" */
	return parent && info.size > parent->size && !parent->image ? CL_INVALID_IMAGE_SIZE
								    : CL_SUCCESS;
}

bool weft_image_shape_valid(const cl_image_format *format, const cl_image_desc *desc, bool whole)
{
	const cl_mem_object_type type = desc->image_type;
	struct weft_image_info info;
	size_t bytes;

	if (desc->num_samples || (!weft_image_type_valid(type) && (whole || type)))
		return false;
	if (!valid_dimensions(desc, whole ? 1 : 0))
		return false;
	if (!whole || !format)
		return true;
	return valid_pitches(desc, format) && desc->num_mip_levels <= WEFT_IMAGE_LEVELS_MAX &&
	       desc->image_width % weft_image_texel_group(format, &bytes) == 0 &&
	       weft_image_layout(format, desc, &info);
}

/* ---- all ------------------------------------------------------------------------------------- */

static cl_int check_flags(const struct weft_image_desc *desc)
{
	const cl_mem parent = desc->desc ? desc->desc->mem_object : NULL;

	if (!weft_mem_flags_valid(desc->flags) ||
	    (weft_mem_valid(parent) && !weft_mem_flags_suit(parent, desc->flags)))
		return CL_INVALID_VALUE;
	/* "if CL_MEM_IMMUTABLE_EXT is not set in flags and mem_object was created with CL_MEM_IMMUTABLE_EXT" */
	if (weft_mem_valid(parent) && (parent->flags & ~desc->flags & CL_MEM_IMMUTABLE_EXT))
		return CL_INVALID_VALUE;
	return CL_SUCCESS;
}

/* An immutable image has contents from its creation on. */
static bool has_contents(const struct weft_image_desc *desc,
			 const struct weft_external_desc *external)
{
	return external->type || (desc->desc && desc->desc->mem_object) ||
	       weft_mem_flags_give_contents(desc->flags);
}

cl_int weft_image_check(const struct weft_image_desc *desc)
{
	const bool uses_host = desc->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);

	struct weft_external_desc external;

	cl_int err = weft_external_read(desc->context, desc->properties, &external);
	if (err == CL_SUCCESS && external.names_address)
		err = CL_INVALID_PROPERTY; /* it is a buffer's */
	if (err == CL_SUCCESS)
		err = check_flags(desc);
	if (err == CL_SUCCESS && ((external.type && !weft_mem_flags_suit_external(desc->flags)) ||
				  !has_contents(desc, &external)))
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS && (!desc->format || !weft_image_format_valid(desc->format)))
		err = CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
	if (err == CL_SUCCESS)
		err = check_desc(desc, external.type != 0);
	if (err == CL_SUCCESS)
		err = check_size(desc);
	if (err == CL_SUCCESS && uses_host != (desc->host_ptr != NULL))
		err = CL_INVALID_HOST_PTR;
	if (err != CL_SUCCESS)
		return err;
	const cl_mem parent = desc->desc->mem_object;
	const cl_mem_flags flags = desc->flags | (parent ? parent->flags : 0);
	return weft_image_format_offered(desc->format, desc->desc->image_type, flags)
		       ? CL_SUCCESS
		       : CL_IMAGE_FORMAT_NOT_SUPPORTED;
}
