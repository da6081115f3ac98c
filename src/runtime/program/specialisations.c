/* SPDX-License-Identifier: MIT
 *
 * Specialisations: places for a few local sizes per kernel, and what fills them in the background. Nothing is
 * locked: a place is claimed by its size, its time is counted, one of the launches that find it ripe asks for the
 * specialisation, and a thread publishes the code. In a forked child, kernels for which that thread was to make a
 * specialisation stay as they are.
 */
#include "program/specialisations.h"

#include "alloc.h"
#include "compiler/cache.h"
#include "compiler/compiler_library.h"
#include "compiler/program_binary.h"
#include "log.h"
#include "options.h"
#include "refcount.h"
#include "threads/background.h"
#include "trace/trace.h"

#define SIZES 4                 /* that one kernel has specialisations for */
#define RIPE UINT64_C(50000000) /* ns that a kernel has run: about what compiling one takes */

struct weft_specialisation {
	_Atomic uint64_t size; /* packed; 0: the place is free */
	_Atomic uint32_t launches;
	_Atomic uint32_t timed; /* launches when one was last timed */
	_Atomic uint64_t time;  /* ns of all launches, going by those that were timed */
	_Atomic bool asked;     /* for the code */
	_Atomic(const struct weft_specialisation_code *) made; /* NULL, or &code */
	struct weft_specialisation_code code;
	struct weft_specialisations *owner;
	const struct weft_kernel_desc *kernel; /* borrowed: its user has the program's code */
};

struct weft_specialisations {
	weft_refcount refs;
	cl_device_id device;                  /* retained */
	const struct weft_program_desc *desc; /* borrowed: its user has the program's code */
	size_t num_places;
	struct weft_specialisation places[]; /* SIZES for each kernel */
};

/* ---- places ---------------------------------------------------------------------------------- */

struct weft_specialisations *weft_specialisations_create(cl_device_id device,
							 const struct weft_program_desc *desc)
{
	size_t count = (size_t)desc->num_kernels * SIZES;
	struct weft_specialisations *specialisations = NULL;

	if (desc->object && weft_options()->specialise)
		specialisations = weft_zalloc(sizeof(*specialisations) +
					      count * sizeof(specialisations->places[0]));
	if (!specialisations)
		return NULL;
	weft_refcount_init(&specialisations->refs, 1);
	weft_object_get(&device->base);
	specialisations->device = device;
	specialisations->desc = desc;
	specialisations->num_places = count;
	for (size_t i = 0; i < count; i++) {
		specialisations->places[i].owner = specialisations;
		specialisations->places[i].kernel = &desc->kernels[i / SIZES];
	}
	return specialisations;
}

void weft_specialisations_put(struct weft_specialisations *specialisations)
{
	if (!specialisations || !weft_refcount_put(&specialisations->refs))
		return;
	struct weft_device *impl = specialisations->device->impl;
	for (size_t i = 0; i < specialisations->num_places; i++) {
		if (specialisations->places[i].code.module)
			impl->driver->program->unload(impl, specialisations->places[i].code.module);
	}
	weft_object_put(&specialisations->device->base);
	weft_free(specialisations);
}

/* One number for a size of a group; 0: too large, or the range has a group that is not whole. */
static uint64_t pack_size(const struct weft_ndrange *range)
{
	uint64_t packed = 0;

	for (int d = 2; d >= 0; d--) {
		if (range->local_size[d] > UINT16_MAX ||
		    range->global_size[d] % range->local_size[d] != 0)
			return 0;
		packed = packed << 16 | range->local_size[d];
	}
	return packed;
}

struct weft_specialisation *weft_specialisations_find(struct weft_specialisations *specialisations,
						      const struct weft_kernel_desc *kernel,
						      const struct weft_ndrange *range)
{
	if (!specialisations || !(kernel->flags & WEFT_KERNEL_GAINS_BY_SIZE))
		return NULL;
	uint64_t size = pack_size(range);
	struct weft_specialisation *place =
		&specialisations->places[(size_t)(kernel - specialisations->desc->kernels) * SIZES];
	for (int i = 0; i < SIZES && size != 0; i++, place++) {
		uint64_t found = atomic_load_explicit(&place->size, memory_order_relaxed);

		/* Another launch may claim a free place first: then `found` becomes the size for which it was claimed. */
		if (found == size ||
		    (found == 0 && (atomic_compare_exchange_strong_explicit(
					    &place->size, &found, size, memory_order_relaxed,
					    memory_order_relaxed) ||
				    found == size)))
			return place;
	}
	return NULL;
}

const struct weft_specialisation_code *
weft_specialisation_code(const struct weft_specialisation *specialisation)
{
	return atomic_load_explicit(
		&((struct weft_specialisation *)(uintptr_t)specialisation)->made,
		memory_order_acquire);
}

/* ---- making one ------------------------------------------------------------------------------ */

struct specialisation_job {
	struct weft_task task;
	struct weft_specialisations *specialisations; /* retained */
	struct weft_specialisation *specialisation;
	char *kernel;       /* owned */
	void *object;       /* owned */
	size_t object_size; /* bytes */
	uint32_t local_size[3];
};

static void destroy_job(struct specialisation_job *job)
{
	if (!job)
		return;
	weft_specialisations_put(job->specialisations);
	weft_free(job->kernel);
	weft_free(job->object);
	weft_free(job);
}

/* NULL: no memory. */
static struct specialisation_job *create_job(struct weft_specialisation *specialisation)
{
	const struct weft_program_desc *desc = specialisation->owner->desc;
	struct specialisation_job *job = weft_zalloc(sizeof(*job));

	if (!job)
		return NULL;
	weft_refcount_get(&specialisation->owner->refs);
	job->specialisations = specialisation->owner;
	job->specialisation = specialisation;
	uint64_t size = atomic_load_explicit(&specialisation->size, memory_order_relaxed);
	for (int d = 0; d < 3; d++, size >>= 16)
		job->local_size[d] = size & UINT16_MAX;
	job->kernel = weft_strdup(specialisation->kernel->name);
	job->object = weft_memdup(desc->object, desc->object_size);
	job->object_size = desc->object_size;
	if (!job->kernel || !job->object) {
		destroy_job(job);
		return NULL;
	}
	return job;
}

/* Loads what was compiled and publishes it. */
static enum weft_status load(const struct specialisation_job *job, const struct weft_output *output)
{
	struct weft_device *impl = job->specialisations->device->impl;
	struct weft_specialisation *specialisation = job->specialisation;
	struct weft_specialisation_code *code = &specialisation->code;

	enum weft_status status =
		impl->driver->program->load(impl, output->data, output->size, &code->module);
	if (status != WEFT_OK)
		return status;
	code->desc =
		weft_program_desc_find(impl->driver->program->describe(code->module), job->kernel);
	if (!code->desc)
		return WEFT_INVALID_BINARY;
	atomic_store_explicit(&specialisation->made, code, memory_order_release);
	return WEFT_OK;
}

/* By the compiler, or from the cache. */
static enum weft_status make(const struct specialisation_job *job)
{
	cl_device_id device = job->specialisations->device;
	const struct weft_target target = weft_device_target(device);
	const uint32_t *size = job->local_size;
	const struct weft_specialise_desc desc = {
		.object = {job->object, job->object_size},
		.kernel = job->kernel,
		.local_size = {size[0], size[1], size[2]},
		.target = &target,
	};
	const struct weft_cache_key key =
		weft_cache_key_specialisation(&desc, weft_device_properties(device)->cpu_key);
	struct weft_output output = {0};

	if (weft_cache_load(&key, NULL, &output)) {
		enum weft_status status = load(job, &output);

		weft_cache_release(&output);
		return status;
	}
	const struct weft_compiler *compiler = weft_compiler_library();
	if (!compiler)
		return WEFT_UNSUPPORTED;
	enum weft_status status = compiler->specialise(&desc, &output);
	if (status == WEFT_OK) {
		weft_cache_store(&key, NULL, &output);
		status = load(job, &output);
	}
	compiler->release(&output);
	return status;
}

static void make_in_library(const struct specialisation_job *job)
{
	if (!weft_compiler_library_begin())
		return;
	weft_trace_enter(job->kernel);
	enum weft_status status = make(job);
	weft_trace_leave();
	weft_log(status == WEFT_OK ? WEFT_LOG_INFO : WEFT_LOG_WARN, "runtime",
		 "a specialisation of %s for groups of %u, %u, %u: %s", job->kernel,
		 job->local_size[0], job->local_size[1], job->local_size[2],
		 status == WEFT_OK ? "made" : "failed");
	weft_compiler_library_end();
}

static void run_job(struct weft_task *task)
{
	struct specialisation_job *job = WEFT_CONTAINER_OF(task, struct specialisation_job, task);

	make_in_library(job);
	destroy_job(job);
}

/* Without memory or a thread a later launch asks again. */
static void ask(struct weft_specialisation *specialisation)
{
	struct specialisation_job *job = create_job(specialisation);

	if (job)
		job->task.run = run_job;
	if (!job || !weft_background_post(&job->task, WEFT_TASK_LEISURE)) {
		destroy_job(job);
		atomic_store_explicit(&specialisation->asked, false, memory_order_relaxed);
	}
}

/* ---- when ------------------------------------------------------------------------------------ */

bool weft_specialisation_count(struct weft_specialisation *specialisation)
{
	uint32_t count = atomic_load_explicit(&specialisation->launches, memory_order_relaxed) + 1;

	/* Two threads may count as one. */
	atomic_store_explicit(&specialisation->launches, count, memory_order_relaxed);
	return (count & (count - 1)) == 0 &&
	       !atomic_load_explicit(&specialisation->asked, memory_order_relaxed);
}

uint32_t weft_specialisation_launches(const struct weft_specialisation *specialisation)
{
	return atomic_load_explicit(
		&((struct weft_specialisation *)(uintptr_t)specialisation)->launches,
		memory_order_relaxed);
}

void weft_specialisation_ran(struct weft_specialisation *specialisation, uint64_t time)
{
	uint32_t launches = atomic_load_explicit(&specialisation->launches, memory_order_relaxed);
	uint32_t timed =
		atomic_exchange_explicit(&specialisation->timed, launches, memory_order_relaxed);
	uint64_t total = time * (launches > timed ? launches - timed : 1);

	total += atomic_fetch_add_explicit(&specialisation->time, total, memory_order_relaxed);
	if (total >= RIPE &&
	    !atomic_exchange_explicit(&specialisation->asked, true, memory_order_relaxed))
		ask(specialisation);
}
