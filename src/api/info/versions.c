/* SPDX-License-Identifier: MIT
 *
 * The extensions, features and language versions of extensions.def as the queries spell them.
 */
#include "info/versions.h"

#include "device/device.h"
#include "platform/platform.h"

/* First that of the embedded profile, last those of devices that share memory with the host. */
static const cl_name_version extensions[] = {
	{CL_MAKE_VERSION(1, 0, 0), "cles_khr_int64"},
#define WEFT_EXTENSION(name, major, minor, patch) {CL_MAKE_VERSION(major, minor, patch), #name},
#define WEFT_SVM_EXTENSION(name, major, minor, patch) {CL_MAKE_VERSION(major, minor, patch), #name},
#define WEFT_SHARED_EXTENSION(name, major, minor, patch)                                           \
	{CL_MAKE_VERSION(major, minor, patch), #name},
#include "device/extensions.def"
};

enum {
	NUM_COMMON = 0
#define WEFT_EXTENSION(name, major, minor, patch) +1
#include "device/extensions.def"
	,
	NUM_SVM = NUM_COMMON
#define WEFT_SVM_EXTENSION(name, major, minor, patch) +1
#include "device/extensions.def"
	,
	NUM_ALL = NUM_SVM
#define WEFT_SHARED_EXTENSION(name, major, minor, patch) +1
#include "device/extensions.def"
};

/* The first one is of devices whose kernels enqueue kernels. */
static const cl_name_version features[] = {
	{CL_MAKE_VERSION(3, 0, 0), "__opencl_c_device_enqueue"},
#define WEFT_FEATURE(name) {CL_MAKE_VERSION(3, 0, 0), #name},
#include "device/extensions.def"
};

/* The last is of devices whose kernels enqueue kernels: OpenCL C 2.0 needs every feature of it (specification 4.2). */
static const cl_name_version opencl_c[] = {
	{CL_MAKE_VERSION(1, 0, 0), "OpenCL C"}, {CL_MAKE_VERSION(1, 1, 0), "OpenCL C"},
	{CL_MAKE_VERSION(1, 2, 0), "OpenCL C"}, {CL_MAKE_VERSION(3, 0, 0), "OpenCL C"},
	{CL_MAKE_VERSION(3, 1, 0), "OpenCL C"}, {CL_MAKE_VERSION(2, 0, 0), "OpenCL C"},
};

/* Extensions of the platform are those that all of its devices have (specification 4.1). */
static enum weft_sharing common_sharing(void)
{
	cl_uint count;
	const cl_device_id *devices = weft_platform_devices(&count);
	enum weft_sharing least = WEFT_SHARES_ALL;

	for (cl_uint i = 0; i < count; i++) {
		const enum weft_sharing sharing = weft_device_sharing(devices[i]);

		least = sharing < least ? sharing : least;
	}
	return least;
}

static cl_int answer_extensions(struct weft_info_answer *answer, bool embedded,
				enum weft_sharing sharing)
{
	static const size_t counts[WEFT_NUM_SHARINGS] = {
		[WEFT_SHARES_NOTHING] = NUM_COMMON,
		[WEFT_SHARES_RANGES] = NUM_SVM,
		[WEFT_SHARES_ALL] = NUM_ALL,
	};
	const cl_name_version *first = embedded ? extensions : extensions + 1;
	const cl_name_version *end = extensions + 1 + counts[sharing];

	return weft_info_answer_data(answer, first, (size_t)(end - first) * sizeof(*first));
}

cl_int weft_info_get_extensions(const void *object, struct weft_info_answer *answer)
{
	(void)object;
	return weft_info_answer_string(answer, weft_extension_names(common_sharing(), false));
}

cl_int weft_info_get_extensions_with_version(const void *object, struct weft_info_answer *answer)
{
	(void)object;
	return answer_extensions(answer, false, common_sharing());
}

cl_int weft_info_get_device_extensions_with_version(const void *object,
						    struct weft_info_answer *answer)
{
	return answer_extensions(answer, weft_device_is_embedded(object),
				 weft_device_sharing(object));
}

cl_int weft_info_get_features(bool enqueues, struct weft_info_answer *answer)
{
	const size_t without = enqueues ? 0 : 1;

	return weft_info_answer_data(answer, features + without,
				     sizeof(features) - without * sizeof(*features));
}

cl_int weft_info_get_opencl_c_versions(bool enqueues, struct weft_info_answer *answer)
{
	return weft_info_answer_data(answer, opencl_c,
				     sizeof(opencl_c) - (enqueues ? 0 : sizeof(*opencl_c)));
}
