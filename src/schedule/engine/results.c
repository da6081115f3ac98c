/* SPDX-License-Identifier: MIT
 *
 * Results go to the host's memory while their device runs the next part: a thread of its own for each device, and a queue.
 */
#include "engine/engine.h"

#include "log.h"

#include <stdlib.h>
#include <string.h>

static bool push(struct weft_result_queue *queue, const struct weft_move *move)
{
	if (queue->count == queue->room) {
		const size_t room = queue->room ? 2 * queue->room : 8;
		struct weft_move *moves =
			(struct weft_move *)realloc(queue->moves, room * sizeof(*moves));

		if (!moves)
			return false;
		queue->moves = moves;
		queue->room = room;
	}
	queue->moves[queue->count++] = *move;
	return true;
}

/* The object is claimed. */
static void send(struct weft_engine *engine, const struct weft_move *move)
{
	const size_t domain = engine->devices->items[move->device].domain;
	struct weft_error later = {0};

	if (!(engine->devices->domains[domain].is_host ? weft_memory_give_back(engine, move, &later)
						       : weft_memory_to_host(engine, move, &later)))
		weft_log(WEFT_LOG_INFO, "schedule", "%s", later.text);
}

void weft_results_send(struct weft_engine *engine, const struct weft_move *move)
{
	const size_t domain = engine->devices->items[move->device].domain;

	if (engine->devices->domains[domain].is_host) {
		send(engine, move);
		return;
	}
	weft_mutex_lock(&engine->lock);
	if (push(&engine->results[move->device], move))
		weft_condition_broadcast(&engine->results[move->device].filled);
	weft_mutex_unlock(&engine->lock);
}

void weft_results_serve(struct weft_engine *engine, size_t device)
{
	weft_mutex_lock(&engine->lock);
	struct weft_result_queue *queue = &engine->results[device];
	for (;;) {
		while (queue->count == 0 && !engine->is_over)
			weft_condition_wait(&queue->filled, &engine->lock);
		if (queue->count == 0)
			break;
		const struct weft_move move = queue->moves[0];
		queue->count--;
		memmove(queue->moves, queue->moves + 1, queue->count * sizeof(move));
		weft_mutex_unlock(&engine->lock);
		weft_object_claim(engine, move.object);
		send(engine, &move);
		weft_object_release(engine, move.object);
		weft_mutex_lock(&engine->lock);
	}
	weft_mutex_unlock(&engine->lock);
}
