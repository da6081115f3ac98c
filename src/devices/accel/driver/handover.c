/* SPDX-License-Identifier: MIT
 *
 * Handing commands over: from the host's list of pending commands to the device's ring.
 */
#include "clock.h"
#include "driver/accel.h"
#include "driver/engine.h"

static void find_kernel(struct accel_device *device, const struct weft_launch *launch,
			struct accel_entry *entry)
{
	entry->kernel = accel_kernel_table_add(&device->kernels, &device->domain->memory, launch);
	if (entry->kernel == 0 && entry->result == WEFT_OK)
		entry->result = WEFT_OUT_OF_RESOURCES;
}

/* Writes the command into the entry. If it has a slot, that waits for the host, and perhaps for other commands. */
static void write_entry(struct accel_memory_domain *domain, struct accel_device *device,
			uint32_t number, struct weft_command *command, uint64_t now)
	WEFT_REQUIRES(&domain->lock)
{
	struct accel_entry *entry = accel_ring_entry(&device->ring, number);
	const uint64_t note = (uintptr_t)command->private_data;
	struct accel_event_slot *slot = accel_event_slots_find(&domain->slots, note);

	*entry = (struct accel_entry){
		.status = ACCEL_ENTRY_WAITING,
		.ready = domain->clock.reached,
		.turn = domain->num_handed_over++,
		.result = slot ? WEFT_OK : (uint32_t)note,
		.slot = slot ? note : 0,
		.command = (uintptr_t)command,
	};
	if (accel_is_kernel(command))
		find_kernel(device, &command->launch, entry);
	accel_ring_advance(&device->ring);
	accel_clock_begin(&domain->clock, now);
	if (slot) {
		slot->entry = number;
		slot->device = device;
	}
	if (!slot || accel_event_slot_meet(slot))
		accel_engine_give(domain, device, number);
}

static void hand_over(struct accel_memory_domain *domain, struct accel_device *device)
	WEFT_REQUIRES(&domain->lock)
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
		write_entry(domain, device, number, command, now);
	}
	device->was_full = !weft_list_empty(&device->pending);
	device->stats.full_rings += device->was_full && !was_full;
	if (!any)
		return;
	device->stats.handovers++;
	device->stats.interventions += intervenes;
	device->stats.uploads += accel_kernel_table_upload(&device->kernels);
}

void accel_memory_domain_refill(struct accel_memory_domain *domain)
{
	for (struct accel_device *device = accel_next_device(domain, NULL); device;
	     device = accel_next_device(domain, device)) {
		if (device->was_full)
			hand_over(domain, device);
	}
}

void accel_memory_domain_hand_over(struct accel_memory_domain *domain)
{
	for (struct accel_device *device = accel_next_device(domain, NULL); device;
	     device = accel_next_device(domain, device)) {
		if (!weft_list_empty(&device->pending))
			hand_over(domain, device);
	}
}
