/* SPDX-License-Identifier: MIT
 *
 * Samplers and their queries (specification 5.7).
 */
#include "memory/sampler.h"
#include "check.h"
#include "entry_points.h"
#include "info/info.h"

cl_sampler CL_API_CALL weft_clCreateSamplerWithProperties(cl_context context,
							  const cl_sampler_properties *properties,
							  cl_int *errcode_ret)
{
	cl_sampler sampler = NULL;

	cl_int err = weft_check_context(context);
	if (err == CL_SUCCESS)
		err = weft_sampler_create(context, properties, &sampler);
	weft_api_set_error(errcode_ret, err);
	return sampler;
}

/* "If sampler was created using clCreateSampler … there are no properties to be returned." */
cl_sampler CL_API_CALL weft_clCreateSampler(cl_context context, cl_bool normalized,
					    cl_addressing_mode addressing, cl_filter_mode filter,
					    cl_int *errcode_ret)
{
	const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
						    normalized,
						    CL_SAMPLER_ADDRESSING_MODE,
						    addressing,
						    CL_SAMPLER_FILTER_MODE,
						    filter,
						    0};
	cl_sampler sampler = weft_clCreateSamplerWithProperties(context, properties, errcode_ret);

	if (sampler)
		sampler->num_properties = 0;
	return sampler;
}

static const struct weft_info_row rows[] = {
	WEFT_INFO_GETTER(CL_SAMPLER_REFERENCE_COUNT, weft_info_get_reference_count),
	WEFT_INFO_FIELD(CL_SAMPLER_CONTEXT, struct _cl_sampler, context),
	WEFT_INFO_FIELD(CL_SAMPLER_NORMALIZED_COORDS, struct _cl_sampler, normalized),
	WEFT_INFO_FIELD(CL_SAMPLER_ADDRESSING_MODE, struct _cl_sampler, addressing),
	WEFT_INFO_FIELD(CL_SAMPLER_FILTER_MODE, struct _cl_sampler, filter),
	WEFT_INFO_FIELD(CL_SAMPLER_MIP_FILTER_MODE_KHR, struct _cl_sampler, mip_filter),
	WEFT_INFO_FIELD(CL_SAMPLER_LOD_MIN_KHR, struct _cl_sampler, lod_min),
	WEFT_INFO_FIELD(CL_SAMPLER_LOD_MAX_KHR, struct _cl_sampler, lod_max),
	WEFT_INFO_LIST(CL_SAMPLER_PROPERTIES, struct _cl_sampler, properties, num_properties),
};
static const struct weft_info_table table = WEFT_INFO_OBJECT_TABLE(rows, WEFT_OBJECT_SAMPLER);

cl_int CL_API_CALL weft_clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param, size_t size,
					 void *value, size_t *size_ret)
{
	return weft_info_query_object(&table, sampler, param, size, value, size_ret);
}
