/* SPDX-License-Identifier: MIT
 *
 * The host's side of an accelerator's commands. A command gets an event slot when it is submitted, so that commands of
 * all devices on the board can follow it. It goes to the device's ring when all that it waits for elsewhere has ended, at
 * the next flush, or at once when somebody may look for it. Nothing blocks here; the board's lock guards all.
 */
#include "driver/accel.h"

static struct accel_device *device_of(struct weft_device *base)
{
	return WEFT_CONTAINER_OF(base, struct accel_device, base);
}

/* What a command has in `private_data`: the name of its slot, or without one the status of what it waits for. */
static uint64_t note_of(const struct weft_command *command)
{
	return (uintptr_t)command->private_data;
}

/* Nobody follows a recorded command. Somebody may look for what this one waits for, unless nobody may look for itself. */
static void accel_submit(struct weft_device *base, struct weft_command *command)
{
	struct accel_board *board = device_of(base)->board;
	accel_slot_name name = 0;

	weft_list_init(&command->link);
	weft_mutex_lock(&board->lock);
	if (!command->recorded)
		name = accel_slots_take(&board->slots);
	command->private_data = (void *)(uintptr_t)name;
	if (!command->deferrable)
		accel_board_hand_over(board);
	accel_board_leave(board);
}

static bool accel_follow(struct weft_device *base, struct weft_command *command,
			 const struct weft_command *other, enum weft_follow kind)
{
	struct accel_device *device = device_of(base);
	struct accel_board *board = device->board;

	weft_mutex_lock(&board->lock);
	bool follows = accel_slots_follow(&board->slots, note_of(command),
					  other ? note_of(other) : 0, kind);
	device->stats.followed += follows && kind != WEFT_FOLLOW_LAST;
	weft_mutex_unlock(&board->lock);
	return follows;
}

/* The host's word on what the command waits for elsewhere. */
static void note_outcome(struct accel_board *board, struct weft_command *command,
			 enum weft_status outcome) WEFT_REQUIRES(&board->lock)
{
	struct accel_slot *slot = accel_slots_find(&board->slots, note_of(command));

	if (!slot)
		command->private_data = (void *)(uintptr_t)outcome;
	else if (outcome != WEFT_OK)
		slot->result = outcome;
}

static void accel_notify(struct weft_device *base, struct weft_command *command,
			 enum weft_status dependencies)
{
	struct accel_device *device = device_of(base);
	struct accel_board *board = device->board;

	weft_mutex_lock(&board->lock);
	note_outcome(board, command, dependencies);
	weft_list_append(&device->pending, &command->link);
	bool is_reporter = board->reporting && pthread_equal(board->reporter, pthread_self());
	board->due = board->due || is_reporter;
	if (is_reporter ||
	    command->deferrable) { /* who tells the host of an end goes on with this */
		weft_mutex_unlock(&board->lock);
		return;
	}
	accel_board_hand_over(board);
	accel_board_leave(board);
}

/* Of all devices on the board. */
static void accel_flush(struct weft_device *base)
{
	struct accel_board *board = device_of(base)->board;

	weft_mutex_lock(&board->lock);
	accel_board_hand_over(board);
	accel_board_leave(board);
}

/* Those who follow the command have learned of it by its slot; the others are the host's. */
static void accel_broadcast(struct weft_device *base, struct weft_command *command)
{
	struct accel_board *board = device_of(base)->board;
	accel_slot_name name = note_of(command);

	base->host->accelerator->broadcast(command);
	weft_mutex_lock(&board->lock);
	accel_slots_give(&board->slots, name);
	weft_mutex_unlock(&board->lock);
}

const struct weft_driver_queue_ops accel_queue_ops = {
	.submit = accel_submit,
	.notify = accel_notify,
	.flush = accel_flush,
	.join = NULL,
};

const struct weft_driver_chaining_ops accel_chaining_ops = {
	.follow = accel_follow,
	.broadcast = accel_broadcast,
};
