/* SPDX-License-Identifier: MIT
 *
 * When units are made, and waiting for them. Invariant: a unit's node ends once, in the thread that has made its code or
 * failed to, in the process that began to; what was written before is read only after that. A forked child begins again
 * with what its parent had not finished.
 */
#include "program/deferred_codegen.h"

#include "alloc.h"
#include "compiler/compiler_library.h"
#include "fork_generation.h"
#include "log.h"
#include "node/wait.h"
#include "options.h"
#include "program/codegen_unit.h"
#include "program/kernel_description.h"

#include <stdio.h>
#include <string.h>

/* Programs without owners whose code is made for the cache all the same. */
#define MOST_FOR_CACHE 8

/* Units of a program that are asked for before others are made ahead. */
#define LEAST_ASKED 3

static _Atomic int num_for_cache;

/* ---- life ------------------------------------------------------------------------------------ */

static void destroy(struct weft_deferred_codegen *codegen)
{
	for (uint32_t i = 0; i < codegen->archive.num_units; i++) {
		for (cl_uint d = 0; d < codegen->num_devices; d++) {
			struct weft_device *impl = codegen->places[d].device->impl;

			if (codegen->units[i].codes[d].module)
				impl->driver->program->unload(impl,
							      codegen->units[i].codes[d].module);
		}
		weft_free(codegen->units[i].object);
	}
	if (codegen->for_cache)
		atomic_fetch_sub_explicit(&num_for_cache, 1, memory_order_relaxed);
	for (cl_uint d = 0; d < codegen->num_devices; d++) {
		weft_object_put(&codegen->places[d].device->base);
		weft_free(codegen->places[d].completed);
	}
	weft_program_binary_put(atomic_load_explicit(&codegen->answer, memory_order_acquire));
	weft_program_binary_put(atomic_load_explicit(&codegen->whole, memory_order_acquire));
	weft_program_binary_put(atomic_load_explicit(&codegen->expanded, memory_order_acquire));
	weft_program_binary_put(codegen->binary);
	weft_free(codegen->codes);
	weft_free(codegen->places);
	weft_mutex_destroy(&codegen->lock);
	weft_free(codegen);
}

static void put(struct weft_deferred_codegen *codegen)
{
	if (weft_refcount_put(&codegen->refs))
		destroy(codegen);
}

static bool is_sound(const struct weft_archive *archive)
{
	uint32_t last = 0;

	for (uint32_t i = 0; i < archive->num_kernels; i++) {
		const uint32_t unit = weft_archive_unit(archive, i);
		const bool in_row = i == 0 ? unit == 0 : unit == last || unit == last + 1;

		if (unit >= archive->num_units ||
		    (archive->flags & WEFT_ARCHIVE_UNPREPARED && !in_row))
			return false;
		last = unit;
	}
	return archive->num_units <= archive->num_kernels;
}

static bool wait_for_code(struct weft_event_code *code, struct weft_edge *edge)
{
	return weft_codegen_unit_wait(WEFT_CONTAINER_OF(code, struct weft_codegen_unit, base),
				      edge);
}

static enum weft_status take_code(const struct weft_event_code *code, struct weft_launch *launch)
{
	return weft_codegen_unit_take(WEFT_CONTAINER_OF(code, struct weft_codegen_unit, base),
				      launch);
}

struct weft_event_code *weft_codegen_unit_code(struct weft_codegen_unit *unit)
{
	return &unit->base;
}

static void init_units(struct weft_deferred_codegen *codegen, cl_uint max_devices)
{
	for (uint32_t i = 0; i < codegen->archive.num_units; i++) {
		struct weft_codegen_unit *unit = &codegen->units[i];

		unit->base = (struct weft_event_code){.wait = wait_for_code, .take = take_code};
		unit->owner = codegen;
		unit->number = i;
		weft_node_init(&unit->node, NULL, 1);
		unit->codes = codegen->codes ? &codegen->codes[(size_t)i * max_devices] : NULL;
	}
	for (uint32_t i = codegen->archive.num_kernels; i-- > 0;) {
		struct weft_codegen_unit *unit = weft_deferred_codegen_unit(codegen, i);

		unit->first_kernel = i;
		unit->num_kernels++;
	}
}

enum weft_status weft_deferred_codegen_create(const struct weft_deferred_codegen_desc *desc,
					      struct weft_deferred_codegen **codegen_ret)
{
	struct weft_archive archive;

	if (!weft_archive_open(desc->archive->bytes, desc->archive->size, &archive) ||
	    !is_sound(&archive))
		return WEFT_INVALID_BINARY;
	struct weft_deferred_codegen *codegen =
		weft_zalloc(sizeof(*codegen) + archive.num_units * sizeof(codegen->units[0]));
	if (!codegen)
		return WEFT_OUT_OF_MEMORY;
	weft_refcount_init(&codegen->refs, 1);
	weft_refcount_init(&codegen->owners, 1);
	weft_mutex_init(&codegen->lock, WEFT_RANK_DEFERRED_CODEGEN);
	codegen->binary = weft_program_binary_get(desc->archive);
	codegen->archive = archive;
	codegen->digest = (struct weft_digest){archive.identity[0], archive.identity[1]};
	codegen->key = *desc->key;
	if (desc->given)
		atomic_store_explicit(&codegen->answer, weft_program_binary_get(desc->archive),
				      memory_order_relaxed);
	codegen->places = weft_calloc(desc->max_devices, sizeof(*codegen->places));
	codegen->codes =
		weft_calloc((size_t)archive.num_units * desc->max_devices, sizeof(*codegen->codes));
	init_units(codegen, desc->max_devices);
	if (!codegen->places || !codegen->codes) {
		put(codegen);
		return WEFT_OUT_OF_MEMORY;
	}
	*codegen_ret = codegen;
	return WEFT_OK;
}

struct weft_deferred_codegen *weft_deferred_codegen_get(struct weft_deferred_codegen *codegen)
{
	weft_refcount_get(&codegen->owners);
	return codegen;
}

void weft_deferred_codegen_put(struct weft_deferred_codegen *codegen)
{
	if (!codegen || !weft_refcount_put(&codegen->owners))
		return;
	codegen->for_cache =
		weft_options()->cache &&
		atomic_fetch_add_explicit(&num_for_cache, 1, memory_order_relaxed) < MOST_FOR_CACHE;
	if (weft_options()->cache && !codegen->for_cache)
		atomic_fetch_sub_explicit(&num_for_cache, 1, memory_order_relaxed);
	atomic_store_explicit(&codegen->dropped, !codegen->for_cache, memory_order_relaxed);
	atomic_store_explicit(&codegen->unowned, true, memory_order_relaxed);
	put(codegen);
}

/* By the first of its kernels. */
static void name_units(struct weft_deferred_codegen *codegen, const struct weft_program_desc *desc)
{
	for (uint32_t i = 0; i < desc->num_kernels; i++) {
		struct weft_codegen_unit *unit = weft_deferred_codegen_unit(codegen, i);

		if (!unit->name[0])
			snprintf(unit->name, sizeof(unit->name), "%scode of %s",
				 desc->kernels[i].flags & WEFT_KERNEL_QUICK ? "quick " : "",
				 desc->kernels[i].name);
	}
}

enum weft_status weft_deferred_codegen_add(struct weft_deferred_codegen *codegen,
					   cl_device_id device, struct weft_module *module)
{
	const struct weft_archive *archive = &codegen->archive;
	const struct weft_program_desc *desc = device->impl->driver->program->describe(module);
	struct weft_program_desc *completed = NULL;

	if (desc->num_kernels != archive->num_kernels)
		return WEFT_INVALID_BINARY;
	if (!weft_codegen_is_prepared(codegen)) {
		completed = weft_kernel_descriptions_create(desc, archive->module,
							    archive->module_size);
		if (!completed)
			return WEFT_OUT_OF_MEMORY;
		desc = completed;
	}
	weft_object_get(&device->base);
	codegen->places[codegen->num_devices++] =
		(struct weft_codegen_place){device, module, desc, completed};
	name_units(codegen, desc);
	return WEFT_OK;
}

/* NULL: there is none. */
static const struct weft_codegen_place *find_place(const struct weft_deferred_codegen *codegen,
						   const struct weft_module *module)
{
	for (cl_uint d = 0; d < codegen->num_devices; d++) {
		if (codegen->places[d].module == module)
			return &codegen->places[d];
	}
	return NULL;
}

const struct weft_program_desc *
weft_deferred_codegen_describe(const struct weft_deferred_codegen *codegen,
			       const struct weft_module *module)
{
	return find_place(codegen, module)->desc;
}

struct weft_codegen_unit *weft_deferred_codegen_unit(struct weft_deferred_codegen *codegen,
						     uint32_t kernel)
{
	return &codegen->units[weft_archive_unit(&codegen->archive, kernel)];
}

static void end_wait(struct weft_codegen_unit *unit)
{
	struct weft_deferred_codegen *codegen = unit->owner;

	weft_mutex_lock(&codegen->lock);
	bool wanted = unit->wanted;
	bool claimed = unit->claimed;
	unit->made = true;
	unit->claimed = false;
	weft_mutex_unlock(&codegen->lock);
	if (wanted)
		weft_background_wait(false);
	if (claimed)
		weft_compiler_library_end();
}

static void make_next_at_leisure(struct weft_deferred_codegen *codegen);

static void run_unit(struct weft_task *task)
{
	struct weft_codegen_unit *unit = WEFT_CONTAINER_OF(task, struct weft_codegen_unit, task);
	struct weft_deferred_codegen *codegen = unit->owner;

	unit->status = weft_codegen_unit_make(unit);
	end_wait(unit);
	weft_node_end(&unit->node);
	if (weft_codegen_state(codegen) == WEFT_OK &&
	    (weft_options()->cache || weft_codegen_is_expanded(codegen)) &&
	    !atomic_exchange_explicit(&codegen->joined, true, memory_order_relaxed) &&
	    weft_deferred_codegen_make_whole(codegen) != WEFT_OK)
		weft_log(WEFT_LOG_WARN, "runtime", "a program's code could not be kept");
	if (unit->expected)
		weft_compiler_library_expect(false);
	if (unit->has_next)
		make_next_at_leisure(codegen);
	put(codegen);
}

/* ---- when ------------------------------------------------------------------------------------ */

/* The unit is posted now, and was not before. What the parent of a fork had begun to make is made when it is wanted. */
static bool claim_post(struct weft_deferred_codegen *codegen, struct weft_codegen_unit *unit)
	WEFT_REQUIRES(&codegen->lock)
{
	if (unit->posted || unit->generation != weft_fork_generation())
		return false;
	unit->posted = true;
	weft_refcount_get(&codegen->refs);
	return true;
}

static bool is_wanted(struct weft_codegen_unit *unit)
{
	weft_mutex_lock(&unit->owner->lock);
	const bool wanted = unit->wanted;
	weft_mutex_unlock(&unit->owner->lock);
	return wanted;
}

/* The same of one that is asked for, or is next to such a one. */
static bool claim_asked(struct weft_deferred_codegen *codegen, struct weft_codegen_unit *unit)
	WEFT_REQUIRES(&codegen->lock)
{
	const bool claimed = claim_post(codegen, unit);

	codegen->num_posted += claimed;
	return claimed;
}

/* Another thread may want the unit between claim_post and here. The caller is an owner, or makes a unit. */
static void post(struct weft_codegen_unit *unit, enum weft_task_kind kind)
{
	unit->task.run = run_unit;
	unit->expected = weft_options()->cache && kind != WEFT_TASK_LEISURE;
	if (unit->expected)
		weft_compiler_library_expect(true);
	if (!weft_background_post(&unit->task, kind)) {
		unit->has_next = false;
		run_unit(&unit->task);
	} else if (kind != WEFT_TASK_URGENT && is_wanted(unit)) {
		weft_background_hurry(&unit->task);
	}
}

/* One after the other, so that units which are asked for find all threads, and exits wait for one at most: then there are no more. */
static void make_next_at_leisure(struct weft_deferred_codegen *codegen)
{
	const bool dropped = atomic_load_explicit(&codegen->dropped, memory_order_relaxed);
	const bool begun = !dropped && weft_compiler_library_begin();
	struct weft_codegen_unit *next = NULL;

	if (!begun)
		return;
	weft_mutex_lock(&codegen->lock);
	for (uint32_t i = 0; i < codegen->archive.num_units && !next; i++) {
		if (claim_post(codegen, &codegen->units[i]))
			next = &codegen->units[i];
	}
	weft_mutex_unlock(&codegen->lock);
	if (next) {
		next->has_next = true;
		post(next, WEFT_TASK_LEISURE);
	}
	weft_compiler_library_end();
}

void weft_codegen_make_at_leisure(struct weft_deferred_codegen *codegen)
{
	if (!atomic_exchange_explicit(&codegen->fills, true, memory_order_relaxed))
		make_next_at_leisure(codegen);
}

void weft_deferred_codegen_start(struct weft_deferred_codegen *codegen)
{
	for (uint32_t i = 0; i < codegen->archive.num_units; i++)
		codegen->units[i].generation = weft_fork_generation();
	for (uint32_t i = 0; i < codegen->archive.num_units && weft_codegen_is_prepared(codegen);
	     i++)
		weft_codegen_unit_expect(&codegen->units[i]);
	if (atomic_load_explicit(&codegen->answer, memory_order_relaxed) && weft_options()->cache)
		weft_codegen_make_at_leisure(codegen);
}

/* In the child of a fork: what waits for it is the parent's, and so is the thread that makes it. */
static void begin_again(struct weft_codegen_unit *unit)
{
	atomic_store_explicit(&unit->node.waiters.head, NULL, memory_order_relaxed);
	unit->object = NULL;
	memset(unit->codes, 0, unit->owner->num_devices * sizeof(*unit->codes));
	unit->wanted = false;
	unit->made = false;
	unit->claimed = false;
	unit->generation = weft_fork_generation();
}

void weft_codegen_unit_want(struct weft_codegen_unit *unit)
{
	struct weft_deferred_codegen *codegen = unit->owner;

	if (weft_edges_closed(&unit->node.waiters))
		return;
	bool begun = weft_compiler_library_begin();
	weft_mutex_lock(&codegen->lock);
	bool lost = !weft_edges_closed(&unit->node.waiters) &&
		    unit->generation != weft_fork_generation();
	if (lost)
		begin_again(unit);
	bool posts = claim_asked(codegen, unit) || lost;
	bool first = !unit->made && !unit->wanted;
	unit->wanted = unit->wanted || first;
	bool claimed = begun && first;
	unit->claimed = unit->claimed || claimed;
	weft_mutex_unlock(&codegen->lock);
	if (begun && !claimed)
		weft_compiler_library_end();
	if (first)
		weft_background_wait(true);
	if (posts)
		post(unit, WEFT_TASK_URGENT);
	else if (first)
		weft_background_hurry(&unit->task);
}

void weft_codegen_unit_expect(struct weft_codegen_unit *unit)
{
	struct weft_deferred_codegen *codegen = unit->owner;

	weft_mutex_lock(&codegen->lock);
	bool posts = claim_asked(codegen, unit);
	weft_mutex_unlock(&codegen->lock);
	if (posts)
		post(unit, WEFT_TASK_SOON);
}

void weft_codegen_unit_sleep(struct weft_codegen_unit *unit)
{
	struct weft_waiter waiter;

	weft_waiter_init(&waiter);
	if (weft_codegen_unit_wait(unit, &waiter.edge))
		weft_waiter_sleep(&waiter, NULL);
}

/* Notes that the unit was asked for, and says in which direction the next one is looked for: as from the last one to this. */
static uint32_t note_asked(struct weft_codegen_unit *unit)
{
	struct weft_deferred_codegen *codegen = unit->owner;

	weft_mutex_lock(&codegen->lock);
	const bool backwards = codegen->num_asked > 0 && unit->number < codegen->last_asked;
	codegen->num_asked++;
	codegen->last_asked = unit->number;
	weft_mutex_unlock(&codegen->lock);
	return backwards ? codegen->archive.num_units - 1 : 1;
}

/* NULL: no more. */
static struct weft_codegen_unit *claim_next(struct weft_deferred_codegen *codegen, uint32_t from,
					    uint32_t step)
{
	struct weft_codegen_unit *next = NULL;

	weft_mutex_lock(&codegen->lock);
	const bool more =
		codegen->num_asked >= LEAST_ASKED && codegen->num_posted < 2 * codegen->num_asked;
	for (uint32_t i = 1; more && !next && i < codegen->archive.num_units; i++) {
		from = (from + step) % codegen->archive.num_units;
		if (claim_asked(codegen, &codegen->units[from]))
			next = &codegen->units[from];
	}
	weft_mutex_unlock(&codegen->lock);
	return next;
}

/* A program of which several kernels have run will run more of them, most likely its next ones. The most that is made in vain is as much
 * as was asked for. */
static void make_ahead(struct weft_codegen_unit *unit)
{
	const uint32_t step = note_asked(unit);
	struct weft_codegen_unit *next;

	while ((next = claim_next(unit->owner, unit->number, step)))
		post(next, WEFT_TASK_SOON);
}

enum weft_status weft_codegen_unit_describe(struct weft_codegen_unit *unit)
{
	if (weft_codegen_is_prepared(unit->owner))
		return WEFT_OK;
	if (!atomic_load_explicit(&unit->asked, memory_order_relaxed) &&
	    !atomic_exchange_explicit(&unit->asked, true, memory_order_relaxed)) {
		weft_codegen_unit_want(unit);
		make_ahead(unit);
	}
	if (!weft_edges_closed(&unit->node.waiters))
		weft_codegen_unit_sleep(unit);
	return unit->status;
}

bool weft_codegen_unit_wait(struct weft_codegen_unit *unit, struct weft_edge *edge)
{
	weft_codegen_unit_want(unit);
	return weft_edges_add(&unit->node.waiters, edge);
}

/* ---- what was made --------------------------------------------------------------------------- */

enum weft_status weft_codegen_unit_take(const struct weft_codegen_unit *unit,
					struct weft_launch *launch)
{
	const struct weft_codegen_place *place = find_place(unit->owner, launch->module);

	if (unit->status != WEFT_OK)
		return unit->status;
	if (!place)
		return WEFT_INTERNAL;
	const struct weft_unit_code *code = &unit->codes[place - unit->owner->places];
	const ptrdiff_t first = place->completed ? unit->first_kernel : 0;
	launch->kernel = &code->desc->kernels[launch->kernel - place->desc->kernels - first];
	launch->module = code->module;
	return WEFT_OK;
}
