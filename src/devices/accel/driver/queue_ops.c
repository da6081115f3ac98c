/* SPDX-License-Identifier: MIT
 *
 * The host's side of an accelerator's commands. A command gets an event slot when it is submitted, so that commands of all
 * devices in the memory domain can follow it. It goes to the device's ring when all that it waits for on the host has ended:
 * at the next flush, or at once when a thread may look for it. Nothing blocks here; the domain's lock guards all.
 */
#include "driver/accel.h"

static struct accel_device *device_of(struct weft_device *base)
{
	return WEFT_CONTAINER_OF(base, struct accel_device, base);
}

/* A command's `private_data`: the id of its slot; for a command without a slot, the status of what it waits for. */
static uint64_t data_of(const struct weft_command *command)
{
	return (uintptr_t)command->private_data;
}

/* No command follows a recorded one, which therefore gets no slot. If the command is not deferrable, a thread may look for
 * a pending command that this one waits for. */
static void accel_submit(struct weft_device *base, struct weft_command *command)
{
	struct accel_memory_domain *domain = device_of(base)->domain;
	accel_event_slot_id id = 0;

	weft_list_init(&command->link);
	weft_mutex_lock(&domain->lock);
	if (!command->recorded)
		id = accel_event_slots_take(&domain->slots);
	command->private_data = (void *)(uintptr_t)id;
	if (!command->deferrable)
		accel_memory_domain_hand_over(domain);
	accel_memory_domain_unlock(domain);
}

static bool accel_follow(struct weft_device *base, struct weft_command *command,
			 const struct weft_command *other, enum weft_follow kind)
{
	struct accel_device *device = device_of(base);
	struct accel_memory_domain *domain = device->domain;

	weft_mutex_lock(&domain->lock);
	bool follows = accel_event_slots_follow(&domain->slots, data_of(command),
						other ? data_of(other) : 0, kind);
	device->stats.followed += follows && kind != WEFT_FOLLOW_LAST;
	weft_mutex_unlock(&domain->lock);
	return follows;
}

/* Notes the outcome of what the command waits for on the host. */
static void note_outcome(struct accel_memory_domain *domain, struct weft_command *command,
			 enum weft_status outcome) WEFT_REQUIRES(&domain->lock)
{
	struct accel_event_slot *slot = accel_event_slots_find(&domain->slots, data_of(command));

	if (!slot)
		command->private_data = (void *)(uintptr_t)outcome;
	else if (outcome != WEFT_OK)
		slot->result = outcome;
}

static void accel_notify(struct weft_device *base, struct weft_command *command,
			 enum weft_status dependencies)
{
	struct accel_device *device = device_of(base);
	struct accel_memory_domain *domain = device->domain;

	weft_mutex_lock(&domain->lock);
	note_outcome(domain, command, dependencies);
	weft_list_append(&device->pending, &command->link);
	bool is_reporter = domain->reporting && pthread_equal(domain->reporter, pthread_self());
	domain->handover_due = domain->handover_due || is_reporter;
	if (is_reporter || command->deferrable) { /* the reporter hands it over later */
		weft_mutex_unlock(&domain->lock);
		return;
	}
	accel_memory_domain_hand_over(domain);
	accel_memory_domain_unlock(domain);
}

/* Hands over the commands of all devices in the domain. */
static void accel_flush(struct weft_device *base)
{
	struct accel_memory_domain *domain = device_of(base)->domain;

	weft_mutex_lock(&domain->lock);
	accel_memory_domain_hand_over(domain);
	accel_memory_domain_unlock(domain);
}

/* Commands that follow this one have learned of its end by its slot; the host tells the others. */
static void accel_broadcast(struct weft_device *base, struct weft_command *command)
{
	struct accel_memory_domain *domain = device_of(base)->domain;
	accel_event_slot_id id = data_of(command);

	base->host->accelerator->broadcast(command);
	weft_mutex_lock(&domain->lock);
	accel_event_slots_return(&domain->slots, id);
	weft_mutex_unlock(&domain->lock);
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
