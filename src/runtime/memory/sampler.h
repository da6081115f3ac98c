/* SPDX-License-Identifier: MIT
 *
 * Samplers: how kernels read images. A sampler never changes, and kernels get it as a number (kernel_image.h).
 */
#ifndef WEFT_RUNTIME_SAMPLER_H
#define WEFT_RUNTIME_SAMPLER_H

#include "device/context.h"
#include "kernel_abi.h"
#include "object/object.h"

struct _cl_sampler {
	struct weft_object base;
	cl_context context; /* retained */
	cl_bool normalized;
	cl_addressing_mode addressing;
	cl_filter_mode filter;
	cl_filter_mode mip_filter;
	cl_float lod_min;
	cl_float lod_max;
	cl_sampler_properties *properties; /* owned copy with its zero, or NULL */
	cl_uint num_properties;            /* elements, the zero included */
	weft_sampler number;
};

/* By a list of properties, or NULL, as clCreateSamplerWithProperties takes it (5.7.1). CL_INVALID_VALUE */
cl_int weft_sampler_create(cl_context context, const cl_sampler_properties *properties,
			   cl_sampler *sampler) WEFT_MUST_CHECK;

static inline bool weft_sampler_valid(cl_sampler sampler)
{
	return weft_object_is(sampler, WEFT_OBJECT_SAMPLER);
}

#endif
