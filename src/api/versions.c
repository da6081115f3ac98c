/* SPDX-License-Identifier: MIT
 *
 * The extensions, features and language versions of extensions.def as the queries spell them.
 */
#include "versions.h"

static const char extension_names[] = ""
#define WEFT_EXTENSION(name, major, minor, patch) " " #name
#define WEFT_FEATURE(name)
#include "device/extensions.def"
#undef WEFT_EXTENSION
#undef WEFT_FEATURE
	;

static const cl_name_version embedded_extensions[] = {
	{CL_MAKE_VERSION(1, 0, 0), "cles_khr_int64"},
#define WEFT_EXTENSION(name, major, minor, patch) {CL_MAKE_VERSION(major, minor, patch), #name},
#define WEFT_FEATURE(name)
#include "device/extensions.def"
#undef WEFT_EXTENSION
#undef WEFT_FEATURE
};

static const cl_name_version features[] = {
#define WEFT_EXTENSION(name, major, minor, patch)
#define WEFT_FEATURE(name) {CL_MAKE_VERSION(3, 0, 0), #name},
#include "device/extensions.def"
#undef WEFT_EXTENSION
#undef WEFT_FEATURE
};

/* OpenCL C 2.0 is not among them: it would need every feature of it (specification 4.2). */
static const cl_name_version opencl_c[] = {
	{CL_MAKE_VERSION(1, 0, 0), "OpenCL C"},
	{CL_MAKE_VERSION(1, 1, 0), "OpenCL C"},
	{CL_MAKE_VERSION(1, 2, 0), "OpenCL C"},
	{CL_MAKE_VERSION(3, 0, 0), "OpenCL C"},
};

cl_int weft_info_get_extensions(const void *object, struct weft_info_answer *answer)
{
	(void)object;
	return weft_info_answer_string(answer, extension_names + 1);
}

cl_int weft_info_get_extensions_with_version(const void *object, struct weft_info_answer *answer)
{
	(void)object;
	return weft_info_answer_data(answer, embedded_extensions + 1,
				     sizeof(embedded_extensions) - sizeof(*embedded_extensions));
}

cl_int weft_info_get_embedded_extensions_with_version(const void *object,
						      struct weft_info_answer *answer)
{
	(void)object;
	return weft_info_answer_data(answer, embedded_extensions, sizeof(embedded_extensions));
}

cl_int weft_info_get_features(const void *object, struct weft_info_answer *answer)
{
	(void)object;
	return weft_info_answer_data(answer, features, sizeof(features));
}

cl_int weft_info_get_opencl_c_versions(const void *object, struct weft_info_answer *answer)
{
	(void)object;
	return weft_info_answer_data(answer, opencl_c, sizeof(opencl_c));
}
