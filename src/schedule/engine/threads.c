/* SPDX-License-Identifier: MIT
 *
 * The threads of devices, and what happens when a part ends. One thread runs parts, and while one runs moves the inputs of the next one:
 * a thread of its own for these would have to be woken for each part, which takes milliseconds while kernels run on all of the CPU's
 * cores. A device with memory of its own has another thread, which sends results.
 */
#include "engine/engine.h"

#include "thread.h"

#include <stdlib.h>
#include <string.h>

#define STACK_BYTES ((size_t)8 << 20) /* a driver may run kernels on the thread that waits */

/* ---- parts --------------------------------------------------------------------------------------- */

static bool push(struct weft_part_queue *queue, const struct weft_part *part)
{
	if (queue->count == queue->room) {
		const size_t room = queue->room ? 2 * queue->room : 8;
		struct weft_part *parts =
			(struct weft_part *)realloc(queue->parts, room * sizeof(*parts));

		if (!parts)
			return false;
		queue->parts = parts;
		queue->room = room;
	}
	queue->parts[queue->count++] = *part;
	return true;
}

/* False: there is no part, and the run is over or the caller does not wait. */
static bool pop(struct weft_engine *engine, size_t device, bool waits, struct weft_part *part)
{
	struct weft_part_queue *queue = &engine->queues[device];

	weft_mutex_lock(&engine->lock);
	while (waits && queue->count == 0 && !engine->is_over)
		weft_condition_wait(&queue->filled, &engine->lock);
	const bool is_filled = queue->count > 0 && !engine->is_over;
	if (is_filled) {
		*part = queue->parts[0];
		queue->count--;
		memmove(queue->parts, queue->parts + 1, queue->count * sizeof(*part));
	}
	weft_mutex_unlock(&engine->lock);
	return is_filled;
}

static void end_threads(struct weft_engine *engine) WEFT_REQUIRES(&engine->lock)
{
	engine->is_over = true;
	for (size_t d = 0; d < engine->devices->count; d++) {
		weft_condition_broadcast(&engine->queues[d].filled);
		weft_condition_broadcast(&engine->results[d].filled);
	}
}

static bool moves_ahead(const struct weft_engine *engine, size_t device)
{
	return !engine->devices->domains[engine->devices->items[device].domain].is_host;
}

/* Devices with memory of their own come first: once a CPU's kernel runs on all cores, their threads would wait for one. */
static void wake(struct weft_engine *engine) WEFT_REQUIRES(&engine->lock)
{
	for (size_t i = 0; i < 2 * engine->devices->count; i++) {
		const size_t d = i % engine->devices->count;

		if (engine->queues[d].count > 0 &&
		    moves_ahead(engine, d) == (i < engine->devices->count))
			weft_condition_broadcast(&engine->queues[d].filled);
	}
}

/* Gives out what the strategy wants to be run now. */
static void decide(struct weft_engine *engine) WEFT_REQUIRES(&engine->lock)
{
	struct weft_decided decided;

	decided.count = engine->is_over ? 0 : 1;
	while (decided.count > 0) {
		if (!weft_board_decide(&engine->board, engine->strategy, weft_engine_now(engine),
				       &decided, engine->error)) {
			end_threads(engine);
			break;
		}
		for (size_t i = 0; i < decided.count; i++) {
			const struct weft_part *part = &decided.parts[i];
			struct weft_part_queue *queue = &engine->queues[part->device];

			if (push(queue, part))
				continue;
			weft_fail_memory(engine->error);
			weft_board_leave(&engine->board, part, weft_engine_now(engine));
			weft_board_fail(&engine->board, part->task);
		}
	}
	wake(engine);
	if (engine->board.left == 0 && engine->board.flying == 0)
		end_threads(engine);
	weft_condition_broadcast(&engine->changed);
}

static void fail_task(struct weft_engine *engine, size_t task, const struct weft_error *problem)
	WEFT_REQUIRES(&engine->lock)
{
	const struct weft_spec_kernel *kernel = &engine->spec->kernels[task];

	weft_fail(engine->error, "%s: kernel '%s': %s", kernel->place, kernel->label,
		  problem->text);
	weft_board_fail(&engine->board, task);
}

static void end_part(struct weft_engine *engine, const struct weft_part *part, double seconds)
{
	struct weft_error problem = {0};

	weft_mutex_lock(&engine->lock);
	weft_board_end(&engine->board, part, seconds);
	const bool is_complete = weft_board_is_complete(&engine->board, part->task);
	weft_mutex_unlock(&engine->lock);
	const bool done = !is_complete || weft_part_finish_task(engine, part, &problem);
	weft_mutex_lock(&engine->lock);
	weft_board_leave(&engine->board, part, weft_engine_now(engine));
	if (!done)
		fail_task(engine, part->task, &problem);
	else if (is_complete)
		weft_board_complete(&engine->board, part->task);
	decide(engine);
	weft_mutex_unlock(&engine->lock);
}

/* Nothing more is done for a part that cannot run, or whose task has failed: then there is no problem of its own. */
static void drop_part(struct weft_engine *engine, const struct weft_part *part,
		      const struct weft_error *problem)
{
	weft_mutex_lock(&engine->lock);
	weft_board_leave(&engine->board, part, weft_engine_now(engine));
	if (problem->text[0])
		fail_task(engine, part->task, problem);
	decide(engine);
	weft_mutex_unlock(&engine->lock);
}

static bool is_wanted(struct weft_engine *engine, const struct weft_part *part)
{
	weft_mutex_lock(&engine->lock);
	const bool has_failed = engine->board.progress[part->task].has_failed;
	weft_mutex_unlock(&engine->lock);
	return !has_failed;
}

/* False: the part is not to run, and nothing more is done for it. */
static bool prepare(struct weft_engine *engine, const struct weft_part *part)
{
	struct weft_error problem = {0};

	if (is_wanted(engine, part) && weft_part_prepare(engine, part, &problem))
		return true;
	drop_part(engine, part, &problem);
	return false;
}

static bool start(struct weft_engine *engine, const struct weft_part *part,
		  struct weft_launch *launch)
{
	struct weft_error problem = {0};

	if (weft_part_start(engine, part, launch, &problem))
		return true;
	drop_part(engine, part, &problem);
	return false;
}

static void finish(struct weft_engine *engine, const struct weft_part *part,
		   const struct weft_launch *launch)
{
	struct weft_error problem = {0};
	double seconds = 0;

	if (weft_part_finish(engine, part, launch, &seconds, &problem))
		end_part(engine, part, seconds);
	else
		drop_part(engine, part, &problem);
}

static void run_parts(struct weft_engine *engine, size_t device)
{
	const bool ahead = moves_ahead(engine, device);
	struct weft_part part;
	bool is_prepared = false;

	while (is_prepared || pop(engine, device, true, &part)) {
		struct weft_launch launch;
		struct weft_part next;

		if (!is_prepared && !prepare(engine, &part))
			continue;
		const bool runs = start(engine, &part, &launch);
		is_prepared = ahead && pop(engine, device, false, &next) && prepare(engine, &next);
		if (runs)
			finish(engine, &part, &launch);
		if (is_prepared)
			part = next;
	}
}

struct device_thread {
	struct weft_engine *engine;
	size_t device;
	void (*serve)(struct weft_engine *engine, size_t device);
	pthread_t thread;
};

static void *serve(void *data)
{
	const struct device_thread *own = (const struct device_thread *)data;

	own->serve(own->engine, own->device);
	return NULL;
}

/* ---- threads ------------------------------------------------------------------------------------- */

/* The part of the kernels that has ended. */
static double share_done(const struct weft_engine *engine) WEFT_REQUIRES(&engine->lock)
{
	const struct weft_board *board = &engine->board;
	double done = 0;

	for (size_t t = 0; t < board->num_tasks; t++)
		done += (double)board->progress[t].ended / (double)board->tasks[t].slabs;
	return done / (double)board->num_tasks;
}

/* Tells how far the run is, until it is over. */
static void watch(struct weft_engine *engine)
{
	double told = 0;

	weft_mutex_lock(&engine->lock);
	for (;;) {
		const double share = share_done(engine);

		if (share > told) {
			weft_mutex_unlock(&engine->lock);
			engine->progress(engine->progress_data, share);
			weft_mutex_lock(&engine->lock);
			told = share;
		} else if (engine->is_over) {
			break;
		} else {
			weft_condition_wait(&engine->changed, &engine->lock);
		}
	}
	weft_mutex_unlock(&engine->lock);
}

/* Of one device. The count of those that are started grows. */
static bool start_threads(struct weft_engine *engine, size_t device, struct device_thread *threads,
			  size_t *started)
{
	void (*const jobs[])(struct weft_engine *, size_t) = {run_parts, weft_results_serve};

	for (size_t i = 0; i < (moves_ahead(engine, device) ? 2 : 1); i++) {
		struct device_thread *thread = &threads[*started];

		*thread = (struct device_thread){
			.engine = engine, .device = device, .serve = jobs[i]};
		if (!weft_thread_start_joinable("weft-schedule", serve, thread, STACK_BYTES,
						&thread->thread))
			return false;
		++*started;
	}
	return true;
}

bool weft_threads_run(struct weft_engine *engine)
{
	const size_t count = engine->devices->count;
	struct device_thread *threads = (struct device_thread *)calloc(2 * count, sizeof(*threads));
	size_t started = 0;
	bool done = threads != NULL;

	for (size_t d = 0; done && d < count; d++)
		done = start_threads(engine, d, threads, &started);
	weft_mutex_lock(&engine->lock);
	if (done) {
		decide(engine);
	} else {
		weft_fail(engine->error, "no thread can be started");
		end_threads(engine);
		weft_condition_broadcast(&engine->changed);
	}
	weft_mutex_unlock(&engine->lock);
	if (engine->progress)
		watch(engine);
	for (size_t i = 0; i < started; i++)
		pthread_join(threads[i].thread, NULL);
	free(threads);
	return done;
}
