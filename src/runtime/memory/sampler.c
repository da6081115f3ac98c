/* SPDX-License-Identifier: MIT
 *
 * The life of samplers, and the numbers that they are to kernels.
 */
#include "memory/sampler.h"

#include "alloc.h"

#include <float.h>
#include <string.h>

static void destroy(struct weft_object *object)
{
	cl_sampler sampler = WEFT_CONTAINER_OF(object, struct _cl_sampler, base);

	weft_free(sampler->properties);
	weft_object_put(&sampler->context->base);
	weft_object_free(&sampler->base);
}

/* ---- properties ------------------------------------------------------------------------------ */

static bool valid_addressing(cl_sampler_properties value)
{
	return value >= CL_ADDRESS_NONE && value <= CL_ADDRESS_MIRRORED_REPEAT;
}

static bool valid_filter(cl_sampler_properties value)
{
	return value == CL_FILTER_NEAREST || value == CL_FILTER_LINEAR;
}

/* A float in the list is its bits. */
static cl_float as_float(cl_sampler_properties value)
{
	const uint32_t bits = (uint32_t)value;
	cl_float number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}

static bool set_property(cl_sampler sampler, cl_sampler_properties name,
			 cl_sampler_properties value)
{
	switch (name) {
	case CL_SAMPLER_NORMALIZED_COORDS:
		sampler->normalized = (cl_bool)value;
		return value == CL_TRUE || value == CL_FALSE;
	case CL_SAMPLER_ADDRESSING_MODE:
		sampler->addressing = (cl_addressing_mode)value;
		return valid_addressing(value);
	case CL_SAMPLER_FILTER_MODE:
		sampler->filter = (cl_filter_mode)value;
		return valid_filter(value);
	case CL_SAMPLER_MIP_FILTER_MODE_KHR:
		sampler->mip_filter = (cl_filter_mode)value;
		return valid_filter(value);
	case CL_SAMPLER_LOD_MIN_KHR:
		sampler->lod_min = as_float(value);
		return true;
	case CL_SAMPLER_LOD_MAX_KHR:
		sampler->lod_max = as_float(value);
		return true;
	default:
		return false;
	}
}

static bool is_repeated(const cl_sampler_properties *list, const cl_sampler_properties *property)
{
	for (; list != property; list += 2) {
		if (list[0] == property[0])
			return true;
	}
	return false;
}

/* The defaults and then the list. Images repeat in normalised coordinates only (the table of addressing modes in OpenCL C); a
 * NaN is no level of detail. */
static cl_int set_properties(cl_sampler sampler, const cl_sampler_properties *properties)
{
	const cl_sampler_properties *property = properties;

	sampler->normalized = CL_TRUE;
	sampler->addressing = CL_ADDRESS_CLAMP;
	sampler->filter = CL_FILTER_NEAREST;
	sampler->mip_filter = CL_FILTER_NEAREST;
	sampler->lod_max = FLT_MAX;
	for (; property && property[0]; property += 2) {
		if (is_repeated(properties, property) ||
		    !set_property(sampler, property[0], property[1]))
			return CL_INVALID_VALUE;
	}
	const bool repeats = sampler->addressing == CL_ADDRESS_REPEAT ||
			     sampler->addressing == CL_ADDRESS_MIRRORED_REPEAT;
	if ((repeats && !sampler->normalized) || !(sampler->lod_min <= sampler->lod_max))
		return CL_INVALID_VALUE;
	if (!properties)
		return CL_SUCCESS;
	sampler->num_properties = (cl_uint)(property - properties) + 1;
	sampler->properties =
		weft_memdup(properties, sampler->num_properties * sizeof(*properties));
	return sampler->properties ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

/* ---- the number ------------------------------------------------------------------------------ */

static uint64_t lod_bits(cl_float lod)
{
	uint32_t bits;

	memcpy(&bits, &lod, sizeof(bits));
	return bits >> 8;
}

static weft_sampler to_number(const struct _cl_sampler *sampler)
{
	static const weft_sampler addressing[] = {
		[CL_ADDRESS_NONE - CL_ADDRESS_NONE] = WEFT_SAMPLER_ADDRESS_NONE,
		[CL_ADDRESS_CLAMP_TO_EDGE - CL_ADDRESS_NONE] = WEFT_SAMPLER_CLAMP_TO_EDGE,
		[CL_ADDRESS_CLAMP - CL_ADDRESS_NONE] = WEFT_SAMPLER_CLAMP,
		[CL_ADDRESS_REPEAT - CL_ADDRESS_NONE] = WEFT_SAMPLER_REPEAT,
		[CL_ADDRESS_MIRRORED_REPEAT - CL_ADDRESS_NONE] = WEFT_SAMPLER_MIRRORED_REPEAT,
	};
	weft_sampler number = addressing[sampler->addressing - CL_ADDRESS_NONE];

	number |= sampler->normalized ? WEFT_SAMPLER_NORMALIZED : 0;
	number |= sampler->filter == CL_FILTER_LINEAR ? WEFT_SAMPLER_LINEAR : WEFT_SAMPLER_NEAREST;
	number |= sampler->mip_filter == CL_FILTER_LINEAR ? WEFT_SAMPLER_MIP_LINEAR : 0;
	number |= lod_bits(sampler->lod_min) << WEFT_SAMPLER_LOD_MIN_SHIFT;
	return number | (lod_bits(sampler->lod_max) ^ WEFT_SAMPLER_LOD_MAX)
				<< WEFT_SAMPLER_LOD_MAX_SHIFT;
}

cl_int weft_sampler_create(cl_context context, const cl_sampler_properties *properties,
			   cl_sampler *sampler_ret)
{
	cl_sampler sampler = weft_object_alloc(sizeof(*sampler));

	if (!sampler)
		return CL_OUT_OF_HOST_MEMORY;
	weft_object_init(&sampler->base, WEFT_OBJECT_SAMPLER, destroy);
	weft_object_get(&context->base);
	sampler->context = context;
	cl_int err = set_properties(sampler, properties);
	if (err != CL_SUCCESS) {
		weft_object_put(&sampler->base);
		return err;
	}
	sampler->number = to_number(sampler);
	*sampler_ret = sampler;
	return CL_SUCCESS;
}
