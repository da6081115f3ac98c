/* SPDX-License-Identifier: MIT
 *
 * The threads of a board. Each does one job at a time: a command of an engine, the clusters for a kernel and the DMA engine
 * for anything else, as long as that has less under way than it can; or telling the host of a command that has ended,
 * of which there is one at a time. What an engine can do goes before what the host is to learn, so the host is never
 * between two commands; who finds only the latter does it himself. All sleep on one condition of the board's lock; whoever
 * takes a job and leaves others wakes the next thread.
 */
#include "driver/engine.h"

#include "clock.h"
#include "command/command.h"
#include "command/handoff.h"
#include "driver/accel.h"
#include "simulation/cycles.h"
#include "stack.h"
#include "thread.h"

/* What a thread does next. */
struct job {
	struct accel_device *device; /* NULL: there is nothing */
	struct accel_engine
		*engine; /* that has a command ready; NULL: one of the device's has ended */
};

static struct weft_command *command_of(const struct accel_entry *entry)
{
	return (struct weft_command *)(uintptr_t)entry->name;
}

static struct accel_device *device_at(struct weft_list *link)
{
	return WEFT_CONTAINER_OF(link, struct accel_device, link);
}

/* ---- what is to be done ---------------------------------------------------------------------- */

/* What does nothing waits for no kernel. */
void accel_engine_give(struct accel_board *board, struct accel_device *device, uint32_t number)
{
	struct accel_entry *entry = accel_ring_entry(&device->ring, number);
	const struct accel_slot *slot = accel_slots_find(&board->slots, entry->slot);
	bool runs_kernel = accel_is_kernel(command_of(entry));
	struct accel_engine *engine = runs_kernel ? &device->clusters : &device->dma;

	entry->status = ACCEL_ENTRY_READY;
	if (slot)
		entry->ready = accel_later(entry->ready, slot->ready);
	accel_entries_insert(&engine->ready, &device->ring, number);
	board->num_jobs++;
}

/* Whether a request, or what does nothing, is before the command in simulated time: what follows it may have its turn before
 * the command has. In this order each begins at once when those before it have run, so no two wait for each other. */
static bool comes_after_request(struct accel_board *board, const struct accel_entry *entry)
	WEFT_REQUIRES(&board->lock)
{
	for (struct weft_list *link = board->devices.next; link != &board->devices;
	     link = link->next) {
		const struct accel_device *other = device_at(link);
		const struct accel_engine *dma = &other->dma;

		if (dma->ready.count > 0 &&
		    accel_entry_is_before(accel_ring_entry(&other->ring, dma->ready.first), entry))
			return true;
		for (uint32_t i = 0; i < dma->num_running; i++) {
			if (accel_ring_entry(&other->ring, dma->running[i])->end <= entry->ready)
				return true;
		}
	}
	return false;
}

static bool can_run(struct accel_board *board, const struct accel_engine *engine)
	WEFT_REQUIRES(&board->lock)
{
	return engine->ready.count > 0 && engine->num_running < engine->most_running &&
	       !comes_after_request(board,
				    accel_ring_entry(&engine->device->ring, engine->ready.first));
}

static struct job find_job(struct accel_board *board) WEFT_REQUIRES(&board->lock)
{
	struct accel_device *ended = NULL;

	if (board->num_jobs == 0)
		return (struct job){NULL, NULL};
	for (struct weft_list *link = board->devices.next; link != &board->devices;
	     link = link->next) {
		struct accel_device *device = device_at(link);

		if (can_run(board, &device->clusters))
			return (struct job){device, &device->clusters};
		if (can_run(board, &device->dma))
			return (struct job){device, &device->dma};
		if (!ended && device->ended.count > 0 && !board->reporting)
			ended = device;
	}
	return (struct job){ended, NULL};
}

/* ---- a command ------------------------------------------------------------------------------- */

static bool is_request(const struct weft_command *command)
{
	return command->op == WEFT_OP_COPY || command->op == WEFT_OP_FILL;
}

/* The first that is free by then, else the one that is free first. */
static uint32_t choose_server(const struct accel_engine *engine, uint64_t ready)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < engine->most_running && engine->free[best] > ready; i++) {
		if (engine->free[i] < engine->free[best])
			best = i;
	}
	return best;
}

static void stay_for(const struct accel_engine *engine, struct accel_stay *stay, uint64_t cycles)
{
	stay->cycles = cycles;
	stay->end = accel_clock_after(stay->start, cycles, engine->device->description.clock_mhz);
}

static void take_server(struct accel_engine *engine, const struct accel_stay *stay)
{
	engine->free[stay->server] = stay->end;
	engine->busy[stay->server] += stay->cycles;
}

/* How long a request takes is known before; another one that starts meanwhile finds its channel taken. */
static struct accel_stay begin_stay(struct accel_engine *engine, const struct accel_entry *entry)
{
	const struct weft_command *command = command_of(entry);
	struct accel_stay stay = {.start = entry->ready, .end = entry->ready};

	if (entry->result != WEFT_OK || !(accel_is_kernel(command) || is_request(command)))
		return stay;
	stay.server = choose_server(engine, entry->ready);
	stay.start = accel_later(stay.start, engine->free[stay.server]);
	stay.end = stay.start;
	if (is_request(command)) {
		stay_for(engine, &stay, accel_dma_cycles(engine->device, command));
		take_server(engine, &stay);
	}
	return stay;
}

/* How long a kernel takes is known when it has run, before another one may. */
static void execute(struct accel_engine *engine, struct accel_entry *entry, struct accel_stay *stay,
		    struct accel_slot *slot)
{
	const struct accel_cause none = {0};
	struct weft_command *command = command_of(entry);

	if (entry->result != WEFT_OK)
		return;
	entry->result = weft_command_execute(command, accel_execute);
	command->device->host->accelerator->ran(command);
	if (accel_is_kernel(command) && entry->result == WEFT_OK)
		stay_for(engine, stay, engine->device->launch_cycles);
	struct accel_row row =
		accel_timeline_show(engine->device, command, stay, slot ? &slot->cause : &none);
	if (slot)
		slot->row = row;
}

static void count(struct accel_device *device, const struct weft_command *command, uint64_t cycles)
{
	device->stats.commands++;
	device->stats.kernels += accel_is_kernel(command);
	device->stats.dma_requests += is_request(command);
	if (is_request(command))
		device->stats.dma_cycles += cycles;
	if (!accel_is_kernel(command) || cycles == 0)
		return;
	/* of this launch still: no other one has begun */
	const struct accel_traffic traffic = accel_schedule_traffic(&device->schedule);
	device->stats.kernel_cycles += cycles;
	device->stats.transfers += traffic.requests;
	device->stats.transfer_bytes += traffic.bytes;
	device->stats.transfer_waits += traffic.waiting;
}

/* Those who follow the command go on. */
static void tell_followers(struct accel_board *board, struct accel_slot *slot,
			   enum weft_status result, uint64_t end) WEFT_REQUIRES(&board->lock)
{
	uint32_t ready = accel_slots_run(&board->slots, slot, result, end);

	while (ready != 0) {
		const struct accel_slot *next = &board->slots.table[ready];

		ready = next->next;
		accel_engine_give(board, next->device, next->entry);
	}
}

static void remove_running(struct accel_engine *engine, uint32_t number)
{
	uint32_t i = 0;

	while (engine->running[i] != number)
		i++;
	engine->running[i] = engine->running[--engine->num_running];
}

static void wake_one(struct accel_board *board) WEFT_REQUIRES(&board->lock);

/* The entry and its slot are the device's own as long as the command runs. */
static void run_next(struct accel_board *board, struct accel_engine *engine)
	WEFT_REQUIRES(&board->lock)
{
	struct accel_device *device = engine->device;
	uint32_t number = accel_entries_pop(&engine->ready, &device->ring);
	struct accel_entry *entry = accel_ring_entry(&device->ring, number);
	struct accel_slot *slot = accel_slots_find(&board->slots, entry->slot);

	board->num_jobs--;
	engine->running[engine->num_running++] = number;
	entry->status = ACCEL_ENTRY_RUNNING;
	if (slot && slot->result != WEFT_OK)
		entry->result = slot->result;
	struct accel_stay stay = begin_stay(engine, entry);
	entry->end = stay.end;
	wake_one(board);
	weft_mutex_unlock(&board->lock);
	execute(engine, entry, &stay, slot);
	weft_mutex_lock(&board->lock);
	remove_running(engine, number);
	if (accel_is_kernel(command_of(entry)))
		take_server(engine, &stay);
	count(device, command_of(entry), stay.cycles);
	if (slot)
		tell_followers(board, slot, (enum weft_status)entry->result, stay.end);
	entry->status = ACCEL_ENTRY_ENDED;
	entry->start = stay.start;
	entry->end = stay.end;
	accel_entries_append(&device->ended, &device->ring, number);
	board->num_jobs++;
	accel_clock_reach(&board->clock, stay.end);
}

/* ---- telling the host ------------------------------------------------------------------------ */

struct report {
	struct weft_handoff handoff;
	struct accel_board *board;
};

/* Hands over what has become ready by what the host was told, or finds room in the ring now. */
static void end_reporting(struct accel_board *board) WEFT_REQUIRES(&board->lock)
{
	board->reporting = false;
	if (board->due)
		accel_board_hand_over(board);
	else
		accel_board_refill(board);
	board->due = false;
	accel_clock_end(&board->clock, weft_clock_now());
}

/* This thread is kept, from now until the host has been told: it counts for nothing. */
static void hand_off(struct weft_handoff *handoff)
{
	struct accel_board *board = WEFT_CONTAINER_OF(handoff, struct report, handoff)->board;

	weft_mutex_lock(&board->lock);
	end_reporting(board);
	if (board->draining && pthread_equal(board->drainer, pthread_self()))
		board->draining = false;
	board->num_kept++;
	accel_board_leave(board);
}

/* The device may close as soon as the host knows of its last command. */
static void report_next(struct accel_board *board, struct accel_device *device)
	WEFT_REQUIRES(&board->lock)
{
	const struct weft_host *host = device->base.host;
	uint32_t number = accel_entries_pop(&device->ended, &device->ring);
	struct accel_entry *entry = accel_ring_entry(&device->ring, number);
	struct weft_command *command = command_of(entry);
	enum weft_status result = (enum weft_status)entry->result;
	const uint64_t start = accel_clock_at(&board->clock, entry->start);
	const uint64_t end = accel_clock_at(&board->clock, entry->end);
	struct report report = {.handoff.hand_off = hand_off, .board = board};

	board->num_jobs--;
	entry->status = ACCEL_ENTRY_EMPTY;
	board->reporting = true;
	board->reporter = pthread_self();
	/* so that the others have their turn */
	weft_list_remove(&device->link);
	weft_list_append(&board->devices, &device->link);
	weft_mutex_unlock(&board->lock);
	weft_handoff_begin(&report.handoff);
	host->accelerator->timed(command, start, end);
	host->complete(command, result);
	weft_handoff_end(&report.handoff);
	weft_mutex_lock(&board->lock);
	if (!report.handoff.done) {
		end_reporting(board);
		return;
	}
	accel_board_hand_over(board);
	if (board->num_kept > 0) /* or the child of a fork has begun anew */
		board->num_kept--;
}

/* ---- threads --------------------------------------------------------------------------------- */

/* False: there is nothing to do. */
static bool do_job(struct accel_board *board) WEFT_REQUIRES(&board->lock)
{
	struct job job = find_job(board);

	if (job.engine)
		run_next(board, job.engine);
	else if (job.device)
		report_next(board, job.device);
	return job.device != NULL;
}

static void *work(void *data)
{
	struct accel_board *board = data;

	weft_mutex_lock(&board->lock);
	while (do_job(board) || !board->closing) {
		if (find_job(board).device)
			continue;
		board->num_idle++;
		while (!find_job(board).device && !board->closing)
			weft_condition_wait(&board->changed, &board->lock);
		board->num_idle--;
	}
	weft_mutex_unlock(&board->lock);
	return NULL;
}

/* How many things can be done at the same time: more threads would find nothing. */
static uint32_t most_threads(struct accel_board *board) WEFT_REQUIRES(&board->lock)
{
	uint32_t most = board->num_kept + 1; /* that tells the host */

	for (struct weft_list *link = board->devices.next; link != &board->devices;
	     link = link->next)
		most += device_at(link)->clusters.most_running + device_at(link)->dma.most_running;
	return most < ACCEL_MOST_THREADS ? most : ACCEL_MOST_THREADS;
}

static bool start_thread(struct accel_board *board) WEFT_REQUIRES(&board->lock)
{
	if (board->num_threads >= most_threads(board) || board->closing)
		return false;
	bool started = weft_thread_start_joinable("weft-accel", work, board, WEFT_STACK_BYTES,
						  &board->threads[board->num_threads]);
	board->num_threads += started;
	return started;
}

static void wake_one(struct accel_board *board)
{
	if (!find_job(board).device)
		return;
	if (board->num_idle > 0)
		weft_condition_signal(&board->changed);
	else
		(void)start_thread(board);
}

/* The caller has the lock. */
static void drain(void *data) WEFT_TSA(no_thread_safety_analysis)
{
	while (do_job(data)) {
	}
}

/* Who does what there is no thread for does also what comes meanwhile. Without memory for another stack, on its own. */
void accel_board_leave(struct accel_board *board)
{
	wake_one(board);
	if (board->num_threads == 0 && !board->draining) {
		board->draining = true;
		board->drainer = pthread_self();
		if (!weft_stack_call(drain, board))
			drain(board);
		if (pthread_equal(board->drainer, pthread_self())) /* nobody else meanwhile */
			board->draining = false;
	}
	weft_mutex_unlock(&board->lock);
}

/* No other starts meanwhile. */
void accel_engine_end_threads(struct accel_board *board)
{
	weft_mutex_lock(&board->lock);
	board->closing = true;
	weft_condition_broadcast(&board->changed);
	for (uint32_t i = 0; i < board->num_threads; i++) {
		pthread_t thread = board->threads[i];

		weft_mutex_unlock(&board->lock);
		pthread_join(thread, NULL);
		weft_mutex_lock(&board->lock);
	}
	board->num_threads = 0;
	board->closing = false;
	accel_board_leave(board);
}
