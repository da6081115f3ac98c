/* SPDX-License-Identifier: MIT
 *
 * cl_weft_host_function, whose header is Weft's own. Its function is declared as the body of src/api alone.
 */
#ifndef WEFT_RUNTIME_HOST_FUNCTION_WEFT_H
#define WEFT_RUNTIME_HOST_FUNCTION_WEFT_H

#include "object/opencl_headers.h"

#include "weft/host_function.h"

cl_int CL_API_CALL weft_clSetHostFunctionWEFT(cl_context context,
					      const cl_host_function_desc_weft *desc);

#endif
