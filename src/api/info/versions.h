/* SPDX-License-Identifier: MIT
 *
 * Names with versions that both the platform's and the devices' queries return.
 */
#ifndef WEFT_API_VERSIONS_H
#define WEFT_API_VERSIONS_H

#include "info/info.h"
#include "object/opencl_version.h"

#define WEFT_OPENCL_VERSION CL_MAKE_VERSION(3, WEFT_OPENCL_MINOR, 0)
#define WEFT_OPENCL_VERSION_NAME "OpenCL " WEFT_OPENCL_NAME " Weft"

/* Of the platform. */
cl_int weft_info_get_extensions(const void *object, struct weft_info_answer *answer);
cl_int weft_info_get_extensions_with_version(const void *object, struct weft_info_answer *answer);
/* Of a device. */
cl_int weft_info_get_device_extensions_with_version(const void *object,
						    struct weft_info_answer *answer);
/* `enqueues`: of devices whose kernels may enqueue kernels. */
cl_int weft_info_get_features(bool enqueues, struct weft_info_answer *answer);
/* `enqueues`: as above. */
cl_int weft_info_get_opencl_c_versions(bool enqueues, struct weft_info_answer *answer);

#endif
