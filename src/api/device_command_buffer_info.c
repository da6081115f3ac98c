/* SPDX-License-Identifier: MIT
 *
 * What devices say about command buffers (specification 4.2).
 */
#include "device_command_buffer_info.h"

#include "command_buffer/command_buffer.h"
#include "device/device.h"

/* A recorded kernel enqueues none from the device. Queues of all properties run command buffers. */
#define CAPABILITIES                                                                               \
	(CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR |                                          \
	 CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR |                                       \
	 CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR)
#define QUEUE_PROPERTIES (CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)

/* The root device to which a device belongs, itself most of the time: it stands for its sub-devices. Between others it is the host that
 * orders commands. */
static cl_int get_sync_devices(const void *object, struct weft_info_answer *answer)
{
	return weft_info_answer_pointer(answer, weft_device_root((cl_device_id)(uintptr_t)object));
}

static const struct weft_info_row rows[] = {
	WEFT_INFO_VALUE(CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR,
			cl_device_command_buffer_capabilities_khr, CAPABILITIES),
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
