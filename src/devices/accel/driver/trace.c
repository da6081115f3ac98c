/* SPDX-License-Identifier: MIT
 *
 * Rows of a trace. Parts of a device are counted from 1: its clusters, its channels, then the elements of its clusters.
 */
#include "driver/trace.h"

#include "driver/accel.h"

#include <stdio.h>

/* 0: elements are not shown. */
static uint32_t num_element_rows(const struct accel_description *machine)
{
	const uint64_t count = machine->clusters * machine->elements;

	return count <= ACCEL_MOST_ROWS ? (uint32_t)count : 0;
}

static uint32_t first_element_row(const struct accel_description *machine)
{
	return (uint32_t)(machine->clusters + machine->channels) + 1;
}

/* Called before anything of the device is shown. */
static void name_rows(struct accel_device *device)
{
	const struct accel_description *machine = &device->description;
	const struct weft_host_simulation *host = device->base.host->simulation;
	char name[48];

	if (atomic_exchange_explicit(&device->is_named, true, memory_order_relaxed))
		return;
	snprintf(name, sizeof(name), "accel %u, simulated time", (unsigned)device->number);
	host->name(device->row, 0, name);
	for (uint64_t i = 0; i < machine->clusters; i++) {
		snprintf(name, sizeof(name), "cluster %u", (unsigned)i);
		host->name(device->row, (uint32_t)i + 1, name);
	}
	for (uint64_t i = 0; i < machine->channels; i++) {
		snprintf(name, sizeof(name), "channel %u", (unsigned)i);
		host->name(device->row, (uint32_t)(machine->clusters + i) + 1, name);
	}
	for (uint32_t i = 0; i < num_element_rows(machine); i++) {
		snprintf(name, sizeof(name), "cluster %u element %u",
			 (unsigned)(i / machine->elements), (unsigned)(i % machine->elements));
		host->name(device->row, first_element_row(machine) + i, name);
	}
}

static uint64_t nanoseconds(const struct accel_device *device, uint64_t time)
{
	return device->domain->origin + time / ACCEL_PS_PER_NS;
}

static void show(struct accel_device *device, struct weft_command *command, uint32_t part,
		 uint64_t start, uint64_t end)
{
	const struct weft_span span = {
		.device = device->row,
		.part = part,
		.start = nanoseconds(device, start),
		.end = nanoseconds(device, end),
	};

	device->base.host->simulation->spent(command, &span);
}

/* When each cluster's last group has ended, in cycles from the launch's start; 0: it had none. */
static void find_ends(const struct accel_device *device, uint64_t *ends)
{
	const struct accel_schedule *schedule = &device->schedule;
	const struct accel_description *machine = &device->description;

	for (uint64_t i = 0; i < machine->clusters; i++)
		ends[i] = 0;
	for (uint32_t p = 0; p < schedule->num_places; p++) {
		const struct accel_place *place = &schedule->places[p];
		uint64_t cluster = (uint64_t)(place->busy - schedule->busy) / machine->elements;

		if (place->free > machine->launch && place->free > ends[cluster])
			ends[cluster] = place->free;
	}
}

/* For how long each element was busy with the launch, from its start. */
static void show_elements(struct accel_device *device, struct weft_command *command, uint64_t start)
{
	const struct accel_description *machine = &device->description;

	for (uint32_t i = 0; i < num_element_rows(machine); i++) {
		const uint64_t busy =
			atomic_load_explicit(&device->schedule.busy[i], memory_order_relaxed);

		if (busy != device->shown[i])
			show(device, command, first_element_row(machine) + i, start,
			     accel_clock_after(start, busy - device->shown[i], machine->clock_mhz));
		device->shown[i] = busy;
	}
}

static uint32_t show_clusters(struct accel_device *device, struct weft_command *command,
			      const struct accel_service *service)
{
	const struct accel_description *machine = &device->description;
	uint64_t ends[ACCEL_MOST_CLUSTERS];
	uint32_t last = 0;

	find_ends(device, ends);
	for (uint32_t i = 0; i < machine->clusters; i++) {
		if (ends[i] == 0)
			continue;
		show(device, command, i + 1, service->start,
		     accel_clock_after(service->start, ends[i], machine->clock_mhz));
		if (ends[i] > ends[last])
			last = i;
	}
	return last + 1;
}

struct accel_trace_row accel_trace_command(struct accel_device *device,
					   struct weft_command *command,
					   const struct accel_service *service,
					   const struct accel_trace_cause *cause)
{
	const struct weft_host_simulation *host = device->base.host->simulation;
	struct accel_trace_row row = {.device = device->row};

	if (!host || service->cycles == 0)
		return (struct accel_trace_row){0};
	name_rows(device);
	const uint32_t channel = (uint32_t)device->description.clusters + service->server + 1;
	const bool is_kernel = accel_is_kernel(command);
	if (is_kernel) {
		row.part = show_clusters(device, command, service);
		show_elements(device, command, service->start);
	} else {
		row.part = channel;
		show(device, command, channel, service->start, service->end);
	}
	if (cause->row.part != 0)
		host->followed(command, &(struct weft_arrow){cause->row.device, cause->row.part,
							     nanoseconds(device, cause->end),
							     device->row, is_kernel ? 1 : channel,
							     nanoseconds(device, service->start)});
	return row;
}
