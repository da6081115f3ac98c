/* SPDX-License-Identifier: MIT
 *
 * What devices say of some extensions.
 */
#include "info/device_extension_info.h"

#include "device/device.h"
#include "svm_types.h"

#include "weft/memory_domain.h"

/* ---- cl_intel_device_attribute_query ---------------------------------------------------------- */

/* Of devices that are cores of this machine. A core is a slice of one sub-slice with one execution unit, so only the number of slices of
 * a sub-device differs from its parent's. Other devices do not have the extension, and none of its queries. */
static cl_int answer(const void *object, struct weft_info_answer *info, cl_uint value)
{
	return weft_device_shares_memory((cl_device_id)(uintptr_t)object)
		       ? weft_info_answer_u32(info, value)
		       : CL_INVALID_VALUE;
}

static const struct weft_device_properties *properties_of(const void *object)
{
	return weft_device_properties((cl_device_id)(uintptr_t)object);
}

static cl_int get_ip_version(const void *object, struct weft_info_answer *info)
{
	const struct weft_device_properties *properties = properties_of(object);

	return answer(object, info,
		      CL_MAKE_VERSION(properties->cpu_family, properties->cpu_model,
				      properties->cpu_stepping));
}

static cl_int get_id(const void *object, struct weft_info_answer *info)
{
	return answer(object, info, properties_of(object)->configuration);
}

static cl_int get_slices(const void *object, struct weft_info_answer *info)
{
	return answer(object, info, properties_of(object)->compute_units);
}

static cl_int get_one(const void *object, struct weft_info_answer *info)
{
	return answer(object, info, 1);
}

/* The features that have names are those of GPUs. */
static cl_int get_features(const void *object, struct weft_info_answer *info)
{
	cl_int err = answer(object, info, 0);

	return err == CL_SUCCESS ? weft_info_answer_u64(info, 0) : err;
}

/* ---- cl_khr_terminate_context ----------------------------------------------------------------- */

#define TERMINATES_CONTEXTS ((cl_bitfield)1) /* CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR */

/* CL_DEVICE_TERMINATE_CAPABILITY_KHR in the headers of OpenCL 1.2, with which programs as clinfo still ask. */
#define TERMINATE_CAPABILITY_1_2 0x200F

static cl_int get_termination(const void *object, struct weft_info_answer *info)
{
	const struct _cl_device_id *device = object;

	return weft_info_answer_u64(info,
				    device->impl->driver->interrupt ? TERMINATES_CONTEXTS : 0);
}

/* ---- cl_weft_memory_domain -------------------------------------------------------------------- */

static cl_int get_memory_domain(const void *object, struct weft_info_answer *info)
{
	return weft_info_answer_u32(info, properties_of(object)->space);
}

static const struct weft_info_row rows[] = {
	WEFT_INFO_GETTER(CL_DEVICE_IP_VERSION_INTEL, get_ip_version),
	WEFT_INFO_GETTER(CL_DEVICE_ID_INTEL, get_id),
	WEFT_INFO_GETTER(CL_DEVICE_NUM_SLICES_INTEL, get_slices),
	WEFT_INFO_GETTER(CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL, get_one),
	WEFT_INFO_GETTER(CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL, get_one),
	WEFT_INFO_GETTER(CL_DEVICE_NUM_THREADS_PER_EU_INTEL, get_one),
	WEFT_INFO_GETTER(CL_DEVICE_FEATURE_CAPABILITIES_INTEL, get_features),
	WEFT_INFO_GETTER(CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR, weft_svm_get_device_types),
	WEFT_INFO_GETTER(CL_DEVICE_TERMINATE_CAPABILITY_KHR, get_termination),
	WEFT_INFO_GETTER(TERMINATE_CAPABILITY_1_2, get_termination),
	WEFT_INFO_GETTER(CL_DEVICE_MEMORY_DOMAIN_WEFT, get_memory_domain),
};
const struct weft_info_table weft_device_extension_info = WEFT_INFO_TABLE(rows);
