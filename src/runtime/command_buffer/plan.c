/* SPDX-License-Identifier: MIT
 *
 * Plans. Invariant of a planner: every command comes, directly or by others, after `floor`; and all before `covered`
 * come before it. What leads to a command by another one already needs no edge of its own.
 */
#include "command_buffer/plan.h"

#include "alloc.h"
#include "command_buffer/access_table.h"

#define NOBODY UINT32_MAX

struct edge {
	uint32_t from;
	uint32_t to;
};

struct weft_planner {
	enum weft_plan_order order;
	uint32_t num_nodes;
	uint32_t floor;     /* the newest that all later ones come after; or NOBODY */
	uint32_t covered;   /* the newest that comes after all before it; or 0 */
	uint32_t newest;    /* predecessor of the command that is being added; or NOBODY */
	struct edge *edges; /* owned */
	size_t num_edges;
	size_t room;
	/* Owned; per node the last that has an edge from it, and one: 0, nobody has. */
	uint32_t *followers;
	uint32_t nodes_room;
	struct weft_access_table accesses;
};

void weft_plan_put(struct weft_plan *plan)
{
	if (plan && weft_refcount_put(&plan->refs))
		weft_free(plan);
}

struct weft_planner *weft_planner_create(enum weft_plan_order order)
{
	struct weft_planner *planner = weft_zalloc(sizeof(*planner));

	if (!planner)
		return NULL;
	planner->order = order;
	planner->floor = NOBODY;
	return planner;
}

void weft_planner_destroy(struct weft_planner *planner)
{
	if (!planner)
		return;
	weft_access_table_clear(&planner->accesses);
	weft_free(planner->edges);
	weft_free(planner->followers);
	weft_free(planner);
}

/* ---- edges ----------------------------------------------------------------------------------- */

static bool make_room(struct weft_planner *planner)
{
	if (planner->num_nodes < planner->nodes_room)
		return true;
	uint32_t more = planner->nodes_room ? 2 * planner->nodes_room : 64;
	uint32_t *followers = weft_realloc(planner->followers, more, sizeof(*followers));
	if (!followers)
		return false;
	planner->followers = followers;
	planner->nodes_room = more;
	return true;
}

/* The command that is being added comes after another one. */
static bool come_after(void *data, uint32_t from)
{
	struct weft_planner *planner = data;
	uint32_t to = planner->num_nodes;

	if (planner->newest == NOBODY || from > planner->newest)
		planner->newest = from;
	if (planner->followers[from] == to + 1)
		return true;
	if (planner->num_edges == planner->room) {
		size_t more = planner->room ? 2 * planner->room : 64;
		struct edge *edges = weft_realloc(planner->edges, more, sizeof(*edges));
		if (!edges)
			return false;
		planner->edges = edges;
		planner->room = more;
	}
	planner->followers[from] = to + 1;
	planner->edges[planner->num_edges++] = (struct edge){from, to};
	return true;
}

/* What somebody follows comes before that one. */
static bool come_after_all(struct weft_planner *planner)
{
	uint32_t node = planner->num_nodes;

	for (uint32_t other = planner->covered; other < node; other++) {
		if (planner->followers[other] == 0 && !come_after(planner, other))
			return false;
	}
	planner->covered = node;
	return true;
}

static bool come_after_data(struct weft_planner *planner, const struct weft_footprint *footprint)
{
	for (unsigned i = 0; i < footprint->count; i++) {
		if (!weft_access_table_add(&planner->accesses, &footprint->ranges[i],
					   planner->num_nodes, come_after, planner))
			return false;
	}
	return true;
}

static bool come_after_waits(struct weft_planner *planner, const struct weft_plan_step *step)
{
	for (uint32_t i = 0; i < step->num_waits; i++) {
		if (!come_after(planner, step->waits[i]))
			return false;
	}
	return true;
}

static bool add_edges(struct weft_planner *planner, const struct weft_plan_step *step,
		      bool *is_floor)
{
	bool by_data = planner->order == WEFT_PLAN_BY_DATA;
	bool in_order = planner->order != WEFT_PLAN_OUT_OF_ORDER;

	*is_floor = step->barrier || planner->order == WEFT_PLAN_SERIAL ||
		    (by_data && step->footprint->unknown);
	if (*is_floor && (in_order || step->num_waits == 0))
		return come_after_all(planner);
	if (!come_after_waits(planner, step))
		return false;
	if (by_data && !come_after_data(planner, step->footprint))
		return false;
	bool after_floor = planner->newest != NOBODY && planner->newest >= planner->floor;
	return planner->floor == NOBODY || after_floor || come_after(planner, planner->floor);
}

bool weft_planner_add(struct weft_planner *planner, const struct weft_plan_step *step)
{
	bool is_floor;

	if (!make_room(planner))
		return false;
	planner->followers[planner->num_nodes] = 0;
	planner->newest = NOBODY;
	if (!add_edges(planner, step, &is_floor))
		return false;
	if (is_floor) {
		planner->floor = planner->num_nodes;
		weft_access_table_clear(&planner->accesses);
	}
	planner->num_nodes++;
	return true;
}

/* ---- the plan -------------------------------------------------------------------------------- */

/* Each node's list follows the one of the node before it. */
static void list_successors(const struct weft_planner *planner, struct weft_plan *plan,
			    uint32_t *successors)
{
	for (size_t i = 0; i < planner->num_edges; i++) {
		plan->nodes[planner->edges[i].from].num_successors++;
		plan->nodes[planner->edges[i].to].predecessors++;
	}
	for (uint32_t i = 0; i < plan->num_nodes; i++) {
		plan->nodes[i].successors = successors;
		successors += plan->nodes[i].num_successors;
		plan->nodes[i].num_successors = 0;
	}
	for (size_t i = 0; i < planner->num_edges; i++) {
		struct weft_plan_node *from = &plan->nodes[planner->edges[i].from];

		((uint32_t *)(uintptr_t)from->successors)[from->num_successors++] =
			planner->edges[i].to;
	}
}

struct weft_plan *weft_planner_finish(const struct weft_planner *planner)
{
	size_t num_nodes = planner->num_nodes;
	size_t node_bytes = num_nodes * sizeof(struct weft_plan_node);
	size_t index_bytes = (num_nodes + planner->num_edges) * sizeof(uint32_t);
	struct weft_plan *plan = weft_zalloc(sizeof(*plan) + node_bytes + index_bytes);

	if (!plan)
		return NULL;
	uint32_t *roots = (uint32_t *)&plan->nodes[num_nodes];
	weft_refcount_init(&plan->refs, 1);
	plan->num_nodes = planner->num_nodes;
	plan->roots = roots;
	list_successors(planner, plan, roots + num_nodes);
	for (uint32_t i = 0; i < plan->num_nodes; i++) {
		if (plan->nodes[i].predecessors == 0)
			roots[plan->num_roots++] = i;
		plan->num_ends += plan->nodes[i].num_successors == 0;
	}
	return plan;
}
