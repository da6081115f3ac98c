/* SPDX-License-Identifier: MIT
 *
 * What devices say about kernels that enqueue kernels, and the queues for that (specification 4.2).
 */
#include "info/device_queue_info.h"

#include "device/device.h"
#include "device_enqueue/device_event.h"
#include "graph/device_queue.h"
#include "info/versions.h"

#define QUEUE_PROPERTIES (CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)
#define MOST_QUEUES 64

static bool enqueues(const void *object)
{
	const struct _cl_device_id *device = object;

	return device->impl->properties.enqueues;
}

static cl_int get_enqueue_capabilities(const void *object, struct weft_info_answer *answer)
{
	const cl_device_device_enqueue_capabilities offered =
		CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT;

	return weft_info_answer_u64(answer, enqueues(object) ? offered : 0);
}

static cl_int get_device_queue_properties(const void *object, struct weft_info_answer *answer)
{
	return weft_info_answer_u64(answer, enqueues(object) ? QUEUE_PROPERTIES : 0);
}

static cl_int get_preferred_queue_size(const void *object, struct weft_info_answer *answer)
{
	return weft_info_answer_u32(answer,
				    enqueues(object) ? WEFT_DEVICE_QUEUE_PREFERRED_SIZE : 0);
}

static cl_int get_max_queue_size(const void *object, struct weft_info_answer *answer)
{
	return weft_info_answer_u32(answer, enqueues(object) ? WEFT_DEVICE_QUEUE_MAX_SIZE : 0);
}

/* Programs may count on so many; more can be made. */
static cl_int get_max_device_queues(const void *object, struct weft_info_answer *answer)
{
	return weft_info_answer_u32(answer, enqueues(object) ? MOST_QUEUES : 0);
}

static cl_int get_max_device_events(const void *object, struct weft_info_answer *answer)
{
	return weft_info_answer_u32(answer, enqueues(object) ? WEFT_DEVICE_EVENTS_MAX : 0);
}

static cl_int get_features(const void *object, struct weft_info_answer *answer)
{
	return weft_info_get_features(enqueues(object), answer);
}

static cl_int get_opencl_c_versions(const void *object, struct weft_info_answer *answer)
{
	return weft_info_get_opencl_c_versions(enqueues(object), answer);
}

static const struct weft_info_row rows[] = {
	WEFT_INFO_GETTER(CL_DEVICE_OPENCL_C_FEATURES, get_features),
	WEFT_INFO_GETTER(CL_DEVICE_OPENCL_C_ALL_VERSIONS, get_opencl_c_versions),
	WEFT_INFO_GETTER(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, get_enqueue_capabilities),
	WEFT_INFO_GETTER(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, get_device_queue_properties),
	WEFT_INFO_GETTER(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, get_preferred_queue_size),
	WEFT_INFO_GETTER(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, get_max_queue_size),
	WEFT_INFO_GETTER(CL_DEVICE_MAX_ON_DEVICE_QUEUES, get_max_device_queues),
	WEFT_INFO_GETTER(CL_DEVICE_MAX_ON_DEVICE_EVENTS, get_max_device_events),
};
const struct weft_info_table weft_device_queue_info = WEFT_INFO_TABLE(rows);
