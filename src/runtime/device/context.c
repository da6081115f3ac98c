/* SPDX-License-Identifier: MIT
 *
 * Contexts. Everything but the list of destructor callbacks is constant after creation.
 */
#include "device/context.h"

#include "alloc.h"
#include "device/device.h"
#include "driver_optional.h"
#include "list.h"
#include "node/completion.h"

#include <string.h>

/* No lock is held and no other thread has the context: specification 4.4, the callbacks run in the
 * reverse order of their registration, before its resources are freed. */
static void run_destructors(cl_context context) WEFT_TSA(no_thread_safety_analysis)
{
	struct weft_release_callback callback;

	while (weft_release_callbacks_take(&context->destructors, &callback))
		((weft_context_destructor)callback.function)(context, callback.user_data);
}

static void end_context(cl_context context) WEFT_TSA(no_thread_safety_analysis)
{
	run_destructors(context);
	if (context->free_device_events)
		context->free_device_events(context);
	for (cl_uint i = 0; i < context->num_devices; i++)
		weft_object_put(&context->devices[i]->base);
	weft_free(context->devices);
	weft_free(context->memories);
	weft_free(context->properties);
	weft_host_functions_destroy(&context->host_functions);
	weft_mutex_destroy(&context->lock);
	weft_object_free(&context->base);
}

static void run_end(struct weft_callback *callback)
{
	end_context(WEFT_CONTAINER_OF(callback, struct _cl_context, end));
}

/* A driver that ends a command must not be kept waiting by the application. No other thread has the
 * context: no lock. */
static void destroy_context(struct weft_object *object) WEFT_TSA(no_thread_safety_analysis)
{
	cl_context context = WEFT_CONTAINER_OF(object, struct _cl_context, base);

	if (!context->destructors || !weft_completion_is_under_way()) {
		end_context(context);
		return;
	}
	context->end.run = run_end;
	weft_callbacks_post(&context->end);
}

static cl_int copy_devices(cl_context context, const cl_device_id *devices, cl_uint num)
{
	context->devices = weft_calloc(num, sizeof(cl_device_id));
	if (!context->devices)
		return CL_OUT_OF_HOST_MEMORY;
	for (cl_uint i = 0; i < num; i++) {
		if (weft_context_has_device(context, devices[i]))
			continue;
		weft_object_get(&devices[i]->base);
		context->devices[context->num_devices++] = devices[i];
	}
	return CL_SUCCESS;
}

/* As many as a buffer's record of what is valid has bits for, beside the host's. */
#define MOST_MEMORIES 31

static weft_space space_of(cl_device_id device)
{
	return weft_device_properties(device)->space;
}

struct weft_locus weft_context_locus(cl_context context, cl_device_id device)
{
	struct weft_locus locus = {0, space_of(device)};

	for (cl_uint i = 0; i < context->num_memories && locus.space != WEFT_SPACE_HOST; i++) {
		if (space_of(context->memories[i].device) == locus.space)
			locus.replica = i + 1;
	}
	return locus;
}

static void note_reach(cl_context context, struct weft_memory *memory)
{
	struct weft_device *device = memory->device->impl;

	memory->reaches = 1;
	for (cl_uint i = 0; i < context->num_memories; i++) {
		if (device->driver->memory->reaches(device, space_of(context->memories[i].device)))
			memory->reaches |= UINT32_C(2) << i;
	}
}

static cl_int find_memories(cl_context context)
{
	cl_uint count = 0;

	for (cl_uint i = 0; i < context->num_devices; i++)
		count += space_of(context->devices[i]) != WEFT_SPACE_HOST;
	if (count == 0)
		return CL_SUCCESS;
	context->memories = weft_calloc(count, sizeof(*context->memories));
	if (!context->memories)
		return CL_OUT_OF_HOST_MEMORY;
	for (cl_uint i = 0; i < context->num_devices; i++) {
		const struct weft_locus locus = weft_context_locus(context, context->devices[i]);

		if (locus.space != WEFT_SPACE_HOST && locus.replica == 0)
			context->memories[context->num_memories++].device = context->devices[i];
	}
	if (context->num_memories > MOST_MEMORIES)
		return CL_OUT_OF_RESOURCES;
	for (cl_uint i = 0; i < context->num_memories; i++)
		note_reach(context, &context->memories[i]);
	return CL_SUCCESS;
}

static cl_int copy_properties(cl_context context, const cl_context_properties *properties)
{
	cl_uint count = 1;

	if (!properties)
		return CL_SUCCESS;
	for (; properties[count - 1]; count += 2) {
		if (properties[count - 1] == CL_CONTEXT_MEMORY_INITIALIZE_KHR)
			context->initialize = (cl_bitfield)properties[count];
		if (properties[count - 1] == CL_CONTEXT_TERMINATE_KHR)
			context->terminable = properties[count] != CL_FALSE;
	}
	context->properties = weft_memdup(properties, count * sizeof(*properties));
	if (!context->properties)
		return CL_OUT_OF_HOST_MEMORY;
	context->num_properties = count;
	return CL_SUCCESS;
}

static void report_function(struct weft_host_functions *functions, const char *message)
{
	weft_context_report(WEFT_CONTAINER_OF(functions, struct _cl_context, host_functions),
			    message);
}

cl_int weft_context_create(const struct weft_context_desc *desc, cl_context *context_ret)
{
	cl_context context = weft_object_alloc(sizeof(*context));

	if (!context)
		return CL_OUT_OF_HOST_MEMORY;
	weft_object_init(&context->base, WEFT_OBJECT_CONTEXT, destroy_context);
	weft_mutex_init(&context->lock, WEFT_RANK_CONTEXT);
	weft_host_functions_init(&context->host_functions, report_function);
	weft_list_init(&context->queues);
	weft_list_init(&context->user_events);
	weft_list_init(&context->device_events);
	context->notify = desc->notify;
	context->user_data = desc->user_data;
	cl_int err = copy_devices(context, desc->devices, desc->num_devices);
	if (err == CL_SUCCESS)
		err = find_memories(context);
	if (err == CL_SUCCESS)
		err = copy_properties(context, desc->properties);
	if (err == CL_SUCCESS && context->terminable && !weft_context_can_terminate(context))
		err = CL_INVALID_PROPERTY;
	if (context->terminable)
		context->host_functions.launches.stop = &context->terminated;
	if (err != CL_SUCCESS)
		weft_object_put(&context->base);
	else
		*context_ret = context;
	return err;
}

cl_int weft_context_add_destructor(cl_context context, weft_context_destructor function,
				   void *user_data)
{
	return weft_release_callbacks_add(&context->lock, &context->destructors,
					  (weft_release_function)function, user_data);
}

bool weft_context_has_device(cl_context context, cl_device_id device)
{
	for (cl_uint i = 0; i < context->num_devices; i++) {
		if (context->devices[i] == device)
			return true;
	}
	return false;
}

bool weft_context_shares_memory(cl_context context)
{
	for (cl_uint i = 0; i < context->num_devices; i++) {
		if (weft_device_shares_memory(context->devices[i]))
			return true;
	}
	return false;
}

bool weft_context_offers_svm(cl_context context)
{
	for (cl_uint i = 0; i < context->num_devices; i++) {
		if (weft_device_offers_svm(context->devices[i]))
			return true;
	}
	return false;
}

bool weft_context_can_terminate(cl_context context)
{
	for (cl_uint i = 0; i < context->num_devices; i++) {
		if (!context->devices[i]->impl->driver->interrupt)
			return false;
	}
	return true;
}

void weft_context_report(cl_context context, const char *message)
{
	if (context->notify)
		context->notify(message, NULL, 0, context->user_data);
}
