/* SPDX-License-Identifier: MIT
 *
 * Printing what devices have done: some lines for each, when it is closed or the process ends. `lock` guards the list of open
 * devices.
 */
#include "driver/stats.h"

#include "driver/accel.h"
#include "options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct row {
	const char *name;
	size_t place;
};

#define ROW(name, field) {name, offsetof(struct accel_stats, field)}

static const struct row rows[] = {
	ROW("commands", commands),
	ROW("kernels", kernels),
	ROW("DMA requests", dma_requests),
	ROW("handovers", handovers),
	ROW("host interventions", interventions),
	ROW("full rings", full_rings),
	ROW("followed", followed),
	ROW("kernel table uploads", uploads),
	ROW("kernel cycles", kernel_cycles),
	ROW("DMA cycles", dma_cycles),
	ROW("transfers", transfers),
	ROW("transferred bytes", transfer_bytes),
	ROW("cycles of waiting for transfers", transfer_waits),
	ROW("host calls", host_calls),
	ROW("host batches", host_batches),
};

static struct weft_mutex lock = WEFT_MUTEX_INITIALIZER(WEFT_RANK_DEVICE);
static struct weft_list devices WEFT_GUARDED_BY(&lock) = {&devices, &devices};

static uint64_t look(const _Atomic uint64_t *number)
{
	return atomic_load_explicit(number, memory_order_relaxed);
}

static void add_caches(const struct accel_device *device, struct accel_stats *stats)
{
	for (uint64_t i = 0; i < device->description.clusters && device->cache.counts; i++) {
		const struct accel_simulated_cache_counts *counts = &device->cache.counts[i];

		stats->cache_hits += look(&counts->hits);
		stats->cache_misses += look(&counts->misses);
		stats->cache_write_backs += look(&counts->write_backs);
	}
}

struct accel_stats accel_stats_read(struct weft_device *base)
{
	struct accel_device *device = WEFT_CONTAINER_OF(base, struct accel_device, base);

	weft_mutex_lock(&device->domain->lock);
	struct accel_stats stats = device->stats;
	weft_mutex_unlock(&device->domain->lock);
	add_caches(device, &stats);
	return stats;
}

/* Cycles for which each element has run work-items. */
static void print_cluster(const struct accel_device *device, uint64_t cluster)
{
	const uint64_t elements = device->description.elements;
	_Atomic uint64_t *busy = device->schedule.busy + cluster * elements;

	fprintf(stderr, "weft: accel %" PRIu32 " cluster %" PRIu64 ": busy", device->number,
		cluster);
	for (uint64_t i = 0; i < elements; i++)
		fprintf(stderr, " %" PRIu64, look(&busy[i]));
	fputc('\n', stderr);
}

static void print_cache(const struct accel_device *device, uint64_t cluster)
{
	struct accel_simulated_cache_counts *counts = &device->cache.counts[cluster];

	fprintf(stderr,
		"weft: accel %" PRIu32 " cluster %" PRIu64 " cache: hits %" PRIu64
		", misses %" PRIu64 ", write-backs %" PRIu64 "\n",
		device->number, cluster, look(&counts->hits), look(&counts->misses),
		look(&counts->write_backs));
}

/* Cycles for which each channel has moved something. */
static void print_channels(struct accel_device *device)
{
	uint64_t busy[ACCEL_MOST_CHANNELS];

	weft_mutex_lock(&device->domain->lock);
	memcpy(busy, device->dma.busy, sizeof(busy));
	weft_mutex_unlock(&device->domain->lock);
	fprintf(stderr, "weft: accel %" PRIu32 " channels: busy", device->number);
	for (uint64_t i = 0; i < device->description.channels; i++)
		fprintf(stderr, " %" PRIu64, busy[i]);
	fputc('\n', stderr);
}

static void print(struct accel_device *device)
{
	const struct accel_stats stats = accel_stats_read(&device->base);
	char text[768];
	size_t length = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const void *place = (const char *)&stats + rows[i].place;

		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s %s %" PRIu64,
					   i ? "," : ":", rows[i].name, *(const uint64_t *)place);
	}
	fprintf(stderr, "weft: accel %" PRIu32 "%s\n", device->number, text);
	for (uint64_t i = 0; i < device->description.clusters; i++)
		print_cluster(device, i);
	for (uint64_t i = 0; i < device->description.clusters && device->cache.counts; i++)
		print_cache(device, i);
	print_channels(device);
}

void accel_stats_begin(struct accel_device *device)
{
	weft_list_init(&device->stats_link);
	if (!weft_options()->accel_stats)
		return;
	weft_mutex_lock(&lock);
	weft_list_append(&devices, &device->stats_link);
	weft_mutex_unlock(&lock);
}

void accel_stats_end(struct accel_device *device)
{
	weft_mutex_lock(&lock);
	bool wanted = !weft_list_empty(&device->stats_link);
	weft_list_remove(&device->stats_link);
	weft_mutex_unlock(&lock);
	if (wanted)
		print(device);
}

/* Devices that the application leaves open. */
__attribute__((destructor)) static void print_all(void)
{
	weft_mutex_lock(&lock);
	for (struct weft_list *link = devices.next; link != &devices; link = link->next)
		print(WEFT_CONTAINER_OF(link, struct accel_device, stats_link));
	weft_mutex_unlock(&lock);
}
