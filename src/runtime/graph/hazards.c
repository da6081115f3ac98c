/* SPDX-License-Identifier: MIT
 *
 * Data hazards. Invariants: in one space, ranges that are written overlap no others, but those that are read
 * may; the readers of a range come after its writer. Only enqueuers, under the queue's lock, add to a join counter that
 * is in here or to `effects`, so a look at either stays true for what has not run.
 */
#include "graph/hazards.h"

#include "alloc.h"
#include "block_pool.h"
#include "graph/event_graph.h"

#include <assert.h>

#define FIRST_BUCKETS 64

struct weft_hazard {
	struct weft_hazard *next;  /* in its bucket */
	struct weft_hazard *newer; /* of all */
	struct weft_hazard *older;
	struct weft_range range;           /* `writes` says nothing */
	cl_event writer;                   /* its block is kept; or NULL */
	struct weft_join_counter *readers; /* open; or NULL */
	cl_event reader; /* the only one of them, likewise kept, that others may follow; or NULL */
};

static_assert(sizeof(struct weft_hazard) <= WEFT_BLOCK_POOL_JOIN_COUNTER_BYTES,
	      "one pool serves both");

/* ---- the table ------------------------------------------------------------------------------- */

static void destroy(struct weft_hazard *hazard)
{
	weft_event_drop(hazard->writer);
	weft_event_drop(hazard->reader);
	if (hazard->readers)
		weft_join_counter_close(hazard->readers);
	weft_block_pool_return(WEFT_BLOCK_POOL_JOIN_COUNTERS, hazard);
}

/* Takes what *link leads to out of the table. */
static struct weft_hazard *unlink_at(struct weft_hazards *hazards, struct weft_hazard **link)
{
	struct weft_hazard *hazard = *link;

	*link = hazard->next;
	*(hazard->newer ? &hazard->newer->older : &hazards->newest) = hazard->older;
	if (hazard->older)
		hazard->older->newer = hazard->newer;
	hazards->count--;
	return hazard;
}

static struct weft_hazard **bucket_of(struct weft_hazards *hazards, const struct weft_range *range)
{
	return &hazards->buckets[weft_range_bucket(range->space, hazards->num_buckets)];
}

static struct weft_hazard *insert(struct weft_hazards *hazards, const struct weft_range *range)
{
	struct weft_hazard *hazard = weft_block_pool_take(WEFT_BLOCK_POOL_JOIN_COUNTERS);

	if (!hazard)
		return NULL;
	struct weft_hazard **bucket = bucket_of(hazards, range);
	*hazard = (struct weft_hazard){.next = *bucket, .older = hazards->newest, .range = *range};
	*bucket = hazard;
	if (hazards->newest)
		hazards->newest->newer = hazard;
	hazards->newest = hazard;
	hazards->count++;
	return hazard;
}

/* As long as there is memory; without it, buckets only get fuller. */
static void grow(struct weft_hazards *hazards)
{
	size_t more = hazards->num_buckets ? 2 * hazards->num_buckets : FIRST_BUCKETS;
	struct weft_hazard **buckets = weft_calloc(more, sizeof(struct weft_hazard *));

	if (!buckets)
		return;
	weft_free(hazards->buckets);
	hazards->buckets = buckets;
	hazards->num_buckets = more;
	for (struct weft_hazard *hazard = hazards->newest; hazard; hazard = hazard->older) {
		struct weft_hazard **bucket = bucket_of(hazards, &hazard->range);

		hazard->next = *bucket;
		*bucket = hazard;
	}
}

void weft_hazards_clear(struct weft_hazards *hazards)
{
	while (hazards->newest) { /* mostly few, in many buckets */
		struct weft_hazard *hazard = hazards->newest;

		hazards->newest = hazard->older;
		*bucket_of(hazards, &hazard->range) = NULL;
		destroy(hazard);
	}
	hazards->count = 0;
}

void weft_hazards_destroy(struct weft_hazards *hazards)
{
	weft_hazards_clear(hazards);
	weft_free(hazards->buckets);
	*hazards = (struct weft_hazards){0};
}

/* ---- who comes after whom -------------------------------------------------------------------- */

static bool is_over(const struct weft_hazard *hazard)
{
	return (!hazard->writer || weft_edges_closed(&hazard->writer->effects)) &&
	       (!hazard->readers || weft_join_counter_empty(hazard->readers));
}

/* Forgets what is over in the range's bucket, and widens a range that is written to all it has to do with, so that
 * one note takes the place of them all. */
static void tidy(struct weft_hazards *hazards, struct weft_range *range)
{
	struct weft_hazard **first = bucket_of(hazards, range);
	bool widened = true;

	while (widened) {
		widened = false;
		for (struct weft_hazard **link = first; *link;) {
			const struct weft_range *other = &(*link)->range;

			if (is_over(*link)) {
				destroy(unlink_at(hazards, link));
				continue;
			}
			if (range->writes && weft_range_overlaps(range, other) &&
			    !weft_range_contains(range, other)) {
				weft_range_join(range, other);
				widened = true;
			}
			link = &(*link)->next;
		}
	}
}

static struct weft_edge *new_edge(cl_event event)
{
	struct weft_edge *edge = weft_event_memory(event, sizeof(*edge));

	if (edge)
		*edge = (struct weft_edge){.event = event, .kind = WEFT_EDGE_START};
	return edge;
}

static bool follow_writer(struct weft_dependent *dependent, const struct weft_hazard *hazard)
{
	cl_event writer = hazard->writer;

	if (!writer || writer == dependent->event || weft_edges_closed(&writer->effects))
		return true;
	struct weft_edge *edge = new_edge(dependent->event);
	if (edge &&
	    !weft_event_follow(dependent->event, writer, WEFT_FOLLOW_RUN, edge, &dependent->edges))
		dependent->edges += weft_edges_add(&writer->effects, edge);
	return edge != NULL;
}

static bool follow_readers(struct weft_dependent *dependent, struct weft_hazard *hazard)
{
	struct weft_edge *edge = new_edge(dependent->event);

	if (!edge)
		return false;
	if (hazard->reader && weft_event_follow(dependent->event, hazard->reader, WEFT_FOLLOW_RUN,
						edge, &dependent->edges))
		return true;
	weft_edges_add_alone(&hazard->readers->waiters, edge);
	dependent->edges++;
	return true;
}

/* The writer takes the place of all that it overlaps. */
static bool add_writer(struct weft_hazards *hazards, struct weft_dependent *dependent,
		       const struct weft_range *range)
{
	struct weft_hazard **link = bucket_of(hazards, range);

	while (*link) {
		if (!weft_range_overlaps(&(*link)->range, range)) {
			link = &(*link)->next;
			continue;
		}
		bool followed = (*link)->readers ? follow_readers(dependent, *link)
						 : follow_writer(dependent, *link);
		if (!followed)
			return false;
		destroy(unlink_at(hazards, link));
	}
	struct weft_hazard *own = insert(hazards, range);
	if (!own)
		return false;
	weft_refcount_get(&dependent->event->keepers);
	own->writer = dependent->event;
	return true;
}

/* Of several readers, none can be followed in place of all. */
static void note_reader(struct weft_hazard *hazard, cl_event event, bool alone)
{
	weft_event_drop(hazard->reader);
	hazard->reader = alone && event->handing ? event : NULL;
	if (hazard->reader)
		weft_refcount_get(&event->keepers);
}

/* The event's effects count the join counter down: that it has run, not that it has ended. */
static bool join_readers(struct weft_dependent *dependent, struct weft_hazard *hazard)
{
	struct weft_edge *edge = weft_event_memory(dependent->event, sizeof(*edge));

	if (edge && !hazard->readers)
		hazard->readers = weft_join_counter_create();
	if (!edge || !hazard->readers)
		return false;
	note_reader(hazard, dependent->event, weft_join_counter_empty(hazard->readers));
	weft_join_counter_add(hazard->readers);
	*edge = (struct weft_edge){.counter = hazard->readers, .kind = WEFT_EDGE_JOIN};
	weft_edges_add_alone(&dependent->event->effects, edge);
	return true;
}

static bool add_reader(struct weft_hazards *hazards, struct weft_dependent *dependent,
		       const struct weft_range *range)
{
	struct weft_hazard *home = NULL;
	struct weft_hazard *other = *bucket_of(hazards, range);

	for (; other; other = other->next) {
		if (!weft_range_overlaps(&other->range, range))
			continue;
		if (!follow_writer(dependent, other))
			return false;
		if (!home && weft_range_contains(&other->range, range))
			home = other;
	}
	if (!home)
		home = insert(hazards, range);
	return home && join_readers(dependent, home);
}

static bool add_ranges(struct weft_hazards *hazards, struct weft_dependent *dependent,
		       const struct weft_footprint *footprint, bool writes)
{
	for (unsigned i = 0; i < footprint->count; i++) {
		struct weft_range range = footprint->ranges[i];

		if (range.writes != writes)
			continue;
		tidy(hazards, &range);
		if (!(writes ? add_writer(hazards, dependent, &range)
			     : add_reader(hazards, dependent, &range)))
			return false;
	}
	return true;
}

bool weft_hazards_add(struct weft_hazards *hazards, struct weft_dependent *dependent,
		      const struct weft_footprint *footprint)
{
	if (hazards->count >= hazards->num_buckets)
		grow(hazards);
	if (hazards->num_buckets == 0)
		return false;
	/* A range that is written may grow, over what the event itself has noted: its reads come last. */
	return add_ranges(hazards, dependent, footprint, true) &&
	       add_ranges(hazards, dependent, footprint, false);
}
