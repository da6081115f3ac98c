/* SPDX-License-Identifier: MIT
 *
 * An OpenCL loader in which one call fails: the Nth of the function that weft_failing_call names, and all that follow if
 * weft_failing_stays. All else is the real loader's,
 * which this library depends on.
 */
#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

/* Set by the test: the function, and how many of its calls succeed before one fails. */
__attribute__((visibility("default"))) const char *weft_failing_call = "";
__attribute__((visibility("default"))) _Atomic int weft_failing_after;
__attribute__((visibility("default"))) _Atomic int weft_failing_stays;
/* Accelerators say that they are GPUs. */
__attribute__((visibility("default"))) _Atomic int weft_failing_gpus;
/* Events that commands have given and that are not released. */
__attribute__((visibility("default"))) _Atomic int weft_failing_events;

static int fails(const char *name)
{
	if (strcmp(name, weft_failing_call) != 0)
		return 0;
	const int left = atomic_fetch_sub(&weft_failing_after, 1);
	return left == 0 || (left < 0 && atomic_load(&weft_failing_stays));
}

static cl_int with_event(cl_int code, const cl_event *event)
{
	if (code == CL_SUCCESS && event)
		atomic_fetch_add(&weft_failing_events, 1);
	return code;
}

#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))
#define EXPORT __attribute__((visibility("default")))

EXPORT cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
			     cl_int *code)
{
	if (fails("clCreateBuffer")) {
		*code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
		return NULL;
	}
	return REAL(clCreateBuffer)(context, flags, size, host, code);
}

EXPORT cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocking,
				   size_t offset, size_t size, const void *bytes, cl_uint count,
				   const cl_event *events, cl_event *event)
{
	if (fails("clEnqueueWriteBuffer"))
		return CL_OUT_OF_RESOURCES;
	return with_event(REAL(clEnqueueWriteBuffer)(queue, memory, blocking, offset, size, bytes,
						     count, events, event),
			  event);
}

EXPORT cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocking,
				  size_t offset, size_t size, void *bytes, cl_uint count,
				  const cl_event *events, cl_event *event)
{
	if (fails("clEnqueueReadBuffer"))
		return CL_OUT_OF_RESOURCES;
	return with_event(REAL(clEnqueueReadBuffer)(queue, memory, blocking, offset, size, bytes,
						    count, events, event),
			  event);
}

EXPORT cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to,
				  size_t from_offset, size_t to_offset, size_t size, cl_uint count,
				  const cl_event *events, cl_event *event)
{
	if (fails("clEnqueueCopyBuffer"))
		return CL_OUT_OF_RESOURCES;
	return with_event(REAL(clEnqueueCopyBuffer)(queue, from, to, from_offset, to_offset, size,
						    count, events, event),
			  event);
}

EXPORT cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
				     const size_t *offset, const size_t *global,
				     const size_t *local, cl_uint count, const cl_event *events,
				     cl_event *event)
{
	if (fails("clEnqueueNDRangeKernel"))
		return CL_OUT_OF_RESOURCES;
	return with_event(REAL(clEnqueueNDRangeKernel)(queue, kernel, dimensions, offset, global,
						       local, count, events, event),
			  event);
}

EXPORT cl_int clReleaseEvent(cl_event event)
{
	atomic_fetch_sub(&weft_failing_events, 1);
	return REAL(clReleaseEvent)(event);
}

EXPORT cl_int clFlush(cl_command_queue queue)
{
	return fails("clFlush") ? CL_OUT_OF_RESOURCES : REAL(clFlush)(queue);
}

EXPORT cl_int clWaitForEvents(cl_uint count, const cl_event *events)
{
	if (fails("clWaitForEvents"))
		return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
	return REAL(clWaitForEvents)(count, events);
}

EXPORT cl_context clCreateContext(const cl_context_properties *properties, cl_uint count,
				  const cl_device_id *devices,
				  void(CL_CALLBACK *notify)(const char *, const void *, size_t,
							    void *),
				  void *data, cl_int *code)
{
	if (fails("clCreateContext")) {
		*code = CL_OUT_OF_HOST_MEMORY;
		return NULL;
	}
	return REAL(clCreateContext)(properties, count, devices, notify, data, code);
}

EXPORT cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
					     cl_command_queue_properties properties, cl_int *code)
{
	if (fails("clCreateCommandQueue")) {
		*code = CL_OUT_OF_HOST_MEMORY;
		return NULL;
	}
	return REAL(clCreateCommandQueue)(context, device, properties, code);
}

EXPORT cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
			     const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
			     void *data)
{
	if (fails("clBuildProgram"))
		return CL_BUILD_PROGRAM_FAILURE;
	return REAL(clBuildProgram)(program, count, devices, options, notify, data);
}

/* A driver whose build has failed may have no log either. */
EXPORT cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device,
				    cl_program_build_info name, size_t size, void *value,
				    size_t *needed)
{
	if (strcmp(weft_failing_call, "clBuildProgram") == 0)
		return CL_OUT_OF_HOST_MEMORY;
	return REAL(clGetProgramBuildInfo)(program, device, name, size, value, needed);
}

EXPORT cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void *value)
{
	if (fails("clSetKernelArgSVMPointer"))
		return CL_INVALID_ARG_VALUE;
	return REAL(clSetKernelArgSVMPointer)(kernel, index, value);
}

/* A device without shared virtual memory, if the call is clEnqueueMapBuffer: then buffers are made over host memory. */
EXPORT cl_int clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t size, void *value,
			      size_t *needed)
{
	if (name == CL_DEVICE_SVM_CAPABILITIES &&
	    strcmp(weft_failing_call, "clEnqueueMapBuffer") == 0)
		return CL_INVALID_VALUE;
	const cl_int code = REAL(clGetDeviceInfo)(device, name, size, value, needed);
	if (name == CL_DEVICE_TYPE && value && code == CL_SUCCESS &&
	    atomic_load(&weft_failing_gpus) &&
	    *(cl_device_type *)value == CL_DEVICE_TYPE_ACCELERATOR)
		*(cl_device_type *)value = CL_DEVICE_TYPE_GPU;
	return code;
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are OpenCL's */
EXPORT void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocking,
				cl_map_flags flags, size_t offset, size_t size, cl_uint count,
				const cl_event *events, cl_event *event, cl_int *code)
{
	if (fails("clEnqueueMapBuffer")) {
		*code = CL_MAP_FAILURE;
		return NULL;
	}
	return REAL(clEnqueueMapBuffer)(queue, memory, blocking, flags, offset, size, count, events,
					event, code);
}

EXPORT cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
	if (fails("clSetKernelArg"))
		return CL_INVALID_ARG_VALUE;
	return REAL(clSetKernelArg)(kernel, index, size, value);
}
