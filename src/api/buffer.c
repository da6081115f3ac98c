/* SPDX-License-Identifier: MIT
 *
 * Buffers and sub-buffers (specification 5.2.1), and the destructor callbacks of all memory objects (5.5.1).
 */
#include "check.h"
#include "entry_points.h"

cl_mem CL_API_CALL weft_clCreateBufferWithProperties(cl_context context,
						     const cl_mem_properties *properties,
						     cl_mem_flags flags, size_t size,
						     void *host_ptr, cl_int *errcode_ret)
{
	const struct weft_buffer_desc desc = {context, properties, flags, size, host_ptr, NULL};
	cl_mem mem = NULL;

	cl_int err = weft_check_context(context);
	if (err == CL_SUCCESS)
		err = weft_buffer_check(&desc);
	if (err == CL_SUCCESS)
		err = weft_buffer_create(&desc, &mem);
	weft_api_set_error(errcode_ret, err);
	return mem;
}

/* cl_intel_create_buffer_with_properties: as the function of OpenCL 3.0, but for the code of a property that there is not. */
cl_mem CL_API_CALL weft_clCreateBufferWithPropertiesINTEL(cl_context context,
							  const cl_mem_properties_intel *properties,
							  cl_mem_flags flags, size_t size,
							  void *host_ptr, cl_int *errcode_ret)
{
	cl_int err;
	cl_mem mem =
		weft_clCreateBufferWithProperties(context, properties, flags, size, host_ptr, &err);

	weft_api_set_error(errcode_ret, err == CL_INVALID_PROPERTY ? CL_INVALID_VALUE : err);
	return mem;
}

cl_mem CL_API_CALL weft_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
				       void *host_ptr, cl_int *errcode_ret)
{
	return weft_clCreateBufferWithProperties(context, NULL, flags, size, host_ptr, errcode_ret);
}

cl_mem CL_API_CALL weft_clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags,
					  cl_buffer_create_type type, const void *info,
					  cl_int *errcode_ret)
{
	/* With another type than CL_BUFFER_CREATE_TYPE_REGION, no description is valid. */
	const cl_buffer_region *region = type == CL_BUFFER_CREATE_TYPE_REGION ? info : NULL;
	struct weft_buffer_desc desc = {.flags = flags};
	cl_mem mem = NULL;

	cl_int err = weft_check_mem(buffer);
	if (err == CL_SUCCESS)
		err = weft_check_terminated(buffer->context);
	if (err == CL_SUCCESS)
		err = weft_buffer_check_sub(buffer, flags, region);
	if (err == CL_SUCCESS) {
		desc.size = region->size;
		err = weft_mem_create_within(buffer, region->origin, &desc, CL_MEM_OBJECT_BUFFER,
					     &mem);
	}
	weft_api_set_error(errcode_ret, err);
	return mem;
}

cl_int CL_API_CALL weft_clSetMemObjectDestructorCallback(cl_mem mem, weft_mem_destructor notify,
							 void *user_data)
{
	cl_int err = weft_check_mem(mem);

	if (err == CL_SUCCESS && !notify)
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		err = weft_mem_add_destructor(mem, notify, user_data);
	return err;
}
