/* SPDX-License-Identifier: MIT
 *
 * The entry points of events (specification 5.11), of profiling (5.13), and of markers, barriers
 * and waiting for events in a queue (5.12).
 */
#include "graph/event.h"
#include "check.h"
#include "entry_points.h"
#include "info/info.h"

/* ---- events ---------------------------------------------------------------------------------- */

cl_event CL_API_CALL weft_clCreateUserEvent(cl_context context, cl_int *errcode_ret)
{
	cl_event event = NULL;

	cl_int err = weft_check_context(context);
	if (err == CL_SUCCESS)
		err = weft_event_create_user(context, &event);
	weft_api_set_error(errcode_ret, err);
	return event;
}

cl_int CL_API_CALL weft_clSetUserEventStatus(cl_event event, cl_int status)
{
	cl_int err = weft_check_event(event);

	if (err == CL_SUCCESS && event->type != CL_COMMAND_USER)
		err = CL_INVALID_EVENT;
	if (err == CL_SUCCESS && status > CL_COMPLETE)
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		err = weft_event_set_user_status(event, status);
	return err;
}

/* The codes differ from those of a command's wait list. */
static cl_int check_list(cl_uint num_events, const cl_event *events)
{
	if (num_events == 0 || !events)
		return CL_INVALID_VALUE;
	for (cl_uint i = 0; i < num_events; i++) {
		if (!weft_event_valid(events[i]))
			return CL_INVALID_EVENT;
	}
	return CL_SUCCESS;
}

/* Of a terminated context an event may not have ended yet, and is not waited for. */
static cl_int status_after_wait(cl_event event)
{
	return weft_context_is_terminated(event->context) ? weft_event_status(event)
							  : weft_event_wait(event);
}

/* An event that ends may be released at once, for example by its callback: it is retained until all have been
 * checked. */
static cl_int wait_for(cl_uint num_events, const cl_event *events)
{
	cl_int err = CL_SUCCESS;

	for (cl_uint i = 0; i < num_events; i++)
		weft_object_get(&events[i]->base);
	/* All queues begin to work before this thread sleeps for the first event. */
	for (cl_uint i = 0; i < num_events; i++) {
		if (events[i]->queue && weft_event_status(events[i]) > CL_COMPLETE)
			weft_queue_flush(events[i]->queue);
	}
	for (cl_uint i = 0; i < num_events; i++) {
		if (status_after_wait(events[i]) != CL_COMPLETE)
			err = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
	}
	for (cl_uint i = 0; i < num_events; i++)
		weft_object_put(&events[i]->base);
	return err;
}

cl_int CL_API_CALL weft_clWaitForEvents(cl_uint num_events, const cl_event *events)
{
	cl_int err = check_list(num_events, events);

	for (cl_uint i = 1; err == CL_SUCCESS && i < num_events; i++) {
		if (events[i]->context != events[0]->context)
			err = CL_INVALID_CONTEXT;
	}
	return err == CL_SUCCESS ? wait_for(num_events, events) : err;
}

cl_int CL_API_CALL weft_clSetEventCallback(cl_event event, cl_int type,
					   void(CL_CALLBACK *notify)(cl_event, cl_int, void *),
					   void *user_data)
{
	const struct weft_event_callback callback = {
		.function = notify, .user_data = user_data, .status = type};

	cl_int err = weft_check_event(event);
	if (err == CL_SUCCESS && (!notify || type < CL_COMPLETE || type > CL_SUBMITTED))
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		err = weft_event_add_callback(event, &callback);
	return err;
}

static cl_int get_status(const void *object, struct weft_info_answer *answer)
{
	const cl_event event = (cl_event)(uintptr_t)object;
	const cl_int status = weft_event_status(event);
	const bool given_up = status > CL_COMPLETE && weft_event_is_terminated(event);

	return weft_info_answer_u32(answer,
				    (cl_uint)(given_up ? CL_CONTEXT_TERMINATED_KHR : status));
}

/* None of a user event, and of a command buffer of several queues. */
static cl_int get_queue(const void *object, struct weft_info_answer *answer)
{
	const struct _cl_event *event = object;

	return weft_info_answer_pointer(answer, event->of_several ? NULL : event->queue);
}

static const struct weft_info_row rows[] = {
	WEFT_INFO_GETTER(CL_EVENT_COMMAND_QUEUE, get_queue),
	WEFT_INFO_FIELD(CL_EVENT_CONTEXT, struct _cl_event, context),
	WEFT_INFO_FIELD(CL_EVENT_COMMAND_TYPE, struct _cl_event, type),
	WEFT_INFO_GETTER(CL_EVENT_COMMAND_EXECUTION_STATUS, get_status),
	WEFT_INFO_GETTER(CL_EVENT_REFERENCE_COUNT, weft_info_get_reference_count),
};
static const struct weft_info_table table = WEFT_INFO_OBJECT_TABLE(rows, WEFT_OBJECT_EVENT);

cl_int CL_API_CALL weft_clGetEventInfo(cl_event event, cl_event_info param, size_t size,
				       void *value, size_t *size_ret)
{
	return weft_info_query_object(&table, event, param, size, value, size_ret);
}

/* ---- profiling ------------------------------------------------------------------------------- */

/* Which of _cl_event.times answers a query; false when none does. */
static bool time_of(cl_profiling_info param, enum weft_event_time *which)
{
	static const struct {
		cl_profiling_info param;
		enum weft_event_time which;
	} times[] = {
		{CL_PROFILING_COMMAND_QUEUED, WEFT_EVENT_QUEUED},
		{CL_PROFILING_COMMAND_SUBMIT, WEFT_EVENT_SUBMIT},
		{CL_PROFILING_COMMAND_START, WEFT_EVENT_START},
		{CL_PROFILING_COMMAND_END, WEFT_EVENT_END},
		/* But for a kernel that enqueues others. */
		{CL_PROFILING_COMMAND_COMPLETE, WEFT_EVENT_END},
	};

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		if (times[i].param == param) {
			*which = times[i].which;
			return true;
		}
	}
	return false;
}

static bool has_profiling(cl_event event)
{
	return event->queue && event->queue->properties & CL_QUEUE_PROFILING_ENABLE;
}

cl_int CL_API_CALL weft_clGetEventProfilingInfo(cl_event event, cl_profiling_info param,
						size_t size, void *value, size_t *size_ret)
{
	enum weft_event_time which = WEFT_EVENT_QUEUED;

	cl_int err = weft_check_event(event);
	if (err == CL_SUCCESS && (!has_profiling(event) || weft_event_status(event) != CL_COMPLETE))
		err = CL_PROFILING_INFO_NOT_AVAILABLE;
	if (err == CL_SUCCESS && !time_of(param, &which))
		err = CL_INVALID_VALUE;
	if (err != CL_SUCCESS)
		return err;
	const _Atomic uint64_t *times = weft_event_device_times(event);
	cl_ulong time = atomic_load_explicit(&(times ? times : event->times.host)[which],
					     memory_order_relaxed);
	if (param == CL_PROFILING_COMMAND_COMPLETE && event->times.complete)
		time = event->times.complete;
	return weft_info_return(&time, sizeof(time), size, value, size_ret);
}

/* ---- markers and barriers -------------------------------------------------------------------- */

/* A marker or a barrier: enqueue->type says which. */
static cl_int enqueue_marker(const struct weft_enqueue *enqueue, cl_event *event_ret)
{
	cl_event event;

	cl_int err = weft_check_queue(enqueue->queue);
	if (err == CL_SUCCESS)
		err = weft_check_wait_list(enqueue);
	if (err == CL_SUCCESS)
		err = weft_event_create(enqueue, &event);
	if (err == CL_SUCCESS)
		err = weft_event_submit_marker(event, enqueue->type == CL_COMMAND_BARRIER,
					       event_ret);
	return err;
}

cl_int CL_API_CALL weft_clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint num_waits,
						    const cl_event *waits, cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_MARKER, num_waits, waits};

	return enqueue_marker(&enqueue, event);
}

cl_int CL_API_CALL weft_clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint num_waits,
						     const cl_event *waits, cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_BARRIER, num_waits, waits};

	return enqueue_marker(&enqueue, event);
}

cl_int CL_API_CALL weft_clEnqueueMarker(cl_command_queue queue, cl_event *event)
{
	cl_int err = weft_check_queue(queue);

	if (err == CL_SUCCESS && !event)
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		err = weft_clEnqueueMarkerWithWaitList(queue, 0, NULL, event);
	return err;
}

cl_int CL_API_CALL weft_clEnqueueBarrier(cl_command_queue queue)
{
	return weft_clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL);
}

cl_int CL_API_CALL weft_clEnqueueWaitForEvents(cl_command_queue queue, cl_uint num_events,
					       const cl_event *events)
{
	cl_int err = weft_check_queue(queue);

	if (err == CL_SUCCESS)
		err = check_list(num_events, events);
	if (err == CL_SUCCESS)
		err = weft_clEnqueueBarrierWithWaitList(queue, num_events, events, NULL);
	return err;
}
