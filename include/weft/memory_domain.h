/* SPDX-License-Identifier: MIT
 *
 * cl_weft_memory_domain: which devices share their memory (docs/cl_weft_memory_domain.md).
 */
#ifndef WEFT_MEMORY_DOMAIN_H
#define WEFT_MEMORY_DOMAIN_H

#include <CL/cl.h>

#define cl_weft_memory_domain 1
#define CL_WEFT_MEMORY_DOMAIN_EXTENSION_NAME "cl_weft_memory_domain"

/* For clGetDeviceInfo; a cl_uint. Devices of one platform with the same number work in one memory; 0 is the host's. */
#define CL_DEVICE_MEMORY_DOMAIN_WEFT 0x4FE0

#endif
