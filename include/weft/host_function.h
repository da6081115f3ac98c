/* SPDX-License-Identifier: MIT
 *
 * Weft's own extensions of OpenCL. cl_weft_host_function: kernels call functions of the application (docs/cl_weft_host_function.md).
 * clGetExtensionFunctionAddressForPlatform has the function.
 */
#ifndef WEFT_HOST_FUNCTION_H
#define WEFT_HOST_FUNCTION_H

#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

#define cl_weft_host_function 1
#define CL_WEFT_HOST_FUNCTION_EXTENSION_NAME "cl_weft_host_function"

/* Called by one work-item. `args` has the arguments as the members of a C structure of the types of cl_platform.h, `result` room for the
 * result. Both are valid until it returns. Anything but CL_SUCCESS fails the command. Several threads may call at once. */
typedef cl_int(CL_CALLBACK *cl_host_function_weft)(void *user_data, const void *args, void *result);

/* Sizes in bytes. */
typedef struct _cl_host_function_desc_weft {
	const char *name; /* in the source; of a function of a namespace as in "space::name" */
	cl_host_function_weft function; /* NULL: kernels may call it no longer */
	void *user_data;
	size_t result_size; /* 0: void */
	cl_uint num_args;
	const size_t *arg_sizes; /* NULL without arguments */
} cl_host_function_desc_weft;

/* CL_INVALID_CONTEXT; CL_INVALID_VALUE for a NULL or empty
 * `desc` or name, a size larger than 65535, more than 255 arguments, or sizes without arguments; CL_OUT_OF_HOST_MEMORY. */
typedef cl_int(CL_API_CALL *clSetHostFunctionWEFT_fn)(cl_context context,
						      const cl_host_function_desc_weft *desc);

#ifdef __cplusplus
}
#endif

#endif
