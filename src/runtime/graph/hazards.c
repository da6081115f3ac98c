/* SPDX-License-Identifier: MIT
 *
 * Data dependencies. Invariants: in one space, ranges that are written overlap no others, but those that are read
 * may; the readers of a range come after its writer. Only enqueuers, under the queue's lock, add to a gather that
 * is in here or to `effects`, so a look at either stays true for what has not run.
 */
#include "graph/hazards.h"

#include "alloc.h"
#include "graph/event_graph.h"
#include "pool.h"

#include <assert.h>

#define FIRST_BUCKETS 64

struct weft_dependency {
	struct weft_dependency *next;  /* in its bucket */
	struct weft_dependency *newer; /* of all */
	struct weft_dependency *older;
	struct weft_range range;     /* `writes` says nothing */
	cl_event writer;             /* its block is kept; or NULL */
	struct weft_gather *readers; /* open; or NULL */
	cl_event reader; /* the only one of them, likewise kept, that others may follow; or NULL */
};

static_assert(sizeof(struct weft_dependency) <= WEFT_POOL_GATHER_BYTES, "one pool serves both");

/* ---- the table ------------------------------------------------------------------------------- */

static void destroy(struct weft_dependency *dependency)
{
	weft_event_drop(dependency->writer);
	weft_event_drop(dependency->reader);
	if (dependency->readers)
		weft_gather_close(dependency->readers);
	weft_pool_give(WEFT_POOL_GATHERS, dependency);
}

/* Takes what *link leads to out of the table. */
static struct weft_dependency *unlink_at(struct weft_dependencies *dependencies,
					 struct weft_dependency **link)
{
	struct weft_dependency *dependency = *link;

	*link = dependency->next;
	*(dependency->newer ? &dependency->newer->older : &dependencies->newest) =
		dependency->older;
	if (dependency->older)
		dependency->older->newer = dependency->newer;
	dependencies->count--;
	return dependency;
}

static struct weft_dependency **bucket_of(struct weft_dependencies *dependencies,
					  const struct weft_range *range)
{
	return &dependencies->buckets[weft_range_bucket(range->space, dependencies->num_buckets)];
}

static struct weft_dependency *insert(struct weft_dependencies *dependencies,
				      const struct weft_range *range)
{
	struct weft_dependency *dependency = weft_pool_take(WEFT_POOL_GATHERS);

	if (!dependency)
		return NULL;
	struct weft_dependency **bucket = bucket_of(dependencies, range);
	*dependency = (struct weft_dependency){
		.next = *bucket, .older = dependencies->newest, .range = *range};
	*bucket = dependency;
	if (dependencies->newest)
		dependencies->newest->newer = dependency;
	dependencies->newest = dependency;
	dependencies->count++;
	return dependency;
}

/* As long as there is memory; without it, buckets only get fuller. */
static void grow(struct weft_dependencies *dependencies)
{
	size_t more = dependencies->num_buckets ? 2 * dependencies->num_buckets : FIRST_BUCKETS;
	struct weft_dependency **buckets = weft_calloc(more, sizeof(struct weft_dependency *));

	if (!buckets)
		return;
	weft_free(dependencies->buckets);
	dependencies->buckets = buckets;
	dependencies->num_buckets = more;
	for (struct weft_dependency *dependency = dependencies->newest; dependency;
	     dependency = dependency->older) {
		struct weft_dependency **bucket = bucket_of(dependencies, &dependency->range);

		dependency->next = *bucket;
		*bucket = dependency;
	}
}

void weft_dependencies_clear(struct weft_dependencies *dependencies)
{
	while (dependencies->newest) { /* mostly few, in many buckets */
		struct weft_dependency *dependency = dependencies->newest;

		dependencies->newest = dependency->older;
		*bucket_of(dependencies, &dependency->range) = NULL;
		destroy(dependency);
	}
	dependencies->count = 0;
}

void weft_dependencies_destroy(struct weft_dependencies *dependencies)
{
	weft_dependencies_clear(dependencies);
	weft_free(dependencies->buckets);
	*dependencies = (struct weft_dependencies){0};
}

/* ---- who comes after whom -------------------------------------------------------------------- */

static bool is_over(const struct weft_dependency *dependency)
{
	return (!dependency->writer || weft_edges_closed(&dependency->writer->effects)) &&
	       (!dependency->readers || weft_gather_empty(dependency->readers));
}

/* Forgets what is over in the range's bucket, and widens a range that is written to all it has to do with, so that
 * one note takes the place of them all. */
static void tidy(struct weft_dependencies *dependencies, struct weft_range *range)
{
	struct weft_dependency **first = bucket_of(dependencies, range);
	bool widened = true;

	while (widened) {
		widened = false;
		for (struct weft_dependency **link = first; *link;) {
			const struct weft_range *other = &(*link)->range;

			if (is_over(*link)) {
				destroy(unlink_at(dependencies, link));
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

static bool follow_writer(struct weft_dependent *dependent,
			  const struct weft_dependency *dependency)
{
	cl_event writer = dependency->writer;

	if (!writer || writer == dependent->event || weft_edges_closed(&writer->effects))
		return true;
	struct weft_edge *edge = new_edge(dependent->event);
	if (edge &&
	    !weft_event_follow(dependent->event, writer, WEFT_FOLLOW_RUN, edge, &dependent->edges))
		dependent->edges += weft_edges_add(&writer->effects, edge);
	return edge != NULL;
}

static bool follow_readers(struct weft_dependent *dependent, struct weft_dependency *dependency)
{
	struct weft_edge *edge = new_edge(dependent->event);

	if (!edge)
		return false;
	if (dependency->reader && weft_event_follow(dependent->event, dependency->reader,
						    WEFT_FOLLOW_RUN, edge, &dependent->edges))
		return true;
	weft_edges_add_alone(&dependency->readers->waiters, edge);
	dependent->edges++;
	return true;
}

/* The writer takes the place of all that it overlaps. */
static bool add_writer(struct weft_dependencies *dependencies, struct weft_dependent *dependent,
		       const struct weft_range *range)
{
	struct weft_dependency **link = bucket_of(dependencies, range);

	while (*link) {
		if (!weft_range_overlaps(&(*link)->range, range)) {
			link = &(*link)->next;
			continue;
		}
		bool followed = (*link)->readers ? follow_readers(dependent, *link)
						 : follow_writer(dependent, *link);
		if (!followed)
			return false;
		destroy(unlink_at(dependencies, link));
	}
	struct weft_dependency *own = insert(dependencies, range);
	if (!own)
		return false;
	weft_refcount_get(&dependent->event->keepers);
	own->writer = dependent->event;
	return true;
}

/* Of several readers, none can be followed in place of all. */
static void note_reader(struct weft_dependency *dependency, cl_event event, bool alone)
{
	weft_event_drop(dependency->reader);
	dependency->reader = alone && event->handing ? event : NULL;
	if (dependency->reader)
		weft_refcount_get(&event->keepers);
}

/* The event's effects count the gather down: that it has run, not that it has ended. */
static bool join_readers(struct weft_dependent *dependent, struct weft_dependency *dependency)
{
	struct weft_edge *edge = weft_event_memory(dependent->event, sizeof(*edge));

	if (edge && !dependency->readers)
		dependency->readers = weft_gather_create();
	if (!edge || !dependency->readers)
		return false;
	note_reader(dependency, dependent->event, weft_gather_empty(dependency->readers));
	weft_gather_count(dependency->readers);
	*edge = (struct weft_edge){.gather = dependency->readers, .kind = WEFT_EDGE_GATHER};
	weft_edges_add_alone(&dependent->event->effects, edge);
	return true;
}

static bool add_reader(struct weft_dependencies *dependencies, struct weft_dependent *dependent,
		       const struct weft_range *range)
{
	struct weft_dependency *home = NULL;
	struct weft_dependency *other = *bucket_of(dependencies, range);

	for (; other; other = other->next) {
		if (!weft_range_overlaps(&other->range, range))
			continue;
		if (!follow_writer(dependent, other))
			return false;
		if (!home && weft_range_contains(&other->range, range))
			home = other;
	}
	if (!home)
		home = insert(dependencies, range);
	return home && join_readers(dependent, home);
}

static bool add_ranges(struct weft_dependencies *dependencies, struct weft_dependent *dependent,
		       const struct weft_footprint *footprint, bool writes)
{
	for (unsigned i = 0; i < footprint->count; i++) {
		struct weft_range range = footprint->ranges[i];

		if (range.writes != writes)
			continue;
		tidy(dependencies, &range);
		if (!(writes ? add_writer(dependencies, dependent, &range)
			     : add_reader(dependencies, dependent, &range)))
			return false;
	}
	return true;
}

bool weft_dependencies_add(struct weft_dependencies *dependencies, struct weft_dependent *dependent,
			   const struct weft_footprint *footprint)
{
	if (dependencies->count >= dependencies->num_buckets)
		grow(dependencies);
	if (dependencies->num_buckets == 0)
		return false;
	/* A range that is written may grow, over what the event itself has noted: its reads come last. */
	return add_ranges(dependencies, dependent, footprint, true) &&
	       add_ranges(dependencies, dependent, footprint, false);
}
