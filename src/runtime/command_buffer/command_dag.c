/* SPDX-License-Identifier: MIT
 *
 * Command DAGs. Invariants of a builder: every command comes, directly or by others, after `floor`, and all before
 * `covered` come before it. A command gets no edge from one that another edge leads from already.
 */
#include "command_buffer/command_dag.h"

#include "alloc.h"
#include "graph/hazard_order.h"
#include "list.h"

#include <assert.h>

#define NONE UINT32_MAX

struct edge {
	uint32_t from;
	uint32_t to;
};

struct weft_dag_builder {
	enum weft_dag_order order;
	uint32_t num_nodes;
	uint32_t floor;     /* the newest command that all later ones come after; or NONE */
	uint32_t covered;   /* the newest that comes after all before it; or 0 */
	uint32_t newest;    /* predecessor of the command that is being added; or NONE */
	struct edge *edges; /* owned */
	size_t num_edges;
	size_t room;
	/* Owned; for each command, one more than the last command with an edge from it; 0: there is none. */
	uint32_t *followers;
	size_t nodes_room;
	struct weft_hazards hazards;
};

void weft_dag_put(struct weft_command_dag *dag)
{
	if (dag && weft_refcount_put(&dag->refs))
		weft_free(dag);
}

/* ---- edges ----------------------------------------------------------------------------------- */

static bool make_room(struct weft_dag_builder *builder)
{
	uint32_t *followers = weft_grow(builder->followers, &builder->nodes_room,
					builder->num_nodes, sizeof(*followers));

	if (!followers)
		return false;
	builder->followers = followers;
	return true;
}

/* The command that is being added comes after another one. */
static bool come_after(struct weft_dag_builder *builder, uint32_t from)
{
	uint32_t to = builder->num_nodes;

	if (builder->newest == NONE || from > builder->newest)
		builder->newest = from;
	if (builder->followers[from] == to + 1)
		return true;
	struct edge *edges =
		weft_grow(builder->edges, &builder->room, builder->num_edges, sizeof(*edges));
	if (!edges)
		return false;
	builder->edges = edges;
	builder->followers[from] = to + 1;
	builder->edges[builder->num_edges++] = (struct edge){from, to};
	return true;
}

/* A command that has a follower needs no edge: it comes before the follower. */
static bool come_after_all(struct weft_dag_builder *builder)
{
	uint32_t node = builder->num_nodes;

	for (uint32_t other = builder->covered; other < node; other++) {
		if (builder->followers[other] == 0 && !come_after(builder, other))
			return false;
	}
	builder->covered = node;
	return true;
}

/* ---- hazards --------------------------------------------------------------------------------- */

/* The `command` of weft_hazards_add is the builder: the command that is being added. */
struct command_hazard {
	struct weft_hazard base;
	bool written;
	uint32_t writer;   /* if it is written */
	uint32_t *readers; /* owned */
	uint32_t num_readers;
	size_t room;
};

static_assert(sizeof(struct command_hazard) <= WEFT_BLOCK_POOL_JOIN_COUNTER_BYTES,
	      "a hazard fits into its block");

static struct command_hazard *hazard_of(struct weft_hazard *base)
{
	return WEFT_CONTAINER_OF(base, struct command_hazard, base);
}

static bool follow(struct weft_dag_builder *builder, uint32_t command)
{
	return command == builder->num_nodes || come_after(builder, command);
}

static bool follow_writer(struct weft_hazard *base, void *builder)
{
	const struct command_hazard *hazard = hazard_of(base);

	return !hazard->written || follow(builder, hazard->writer);
}

static bool follow_all(struct weft_hazard *base, void *builder)
{
	const struct command_hazard *hazard = hazard_of(base);

	if (hazard->num_readers == 0)
		return follow_writer(base, builder);
	for (uint32_t i = 0; i < hazard->num_readers; i++) {
		if (!follow(builder, hazard->readers[i]))
			return false;
	}
	return true;
}

static void set_writer(struct weft_hazard *base, void *builder)
{
	hazard_of(base)->written = true;
	hazard_of(base)->writer = ((const struct weft_dag_builder *)builder)->num_nodes;
}

static bool add_reader(struct weft_hazard *base, void *builder)
{
	struct command_hazard *hazard = hazard_of(base);
	uint32_t *readers =
		weft_grow(hazard->readers, &hazard->room, hazard->num_readers, sizeof(*readers));

	if (!readers)
		return false;
	hazard->readers = readers;
	hazard->readers[hazard->num_readers++] =
		((const struct weft_dag_builder *)builder)->num_nodes;
	return true;
}

static void release(struct weft_hazard *base)
{
	weft_free(hazard_of(base)->readers);
}

static const struct weft_hazard_ops hazard_ops = {
	.follow_writer = follow_writer,
	.follow_all = follow_all,
	.set_writer = set_writer,
	.add_reader = add_reader,
	.release = release,
};

/* ---- commands -------------------------------------------------------------------------------- */

struct weft_dag_builder *weft_dag_builder_create(enum weft_dag_order order)
{
	struct weft_dag_builder *builder = weft_zalloc(sizeof(*builder));

	if (!builder)
		return NULL;
	builder->order = order;
	builder->floor = NONE;
	return builder;
}

void weft_dag_builder_destroy(struct weft_dag_builder *builder)
{
	if (!builder)
		return;
	weft_hazards_destroy(&builder->hazards, release);
	weft_free(builder->edges);
	weft_free(builder->followers);
	weft_free(builder);
}

static bool come_after_waits(struct weft_dag_builder *builder, const struct weft_dag_step *step)
{
	for (uint32_t i = 0; i < step->num_waits; i++) {
		if (!come_after(builder, step->waits[i]))
			return false;
	}
	return !step->previous || come_after(builder, *step->previous);
}

static bool add_edges(struct weft_dag_builder *builder, const struct weft_dag_step *step,
		      bool *is_floor)
{
	bool by_data = builder->order == WEFT_DAG_BY_DATA;
	bool in_order = builder->order != WEFT_DAG_OUT_OF_ORDER;

	*is_floor = step->barrier || builder->order == WEFT_DAG_SERIAL ||
		    (by_data && step->accesses->anything);
	if (*is_floor && (in_order || step->num_waits == 0))
		return come_after_all(builder);
	if (!come_after_waits(builder, step))
		return false;
	if (by_data && !weft_hazards_add(&builder->hazards, &hazard_ops, step->accesses, builder))
		return false;
	bool after_floor = builder->newest != NONE && builder->newest >= builder->floor;
	return builder->floor == NONE || after_floor || come_after(builder, builder->floor);
}

bool weft_dag_builder_add(struct weft_dag_builder *builder, const struct weft_dag_step *step)
{
	bool is_floor;

	if (!make_room(builder))
		return false;
	builder->followers[builder->num_nodes] = 0;
	builder->newest = NONE;
	if (!add_edges(builder, step, &is_floor))
		return false;
	if (is_floor) {
		builder->floor = builder->num_nodes;
		weft_hazards_clear(&builder->hazards, release);
	}
	builder->num_nodes++;
	return true;
}

/* ---- the DAG --------------------------------------------------------------------------------- */

/* Each node's list follows the one of the node before it. */
static void list_successors(const struct weft_dag_builder *builder, struct weft_command_dag *dag,
			    uint32_t *successors)
{
	for (size_t i = 0; i < builder->num_edges; i++) {
		dag->nodes[builder->edges[i].from].num_successors++;
		dag->nodes[builder->edges[i].to].predecessors++;
	}
	for (uint32_t i = 0; i < dag->num_nodes; i++) {
		dag->nodes[i].successors = successors;
		successors += dag->nodes[i].num_successors;
		dag->nodes[i].num_successors = 0;
	}
	for (size_t i = 0; i < builder->num_edges; i++) {
		struct weft_dag_node *from = &dag->nodes[builder->edges[i].from];

		((uint32_t *)(uintptr_t)from->successors)[from->num_successors++] =
			builder->edges[i].to;
	}
}

struct weft_command_dag *weft_dag_builder_finish(const struct weft_dag_builder *builder)
{
	size_t num_nodes = builder->num_nodes;
	size_t node_bytes = num_nodes * sizeof(struct weft_dag_node);
	size_t index_bytes = (num_nodes + builder->num_edges) * sizeof(uint32_t);
	struct weft_command_dag *dag = weft_zalloc(sizeof(*dag) + node_bytes + index_bytes);

	if (!dag)
		return NULL;
	uint32_t *roots = (uint32_t *)&dag->nodes[num_nodes];
	weft_refcount_init(&dag->refs, 1);
	dag->num_nodes = builder->num_nodes;
	dag->roots = roots;
	list_successors(builder, dag, roots + num_nodes);
	for (uint32_t i = 0; i < dag->num_nodes; i++) {
		if (dag->nodes[i].predecessors == 0)
			roots[dag->num_roots++] = i;
		dag->num_ends += dag->nodes[i].num_successors == 0;
	}
	return dag;
}
