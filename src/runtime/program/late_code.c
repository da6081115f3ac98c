/* SPDX-License-Identifier: MIT
 *
 * Late code. Invariant: a unit's list of waiters is closed once, by whoever has made its code or failed to, in the
 * process that began to; what was written before is read only by those who find it closed. A forked child begins
 * again with what its parent had not finished.
 */
#include "program/late_code.h"

#include "alloc.h"
#include "compiler/compiler_library.h"
#include "fork_generation.h"
#include "kernel_archive.h"
#include "log.h"
#include "mutex.h"
#include "node/wait.h"
#include "options.h"
#include "threads/background.h"
#include "trace/trace.h"

#include <stdio.h>
#include <string.h>

/* Programs that nobody has any more, and whose code is made for the cache all the same. */
#define MOST_LEFT 8

static _Atomic int num_left;

/* On one device. */
struct unit_code {
	struct weft_module *module; /* owned; NULL: not made */
	const struct weft_program_desc *desc;
};

struct weft_late_unit {
	struct weft_event_code base;
	struct weft_task task; /* while it is in the making it has a reference to its owner */
	struct weft_late_code *owner;
	uint32_t number;
	char name[48]; /* for the trace */
	/* Guarded by owner->lock. */
	uint32_t generation;   /* of the process that makes it */
	bool wanted;           /* somebody waits */
	bool made;             /* nobody needs to any more */
	bool claimed;          /* an exit waits for it */
	struct weft_node node; /* has ended: the following are there, and constant */
	enum weft_status status;
	void *object;            /* owned: code, not yet linked */
	size_t object_size;      /* bytes */
	struct unit_code *codes; /* owner->num_devices */
};

/* What code is made for. */
struct place {
	cl_device_id device; /* retained */
	/* What describes the kernels; borrowed, for owners alone. */
	struct weft_module *module;
	const struct weft_program_desc *desc;
};

struct weft_late_code {
	weft_refcount refs; /* of units in the making, and of all owners together */
	weft_refcount owners;
	_Atomic bool unowned;               /* there are none */
	_Atomic bool dropped;               /* and what is not begun is not made */
	bool is_left;                       /* counted in num_left */
	struct weft_program_binary *binary; /* retained: the archive */
	struct weft_archive archive;        /* its parts */
	struct weft_digest digest;          /* of the archive */
	struct weft_cache_key key;
	struct weft_mutex lock; /* WEFT_RANK_LATE_CODE */
	cl_uint num_devices;
	struct place *places;    /* owned */
	struct unit_code *codes; /* owned: of all units */
	_Atomic bool joined;     /* the last unit has seen to the whole program */
	_Atomic(struct weft_program_binary *) whole; /* retained: that program; or NULL */
	struct weft_late_unit units[];
};

/* ---- life ------------------------------------------------------------------------------------ */

static void destroy(struct weft_late_code *late)
{
	for (uint32_t i = 0; i < late->archive.num_units; i++) {
		for (cl_uint d = 0; d < late->num_devices; d++) {
			struct weft_device *impl = late->places[d].device->impl;

			if (late->units[i].codes[d].module)
				impl->driver->program->unload(impl, late->units[i].codes[d].module);
		}
		weft_free(late->units[i].object);
	}
	if (late->is_left)
		atomic_fetch_sub_explicit(&num_left, 1, memory_order_relaxed);
	for (cl_uint d = 0; d < late->num_devices; d++)
		weft_object_put(&late->places[d].device->base);
	weft_program_binary_put(atomic_load_explicit(&late->whole, memory_order_acquire));
	weft_program_binary_put(late->binary);
	weft_free(late->codes);
	weft_free(late->places);
	weft_mutex_destroy(&late->lock);
	weft_free(late);
}

static void put(struct weft_late_code *late)
{
	if (weft_refcount_put(&late->refs))
		destroy(late);
}

static bool is_sound(const struct weft_archive *archive)
{
	for (uint32_t i = 0; i < archive->num_kernels; i++) {
		if (weft_archive_unit(archive, i) >= archive->num_units)
			return false;
	}
	return archive->num_units <= archive->num_kernels;
}

static bool wait_for_code(struct weft_event_code *code, struct weft_edge *edge)
{
	return weft_late_unit_wait(WEFT_CONTAINER_OF(code, struct weft_late_unit, base), edge);
}

static enum weft_status take_code(const struct weft_event_code *code, struct weft_launch *launch)
{
	return weft_late_unit_take(WEFT_CONTAINER_OF(code, struct weft_late_unit, base), launch);
}

struct weft_event_code *weft_late_unit_code(struct weft_late_unit *unit)
{
	return &unit->base;
}

static void init_units(struct weft_late_code *late, cl_uint max_devices)
{
	for (uint32_t i = 0; i < late->archive.num_units; i++) {
		struct weft_late_unit *unit = &late->units[i];

		unit->base = (struct weft_event_code){.wait = wait_for_code, .take = take_code};
		unit->owner = late;
		unit->number = i;
		weft_node_init(&unit->node, NULL, 1);
		unit->codes = late->codes ? &late->codes[(size_t)i * max_devices] : NULL;
	}
}

enum weft_status weft_late_code_create(const struct weft_late_desc *desc,
				       struct weft_late_code **late_ret)
{
	struct weft_archive archive;

	if (!weft_archive_open(desc->archive->bytes, desc->archive->size, &archive) ||
	    !is_sound(&archive))
		return WEFT_INVALID_BINARY;
	struct weft_late_code *late =
		weft_zalloc(sizeof(*late) + archive.num_units * sizeof(late->units[0]));
	if (!late)
		return WEFT_OUT_OF_MEMORY;
	weft_refcount_init(&late->refs, 1);
	weft_refcount_init(&late->owners, 1);
	weft_mutex_init(&late->lock, WEFT_RANK_LATE_CODE);
	late->binary = weft_program_binary_get(desc->archive);
	late->archive = archive;
	late->digest = weft_digest_bytes(desc->archive->bytes, desc->archive->size);
	late->key = *desc->key;
	late->places = weft_calloc(desc->max_devices, sizeof(*late->places));
	late->codes =
		weft_calloc((size_t)archive.num_units * desc->max_devices, sizeof(*late->codes));
	init_units(late, desc->max_devices);
	if (!late->places || !late->codes) {
		put(late);
		return WEFT_OUT_OF_MEMORY;
	}
	*late_ret = late;
	return WEFT_OK;
}

struct weft_late_code *weft_late_code_get(struct weft_late_code *late)
{
	weft_refcount_get(&late->owners);
	return late;
}

void weft_late_code_put(struct weft_late_code *late)
{
	if (!late || !weft_refcount_put(&late->owners))
		return;
	late->is_left = weft_options()->cache &&
			atomic_fetch_add_explicit(&num_left, 1, memory_order_relaxed) < MOST_LEFT;
	if (weft_options()->cache && !late->is_left)
		atomic_fetch_sub_explicit(&num_left, 1, memory_order_relaxed);
	atomic_store_explicit(&late->dropped, !late->is_left, memory_order_relaxed);
	atomic_store_explicit(&late->unowned, true, memory_order_relaxed);
	put(late);
}

/* By the first of its kernels. */
static void name_units(struct weft_late_code *late, const struct weft_program_desc *desc)
{
	for (uint32_t i = 0; i < desc->num_kernels; i++) {
		struct weft_late_unit *unit = weft_late_code_unit(late, i);

		if (!unit->name[0])
			snprintf(unit->name, sizeof(unit->name), "code of %s",
				 desc->kernels[i].name);
	}
}

enum weft_status weft_late_code_add(struct weft_late_code *late, cl_device_id device,
				    struct weft_module *module)
{
	const struct weft_program_desc *desc = device->impl->driver->program->describe(module);

	if (desc->num_kernels != late->archive.num_kernels)
		return WEFT_INVALID_BINARY;
	weft_object_get(&device->base);
	late->places[late->num_devices++] = (struct place){device, module, desc};
	name_units(late, desc);
	return WEFT_OK;
}

struct weft_late_unit *weft_late_code_unit(struct weft_late_code *late, uint32_t kernel)
{
	return &late->units[weft_archive_unit(&late->archive, kernel)];
}

/* ---- making a unit --------------------------------------------------------------------------- */

static struct weft_cache_key unit_key(const struct weft_late_unit *unit,
				      const struct weft_target *target)
{
	const struct weft_late_code *late = unit->owner;

	return weft_cache_key_unit(target, &late->digest, unit->number,
				   weft_device_properties(late->places[0].device)->cpu_key);
}

static enum weft_status keep_object(struct weft_late_unit *unit, const struct weft_output *output)
{
	unit->object = weft_memdup(output->data, output->size);
	unit->object_size = output->size;
	return unit->object ? WEFT_OK : WEFT_OUT_OF_MEMORY;
}

/* By the compiler, or from the cache, where another process may have left it that ended before the whole was made. */
static enum weft_status generate(struct weft_late_unit *unit, const struct weft_compiler *compiler)
{
	const struct weft_program_binary *binary = unit->owner->binary;
	const struct weft_target target = weft_device_target(unit->owner->places[0].device);
	const struct weft_generate_desc desc = {
		.archive = {binary->bytes, binary->size},
		.unit = unit->number,
		.target = &target,
	};
	const struct weft_cache_key key = unit_key(unit, &target);
	struct weft_output output = {0};

	if (weft_cache_load(&key, NULL, &output)) {
		enum weft_status status = keep_object(unit, &output);
		weft_cache_release(&output);
		return status;
	}
	enum weft_status status = compiler->generate(&desc, &output);
	if (status == WEFT_OK)
		status = keep_object(unit, &output);
	if (status == WEFT_OK && unit->owner->archive.num_units > 1)
		weft_cache_store(&key, NULL, &output);
	if (status != WEFT_OK)
		weft_log(WEFT_LOG_ERROR, "compiler", "no code for a kernel: %s",
			 output.log ? output.log : "");
	compiler->release(&output);
	return status;
}

static enum weft_status load(struct weft_late_unit *unit, const struct weft_output *binary)
{
	struct weft_late_code *late = unit->owner;
	enum weft_status status = WEFT_OK;

	for (cl_uint d = 0; d < late->num_devices && status == WEFT_OK; d++) {
		struct weft_device *impl = late->places[d].device->impl;
		struct unit_code *code = &unit->codes[d];

		status = impl->driver->program->load(impl, binary->data, binary->size,
						     &code->module);
		if (status != WEFT_OK)
			break;
		code->desc = impl->driver->program->describe(code->module);
		if (code->desc->num_kernels != late->archive.num_kernels)
			status = WEFT_INVALID_BINARY;
	}
	return status;
}

/* The archive with the code of `count` units from `first` on. */
static enum weft_status join(const struct weft_late_code *late, uint32_t first, uint32_t count,
			     const struct weft_compiler *compiler, struct weft_output *output)
{
	struct weft_bytes *units = weft_calloc(count, sizeof(*units));
	const struct weft_join_desc desc = {
		.archive = {late->binary->bytes, late->binary->size},
		.units = units,
		.num_units = count,
	};

	if (!units)
		return WEFT_OUT_OF_MEMORY;
	for (uint32_t i = 0; i < count; i++)
		units[i] = (struct weft_bytes){late->units[first + i].object,
					       late->units[first + i].object_size};
	enum weft_status status = compiler->join(&desc, output);
	weft_free(units);
	return status;
}

/* Keeps the whole program, in the process and on disk, where units by themselves are not needed any more. */
static enum weft_status keep_whole(struct weft_late_code *late, const struct weft_output *output)
{
	const struct weft_target target = weft_device_target(late->places[0].device);
	const struct weft_bytes archive = {late->binary->bytes, late->binary->size};
	const struct weft_program_binary_desc desc = {
		.type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
		.options = late->binary->options,
		.bytes = output->data,
		.size = output->size,
	};
	struct weft_program_binary *whole = weft_program_binary_create(&desc);
	struct weft_program_binary *none = NULL;

	if (!whole)
		return WEFT_OUT_OF_MEMORY;
	weft_cache_complete(&late->key, &archive, output);
	for (uint32_t i = 0; i < late->archive.num_units && late->archive.num_units > 1; i++) {
		const struct weft_cache_key key = unit_key(&late->units[i], &target);
		weft_cache_drop(&key);
	}
	if (!atomic_compare_exchange_strong_explicit(&late->whole, &none, whole,
						     memory_order_acq_rel, memory_order_acquire))
		weft_program_binary_put(whole);
	return WEFT_OK;
}

static enum weft_status make_whole(struct weft_late_code *late,
				   const struct weft_compiler *compiler)
{
	struct weft_output output = {0};

	enum weft_status status = join(late, 0, late->archive.num_units, compiler, &output);
	if (status == WEFT_OK)
		status = keep_whole(late, &output);
	compiler->release(&output);
	return status;
}

/* A program of one unit is whole with it. What nobody has is not loaded. */
static enum weft_status make_code(struct weft_late_unit *unit, const struct weft_compiler *compiler)
{
	struct weft_late_code *late = unit->owner;
	struct weft_output output = {0};

	bool unowned = atomic_load_explicit(&late->unowned, memory_order_relaxed);

	enum weft_status status = generate(unit, compiler);
	if (status != WEFT_OK || (unowned && late->archive.num_units > 1))
		return status;
	status = join(late, unit->number, 1, compiler, &output);
	if (status == WEFT_OK && !unowned)
		status = load(unit, &output);
	if (status == WEFT_OK && late->archive.num_units == 1)
		status = keep_whole(late, &output);
	compiler->release(&output);
	return status;
}

static enum weft_status make(struct weft_late_unit *unit)
{
	struct weft_late_code *late = unit->owner;
	enum weft_status status = WEFT_UNSUPPORTED;

	if (atomic_load_explicit(&late->dropped, memory_order_relaxed))
		return status;
	bool begun = weft_compiler_library_begin();
	weft_mutex_lock(&late->lock);
	bool claimed = unit->claimed;
	weft_mutex_unlock(&late->lock);
	const struct weft_compiler *compiler = begun || claimed ? weft_compiler_library() : NULL;
	if (compiler) { /* an exit waits until this has left */
		weft_trace_enter(unit->name);
		status = make_code(unit, compiler);
		weft_trace_leave();
	}
	if (begun)
		weft_compiler_library_end();
	return status;
}

/* WEFT_OK: all units have code. WEFT_NOT_FOUND: not yet. */
static enum weft_status state_of(const struct weft_late_code *late)
{
	for (uint32_t i = 0; i < late->archive.num_units; i++) {
		const struct weft_late_unit *unit = &late->units[i];

		if (!weft_edges_closed(&unit->node.waiters))
			return WEFT_NOT_FOUND;
		if (unit->status != WEFT_OK)
			return unit->status;
	}
	return WEFT_OK;
}

static enum weft_status complete(struct weft_late_code *late)
{
	const struct weft_compiler *compiler;

	if (atomic_load_explicit(&late->whole, memory_order_acquire))
		return WEFT_OK;
	if (!weft_compiler_library_begin())
		return WEFT_UNSUPPORTED;
	compiler = weft_compiler_library();
	enum weft_status status = compiler ? make_whole(late, compiler) : WEFT_UNSUPPORTED;
	weft_compiler_library_end();
	return status;
}

static void end_wait(struct weft_late_unit *unit)
{
	struct weft_late_code *late = unit->owner;

	weft_mutex_lock(&late->lock);
	bool wanted = unit->wanted;
	bool claimed = unit->claimed;
	unit->made = true;
	unit->claimed = false;
	weft_mutex_unlock(&late->lock);
	if (wanted)
		weft_background_wait(false);
	if (claimed)
		weft_compiler_library_end();
}

static void run_unit(struct weft_task *task)
{
	struct weft_late_unit *unit = WEFT_CONTAINER_OF(task, struct weft_late_unit, task);
	struct weft_late_code *late = unit->owner;

	unit->status = make(unit);
	end_wait(unit);
	weft_node_end(&unit->node);
	if (state_of(late) == WEFT_OK &&
	    !atomic_exchange_explicit(&late->joined, true, memory_order_relaxed) &&
	    complete(late) != WEFT_OK)
		weft_log(WEFT_LOG_WARN, "runtime", "a program's code could not be kept");
	if (weft_options()->cache)
		weft_compiler_library_expect(false);
	put(late);
}

/* ---- when ------------------------------------------------------------------------------------ */

static void post(struct weft_late_unit *unit, enum weft_task_kind kind)
{
	unit->task.run = run_unit;
	if (weft_options()->cache)
		weft_compiler_library_expect(true);
	if (!weft_background_post(&unit->task, kind))
		run_unit(&unit->task);
}

void weft_late_code_start(struct weft_late_code *late)
{
	for (uint32_t i = 0; i < late->archive.num_units; i++)
		late->units[i].generation = weft_fork_generation();
	for (uint32_t i = 0; i < late->archive.num_units; i++) {
		weft_refcount_get(&late->refs);
		post(&late->units[i], WEFT_TASK_SOON);
	}
}

/* In the child of a fork: what waits for it is the parent's, and so is the thread that makes it. */
static void begin_again(struct weft_late_unit *unit)
{
	atomic_store_explicit(&unit->node.waiters.head, NULL, memory_order_relaxed);
	unit->object = NULL;
	memset(unit->codes, 0, unit->owner->num_devices * sizeof(*unit->codes));
	unit->wanted = false;
	unit->made = false;
	unit->claimed = false;
	unit->generation = weft_fork_generation();
}

void weft_late_unit_want(struct weft_late_unit *unit)
{
	struct weft_late_code *late = unit->owner;

	if (weft_edges_closed(&unit->node.waiters))
		return;
	bool begun = weft_compiler_library_begin();
	weft_mutex_lock(&late->lock);
	bool lost = !weft_edges_closed(&unit->node.waiters) &&
		    unit->generation != weft_fork_generation();
	if (lost)
		begin_again(unit);
	bool first = !unit->made && !unit->wanted;
	unit->wanted = unit->wanted || first;
	bool claimed = begun && first;
	unit->claimed = unit->claimed || claimed;
	weft_mutex_unlock(&late->lock);
	if (begun && !claimed)
		weft_compiler_library_end();
	if (first)
		weft_background_wait(true);
	if (lost)
		post(unit, WEFT_TASK_URGENT);
	else if (first)
		weft_background_hurry(&unit->task);
}

bool weft_late_unit_wait(struct weft_late_unit *unit, struct weft_edge *edge)
{
	weft_late_unit_want(unit);
	return weft_edges_add(&unit->node.waiters, edge);
}

/* ---- what was made --------------------------------------------------------------------------- */

enum weft_status weft_late_unit_take(const struct weft_late_unit *unit, struct weft_launch *launch)
{
	const struct weft_late_code *late = unit->owner;
	cl_uint d = 0;

	if (unit->status != WEFT_OK)
		return unit->status;
	while (d < late->num_devices && late->places[d].module != launch->module)
		d++;
	if (d == late->num_devices)
		return WEFT_INTERNAL;
	const struct unit_code *code = &unit->codes[d];
	launch->kernel = &code->desc->kernels[launch->kernel - late->places[d].desc->kernels];
	launch->module = code->module;
	return WEFT_OK;
}

enum weft_status weft_late_code_binary(struct weft_late_code *late,
				       struct weft_program_binary **binary)
{
	for (uint32_t i = 0; i < late->archive.num_units; i++)
		weft_late_unit_want(&late->units[i]);
	for (uint32_t i = 0; i < late->archive.num_units; i++) {
		struct weft_waiter waiter;

		weft_waiter_init(&waiter);
		if (weft_late_unit_wait(&late->units[i], &waiter.edge))
			weft_waiter_sleep(&waiter, NULL);
	}
	enum weft_status status = state_of(late);
	if (status == WEFT_OK)
		status = complete(late);
	if (status == WEFT_OK)
		*binary = weft_program_binary_get(
			atomic_load_explicit(&late->whole, memory_order_acquire));
	return status;
}
