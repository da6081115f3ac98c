/* SPDX-License-Identifier: MIT
 *
 * Kernel objects and their arguments (specification 5.9). The queries are in kernel_info.c.
 */
#include "program/kernel.h"
#include "check.h"
#include "entry_points.h"

cl_kernel CL_API_CALL weft_clCreateKernel(cl_program program, const char *name, cl_int *errcode_ret)
{
	cl_kernel kernel = NULL;

	/* A missing name is found among no kernels; whether there are any comes first in the table.
	 */
	cl_int err = weft_check_program(program);
	if (err == CL_SUCCESS)
		err = weft_check_terminated(program->context);
	if (err == CL_SUCCESS)
		err = weft_kernel_create(program, name ? name : "", &kernel);
	if (err == CL_INVALID_KERNEL_NAME && !name)
		err = CL_INVALID_VALUE;
	weft_api_set_error(errcode_ret, err);
	return kernel;
}

cl_int CL_API_CALL weft_clCreateKernelsInProgram(cl_program program, cl_uint num_kernels,
						 cl_kernel *kernels, cl_uint *num_kernels_ret)
{
	cl_uint count;

	cl_int err = weft_check_program(program);
	if (err == CL_SUCCESS)
		err = weft_check_terminated(program->context);
	if (err == CL_SUCCESS)
		err = weft_kernel_create_all(program, num_kernels, kernels, &count);
	if (err == CL_SUCCESS && num_kernels_ret)
		*num_kernels_ret = count;
	return err;
}

cl_kernel CL_API_CALL weft_clCloneKernel(cl_kernel source, cl_int *errcode_ret)
{
	cl_kernel kernel = NULL;

	cl_int err = weft_check_kernel(source);
	if (err == CL_SUCCESS)
		err = weft_check_terminated(source->program->context);
	if (err == CL_SUCCESS)
		err = weft_kernel_clone(source, &kernel);
	weft_api_set_error(errcode_ret, err);
	return kernel;
}

cl_int CL_API_CALL weft_clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size,
				       const void *value)
{
	cl_int err = weft_check_kernel(kernel);

	return err == CL_SUCCESS ? weft_kernel_set_arg(kernel, index, size, value) : err;
}
