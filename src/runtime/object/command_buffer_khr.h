/* SPDX-License-Identifier: MIT
 *
 * cl_khr_command_buffer 0.9.8, cl_khr_command_buffer_mutable_dispatch 0.9.5 and cl_khr_command_buffer_multi_device 0.9.2 as the
 * specification has them: what Debian's headers, of earlier revisions, lack or declare otherwise. Their functions are therefore declared as the bodies
 * of src/api alone.
 */
#ifndef WEFT_RUNTIME_COMMAND_BUFFER_KHR_H
#define WEFT_RUNTIME_COMMAND_BUFFER_KHR_H

#include "object/opencl_headers.h"

typedef cl_properties cl_command_properties_khr;
typedef cl_uint cl_command_buffer_update_type_khr;
typedef cl_bitfield cl_mutable_dispatch_asserts_khr;

#ifndef CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR
#define CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR 0x129A
#endif
#ifndef CL_COMMAND_BUFFER_CONTEXT_KHR
#define CL_COMMAND_BUFFER_CONTEXT_KHR 0x1299
#endif
#ifndef CL_COMMAND_BUFFER_STATE_FINALIZED_KHR
#define CL_COMMAND_BUFFER_STATE_FINALIZED_KHR 2
#endif
#ifndef CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR
#define CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR 0x12A2
#endif
#ifndef CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR
#define CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B7
#endif
#ifndef CL_MUTABLE_DISPATCH_ASSERTS_KHR
#define CL_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B8
#endif
#ifndef CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR
#define CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR (1 << 0)
#endif
#ifndef CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR
#define CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR 0x0908
#define CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR (1 << 0)
#define CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR (1 << 1)
#define CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR (1 << 2)
#define CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR 0x12AB
#define CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR 0x12AC
#define CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR (1 << 4)
#define CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR (1 << 2)
typedef cl_bitfield cl_platform_command_buffer_capabilities_khr;
#endif
/* CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR, which was another number before 0.9.2. */
#define WEFT_MUTABLE_DISPATCH_CONFIG 0

/* cl_mutable_dispatch_config_khr, which began with two more members before 0.9.2. */
struct weft_mutable_dispatch_config {
	cl_mutable_command_khr command;
	cl_uint num_args;
	cl_uint num_svm_args;
	cl_uint num_exec_infos;
	cl_uint work_dim; /* 0: as recorded */
	const cl_mutable_dispatch_arg_khr *arg_list;
	const cl_mutable_dispatch_arg_khr *arg_svm_list;
	const cl_mutable_dispatch_exec_info_khr *exec_info_list;
	const size_t *global_work_offset; /* this and the sizes: NULL: as it was */
	const size_t *global_work_size;
	const size_t *local_work_size;
};

/* ---- the bodies of the entry points ---------------------------------------------------------- */

/* What every recording ends with. */
#define WEFT_RECORDING_PARAMETERS                                                                  \
	cl_uint num_waits, const cl_sync_point_khr *waits, cl_sync_point_khr *sync_point,          \
		cl_mutable_command_khr *handle
/* And what it begins with. */
#define WEFT_RECORDED_TO                                                                           \
	cl_command_buffer_khr buffer, cl_command_queue queue,                                      \
		const cl_command_properties_khr *properties

cl_command_buffer_khr CL_API_CALL weft_clCreateCommandBufferKHR(
	cl_uint num_queues, const cl_command_queue *queues,
	const cl_command_buffer_properties_khr *properties, cl_int *errcode_ret);
cl_int CL_API_CALL weft_clRetainCommandBufferKHR(cl_command_buffer_khr buffer);
cl_int CL_API_CALL weft_clReleaseCommandBufferKHR(cl_command_buffer_khr buffer);
cl_int CL_API_CALL weft_clFinalizeCommandBufferKHR(cl_command_buffer_khr buffer);
cl_int CL_API_CALL weft_clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues,
						  cl_command_buffer_khr buffer, cl_uint num_waits,
						  const cl_event *waits, cl_event *event);
cl_int CL_API_CALL weft_clGetCommandBufferInfoKHR(cl_command_buffer_khr buffer,
						  cl_command_buffer_info_khr param, size_t size,
						  void *value, size_t *size_ret);
cl_command_buffer_khr CL_API_CALL weft_clRemapCommandBufferKHR(
	cl_command_buffer_khr buffer, cl_bool automatic, cl_uint num_queues,
	const cl_command_queue *queues, cl_uint num_handles, const cl_mutable_command_khr *handles,
	cl_mutable_command_khr *handles_ret, cl_int *errcode_ret);

cl_int CL_API_CALL weft_clCommandBarrierWithWaitListKHR(WEFT_RECORDED_TO,
							WEFT_RECORDING_PARAMETERS);
cl_int CL_API_CALL weft_clCommandCopyBufferKHR(WEFT_RECORDED_TO, cl_mem source, cl_mem destination,
					       size_t source_offset, size_t destination_offset,
					       size_t size, WEFT_RECORDING_PARAMETERS);
cl_int CL_API_CALL weft_clCommandCopyBufferRectKHR(
	WEFT_RECORDED_TO, cl_mem source, cl_mem destination, const size_t *source_origin,
	const size_t *destination_origin, const size_t *region, size_t source_row_pitch,
	size_t source_slice_pitch, size_t destination_row_pitch, size_t destination_slice_pitch,
	WEFT_RECORDING_PARAMETERS);
cl_int CL_API_CALL weft_clCommandFillBufferKHR(WEFT_RECORDED_TO, cl_mem mem, const void *pattern,
					       size_t pattern_size, size_t offset, size_t size,
					       WEFT_RECORDING_PARAMETERS);
cl_int CL_API_CALL weft_clCommandNDRangeKernelKHR(WEFT_RECORDED_TO, cl_kernel kernel,
						  cl_uint work_dim, const size_t *offset,
						  const size_t *global, const size_t *local,
						  WEFT_RECORDING_PARAMETERS);
cl_int CL_API_CALL weft_clCommandCopyBufferToImageKHR(WEFT_RECORDED_TO, cl_mem source,
						      cl_mem destination, size_t source_offset,
						      const size_t *origin, const size_t *region,
						      WEFT_RECORDING_PARAMETERS);
cl_int CL_API_CALL weft_clCommandCopyImageKHR(WEFT_RECORDED_TO, cl_mem source, cl_mem destination,
					      const size_t *source_origin,
					      const size_t *destination_origin,
					      const size_t *region, WEFT_RECORDING_PARAMETERS);
cl_int CL_API_CALL weft_clCommandCopyImageToBufferKHR(WEFT_RECORDED_TO, cl_mem source,
						      cl_mem destination, const size_t *origin,
						      const size_t *region,
						      size_t destination_offset,
						      WEFT_RECORDING_PARAMETERS);
cl_int CL_API_CALL weft_clCommandFillImageKHR(WEFT_RECORDED_TO, cl_mem image, const void *color,
					      const size_t *origin, const size_t *region,
					      WEFT_RECORDING_PARAMETERS);
cl_int CL_API_CALL weft_clCommandSVMMemcpyKHR(WEFT_RECORDED_TO, void *destination,
					      const void *source, size_t size,
					      WEFT_RECORDING_PARAMETERS);
cl_int CL_API_CALL weft_clCommandSVMMemFillKHR(WEFT_RECORDED_TO, void *pointer, const void *pattern,
					       size_t pattern_size, size_t size,
					       WEFT_RECORDING_PARAMETERS);

cl_int CL_API_CALL weft_clUpdateMutableCommandsKHR(cl_command_buffer_khr buffer,
						   cl_uint num_configs,
						   const cl_command_buffer_update_type_khr *types,
						   const void **configs);
cl_int CL_API_CALL weft_clGetMutableCommandInfoKHR(cl_mutable_command_khr command,
						   cl_mutable_command_info_khr param, size_t size,
						   void *value, size_t *size_ret);

#endif
