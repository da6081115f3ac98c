/* SPDX-License-Identifier: MIT
 *
 * Jobs of specialisations. A job has copies of what belongs to the program, because the program may end while the job runs.
 * A forked child has no thread for its parent's jobs: the kernels of those jobs keep the code that they have.
 */
#include "program/specialisation_job.h"

#include "alloc.h"
#include "compiler/cache.h"
#include "compiler/compiler_library.h"
#include "compiler/program_binary.h"
#include "log.h"
#include "threads/background.h"
#include "trace/trace.h"

struct specialisation_job {
	struct weft_task task;
	struct weft_specialisation *specialisation; /* retained */
	cl_device_id device;                        /* borrowed from it */
	char *kernel;                               /* owned */
	void *object;                               /* owned */
	size_t object_size;                         /* bytes */
};

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
	if (!code->desc)
		return WEFT_INVALID_BINARY;
	atomic_store_explicit(&specialisation->made, code->desc, memory_order_release);
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
static bool make(struct specialisation_job *job, enum weft_status *status)
{
	const struct weft_target target = weft_device_target(job->device);
	const struct weft_specialise_desc desc = describe(job, &target);
	const struct weft_cache_key key =
		weft_cache_key_specialisation(&desc, weft_device_properties(job->device)->cpu_key);
	struct weft_output output = {0};

	if (weft_cache_load(&key, NULL, &output)) {
		*status = load(job, &output);
		weft_cache_release(&output);
		return true;
	}
	if (!is_to_be_compiled(job->specialisation))
		return false;
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

	if (weft_compiler_library_begin()) { /* a process that ends needs no better code */
		if (make(job, &status)) {
			set_state(job->specialisation, status == WEFT_OK
							       ? WEFT_SPECIALISATION_MADE
							       : WEFT_SPECIALISATION_FAILED);
			log_made(job, status);
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
