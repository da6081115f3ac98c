/* SPDX-License-Identifier: MIT
 *
 * Specialisations: places for a few of them per kernel, and what fills them in the background. Nothing is locked: a
 * place is claimed by the hash of what it is for, its time is counted, one of the launches that find it ripe asks for
 * the specialisation, and a thread publishes the code. In a forked child, kernels for which that thread was to make a
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

#include <string.h>

#define SIZES 4    /* places of a kernel that gains by local sizes alone */
#define FORMATS 16 /* places of a kernel that gains by formats of images and samplers */
/* Of those, what local sizes leave to keys for any size: formats gain more, and images of many sizes have many local sizes. */
#define ANY_SIZE 8
/* The words of a specialisation's key: the local size, packed, or 0 for any size; then weft_specialise_desc.image_constants. A kernel with more
 * images and samplers has no specialisations. */
#define WORDS_MAX 33
/* ns that a kernel has run before its specialisation is made: for a local size, about what compiling takes. Without code for its
 * formats a kernel takes several times as long. */
#define RIPE_SIZE UINT64_C(50000000)
#define RIPE_IMAGES UINT64_C(10000000)
/* Work-items of a launch that without code for its formats takes that long, so its specialisation is made at once. */
#define LARGE 1e6

struct weft_specialisation {
	_Atomic uint64_t hash; /* of the key; 0: the place is free */
	_Atomic bool has_key;  /* `words` are there */
	_Atomic bool asked;    /* for the code */
	_Atomic uint32_t launches;
	_Atomic uint32_t timed; /* launches when one was last timed */
	_Atomic uint64_t time;  /* ns of all launches, going by those that were timed */
	_Atomic(const struct weft_specialisation_code *) made; /* NULL, or &code */
	struct weft_specialisation_code code;
	struct kernel_places *places;
	uint64_t *words; /* the key, places->num_words; constant once has_key is set */
};

struct kernel_places {
	struct weft_specialisations *owner;
	const struct weft_kernel_desc *kernel; /* borrowed: its user has the program's code */
	struct weft_specialisation *first;
	/* ns of launches after which a specialisation is compiled, when the code may be gone. */
	uint64_t ripe;
	uint32_t count; /* 0: the kernel has none */
	uint32_t num_words;
};

struct weft_specialisations {
	weft_refcount refs;
	cl_device_id device;                  /* retained */
	const struct weft_program_desc *desc; /* borrowed: its user has the program's code */
	size_t num_places;
	struct weft_specialisation *places; /* owned, for all kernels one after the other */
	uint64_t *words;                    /* owned, of all places */
	struct kernel_places kernels[];     /* desc->num_kernels */
};

/* ---- places ---------------------------------------------------------------------------------- */

static bool is_image_constant(const struct weft_arg_desc *arg)
{
	return arg->kind == WEFT_ARG_IMAGE || arg->kind == WEFT_ARG_SAMPLER;
}

static void plan_places(struct kernel_places *places, const struct weft_kernel_desc *kernel)
{
	uint32_t constants = 0;

	places->kernel = kernel;
	places->ripe = kernel->flags & WEFT_KERNEL_GAINS_BY_IMAGES ? RIPE_IMAGES : RIPE_SIZE;
	if (kernel->flags & WEFT_KERNEL_GAINS_BY_SIZE)
		places->count = SIZES;
	if (kernel->flags & WEFT_KERNEL_GAINS_BY_IMAGES) {
		for (uint32_t i = 0; i < kernel->num_args; i++)
			constants += is_image_constant(&kernel->args[i]);
		places->count = constants < WORDS_MAX ? FORMATS : 0;
	}
	places->num_words = 1 + constants;
}

/* False: no memory. */
static bool make_places(struct weft_specialisations *specialisations)
{
	const struct weft_program_desc *desc = specialisations->desc;
	size_t num_words = 0;

	for (uint32_t i = 0; i < desc->num_kernels; i++) {
		struct kernel_places *places = &specialisations->kernels[i];

		places->owner = specialisations;
		plan_places(places, &desc->kernels[i]);
		specialisations->num_places += places->count;
		num_words += (size_t)places->count * places->num_words;
	}
	specialisations->places =
		weft_calloc(specialisations->num_places, sizeof(struct weft_specialisation));
	specialisations->words = weft_calloc(num_words, sizeof(uint64_t));
	if (!specialisations->places || !specialisations->words)
		return false;
	struct weft_specialisation *place = specialisations->places;
	uint64_t *words = specialisations->words;
	for (uint32_t i = 0; i < desc->num_kernels; i++) {
		struct kernel_places *places = &specialisations->kernels[i];

		places->first = place;
		for (uint32_t k = 0; k < places->count; k++, place++) {
			place->places = places;
			place->words = words;
			words += places->num_words;
		}
	}
	return true;
}

struct weft_specialisations *weft_specialisations_create(cl_device_id device,
							 const struct weft_program_desc *desc)
{
	struct weft_specialisations *specialisations = NULL;

	if (desc->object && weft_options()->specialise)
		specialisations =
			weft_zalloc(sizeof(*specialisations) +
				    desc->num_kernels * sizeof(specialisations->kernels[0]));
	if (!specialisations)
		return NULL;
	weft_refcount_init(&specialisations->refs, 1);
	weft_object_get(&device->base);
	specialisations->device = device;
	specialisations->desc = desc;
	if (!make_places(specialisations)) {
		weft_specialisations_put(specialisations);
		return NULL;
	}
	return specialisations;
}

void weft_specialisations_put(struct weft_specialisations *specialisations)
{
	if (!specialisations || !weft_refcount_put(&specialisations->refs))
		return;
	struct weft_device *impl = specialisations->device->impl;
	for (size_t i = 0; specialisations->places && i < specialisations->num_places; i++) {
		if (specialisations->places[i].code.module)
			impl->driver->program->unload(impl, specialisations->places[i].code.module);
	}
	weft_object_put(&specialisations->device->base);
	weft_free(specialisations->places);
	weft_free(specialisations->words);
	weft_free(specialisations);
}

/* ---- making one ------------------------------------------------------------------------------ */

struct specialisation_job {
	struct weft_task task;
	struct weft_specialisations *specialisations; /* retained */
	struct weft_specialisation *specialisation;
	char *kernel;       /* owned */
	void *object;       /* owned */
	size_t object_size; /* bytes */
	bool compiles;      /* else it only looks into the cache */
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
	struct weft_specialisations *owner = specialisation->places->owner;
	const struct weft_program_desc *desc = owner->desc;
	struct specialisation_job *job = weft_zalloc(sizeof(*job));

	if (!job)
		return NULL;
	weft_refcount_get(&owner->refs);
	job->specialisations = owner;
	job->specialisation = specialisation;
	job->kernel = weft_strdup(specialisation->places->kernel->name);
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

static struct weft_specialise_desc describe(const struct specialisation_job *job,
					    const struct weft_target *target)
{
	const struct weft_specialisation *specialisation = job->specialisation;
	const uint64_t *words = specialisation->words;

	return (struct weft_specialise_desc){
		.object = {job->object, job->object_size},
		.kernel = job->kernel,
		.local_size = {words[0] & UINT16_MAX, words[0] >> 16 & UINT16_MAX,
			       words[0] >> 32 & UINT16_MAX},
		.image_constants = words + 1,
		.num_image_constants = specialisation->places->num_words - 1,
		.target = target,
	};
}

static bool is_ripe(const struct weft_specialisation *specialisation)
{
	return atomic_load_explicit(&specialisation->time, memory_order_relaxed) >=
	       specialisation->places->ripe;
}

/* Whether the caller is the one who asks. */
static bool begin_to_ask(struct weft_specialisation *specialisation)
{
	return !atomic_exchange_explicit(&specialisation->asked, true, memory_order_relaxed);
}

static enum weft_status compile(const struct specialisation_job *job,
				const struct weft_specialise_desc *desc,
				const struct weft_cache_key *key)
{
	const struct weft_compiler *compiler = weft_compiler_library();
	struct weft_output output = {0};

	if (!compiler)
		return WEFT_UNSUPPORTED;
	weft_trace_enter(job->kernel);
	enum weft_status status = compiler->specialise(desc, &output);
	if (status == WEFT_OK) {
		weft_cache_store(key, NULL, &output);
		status = load(job, &output);
	}
	weft_trace_leave();
	compiler->release(&output);
	return status;
}

/* From the cache, or by the compiler. False: a later launch may ask for what is not in the cache. */
static bool make(struct specialisation_job *job, enum weft_status *status)
{
	cl_device_id device = job->specialisations->device;
	const struct weft_target target = weft_device_target(device);
	const struct weft_specialise_desc desc = describe(job, &target);
	const struct weft_cache_key key =
		weft_cache_key_specialisation(&desc, weft_device_properties(device)->cpu_key);
	struct weft_output output = {0};

	if (weft_cache_load(&key, NULL, &output)) {
		*status = load(job, &output);
		weft_cache_release(&output);
		return true;
	}
	if (!job->compiles) {
		atomic_store_explicit(&job->specialisation->asked, false, memory_order_relaxed);
		if (!is_ripe(job->specialisation) || !begin_to_ask(job->specialisation))
			return false;
	}
	*status = compile(job, &desc, &key);
	return true;
}

static void log_made(const struct specialisation_job *job, enum weft_status status)
{
	const struct weft_specialise_desc desc = describe(job, NULL);

	weft_log(status == WEFT_OK ? WEFT_LOG_INFO : WEFT_LOG_WARN, "runtime",
		 "a specialisation of %s for groups of %u, %u, %u and %u formats: %s", job->kernel,
		 desc.local_size[0], desc.local_size[1], desc.local_size[2],
		 desc.num_image_constants, status == WEFT_OK ? "made" : "failed");
}

static void run_job(struct weft_task *task)
{
	struct specialisation_job *job = WEFT_CONTAINER_OF(task, struct specialisation_job, task);
	enum weft_status status = WEFT_OK;

	if (weft_compiler_library_begin()) {
		if (make(job, &status))
			log_made(job, status);
		weft_compiler_library_end();
	}
	destroy_job(job);
}

/* Without memory or a thread a later launch asks again. */
static void ask(struct weft_specialisation *specialisation, bool compiles)
{
	struct specialisation_job *job = create_job(specialisation);

	if (job) {
		job->task.run = run_job;
		job->compiles = compiles;
	}
	if (!job || !weft_background_post(&job->task, WEFT_TASK_LEISURE)) {
		destroy_job(job);
		atomic_store_explicit(&specialisation->asked, false, memory_order_relaxed);
	}
}

/* ---- the look-up ------------------------------------------------------------------------------ */

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

/* Returns how many words there are. A format is in the structure, a sampler is the argument itself. */
static uint32_t read_image_constants(const struct weft_kernel_desc *kernel,
				     const unsigned char *args, uint64_t *words)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < kernel->num_args; i++) {
		const struct weft_arg_desc *arg = &kernel->args[i];
		const unsigned char *place = args + arg->offset;
		uint32_t format;

		if (arg->kind == WEFT_ARG_IMAGE) {
			memcpy(&format, place + offsetof(struct weft_image, format),
			       sizeof(format));
			words[count++] = format;
		} else if (arg->kind == WEFT_ARG_SAMPLER) {
			memcpy(&words[count++], place, sizeof(uint64_t));
		}
	}
	return count;
}

/* Not 0. A single word is its own hash. */
static uint64_t hash_of(const uint64_t *words, uint32_t count)
{
	uint64_t hash = words[0];

	for (uint32_t i = 1; i < count; i++) {
		hash = (hash ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	return hash ? hash : 1;
}

/* Whether the place is the key's, perhaps from now on. Until the launch that claims a place has written the key, the place is
 * no launch's. */
static bool is_place_of(struct weft_specialisation *place, uint64_t hash, const uint64_t *words,
			bool *claimed)
{
	const size_t size = place->places->num_words * sizeof(*words);
	uint64_t found = atomic_load_explicit(&place->hash, memory_order_relaxed);

	if (found == 0 &&
	    atomic_compare_exchange_strong_explicit(&place->hash, &found, hash,
						    memory_order_relaxed, memory_order_relaxed)) {
		memcpy(place->words, words, size);
		atomic_store_explicit(&place->has_key, true, memory_order_release);
		*claimed = true;
		return true;
	}
	return found == hash && atomic_load_explicit(&place->has_key, memory_order_acquire) &&
	       memcmp(place->words, words, size) == 0;
}

static bool is_large(const struct weft_ndrange *range)
{
	const uint64_t *size = range->global_size;

	return (double)size[0] * (double)size[1] * (double)size[2] >= LARGE;
}

/* The first launch looks into the cache, and a large one does not wait for the code to be ripe, whichever launch it is. */
static void ask_early(struct weft_specialisation *place, bool first, bool large)
{
	const bool asked = atomic_load_explicit(&place->asked, memory_order_relaxed);

	if ((first || large) && !asked && begin_to_ask(place))
		ask(place, large);
}

/* The place of a key, perhaps from now on; NULL: others have all that it may have. */
static struct weft_specialisation *find_place(const struct kernel_places *places,
					      const uint64_t *words, bool *claimed)
{
	const uint64_t hash = hash_of(words, places->num_words);
	const bool any_size_left = places->count == FORMATS && words[0] != 0;
	const uint32_t count = any_size_left ? FORMATS - ANY_SIZE : places->count;

	for (uint32_t i = 0; i < count; i++) {
		if (is_place_of(&places->first[i], hash, words, claimed))
			return &places->first[i];
	}
	return NULL;
}

struct weft_specialisation *weft_specialisations_find(struct weft_specialisations *specialisations,
						      const struct weft_kernel_desc *kernel,
						      const struct weft_ndrange *range,
						      const void *args)
{
	const bool by_size = kernel->flags & WEFT_KERNEL_GAINS_BY_SIZE;
	const bool by_images = kernel->flags & WEFT_KERNEL_GAINS_BY_IMAGES;
	uint64_t words[WORDS_MAX];
	bool claimed = false;

	if (!specialisations || !(by_size || by_images))
		return NULL;
	const struct kernel_places *places =
		&specialisations->kernels[kernel - specialisations->desc->kernels];
	if (places->count == 0)
		return NULL;
	words[0] = by_size ? pack_size(range) : 0;
	if (by_images)
		read_image_constants(kernel, args, words + 1);
	else if (words[0] == 0)
		return NULL;
	struct weft_specialisation *place = find_place(places, words, &claimed);
	if (!place && by_images && words[0] != 0) {
		words[0] = 0;
		place = find_place(places, words, &claimed);
	}
	if (place && by_images)
		ask_early(place, claimed, is_large(range));
	return place;
}

const struct weft_specialisation_code *
weft_specialisation_code(const struct weft_specialisation *specialisation)
{
	return atomic_load_explicit(
		&((struct weft_specialisation *)(uintptr_t)specialisation)->made,
		memory_order_acquire);
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

	atomic_fetch_add_explicit(&specialisation->time, total, memory_order_relaxed);
	if (is_ripe(specialisation) && begin_to_ask(specialisation))
		ask(specialisation, true);
}
