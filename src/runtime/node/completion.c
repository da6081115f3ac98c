/* SPDX-License-Identifier: MIT
 *
 * Working off the completion queue.
 */
#include "node/completion.h"

#include "object/object.h"

WEFT_THREAD_LOCAL struct weft_completion_queue weft_completion;

static void flush(void)
{
	struct weft_device *device = weft_completion.flush;
	struct weft_object *owner = weft_completion.flush_owner;

	if (!device)
		return;
	weft_completion.flush = NULL;
	device->driver->queue->flush(device);
	weft_object_put(owner);
}

void weft_completion_flush_later(struct weft_device *device, struct weft_object *owner)
{
	flush();
	weft_completion.flush = device;
	weft_completion.flush_owner = owner;
}

void weft_completion_meet_later(struct weft_edge *edges)
{
	struct weft_edge *last = edges;

	if (!edges)
		return;
	while (last->next)
		last = last->next;
	last->next = weft_completion.later;
	weft_completion.later = edges;
}

/* No driver is completing these nodes' commands: their devices have to be flushed. */
static void meet_later_edges(void)
{
	struct weft_device *origin = weft_completion.origin;

	weft_completion.origin = NULL;
	while (weft_completion.later) {
		struct weft_edge *edges = weft_completion.later;

		weft_completion.later = NULL;
		weft_edges_meet(edges, false);
	}
	weft_completion.origin = origin;
}

static void end_first(void)
{
	struct weft_node *node = weft_completion.first;

	weft_completion.first = node->next;
	node->ops->ended(node);
}

static void resume_deferred(void)
{
	struct weft_node *node = weft_completion.deferred;

	weft_completion.deferred = node->next;
	node->ops->resume(node);
}

/* One flush for all that has become ready by one node, and for what follows that on its device. */
static void work_off(void)
{
	for (;;) {
		meet_later_edges();
		flush();
		if (weft_completion.first)
			end_first();
		else if (weft_completion.deferred)
			resume_deferred();
		else
			break;
	}
}

void weft_completion_drain(void)
{
	work_off();
	weft_completion.origin = NULL;
	weft_completion.open = false;
}

void weft_completion_pause(struct weft_completion_pause *pause)
{
	*pause = (struct weft_completion_pause){weft_completion.open, weft_completion.origin};
	if (pause->open)
		weft_completion_drain();
}

void weft_completion_resume(const struct weft_completion_pause *pause)
{
	if (!pause->open)
		return;
	weft_completion.open = true;
	weft_completion.origin = pause->origin;
}
