/* SPDX-License-Identifier: MIT
 *
 * What devices say of SPIR-V (specification 4.2); all say the same, as they have one compiler.
 */
#ifndef WEFT_API_SPIRV_INFO_H
#define WEFT_API_SPIRV_INFO_H

#include "info/info.h"

/* cl_khr_spirv_queries 1.0.0, which is newer than Debian's headers. */
#ifndef CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR
#define CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR 0x12B9
#define CL_DEVICE_SPIRV_EXTENSIONS_KHR 0x12BA
#define CL_DEVICE_SPIRV_CAPABILITIES_KHR 0x12BB
#endif

/* Rows of any device. */
extern const struct weft_info_table weft_spirv_info;

#endif
