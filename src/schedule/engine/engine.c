/* SPDX-License-Identifier: MIT
 *
 * The life of an engine, a run with what earlier ones have measured, and its results.
 */
#include "engine/engine.h"

#include "clock.h"

#include <stdlib.h>

/* ---- life ---------------------------------------------------------------------------------------- */

static bool create_tasks(struct weft_engine *engine, struct weft_error *error)
{
	const size_t count = engine->spec->count;

	engine->splits = (struct weft_split *)calloc(count, sizeof(*engine->splits));
	engine->tasks = (struct weft_task *)calloc(count, sizeof(*engine->tasks));
	engine->predictions = (struct weft_prediction *)calloc(count, sizeof(*engine->predictions));
	if (!engine->splits || !engine->tasks || !engine->predictions)
		return weft_fail_memory(error);
	for (size_t t = 0; t < count; t++) {
		struct weft_task *task = &engine->tasks[t];

		task->kernel = &engine->spec->kernels[t];
		task->objects = (struct weft_object **)calloc(task->kernel->num_buffers + 1,
							      sizeof(struct weft_object *));
		task->kernels = (cl_kernel *)calloc(engine->devices->count, sizeof(cl_kernel));
		if (!task->objects || !task->kernels)
			return weft_fail_memory(error);
	}
	return true;
}

static bool has_queues(const struct weft_engine *engine)
{
	return engine->queues && engine->results;
}

bool weft_engine_create(struct weft_engine *engine, const struct weft_opencl *cl,
			const struct weft_devices *devices, const struct weft_spec *spec,
			struct weft_error *error)
{
	*engine = (struct weft_engine){.cl = cl, .devices = devices, .spec = spec, .error = error};
	weft_mutex_init(&engine->lock, WEFT_RANK_SCHEDULE);
	weft_condition_init(&engine->changed);
	engine->queues = (struct weft_part_queue *)calloc(devices->count, sizeof(*engine->queues));
	engine->results =
		(struct weft_result_queue *)calloc(devices->count, sizeof(*engine->results));
	engine->known_rates =
		(double *)calloc(spec->count * devices->count, sizeof(*engine->known_rates));
	engine->known_traffic =
		(struct weft_traffic *)calloc(devices->num_domains, sizeof(*engine->known_traffic));
	for (size_t d = 0; has_queues(engine) && d < devices->count; d++) {
		weft_condition_init(&engine->queues[d].filled);
		weft_condition_init(&engine->results[d].filled);
	}
	engine->known_launches = (double *)calloc(devices->count, sizeof(double));
	engine->known_handings = (double *)calloc(devices->count, sizeof(double));
	if (!has_queues(engine) || !engine->known_rates || !engine->known_traffic ||
	    !engine->known_launches || !engine->known_handings)
		return weft_fail_memory(error);
	return create_tasks(engine, error) && weft_programs_build(engine, error) &&
	       weft_objects_create(engine, error);
}

static void end_run(struct weft_engine *engine)
{
	weft_mutex_lock(&engine->lock);
	weft_board_destroy(&engine->board);
	weft_timeline_destroy(&engine->timeline);
	for (size_t d = 0; has_queues(engine) && d < engine->devices->count; d++) {
		engine->queues[d].count = 0;
		engine->results[d].count = 0;
	}
	weft_mutex_unlock(&engine->lock);
}

static void destroy_queues(struct weft_engine *engine)
{
	for (size_t d = 0; has_queues(engine) && d < engine->devices->count; d++) {
		free(engine->queues[d].parts);
		free(engine->results[d].moves);
		weft_condition_destroy(&engine->queues[d].filled);
		weft_condition_destroy(&engine->results[d].filled);
	}
	free(engine->queues);
	free(engine->results);
}

void weft_engine_destroy(struct weft_engine *engine)
{
	end_run(engine);
	weft_objects_destroy(engine);
	weft_programs_destroy(engine);
	for (size_t t = 0; engine->tasks && t < engine->spec->count; t++) {
		weft_split_destroy(&engine->splits[t], engine->tasks[t].kernel->num_buffers);
		free(engine->tasks[t].objects);
		free(engine->tasks[t].kernels);
	}
	free(engine->tasks);
	free(engine->splits);
	free(engine->predictions);
	destroy_queues(engine);
	free(engine->known_rates);
	free(engine->known_traffic);
	free(engine->known_launches);
	free(engine->known_handings);
	weft_condition_destroy(&engine->changed);
	weft_mutex_destroy(&engine->lock);
}

double weft_engine_now(const struct weft_engine *engine)
{
	return (double)weft_clock_now() * 1e-9 - engine->start;
}

void weft_engine_record(struct weft_engine *engine, const struct weft_span *span)
{
	weft_mutex_lock(&engine->lock);
	if (!weft_timeline_add(&engine->timeline, span))
		weft_fail_memory(engine->error);
	if (weft_span_is_transfer(span->kind))
		weft_board_moved(&engine->board, engine->devices->items[span->device].domain,
				 (double)span->bytes, span->end - span->start);
	weft_mutex_unlock(&engine->lock);
}

/* ---- a run --------------------------------------------------------------------------------------- */

bool weft_engine_has_ended(struct weft_engine *engine, size_t task)
{
	weft_mutex_lock(&engine->lock);
	const bool ended = engine->board.tasks && engine->board.tasks[task].has_ended;
	weft_mutex_unlock(&engine->lock);
	return ended;
}

const void *weft_engine_result(struct weft_engine *engine, size_t task, size_t index)
{
	const struct weft_object *object = engine->tasks[task].objects[index];
	const struct weft_range range = {0, engine->spec->kernels[task].buffers[index].bytes};

	return weft_engine_has_ended(engine, task) && weft_ranges_contain(&object->in_host, range)
		       ? object->host
		       : NULL;
}

/* No thread runs any more. A result that cannot be had takes no other one with it. */
static bool fetch_results(struct weft_engine *engine, struct weft_error *error)
{
	bool done = true;

	for (size_t t = 0; t < engine->spec->count; t++) {
		const struct weft_spec_kernel *kernel = &engine->spec->kernels[t];

		for (size_t i = 0; weft_engine_has_ended(engine, t) && i < kernel->num_buffers;
		     i++) {
			const struct weft_move move = {.object = engine->tasks[t].objects[i],
						       .task = t,
						       .range = {0, kernel->buffers[i].bytes}};

			if (kernel->buffers[i].direction == WEFT_INPUT)
				continue;
			weft_object_claim(engine, move.object);
			done = weft_memory_to_host(engine, &move, error) && done;
			weft_object_release(engine, move.object);
		}
	}
	return done;
}

static void use_known_rates(struct weft_engine *engine) WEFT_REQUIRES(&engine->lock)
{
	for (size_t d = 0; d < engine->devices->count; d++)
		weft_board_know_launch(&engine->board, d, engine->known_launches[d],
				       engine->known_handings[d]);
	for (size_t pair = 0; pair < engine->spec->count * engine->devices->count; pair++) {
		if (engine->known_rates[pair] > 0)
			weft_board_know_rate(&engine->board, pair / engine->devices->count,
					     pair % engine->devices->count,
					     engine->known_rates[pair]);
	}
	for (size_t d = 0; d < engine->devices->num_domains; d++)
		engine->board.traffic[d] = engine->known_traffic[d];
	engine->board.outcomes = engine->outcomes;
}

/* Most tasks have run on a device before. */
static bool has_measured_most(const struct weft_engine *engine)
{
	const size_t devices = engine->devices->count;
	size_t measured = 0;

	for (size_t t = 0; t < engine->spec->count; t++) {
		bool is_measured = false;

		for (size_t d = 0; d < devices; d++)
			is_measured |= engine->known_rates[t * devices + d] > 0;
		measured += is_measured;
	}
	return 2 * measured >= engine->spec->count;
}

static void keep_outcome(struct weft_engine *engine)
{
	weft_mutex_lock(&engine->lock);
	const struct weft_schedule_strategy *decider =
		engine->board.follows ? engine->board.follows : engine->strategy;
	weft_outcomes_add(&engine->outcomes, decider->name,
			  weft_timeline_makespan(&engine->timeline));
	weft_mutex_unlock(&engine->lock);
}

/* A kernel that runs again has the rates of this run. */
static void keep_rates(struct weft_engine *engine)
{
	weft_mutex_lock(&engine->lock);
	for (size_t pair = 0; pair < engine->spec->count * engine->devices->count; pair++) {
		if (engine->board.is_measured[pair])
			engine->known_rates[pair] = engine->board.rates[pair];
	}
	for (size_t d = 0; d < engine->devices->num_domains; d++)
		engine->known_traffic[d] = engine->board.traffic[d];
	for (size_t d = 0; d < engine->devices->count; d++) {
		engine->known_launches[d] = engine->board.launches[d];
		engine->known_handings[d] = engine->board.handings[d];
	}
	weft_mutex_unlock(&engine->lock);
}

bool weft_engine_run(struct weft_engine *engine, const struct weft_schedule_strategy *strategy)
{
	struct weft_error *error = engine->error;

	end_run(engine);
	if (!weft_objects_reset(engine, error))
		return false;
	weft_mutex_lock(&engine->lock);
	engine->strategy = strategy;
	engine->is_over = false;
	bool done = weft_board_create(&engine->board, engine->spec, engine->splits, engine->devices,
				      error);
	if (done)
		weft_board_predict(&engine->board, engine->predictions);
	if (done)
		use_known_rates(engine);
	weft_mutex_unlock(&engine->lock);
	const bool is_outcome = has_measured_most(engine);
	engine->start = (double)weft_clock_now() * 1e-9;
	done = done && weft_threads_run(engine) && fetch_results(engine, error);
	if (done)
		keep_rates(engine);
	done = done && error->text[0] == 0;
	if (done && is_outcome)
		keep_outcome(engine);
	return done;
}
