/* SPDX-License-Identifier: MIT
 *
 * Images: making them, the formats that they can have, and their queries (specification 5.3.1, 5.3.2, 5.3.8).
 */
#include "memory/image.h"
#include "check.h"
#include "entry_points.h"
#include "info/info.h"
#include "memory/image_format.h"

/* `desc->context` is not checked yet. */
static cl_mem create(const struct weft_image_desc *desc, cl_int *err)
{
	cl_mem mem = NULL;

	*err = weft_check_context(desc->context);
	if (*err == CL_SUCCESS)
		*err = weft_image_check(desc);
	if (*err == CL_SUCCESS)
		*err = weft_image_create(desc, &mem);
	return mem;
}

cl_mem CL_API_CALL weft_clCreateImageWithProperties(cl_context context,
						    const cl_mem_properties *properties,
						    cl_mem_flags flags,
						    const cl_image_format *format,
						    const cl_image_desc *desc, void *host_ptr,
						    cl_int *errcode_ret)
{
	cl_int err;
	cl_mem mem = create(
		&(struct weft_image_desc){context, properties, flags, format, desc, host_ptr},
		&err);

	weft_api_set_error(errcode_ret, err);
	return mem;
}

cl_mem CL_API_CALL weft_clCreateImage(cl_context context, cl_mem_flags flags,
				      const cl_image_format *format, const cl_image_desc *desc,
				      void *host_ptr, cl_int *errcode_ret)
{
	return weft_clCreateImageWithProperties(context, NULL, flags, format, desc, host_ptr,
						errcode_ret);
}

/* The older functions have no descriptor to be wrong about: what they say of pitches counts as sizes. */
static cl_mem create_older(const struct weft_image_desc *desc, cl_int *errcode_ret)
{
	cl_int err;
	cl_mem mem = create(desc, &err);

	weft_api_set_error(errcode_ret,
			   err == CL_INVALID_IMAGE_DESCRIPTOR ? CL_INVALID_IMAGE_SIZE : err);
	return mem;
}

cl_mem CL_API_CALL weft_clCreateImage2D(cl_context context, cl_mem_flags flags,
					const cl_image_format *format, size_t width, size_t height,
					size_t row_pitch, void *host_ptr, cl_int *errcode_ret)
{
	const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
				    .image_width = width,
				    .image_height = height,
				    .image_row_pitch = row_pitch};

	return create_older(
		&(struct weft_image_desc){context, NULL, flags, format, &desc, host_ptr},
		errcode_ret);
}

/* "image_depth … must be a value > 1": 1 counts as no size at all. */
cl_mem CL_API_CALL weft_clCreateImage3D(cl_context context, cl_mem_flags flags,
					const cl_image_format *format, size_t width, size_t height,
					size_t depth, size_t row_pitch, size_t slice_pitch,
					void *host_ptr, cl_int *errcode_ret)
{
	const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE3D,
				    .image_width = width,
				    .image_height = height,
				    .image_depth = depth > 1 ? depth : 0,
				    .image_row_pitch = row_pitch,
				    .image_slice_pitch = slice_pitch};

	return create_older(
		&(struct weft_image_desc){context, NULL, flags, format, &desc, host_ptr},
		errcode_ret);
}

/* All formats can be read and written, and in one kernel: the flags change nothing. */
cl_int CL_API_CALL weft_clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
						   cl_mem_object_type type, cl_uint num_entries,
						   cl_image_format *formats, cl_uint *num_formats)
{
	cl_int err = weft_check_context_handle(context);

	if (err == CL_SUCCESS &&
	    !weft_mem_flags_valid(flags & ~(cl_mem_flags)CL_MEM_KERNEL_READ_AND_WRITE))
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS && (!weft_image_type_valid(type) || (num_entries == 0 && formats)))
		err = CL_INVALID_VALUE;
	if (err != CL_SUCCESS)
		return err;
	cl_uint count = weft_image_formats(type, formats ? num_entries : 0, formats);
	if (num_formats)
		*num_formats = count;
	return CL_SUCCESS;
}

/* ---- queries --------------------------------------------------------------------------------- */

static cl_int get_buffer(const void *object, struct weft_info_answer *answer)
{
	const struct _cl_mem *image = object;
	const struct _cl_mem *parent = image->parent;

	return weft_info_answer_pointer(answer, parent && !parent->image ? parent : NULL);
}

#define ROW(param, field) WEFT_INFO_FIELD(param, struct weft_image_info, field)

static const struct weft_info_row rows[] = {
	ROW(CL_IMAGE_FORMAT, format),
	ROW(CL_IMAGE_ELEMENT_SIZE, texel_size),
	ROW(CL_IMAGE_ROW_PITCH, desc.image_row_pitch),
	ROW(CL_IMAGE_SLICE_PITCH, desc.image_slice_pitch),
	ROW(CL_IMAGE_WIDTH, desc.image_width),
	ROW(CL_IMAGE_HEIGHT, desc.image_height),
	ROW(CL_IMAGE_DEPTH, desc.image_depth),
	ROW(CL_IMAGE_ARRAY_SIZE, desc.image_array_size),
	ROW(CL_IMAGE_NUM_MIP_LEVELS, desc.num_mip_levels),
	ROW(CL_IMAGE_NUM_SAMPLES, desc.num_samples),
};
static const struct weft_info_table table = WEFT_INFO_TABLE(rows);

static const struct weft_info_row object_rows[] = {
	WEFT_INFO_GETTER(CL_IMAGE_BUFFER, get_buffer),
};
static const struct weft_info_table object_table = WEFT_INFO_TABLE(object_rows);

cl_int CL_API_CALL weft_clGetImageInfo(cl_mem image, cl_image_info param, size_t size, void *value,
				       size_t *size_ret)
{
	if (!weft_image_valid(image))
		return CL_INVALID_MEM_OBJECT;
	if (weft_info_has(&object_table, param))
		return weft_info_query(&object_table, image, param, size, value, size_ret);
	return weft_info_query(&table, image->image, param, size, value, size_ret);
}
