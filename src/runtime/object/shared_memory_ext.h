/* SPDX-License-Identifier: MIT
 *
 * cl_ext_buffer_device_address 1.0.2 and cl_ext_immutable_memory_objects 1.0.0, which are newer than Debian's headers. Their
 * functions are declared as the bodies of src/api alone.
 */
#ifndef WEFT_RUNTIME_SHARED_MEMORY_EXT_H
#define WEFT_RUNTIME_SHARED_MEMORY_EXT_H

#include "object/opencl_headers.h"

#ifndef CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
#define CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT 0x5000
#define CL_MEM_DEVICE_ADDRESS_EXT 0x5001
#define CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT 0x5002
typedef cl_ulong cl_mem_device_address_ext;
#endif

#ifndef CL_MEM_IMMUTABLE_EXT
#define CL_MEM_IMMUTABLE_EXT (1 << 6)
#endif

cl_int CL_API_CALL weft_clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint index,
						       cl_mem_device_address_ext value);

#endif
