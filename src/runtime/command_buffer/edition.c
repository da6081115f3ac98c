/* SPDX-License-Identifier: MIT
 *
 * Editions and their runs: made, changed, lent to submissions.
 */
#include "command_buffer/edition.h"

#include "alloc.h"
#include "device/device.h"

#include <assert.h>
#include <string.h>

static_assert(sizeof(struct weft_part) % 64 == 0 && offsetof(struct weft_run, parts) % 64 == 0,
	      "parts share no cache line");

/* ---- runs ------------------------------------------------------------------------------------ */

static void fill_in_part(struct weft_part *part, const struct weft_recorded_command *recorded)
{
	struct weft_device *device = part->base.command.device;

	part->base.command = recorded->command;
	part->base.command.device = device;
	part->base.command.recorded = true;
	part->specialisation = recorded->specialisation;
	part->unit = recorded->unit;
}

static struct weft_run *create_run(struct weft_edition *edition)
{
	const struct weft_plan *plan = edition->plan;
	size_t size = sizeof(struct weft_run) + plan->num_nodes * sizeof(struct weft_part);
	struct weft_run *run = weft_alloc_aligned(_Alignof(struct weft_part), size);

	if (!run)
		return NULL;
	memset(run, 0, size);
	run->edition = edition;
	for (uint32_t i = 0; i < plan->num_nodes; i++) {
		struct weft_part *part = &run->parts[i];

		part->base.ops = &edition->subgraph.ops->commands;
		part->run = run;
		part->node = &plan->nodes[i];
		part->base.command.device = edition->device;
		atomic_init(&part->unmet, part->node->predecessors);
		fill_in_part(part, edition->recorded_commands[i]);
	}
	return run;
}

/* Without memory, or with enough of them, submissions wait for one another. */
static struct weft_run *one_more(struct weft_edition *edition)
{
	weft_mutex_lock(&edition->lock);
	bool may = edition->num_runs < edition->most_runs;
	edition->num_runs += may;
	weft_mutex_unlock(&edition->lock);
	struct weft_run *run = may ? create_run(edition) : NULL;
	if (may && !run) {
		weft_mutex_lock(&edition->lock);
		edition->num_runs--;
		weft_mutex_unlock(&edition->lock);
	}
	return run;
}

static void wait_for_a_run(struct weft_edition *edition, cl_event event)
	WEFT_REQUIRES(&edition->lock)
{
	event->next_ended = NULL;
	if (edition->first_waiting)
		edition->last_waiting->next_ended = event;
	else
		edition->first_waiting = event;
	edition->last_waiting = event;
}

static struct weft_run *take_idle(struct weft_edition *edition) WEFT_REQUIRES(&edition->lock)
{
	struct weft_run *run = edition->idle;

	if (run)
		edition->idle = run->next;
	return run;
}

struct weft_run *weft_edition_take(struct weft_edition *edition, cl_event event)
{
	weft_mutex_lock(&edition->lock);
	struct weft_run *run = take_idle(edition);
	weft_mutex_unlock(&edition->lock);
	if (!run)
		run = one_more(edition);
	if (!run) { /* unless one has become idle meanwhile */
		weft_mutex_lock(&edition->lock);
		run = take_idle(edition);
		if (!run)
			wait_for_a_run(edition, event);
		weft_mutex_unlock(&edition->lock);
	}
	if (run)
		run->event = event;
	return run;
}

cl_event weft_edition_give_back(struct weft_run *run)
{
	struct weft_edition *edition = run->edition;

	weft_mutex_lock(&edition->lock);
	cl_event event = edition->first_waiting;
	run->event = event;
	if (event) {
		edition->first_waiting = event->next_ended;
	} else {
		run->next = edition->idle;
		edition->idle = run;
	}
	weft_mutex_unlock(&edition->lock);
	return event;
}

/* ---- life ------------------------------------------------------------------------------------ */

static void destroy_edition(struct weft_object *object) WEFT_TSA(no_thread_safety_analysis)
{
	struct weft_edition *edition = WEFT_CONTAINER_OF(object, struct weft_edition, base);

	while (edition->idle) {
		struct weft_run *run = edition->idle;

		edition->idle = run->next;
		weft_free(run);
	}
	for (uint32_t i = 0; edition->recorded_commands && i < edition->plan->num_nodes; i++)
		weft_recorded_command_put(edition->recorded_commands[i]);
	weft_free(edition->recorded_commands);
	weft_plan_put(edition->plan);
	weft_mutex_destroy(&edition->lock);
	weft_object_free(&edition->base);
}

struct weft_edition *weft_edition_create(const struct weft_edition_desc *desc)
	WEFT_TSA(no_thread_safety_analysis)
{
	struct weft_edition *edition = weft_object_alloc(sizeof(*edition));

	if (!edition)
		return NULL;
	weft_object_init(&edition->base, WEFT_OBJECT_EDITION, destroy_edition);
	weft_mutex_init(&edition->lock, WEFT_RANK_EDITION);
	weft_refcount_get(&desc->plan->refs);
	edition->subgraph.ops = desc->ops;
	edition->plan = desc->plan;
	edition->device = desc->device->impl;
	edition->most_runs = desc->most_runs;
	edition->recorded_commands =
		weft_calloc(desc->plan->num_nodes, sizeof(struct weft_recorded_command *));
	if (!edition->recorded_commands)
		goto fail;
	for (uint32_t i = 0; i < desc->plan->num_nodes; i++) {
		weft_refcount_get(&desc->recorded_commands[i]->refs);
		edition->recorded_commands[i] = desc->recorded_commands[i];
	}
	edition->idle = create_run(edition);
	if (!edition->idle)
		goto fail;
	edition->num_runs = 1;
	return edition;
fail:
	weft_object_put(&edition->base);
	return NULL;
}

void weft_edition_change(struct weft_edition *edition, uint32_t command,
			 struct weft_recorded_command *recorded)
	WEFT_TSA(no_thread_safety_analysis) /* nobody else has it */
{
	struct weft_recorded_command *old = edition->recorded_commands[command];

	edition->footprint_known =
		edition->footprint_known && weft_recorded_command_same_data(old, recorded);
	weft_refcount_get(&recorded->refs);
	edition->recorded_commands[command] = recorded;
	for (struct weft_run *run = edition->idle; run; run = run->next)
		fill_in_part(&run->parts[command], recorded);
	weft_recorded_command_put(old);
}

void weft_edition_note(struct weft_edition *edition, struct weft_footprint *footprint)
{
	struct weft_footprint *all = &edition->footprint;

	weft_footprint_init(footprint);
	if (!edition->footprint_known) {
		weft_footprint_init(all);
		for (uint32_t i = 0; i < edition->plan->num_nodes && !all->unknown; i++)
			weft_recorded_command_note(edition->recorded_commands[i], all);
		edition->footprint_known = true;
	}
	footprint->unknown = all->unknown;
	for (unsigned i = 0; i < all->count && !footprint->unknown; i++) {
		if (all->ranges[i].space)
			weft_footprint_add_range(footprint, &all->ranges[i]);
	}
}
