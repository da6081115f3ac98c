/* SPDX-License-Identifier: MIT
 *
 * cl_khr_semaphore 1.0.1, cl_khr_external_semaphore 1.0.1 and cl_khr_external_memory 1.0.1 as the specification has them: what
 * Debian's headers, of earlier revisions, lack.
 */
#ifndef WEFT_RUNTIME_EXTERNAL_KHR_H
#define WEFT_RUNTIME_EXTERNAL_KHR_H

#include "object/opencl_headers.h"

typedef cl_properties cl_semaphore_reimport_properties_khr;

#ifndef CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR 0x2053
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR 0
#endif
#ifndef CL_SEMAPHORE_EXPORTABLE_KHR
#define CL_SEMAPHORE_EXPORTABLE_KHR 0x2054
#endif
#ifndef CL_MEM_DEVICE_HANDLE_LIST_KHR
#define CL_MEM_DEVICE_HANDLE_LIST_KHR 0x2051
#define CL_MEM_DEVICE_HANDLE_LIST_END_KHR 0
#endif
#ifndef CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR
#define CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR 0x2052
#endif

cl_int CL_API_CALL weft_clReImportSemaphoreSyncFdKHR(
	cl_semaphore_khr semaphore, cl_semaphore_reimport_properties_khr *properties, int fd);

#endif
