/* SPDX-License-Identifier: MIT
 *
 * Which command follows which one on devices, and handing over those that follow.
 */
#include "graph/device_chaining.h"

#include "device/device.h"
#include "graph/event.h"
#include "graph/queue.h"
#include "graph/upcalls.h"
#include "node/completion.h"

#include <stddef.h>

/* ---- handing over ---------------------------------------------------------------------------- */

/* The event and all that it ends after have been handed over. */
static void all_handed_over(struct weft_node *node)
{
	struct weft_chain_links *links =
		WEFT_CONTAINER_OF(node, struct weft_chain_links, all_handed_over);
	cl_event event = links->event;

	weft_completion_meet_later(weft_edges_close(&node->waiters));
	if (event)
		weft_object_put(&event->base);
}

static const struct weft_node_ops all_handed_over_ops = {.ready = all_handed_over};

/* The followers are handed over one after the other, however many follow one another. The event may end in notify. */
void weft_chaining_notify(cl_event event, enum weft_status status)
{
	struct weft_device *device = event->command.device;
	struct weft_chain_links *links = event->chaining.links;

	weft_object_get(&event->base);
	device->driver->queue->notify(device, &event->command, status);
	bool first = weft_completion_begin(NULL);
	weft_completion_meet_later(weft_edges_close(&links->handed_over));
	weft_node_count_down(&links->all_handed_over);
	weft_completion_end(first);
	weft_object_put(&event->base);
}

/* ---- following ------------------------------------------------------------------------------- */

void weft_chaining_begin(cl_event event)
{
	struct weft_chain_links *links = weft_event_memory(event, sizeof(*links));

	if (!links)
		return;
	atomic_init(&links->handed_over.head, NULL);
	weft_node_init(&links->all_handed_over, &all_handed_over_ops, 1);
	links->event = NULL;
	event->chaining.links = links;
}

/* A command cannot follow another on its device in three cases: its bytes come from another memory; it unmaps (reads into
 * the mapping must have ended); it is a marker that waits for a join counter, which has no edge to spare. */
void weft_chaining_decide(cl_event event, bool joins)
{
	struct weft_event_chaining *chaining = &event->chaining;

	if (event->subgraph)
		chaining->links = NULL;
	chaining->may_follow =
		chaining->links && !joins && event->type != CL_COMMAND_UNMAP_MEM_OBJECT &&
		event->type != CL_COMMAND_SVM_UNMAP &&
		(!event->migration || event->migration->replica == event->queue->locus.replica);
}

bool weft_event_follow(cl_event event, cl_event other, enum weft_follow kind,
		       struct weft_edge *edge, int32_t *edges)
{
	struct weft_device *device = event->command.device;
	struct weft_chain_links *links = other->chaining.links;

	if (!event->chaining.may_follow || !links || weft_event_is_foreign(other) ||
	    !weft_completion_flushes_both(device, other->command.device) ||
	    !device->driver->chaining->follow(device, &event->command, &other->command, kind))
		return false;
	event->chaining.follows = true;
	event->chaining.may_fail |= kind == WEFT_FOLLOW_END_CHECKED;
	*edge = weft_edge_to(&event->run);
	*edges += weft_edges_add(kind == WEFT_FOLLOW_RUN ? &links->handed_over
							 : &links->all_handed_over.waiters,
				 edge);
	return true;
}

/* What follows the event's end on a device must know that this comes after the other's; and may be handed over only when
 * that has been. */
void weft_chaining_end_after(cl_event event, cl_event other)
{
	struct weft_device *device = event->command.device;
	struct weft_chain_links *links = event->chaining.links;

	if (!links || !device->driver->chaining->follow(
			      device, &event->command,
			      other->chaining.links ? &other->command : NULL, WEFT_FOLLOW_LAST))
		return;
	links->last_edge = weft_edge_to(&links->all_handed_over);
	links->event = event;
	atomic_store_explicit(&links->all_handed_over.unmet, 2, memory_order_relaxed);
	weft_object_get(&event->base);
	if (weft_edges_add(&other->chaining.links->all_handed_over.waiters, &links->last_edge))
		return;
	links->event = NULL;
	atomic_store_explicit(&links->all_handed_over.unmet, 1, memory_order_relaxed);
	weft_object_put(&event->base);
}
