/* SPDX-License-Identifier: MIT
 *
 * The versions of SPIR-V, and what the compiler's list says of it.
 */
#include "info/spirv_info.h"

#define VERSIONS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6)

#define NAME(minor) {CL_MAKE_VERSION(1, minor, 0), "SPIR-V"},
static const cl_name_version ils[] = {VERSIONS(NAME)};
#undef NAME

static const char *const sets[] = {"OpenCL.std"};

#define CAPABILITY(number, name)
#define EXTENSION(name) #name,
static const char *const extensions[] = {
#include "spirv/module/capabilities.def"
};
#undef CAPABILITY
#undef EXTENSION

#define CAPABILITY(number, name) number,
#define EXTENSION(name)
static const cl_uint capabilities[] = {
#include "spirv/module/capabilities.def"
};
#undef CAPABILITY
#undef EXTENSION

/* A list without the space in front of it. */
static cl_int get_il_version(const void *object, struct weft_info_answer *answer)
{
#define TEXT(minor) " SPIR-V_1." #minor
	static const char list[] = VERSIONS(TEXT);
#undef TEXT

	(void)object;
	return weft_info_answer_string(answer, list + 1);
}

static const struct weft_info_row rows[] = {
	WEFT_INFO_GETTER(CL_DEVICE_IL_VERSION, get_il_version),
	WEFT_INFO_ARRAY(CL_DEVICE_ILS_WITH_VERSION, ils),
	WEFT_INFO_ARRAY(CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR, sets),
	WEFT_INFO_ARRAY(CL_DEVICE_SPIRV_EXTENSIONS_KHR, extensions),
	WEFT_INFO_ARRAY(CL_DEVICE_SPIRV_CAPABILITIES_KHR, capabilities),
};
const struct weft_info_table weft_spirv_info = WEFT_INFO_TABLE(rows);
