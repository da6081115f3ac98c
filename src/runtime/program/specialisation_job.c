/* SPDX-License-Identifier: MIT
 *
 * Jobs of specialisations. A job has copies of what belongs to the program, because the program may end while the job runs.
 * A forked child has no thread for its parent's jobs: the kernels of those jobs keep the code that they have.
 */
#include "program/specialisation_job.h"

#include "alloc.h"
#include "clock.h"
#include "compiler/cache.h"
#include "compiler/compiler_library.h"
#include "compiler/program_binary.h"
#include "log.h"
#include "threads/background.h"
#include "trace/trace.h"

#include <stdio.h>

struct specialisation_job {
	struct weft_task task;
	struct weft_specialisation *specialisation; /* retained */
	cl_device_id device;                        /* borrowed from it */
	char *kernel;                               /* owned */
	void *object;                               /* owned */
	size_t object_size;                         /* bytes */
	char title[64];                             /* for the trace and the log */
	uint32_t lanes;                             /* of the kernel */
	uint64_t ran;                               /* ns that launches took before */
};

/* The kernel's full code: for nothing that launches differ in. */
static bool is_general(const struct weft_specialisation *specialisation)
{
	return !specialisation->words[0] && specialisation->num_words == 1;
}

static void destroy_job(struct specialisation_job *job)
{
	if (!job)
		return;
	weft_object_put(&job->specialisation->base);
	weft_free(job->kernel);
	weft_free(job->object);
	weft_free(job);
}

/* NULL: no memory. */
static struct specialisation_job *create_job(struct weft_specialisation *specialisation)
{
	const struct weft_kernel_specialisations *of = specialisation->of;
	const struct weft_program_desc *desc = of->owner->desc;
	struct specialisation_job *job = weft_zalloc(sizeof(*job));

	if (!job)
		return NULL;
	weft_object_get(&specialisation->base);
	job->specialisation = specialisation;
	job->device = of->owner->device;
	job->kernel = weft_strdup(of->kernel->name);
	job->object = weft_memdup(desc->object, desc->object_size);
	job->object_size = desc->object_size;
	job->lanes = of->kernel->vector_width;
	job->ran = atomic_load_explicit(&specialisation->time, memory_order_relaxed);
	snprintf(job->title, sizeof(job->title), "%s of %s",
		 is_general(specialisation) ? "full code" : "specialisation", of->kernel->name);
	if (!job->kernel || !job->object) {
		destroy_job(job);
		return NULL;
	}
	return job;
}

static void set_state(struct weft_specialisation *specialisation,
		      enum weft_specialisation_state state)
{
	atomic_store_explicit(&specialisation->state, (uint32_t)state, memory_order_relaxed);
}

static struct weft_specialise_desc describe(const struct specialisation_job *job,
					    const struct weft_target *target)
{
	const struct weft_specialisation *specialisation = job->specialisation;
	struct weft_specialise_desc desc = {
		.object = {job->object, job->object_size},
		.kernel = job->kernel,
		.target = target,
	};

	weft_specialisation_words_describe(specialisation->words, specialisation->num_words, &desc);
	return desc;
}

/* Sub-groups of full code are those that the application was told of, where work-items see them. */
static bool has_lanes(const struct specialisation_job *job)
{
	const struct weft_kernel_desc *desc = job->specialisation->code.desc;

	return !is_general(job->specialisation) || desc->vector_width == job->lanes ||
	       !(desc->flags & WEFT_KERNEL_HAS_SUBGROUPS);
}

/* Loads what was compiled and publishes it. */
static enum weft_status load(const struct specialisation_job *job, const struct weft_output *output)
{
	struct weft_device *impl = job->device->impl;
	struct weft_specialisation *specialisation = job->specialisation;
	struct weft_specialisation_code *code = &specialisation->code;

	enum weft_status status =
		impl->driver->program->load(impl, output->data, output->size, &code->module);
	if (status != WEFT_OK)
		return status;
	code->desc =
		weft_program_desc_find(impl->driver->program->describe(code->module), job->kernel);
	if (!code->desc || !has_lanes(job))
		return WEFT_INVALID_BINARY;
	if (is_general(specialisation))
		atomic_store_explicit(&specialisation->of->has_full, true, memory_order_relaxed);
	atomic_store_explicit(&specialisation->replacement.kernel, code->desc,
			      memory_order_release);
	return WEFT_OK;
}

static enum weft_status compile(const struct specialisation_job *job,
				const struct weft_specialise_desc *desc,
				const struct weft_cache_key *key)
{
	const struct weft_compiler *compiler = weft_compiler_library();
	struct weft_output output = {0};

	if (!compiler)
		return WEFT_UNSUPPORTED;
	weft_trace_enter(job->title);
	enum weft_status status = compiler->specialise(desc, &output);
	if (status == WEFT_OK) {
		weft_cache_store(key, NULL, &output);
		status = load(job, &output);
	}
	weft_trace_leave();
	compiler->release(&output);
	return status;
}

/* False: it is not in the cache, and a launch that was long enough by now, or a later one, is what has it compiled. */
static bool is_to_be_compiled(struct weft_specialisation *specialisation)
{
	if (weft_specialisation_state(specialisation) == WEFT_SPECIALISATION_COMPILED)
		return true;
	if (weft_specialisation_is_ripe(specialisation)) {
		set_state(specialisation, WEFT_SPECIALISATION_COMPILED);
		return true;
	}
	set_state(specialisation, WEFT_SPECIALISATION_IDLE);
	return false;
}

/* From the cache, or by the compiler. False: it has no code yet. */
static bool make(struct specialisation_job *job, enum weft_status *status, const char **source)
{
	const struct weft_target target = weft_device_target(job->device);
	const struct weft_specialise_desc desc = describe(job, &target);
	const struct weft_cache_key key =
		weft_cache_key_specialisation(&desc, weft_device_properties(job->device)->cpu_key);
	struct weft_output output = {0};

	*source = "from the cache";
	if (weft_cache_load(&key, NULL, &output)) {
		*status = load(job, &output);
		weft_cache_release(&output);
		return true;
	}
	if (!is_to_be_compiled(job->specialisation))
		return false;
	*source = "compiled";
	*status = compile(job, &desc, &key);
	return true;
}

/* What was made, why and at what cost. */
static void log_made(const struct specialisation_job *job, enum weft_status status,
		     const char *source, uint64_t time)
{
	const struct weft_specialise_desc desc = describe(job, NULL);

	weft_log(status == WEFT_OK ? WEFT_LOG_INFO : WEFT_LOG_WARN, "compiler",
		 "%s for groups of %u, %u, %u and %u formats: %s in %.1f ms after %.1f ms of "
		 "launches%s",
		 job->title, desc.local_size[0], desc.local_size[1], desc.local_size[2],
		 desc.num_image_constants, source, (double)time / 1e6, (double)job->ran / 1e6,
		 status == WEFT_OK ? "" : ", but it cannot be used");
}

static void run_job(struct weft_task *task)
{
	struct specialisation_job *job = WEFT_CONTAINER_OF(task, struct specialisation_job, task);
	enum weft_status status = WEFT_OK;
	const char *source;

	if (weft_compiler_library_begin()) { /* a process that ends needs no better code */
		const uint64_t start = weft_clock_now();

		if (make(job, &status, &source)) {
			set_state(job->specialisation, status == WEFT_OK
							       ? WEFT_SPECIALISATION_MADE
							       : WEFT_SPECIALISATION_FAILED);
			log_made(job, status, source, weft_clock_now() - start);
		}
		weft_compiler_library_end();
	}
	destroy_job(job);
}

void weft_specialisation_make(struct weft_specialisation *specialisation)
{
	struct specialisation_job *job = create_job(specialisation);

	if (job)
		job->task.run = run_job;
	if (!job || !weft_background_post(&job->task, WEFT_TASK_LEISURE)) {
		destroy_job(job);
		set_state(specialisation, WEFT_SPECIALISATION_IDLE);
	}
}
