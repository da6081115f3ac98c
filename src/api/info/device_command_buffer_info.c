/* SPDX-License-Identifier: MIT
 *
 * What devices say about command buffers (specification 4.2).
 */
#include "info/device_command_buffer_info.h"

#include "command_buffer/command_buffer.h"
#include "device/device.h"

/* Queues of all properties run command buffers. */
#define QUEUE_PROPERTIES (CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)

static cl_int get_capabilities(const void *object, struct weft_info_answer *answer)
{
	const struct _cl_device_id *device = object;
	const cl_device_command_buffer_capabilities_khr always =
		CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR |
		CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR |
		CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR;

	return weft_info_answer_u64(
		answer, always | (device->impl->properties.enqueues
					  ? CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR
					  : 0));
}

/* The root device to which a device belongs, itself most of the time: it stands for its sub-devices. Between others it is the host that
 * orders commands. */
static cl_int get_sync_devices(const void *object, struct weft_info_answer *answer)
{
	return weft_info_answer_pointer(answer, weft_device_root((cl_device_id)(uintptr_t)object));
}

static const struct weft_info_row rows[] = {
	WEFT_INFO_GETTER(CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, get_capabilities),
	WEFT_INFO_VALUE(CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR,
			cl_command_queue_properties, 0),
	WEFT_INFO_VALUE(CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR,
			cl_command_queue_properties, QUEUE_PROPERTIES),
	WEFT_INFO_VALUE(CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR, cl_uint, 1),
	WEFT_INFO_GETTER(CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR, get_sync_devices),
	WEFT_INFO_VALUE(CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR, cl_mutable_dispatch_fields_khr,
			WEFT_MUTABLE_DISPATCH_CAPABILITIES),
};
const struct weft_info_table weft_device_command_buffer_info = WEFT_INFO_TABLE(rows);
