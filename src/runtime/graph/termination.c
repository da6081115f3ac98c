/* SPDX-License-Identifier: MIT
 *
 * What waits for user events of a context that is terminated. Invariant: an event is in the context's list until its memory is freed
 * (event.c), so the lock alone keeps it there.
 */
#include "graph/termination.h"

#include "node/node.h"

void weft_user_events_open(cl_context context)
{
	struct weft_edge *edges = NULL;

	weft_mutex_lock(&context->lock);
	for (struct weft_list *link = context->user_events.next; link != &context->user_events;
	     link = link->next)
		weft_edges_close_into(
			&WEFT_CONTAINER_OF(link, struct _cl_event, command.link)->end.waiters,
			&edges);
	weft_mutex_unlock(&context->lock);
	weft_edges_give_up(edges);
}
