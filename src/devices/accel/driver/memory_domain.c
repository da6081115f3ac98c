/* SPDX-License-Identifier: MIT
 *
 * Handing commands over, and the life of boards and of what devices have on them. What runs there is in engine.c.
 */
#include "driver/memory_domain.h"

#include "clock.h"
#include "driver/accel.h"
#include "driver/engine.h"
#include "fork_generation.h"

#include <string.h>

/* ---- life ------------------------------------------------------------------------------------ */

static void begin(struct accel_board *board) WEFT_TSA(no_thread_safety_analysis)
{
	weft_mutex_init(&board->lock, WEFT_RANK_WORKER);
	weft_condition_init(&board->changed);
	weft_list_init(&board->devices);
	board->num_jobs = 0;
	board->generation = weft_fork_generation();
	board->num_threads = 0;
	board->num_idle = 0;
	board->num_kept = 0;
	board->reporting = false;
	board->due = false;
	board->closing = false;
	board->draining = false;
}

static void init_clock(struct accel_board *board) WEFT_TSA(no_thread_safety_analysis)
{
	board->origin = weft_clock_now();
	accel_clock_init(&board->clock, board->origin);
}

void accel_board_init(struct accel_board *board, struct accel_memory *memory)
{
	memset(board, 0, sizeof(*board));
	board->memory = memory;
	begin(board);
	init_clock(board);
}

/* The slots go with the memory. */
void accel_board_destroy(struct accel_board *board) WEFT_TSA(no_thread_safety_analysis)
{
	weft_condition_destroy(&board->changed);
	weft_mutex_destroy(&board->lock);
}

/* No command is in the ring. */
static void begin_device(struct accel_device *device)
{
	device->clusters = (struct accel_engine){.device = device, .most_running = 1};
	device->dma = (struct accel_engine){.device = device,
					    .most_running = (uint32_t)device->description.channels};
	weft_list_init(&device->pending);
	device->was_full = false;
	device->ring.tail = 0;
	device->ended = (struct accel_entries){0};
	device->stats = (struct accel_stats){0};
	accel_image_reset(&device->image);
}

/* Memory for the device's ring, and for the slots, if there is none yet. */
static bool find_memory(struct accel_board *board, struct accel_device *device)
	WEFT_REQUIRES(&board->lock)
{
	struct accel_ring *ring = &device->ring;

	if (!board->slots.table)
		board->slots.table = accel_memory_reserve(
			board->memory, ACCEL_NUM_SLOTS * sizeof(*board->slots.table));
	ring->size = (uint32_t)device->description.ring;
	ring->entries = accel_memory_reserve(board->memory, ring->size * sizeof(*ring->entries));
	return ring->entries && board->slots.table;
}

enum weft_status accel_board_add(struct accel_board *board, struct accel_device *device)
{
	begin_device(device);
	weft_mutex_lock(&board->lock);
	bool found = find_memory(board, device);
	if (found)
		weft_list_append(&board->devices, &device->link);
	weft_mutex_unlock(&board->lock);
	if (found)
		return WEFT_OK;
	accel_memory_return(board->memory, device->ring.entries);
	return WEFT_OUT_OF_MEMORY;
}

void accel_board_remove(struct accel_board *board, struct accel_device *device)
{
	weft_mutex_lock(&board->lock);
	weft_list_remove(&device->link);
	bool last = weft_list_empty(&board->devices);
	weft_mutex_unlock(&board->lock);
	if (last)
		accel_engine_end_threads(board);
	accel_memory_return(board->memory, device->image.table);
	accel_memory_return(board->memory, device->ring.entries);
}

/* The first of its devices finds the board as the parent had it. */
void accel_board_restart(struct accel_board *board, struct accel_device *device)
	WEFT_TSA(no_thread_safety_analysis)
{
	if (board->generation != weft_fork_generation()) {
		begin(board);
		accel_clock_rest(&board->clock, weft_clock_now());
		accel_slots_reset(&board->slots);
	}
	begin_device(device);
	memset(device->ring.entries, 0, device->ring.size * sizeof(*device->ring.entries));
	weft_list_append(&board->devices, &device->link);
}

void accel_board_unlink(struct accel_board *board, const struct weft_module *module)
{
	weft_mutex_lock(&board->lock);
	for (struct weft_list *link = board->devices.next; link != &board->devices;
	     link = link->next)
		accel_image_unlink(&WEFT_CONTAINER_OF(link, struct accel_device, link)->image,
				   module);
	weft_mutex_unlock(&board->lock);
}

/* ---- handing over ---------------------------------------------------------------------------- */

/* Links the launch's kernel, if it is new. */
static void link_kernel(struct accel_device *device, const struct weft_launch *launch,
			struct accel_entry *entry)
{
	entry->kernel = accel_image_link(&device->image, device->memory, launch);
	if (entry->kernel == 0 && entry->result == WEFT_OK)
		entry->result = WEFT_OUT_OF_RESOURCES;
}

/* The command, without a slot or with one that waits for the host and perhaps for others, in the entry. */
static void write_entry(struct accel_board *board, struct accel_device *device, uint32_t number,
			struct weft_command *command, uint64_t now) WEFT_REQUIRES(&board->lock)
{
	struct accel_entry *entry = accel_ring_entry(&device->ring, number);
	const uint64_t note = (uintptr_t)command->private_data;
	struct accel_slot *slot = accel_slots_find(&board->slots, note);

	*entry = (struct accel_entry){
		.status = ACCEL_ENTRY_WAITING,
		.ready = board->clock.reached,
		.turn = board->num_handed_over++,
		.result = slot ? WEFT_OK : (uint32_t)note,
		.slot = slot ? note : 0,
		.name = (uintptr_t)command,
	};
	if (accel_is_kernel(command))
		link_kernel(device, &command->launch, entry);
	accel_ring_advance(&device->ring);
	accel_clock_begin(&board->clock, now);
	if (slot) {
		slot->entry = number;
		slot->device = device;
	}
	if (!slot || accel_slot_meet(slot))
		accel_engine_give(board, device, number);
}

static void hand_over(struct accel_board *board, struct accel_device *device)
	WEFT_REQUIRES(&board->lock)
{
	const bool was_full = device->was_full;
	bool intervenes = was_full;
	bool any = false;
	const uint64_t now = weft_clock_now();
	uint32_t number;

	while (!weft_list_empty(&device->pending) && (number = accel_ring_room(&device->ring))) {
		struct weft_list *link = weft_list_pop(&device->pending);
		struct weft_command *command = WEFT_CONTAINER_OF(link, struct weft_command, link);

		intervenes = intervenes || command->was_blocked;
		any = true;
		write_entry(board, device, number, command, now);
	}
	device->was_full = !weft_list_empty(&device->pending);
	device->stats.full_rings += device->was_full && !was_full;
	if (!any)
		return;
	device->stats.handovers++;
	device->stats.interventions += intervenes;
	device->stats.uploads += accel_image_upload(&device->image);
}

void accel_board_refill(struct accel_board *board)
{
	for (struct weft_list *link = board->devices.next; link != &board->devices;
	     link = link->next) {
		struct accel_device *device = WEFT_CONTAINER_OF(link, struct accel_device, link);

		if (device->was_full)
			hand_over(board, device);
	}
}

void accel_board_hand_over(struct accel_board *board)
{
	for (struct weft_list *link = board->devices.next; link != &board->devices;
	     link = link->next) {
		struct accel_device *device = WEFT_CONTAINER_OF(link, struct accel_device, link);

		if (!weft_list_empty(&device->pending))
			hand_over(board, device);
	}
}
