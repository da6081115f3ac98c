/* SPDX-License-Identifier: MIT
 *
 * Command queues. Invariant: `commands` holds exactly the commands between enqueue and end, in the
 * order of their sequence numbers; `last`, when set, is one of them.
 */
#include "queue.h"

#include "alloc.h"
#include "context.h"
#include "device.h"
#include "event.h"

static void destroy_queue(struct weft_object *object)
{
	cl_command_queue queue = WEFT_CONTAINER_OF(object, struct _cl_command_queue, base);

	weft_free(queue->property_list);
	if (queue->device)
		weft_object_put(&queue->device->base);
	if (queue->context)
		weft_object_put(&queue->context->base);
	weft_mutex_destroy(&queue->lock);
	weft_free(queue);
}

cl_int weft_queue_create(const struct weft_queue_desc *desc, cl_command_queue *queue_ret)
{
	cl_command_queue queue = weft_zalloc(sizeof(*queue));

	if (!queue)
		return CL_OUT_OF_HOST_MEMORY;
	weft_object_init(&queue->base, WEFT_OBJECT_QUEUE, destroy_queue);
	weft_mutex_init(&queue->lock, WEFT_RANK_QUEUE);
	weft_list_init(&queue->commands);
	weft_object_get(&desc->context->base);
	queue->context = desc->context;
	weft_object_get(&desc->device->base);
	queue->device = desc->device;
	queue->properties = desc->properties;
	if (desc->property_list) {
		queue->property_list = weft_memdup(
			desc->property_list, desc->num_properties * sizeof(cl_queue_properties));
		if (!queue->property_list)
			goto fail;
		queue->num_properties = desc->num_properties;
	}
	*queue_ret = queue;
	return CL_SUCCESS;
fail:
	weft_object_put(&queue->base);
	return CL_OUT_OF_HOST_MEMORY;
}

void weft_queue_flush(cl_command_queue queue)
{
	queue->device->impl->driver->queue->flush(queue->device->impl);
}

static uint64_t newest(cl_command_queue queue)
{
	weft_mutex_lock(&queue->lock);
	uint64_t sequence = queue->sequence;
	weft_mutex_unlock(&queue->lock);
	return sequence;
}

/* The oldest command up to `limit` that has not ended, retained; or NULL. */
static cl_event oldest_running(cl_command_queue queue, uint64_t limit)
{
	cl_event found = NULL;

	weft_mutex_lock(&queue->lock);
	struct weft_list *node = queue->commands.next;
	for (; node != &queue->commands && !found; node = node->next) {
		cl_event event = WEFT_CONTAINER_OF(node, struct _cl_event, queue_link);

		if (event->sequence > limit)
			break;
		if (weft_event_status(event) > CL_COMPLETE) {
			weft_object_get(&event->base);
			found = event;
		}
	}
	weft_mutex_unlock(&queue->lock);
	return found;
}

/* An in-order queue's newest command is the last to end, so that one wait does. */
static cl_event last_command(cl_command_queue queue)
{
	weft_mutex_lock(&queue->lock);
	cl_event last = weft_queue_in_order(queue) ? queue->last : NULL;
	if (last)
		weft_object_get(&last->base);
	weft_mutex_unlock(&queue->lock);
	return last;
}

/* Another thread may release the queue meanwhile: with the last command goes what kept it. */
void weft_queue_finish(cl_command_queue queue)
{
	weft_object_get(&queue->base);
	uint64_t limit = newest(queue);
	cl_event event = last_command(queue);

	weft_queue_flush(queue);
	if (!event)
		event = oldest_running(queue, limit);
	while (event) {
		weft_event_wait(event);
		weft_object_put(&event->base);
		event = oldest_running(queue, limit);
	}
	weft_object_put(&queue->base);
}
