/* SPDX-License-Identifier: MIT
 *
 * Default queues, and the room in queues. The list of default queues borrows: a queue leaves it when it ends. It has one queue of each
 * device at most.
 */
#include "graph/device_queue.h"

#include "device/device.h"

/* The link to the default queue of the device, or the end of the list. */
static cl_command_queue *find_default(cl_context context, cl_device_id device)
	WEFT_REQUIRES(&context->lock)
{
	cl_command_queue *link = &context->default_queues;

	while (*link && (*link)->device != device)
		link = &(*link)->next_default;
	return link;
}

/* In the place of the one that there was. */
static void put_default(cl_context context, cl_command_queue queue) WEFT_REQUIRES(&context->lock)
{
	cl_command_queue *link = find_default(context, queue->device);

	if (*link)
		*link = (*link)->next_default;
	queue->next_default = context->default_queues;
	context->default_queues = queue;
}

/* The application's reference to the default queue of the device. NULL: there is none. */
static cl_command_queue retain_default(cl_context context, cl_device_id device)
	WEFT_REQUIRES(&context->lock)
{
	cl_command_queue queue = *find_default(context, device);

	return queue && weft_object_retain_api(&queue->base) ? queue : NULL;
}

cl_int weft_device_queue_create(const struct weft_queue_desc *desc, cl_command_queue *queue_ret)
{
	cl_context context = desc->context;
	cl_command_queue queue;

	cl_int err = weft_queue_create(desc, &queue);
	if (err != CL_SUCCESS)
		return err;
	*queue_ret = queue;
	if (!(desc->properties & CL_QUEUE_ON_DEVICE_DEFAULT))
		return CL_SUCCESS;
	weft_mutex_lock(&context->lock);
	cl_command_queue present = retain_default(context, desc->device);
	if (!present)
		put_default(context, queue);
	weft_mutex_unlock(&context->lock);
	if (present) {
		weft_object_release_api(&queue->base);
		*queue_ret = present;
	}
	return CL_SUCCESS;
}

void weft_device_queue_set_default(cl_command_queue queue)
{
	cl_context context = queue->context;

	weft_mutex_lock(&context->lock);
	put_default(context, queue);
	weft_mutex_unlock(&context->lock);
}

cl_command_queue weft_device_queue_get_default(cl_context context, cl_device_id device)
{
	weft_mutex_lock(&context->lock);
	cl_command_queue queue = *find_default(context, device);
	if (queue &&
	    !weft_object_get_live(&queue->base,
				  atomic_load_explicit(&queue->base.serial, memory_order_relaxed)))
		queue = NULL;
	weft_mutex_unlock(&context->lock);
	return queue;
}

bool weft_device_queue_take(cl_command_queue queue, uint64_t bytes)
{
	uint64_t before = atomic_fetch_add_explicit(&queue->used, bytes, memory_order_relaxed);

	if (before <= queue->size && bytes <= queue->size - before)
		return true;
	weft_device_queue_give(queue, bytes);
	return false;
}

void weft_device_queue_give(cl_command_queue queue, uint64_t bytes)
{
	atomic_fetch_sub_explicit(&queue->used, bytes, memory_order_relaxed);
}
