/* SPDX-License-Identifier: MIT
 *
 * The entry point of cl_weft_host_function (docs/cl_weft_host_function.md).
 */
#include "check.h"
#include "device/context.h"
#include "entry_points.h"

static cl_int check_desc(const cl_host_function_desc_weft *desc)
{
	if (!desc || !desc->name || !desc->name[0] ||
	    desc->result_size > WEFT_HOST_FUNCTION_MOST_BYTES ||
	    desc->num_args > WEFT_HOST_FUNCTION_MOST_ARGS ||
	    (desc->num_args > 0) != (desc->arg_sizes != NULL))
		return CL_INVALID_VALUE;
	for (cl_uint i = 0; i < desc->num_args; i++) {
		if (desc->arg_sizes[i] > WEFT_HOST_FUNCTION_MOST_BYTES)
			return CL_INVALID_VALUE;
	}
	return CL_SUCCESS;
}

cl_int CL_API_CALL weft_clSetHostFunctionWEFT(cl_context context,
					      const cl_host_function_desc_weft *desc)
{
	cl_int err = weft_check_context(context);

	if (err == CL_SUCCESS)
		err = check_desc(desc);
	return err == CL_SUCCESS ? weft_host_functions_set(&context->host_functions, desc) : err;
}
