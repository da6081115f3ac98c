/* SPDX-License-Identifier: MIT
 *
 * Hazards between events. The readers of a range are counted by a join counter, which the next writer closes and waits
 * for. Invariant: only enqueuers, under the queue's lock, add to the join counters in the table and to `run.waiters`, so what
 * a look at either says stays true for what has not run.
 */
#include "graph/event_hazards.h"

#include "graph/event.h"
#include "graph/hazard_order.h"

#include <assert.h>

struct event_hazard {
	struct weft_hazard base;
	cl_event writer;                   /* its block is kept; or NULL */
	struct weft_join_counter *readers; /* open; or NULL */
	cl_event
		reader; /* the only one of them, if others may follow it; its block is kept; or NULL */
};

static_assert(sizeof(struct event_hazard) <= WEFT_BLOCK_POOL_JOIN_COUNTER_BYTES,
	      "a hazard fits into its block");

static struct event_hazard *hazard_of(struct weft_hazard *base)
{
	return WEFT_CONTAINER_OF(base, struct event_hazard, base);
}

static bool is_over(const struct weft_hazard *base)
{
	const struct event_hazard *hazard =
		WEFT_CONTAINER_OF(base, const struct event_hazard, base);

	return (!hazard->writer || weft_edges_closed(&hazard->writer->run.waiters)) &&
	       (!hazard->readers || weft_join_counter_empty(hazard->readers));
}

void weft_event_hazard_release(struct weft_hazard *base)
{
	struct event_hazard *hazard = hazard_of(base);

	weft_event_put_block(hazard->writer);
	weft_event_put_block(hazard->reader);
	if (hazard->readers)
		weft_join_counter_close(hazard->readers);
}

static struct weft_edge *new_edge(cl_event event)
{
	struct weft_edge *edge = weft_event_memory(event, sizeof(*edge));

	if (edge)
		*edge = weft_edge_to(&event->run);
	return edge;
}

static bool follow_writer(struct weft_hazard *base, void *command)
{
	struct weft_event_follower *follower = command;
	cl_event writer = hazard_of(base)->writer;

	if (!writer || writer == follower->event || weft_edges_closed(&writer->run.waiters))
		return true;
	struct weft_edge *edge = new_edge(follower->event);
	if (edge &&
	    !weft_event_follow(follower->event, writer, WEFT_FOLLOW_RUN, edge, &follower->edges))
		follower->edges += weft_edges_add(&writer->run.waiters, edge);
	return edge != NULL;
}

static bool follow_all(struct weft_hazard *base, void *command)
{
	struct event_hazard *hazard = hazard_of(base);
	struct weft_event_follower *follower = command;

	if (!hazard->readers)
		return follow_writer(base, command);
	struct weft_edge *edge = new_edge(follower->event);
	if (!edge)
		return false;
	if (hazard->reader && weft_event_follow(follower->event, hazard->reader, WEFT_FOLLOW_RUN,
						edge, &follower->edges))
		return true;
	weft_edges_add_alone(&hazard->readers->node.waiters, edge);
	follower->edges++;
	return true;
}

static void set_writer(struct weft_hazard *base, void *command)
{
	cl_event event = ((struct weft_event_follower *)command)->event;

	weft_event_get_block(event);
	hazard_of(base)->writer = event;
}

/* Of several readers, none can be followed in place of all. */
static void note_reader(struct event_hazard *hazard, cl_event event)
{
	bool alone = weft_join_counter_empty(hazard->readers);

	weft_event_put_block(hazard->reader);
	hazard->reader = alone && event->chaining.links ? event : NULL;
	if (hazard->reader)
		weft_event_get_block(event);
}

/* The event's effects count the join counter down: that it has run, not that it has ended. */
static bool add_reader(struct weft_hazard *base, void *command)
{
	struct event_hazard *hazard = hazard_of(base);
	cl_event event = ((struct weft_event_follower *)command)->event;
	struct weft_edge *edge = weft_event_memory(event, sizeof(*edge));

	if (edge && !hazard->readers)
		hazard->readers = weft_join_counter_create();
	if (!edge || !hazard->readers)
		return false;
	note_reader(hazard, event);
	weft_join_counter_add(hazard->readers);
	*edge = weft_edge_to(&hazard->readers->node);
	weft_edges_add_alone(&event->run.waiters, edge);
	return true;
}

static const struct weft_hazard_ops ops = {
	.is_over = is_over,
	.follow_writer = follow_writer,
	.follow_all = follow_all,
	.set_writer = set_writer,
	.add_reader = add_reader,
	.release = weft_event_hazard_release,
};

bool weft_event_hazards_add(struct weft_hazards *hazards, const struct weft_accesses *accesses,
			    struct weft_event_follower *follower)
{
	return weft_hazards_add(hazards, &ops, accesses, follower);
}
