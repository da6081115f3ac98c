/* SPDX-License-Identifier: MIT
 *
 * clGetImageRequirementsInfoEXT (cl_ext_image_requirements_info, specification 5.3.9): what an image would need that does not
 * exist.
 */
#include "check.h"
#include "entry_points.h"
#include "info/info.h"
#include "memory/image.h"
#include "memory/image_format.h"

/* Format and descriptor may be NULL: then the answer suits all of them. */
struct question {
	const cl_image_format *format;
	const cl_image_desc *desc;
	struct weft_image_limits limits;
};

/* In buffers, texels are aligned to their size. Images on the application's memory may have any address. */
static cl_int get_alignment(const void *object, struct weft_info_answer *answer)
{
	const struct question *question = object;

	return weft_info_answer_size(answer, question->format
						     ? weft_image_alignment(question->format)
						     : WEFT_IMAGE_ALIGNMENT_MAX);
}

static cl_int get_size(const void *object, struct weft_info_answer *answer)
{
	const struct question *question = object;
	struct weft_image_info info;

	if (!question->format || !question->desc ||
	    !weft_image_layout(question->format, question->desc, &info))
		return CL_INVALID_VALUE;
	return weft_info_answer_size(answer, info.size);
}

#define LIMIT(param, field) WEFT_INFO_FIELD(param, struct question, limits.field)

static const struct weft_info_row rows[] = {
	WEFT_INFO_GETTER(CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT, get_alignment),
	WEFT_INFO_GETTER(CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT, get_alignment),
	WEFT_INFO_GETTER(CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT, get_alignment),
	WEFT_INFO_GETTER(CL_IMAGE_REQUIREMENTS_SIZE_EXT, get_size),
	LIMIT(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, width),
	LIMIT(CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, height),
	LIMIT(CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, depth),
	LIMIT(CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT, layers),
};
static const struct weft_info_table table = WEFT_INFO_TABLE(rows);

static bool asks_for_limit(cl_image_requirements_info_ext param)
{
	return param == CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT ||
	       param == CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT ||
	       param == CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT ||
	       param == CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT;
}

/* A descriptor must not be asked for the limit of a dimension that its type lacks; and the size in that dimension is ignored. */
static bool valid_desc(const struct question *question, cl_image_requirements_info_ext param)
{
	const struct weft_image_limits *limits = &question->limits;
	cl_image_desc desc = *question->desc;

	switch (param) {
	case CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT:
		desc.image_width = 0;
		break;
	case CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT:
		desc.image_height = 0;
		break;
	case CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT:
		desc.image_depth = 0;
		break;
	case CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT:
		desc.image_array_size = 0;
		break;
	default:
		break;
	}
	return weft_image_shape_valid(question->format, &desc, !asks_for_limit(param)) &&
	       (param != CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT || limits->height) &&
	       (param != CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT || limits->depth) &&
	       (param != CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT || limits->layers);
}

cl_int CL_API_CALL weft_clGetImageRequirementsInfoEXT(
	cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
	const cl_image_format *format, const cl_image_desc *desc,
	cl_image_requirements_info_ext param, size_t size, void *value, size_t *size_ret)
{
	const struct question question = {format, desc,
					  weft_image_limits(desc ? desc->image_type : 0)};

	cl_int err = weft_check_context_handle(context);
	if (err == CL_SUCCESS && properties && properties[0])
		err = CL_INVALID_PROPERTY;
	if (err == CL_SUCCESS &&
	    !weft_mem_flags_valid(flags & ~(cl_mem_flags)CL_MEM_KERNEL_READ_AND_WRITE))
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS && format && !weft_image_format_valid(format))
		err = CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
	if (err == CL_SUCCESS && desc && !valid_desc(&question, param))
		err = CL_INVALID_IMAGE_DESCRIPTOR;
	return err == CL_SUCCESS ? weft_info_query(&table, &question, param, size, value, size_ret)
				 : err;
}
