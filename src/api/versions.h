/* SPDX-License-Identifier: MIT
 *
 * Names with versions that both the platform's and the devices' queries return.
 */
#ifndef WEFT_API_VERSIONS_H
#define WEFT_API_VERSIONS_H

#include "info.h"

#define WEFT_OPENCL_VERSION CL_MAKE_VERSION(3, 0, 0)
#define WEFT_OPENCL_VERSION_NAME "OpenCL 3.0 Weft"

/* For the platform, and for devices with the full profile. */
cl_int weft_info_get_extensions(const void *object, struct weft_info_answer *answer);
cl_int weft_info_get_extensions_with_version(const void *object, struct weft_info_answer *answer);
/* For devices with the embedded profile. */
cl_int weft_info_get_embedded_extensions_with_version(const void *object,
						      struct weft_info_answer *answer);
cl_int weft_info_get_features(const void *object, struct weft_info_answer *answer);
cl_int weft_info_get_opencl_c_versions(const void *object, struct weft_info_answer *answer);

#endif
