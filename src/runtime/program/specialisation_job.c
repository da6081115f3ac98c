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
#include "options.h"
#include "program/width_trial.h"
#include "threads/background.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct specialisation_job {
	struct weft_task task;
	struct weft_specialisation *specialisation; /* retained */
	cl_device_id device;                        /* borrowed from it */
	char *kernel;                               /* owned */
	void *object;                               /* owned */
	size_t object_size;                         /* bytes */
	char title[64];                             /* for the trace and the log */
	uint32_t lanes;                             /* of the kernel; or what a trial has found */
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
	job->ran = weft_run_time_total(&specialisation->run);
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

/* ---- one version ----------------------------------------------------------------------------- */

/* What the compiler and the cache are asked for. */
struct wanted {
	struct weft_target target;
	struct weft_specialise_desc desc; /* borrows the job's and the target */
	const char *cpu_key;
};

/* `lanes` 0: as many as the compiler chooses. */
static void want(const struct specialisation_job *job, uint32_t lanes, struct wanted *wanted)
{
	wanted->target = weft_device_target(job->device);
	if (lanes)
		wanted->target.vector_width = lanes;
	wanted->desc = describe(job, &wanted->target);
	wanted->cpu_key = weft_device_properties(job->device)->cpu_key;
}

/* Sub-groups of full code are those that the application was told of, where work-items see them. */
static bool has_lanes(const struct specialisation_job *job, const struct weft_kernel_desc *desc)
{
	return !is_general(job->specialisation) || desc->vector_width == job->lanes ||
	       !(desc->flags & WEFT_KERNEL_HAS_SUBGROUPS);
}

static enum weft_status load(const struct specialisation_job *job, const struct weft_output *output,
			     struct weft_specialisation_code *code)
{
	struct weft_device *impl = job->device->impl;

	enum weft_status status =
		impl->driver->program->load(impl, output->data, output->size, &code->module);
	if (status != WEFT_OK)
		return status;
	code->desc =
		weft_program_desc_find(impl->driver->program->describe(code->module), job->kernel);
	if (code->desc && has_lanes(job, code->desc))
		return WEFT_OK;
	weft_specialisation_unload(job->device, code);
	return WEFT_INVALID_BINARY;
}

/* False: it is not in the cache. */
static bool find(const struct specialisation_job *job, const struct wanted *wanted,
		 struct weft_specialisation_code *code, enum weft_status *status)
{
	const struct weft_cache_key key =
		weft_cache_key_specialisation(&wanted->desc, wanted->cpu_key);
	struct weft_output output = {0};

	if (!weft_cache_load(&key, NULL, &output))
		return false;
	*status = load(job, &output, code);
	weft_cache_release(&output);
	return true;
}

static enum weft_status compile(const struct specialisation_job *job, const struct wanted *wanted,
				struct weft_specialisation_code *code)
{
	const struct weft_compiler *compiler = weft_compiler_library();
	const struct weft_cache_key key =
		weft_cache_key_specialisation(&wanted->desc, wanted->cpu_key);
	struct weft_output output = {0};

	if (!compiler)
		return WEFT_UNSUPPORTED;
	weft_trace_enter(job->title);
	enum weft_status status = compiler->specialise(&wanted->desc, &output);
	if (status == WEFT_OK) {
		weft_cache_store(&key, NULL, &output);
		status = load(job, &output, code);
	}
	weft_trace_leave();
	compiler->release(&output);
	return status;
}

/* False: no thread can be had, and the job is gone. */
static bool post(struct specialisation_job *job, void (*run)(struct weft_task *task),
		 enum weft_task_kind kind)
{
	if (job)
		job->task.run = run;
	if (job && weft_background_post(&job->task, kind))
		return true;
	destroy_job(job);
	return false;
}

/* ---- versions for other numbers of lanes ------------------------------------------------------ */

/* False: the text is none. */
static bool parse_lanes(const struct weft_output *output, uint32_t *lanes)
{
	char text[16] = "";
	char *end = text;

	if (output->kind != WEFT_OUTPUT_TEXT || !output->size || output->size >= sizeof(text))
		return false;
	memcpy(text, output->data, output->size);
	const unsigned long value = strtoul(text, &end, 10);
	*lanes = (uint32_t)value;
	return *end == '\0' && value <= WEFT_WIDTH_MOST_LANES && (value & (value - 1)) == 0;
}

static struct weft_cache_key width_key(const struct specialisation_job *job)
{
	struct wanted wanted;

	want(job, 0, &wanted);
	return weft_cache_key_width(&wanted.desc, wanted.cpu_key);
}

/* Whether a trial has decided how many lanes the code has; 0: as many as the compiler chooses. Where there are no trials, none has. */
static bool read_width(const struct specialisation_job *job, uint32_t *lanes)
{
	struct weft_output output = {0};

	if (!weft_options()->measure_width)
		return false;
	const struct weft_cache_key key = width_key(job);
	if (!weft_cache_load(&key, NULL, &output))
		return false;
	const bool is_decided = parse_lanes(&output, lanes);
	weft_cache_release(&output);
	return is_decided;
}

/* Later processes have that many lanes. */
static void store_width(const struct specialisation_job *job, uint32_t lanes)
{
	const struct weft_cache_key key = width_key(job);
	char text[16];

	snprintf(text, sizeof(text), "%u", lanes);
	const struct weft_output output = {
		.kind = WEFT_OUTPUT_TEXT, .data = text, .size = strlen(text)};
	weft_cache_store(&key, NULL, &output);
}

static void make_version(const struct specialisation_job *job, uint32_t lanes)
{
	struct weft_specialisation_code code = {0};
	enum weft_status status;
	struct wanted wanted;

	want(job, lanes, &wanted);
	if (!find(job, &wanted, &code, &status))
		status = compile(job, &wanted, &code);
	if (status == WEFT_OK && !weft_width_trial_add(job->specialisation->trial, &code))
		weft_specialisation_unload(job->device, &code);
}

static void run_versions(struct weft_task *task)
{
	struct specialisation_job *job = WEFT_CONTAINER_OF(task, struct specialisation_job, task);
	uint32_t lanes[WEFT_WIDTH_VERSIONS - 1];
	const uint32_t count = weft_width_candidates(job->specialisation->code.desc, lanes);
	uint32_t made = 0;

	/* A process that ends waits for one of them. */
	while (made < count && weft_compiler_library_begin()) {
		make_version(job, lanes[made++]);
		weft_compiler_library_end();
	}
	if (made == count && !weft_width_trial_begin(job->specialisation->trial))
		store_width(job, 0);
	destroy_job(job);
}

static bool make_versions(void *data)
{
	return post(create_job(data), run_versions, WEFT_TASK_SPARE);
}

static void run_note(struct weft_task *task)
{
	struct specialisation_job *job = WEFT_CONTAINER_OF(task, struct specialisation_job, task);

	store_width(job, job->lanes);
	destroy_job(job);
}

/* Without memory or a thread, later processes try again. */
static void note_width(void *data, uint32_t lanes)
{
	struct specialisation_job *job = create_job(data);

	if (job)
		job->lanes = lanes;
	(void)post(job, run_note, WEFT_TASK_SPARE);
}

/* ---- the code -------------------------------------------------------------------------------- */

/* `compiling`: ns that it took to make the code, or to load it. */
static void publish(const struct specialisation_job *job,
		    const struct weft_specialisation_code *code, bool is_decided,
		    uint64_t compiling)
{
	struct weft_specialisation *specialisation = job->specialisation;
	const struct weft_width_owner owner = {make_versions, note_width, specialisation};

	specialisation->code = *code;
	if (!is_decided)
		specialisation->trial =
			weft_width_trial_create(job->device, code, compiling, &owner);
	if (is_general(specialisation))
		atomic_store_explicit(&specialisation->of->has_full, true, memory_order_relaxed);
	atomic_store_explicit(&specialisation->replacement.kernel, code->desc,
			      memory_order_release);
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
static bool obtain(const struct specialisation_job *job, uint32_t lanes,
		   struct weft_specialisation_code *code, enum weft_status *status,
		   const char **source)
{
	struct wanted wanted;

	want(job, lanes, &wanted);
	*source = "from the cache";
	if (find(job, &wanted, code, status))
		return true;
	if (!is_to_be_compiled(job->specialisation))
		return false;
	*source = "compiled";
	*status = compile(job, &wanted, code);
	return true;
}

/* False: it has no code yet. */
static bool make(struct specialisation_job *job, enum weft_status *status, const char **source)
{
	const uint64_t start = weft_clock_thread();
	struct weft_specialisation_code code = {0};
	uint32_t lanes = 0;

	bool is_decided = read_width(job, &lanes);
	if (!is_decided)
		lanes = 0;
	if (!obtain(job, lanes, &code, status, source))
		return false;
	if (*status != WEFT_OK && lanes) { /* what was decided cannot be had */
		is_decided = false;
		if (!obtain(job, 0, &code, status, source))
			return false;
	}
	if (*status == WEFT_OK)
		publish(job, &code, is_decided, weft_clock_thread() - start);
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
	if (!post(create_job(specialisation), run_job, WEFT_TASK_LEISURE))
		set_state(specialisation, WEFT_SPECIALISATION_IDLE);
}
