/* SPDX-License-Identifier: MIT
 *
 * The life of memory domains, and of what their devices have there. `registry_lock` guards the list of domains, their
 * `users` and `next`. How commands are handed over is in handover.c; how they run is in engine.c.
 */
#include "driver/memory_domain.h"

#include "alloc.h"
#include "clock.h"
#include "driver/accel.h"
#include "driver/engine.h"
#include "fork_generation.h"

#include <string.h>

/* ---- domains --------------------------------------------------------------------------------- */

static struct weft_mutex registry_lock = WEFT_MUTEX_INITIALIZER(WEFT_RANK_DEVICE);
static struct accel_memory_domain *domains WEFT_GUARDED_BY(&registry_lock);
static weft_space last_space WEFT_GUARDED_BY(&registry_lock) = WEFT_SPACE_HOST;

/* In a new domain, and in the child of a fork: no thread, device or task. */
static void reset(struct accel_memory_domain *domain) WEFT_TSA(no_thread_safety_analysis)
{
	weft_mutex_init(&domain->lock, WEFT_RANK_WORKER);
	weft_condition_init(&domain->changed);
	weft_list_init(&domain->devices);
	domain->num_tasks = 0;
	domain->fork_generation = weft_fork_generation();
	domain->num_threads = 0;
	domain->num_idle = 0;
	domain->num_blocked = 0;
	domain->reporting = false;
	domain->handover_due = false;
	domain->closing = false;
	domain->draining = false;
}

static struct accel_memory_domain *create(const char *name, uint64_t size)
	WEFT_TSA(no_thread_safety_analysis)
{
	struct accel_memory_domain *domain = weft_zalloc(sizeof(*domain));

	if (!domain)
		return NULL;
	strncpy(domain->name, name, sizeof(domain->name) - 1);
	domain->size = size;
	accel_memory_init(&domain->memory, size);
	reset(domain);
	domain->origin = weft_clock_now();
	accel_clock_init(&domain->clock, domain->origin);
	return domain;
}

/* The event slots go with the memory. */
static void destroy(struct accel_memory_domain *domain) WEFT_TSA(no_thread_safety_analysis)
{
	accel_memory_destroy(&domain->memory);
	weft_condition_destroy(&domain->changed);
	weft_mutex_destroy(&domain->lock);
	weft_free(domain);
}

static struct accel_memory_domain *find(const char *name, uint64_t size)
	WEFT_REQUIRES(&registry_lock)
{
	struct accel_memory_domain *domain = domains;

	while (domain && (domain->size != size || strcmp(domain->name, name) != 0))
		domain = domain->next;
	return domain;
}

enum weft_status accel_memory_domain_open(const char *name, uint64_t size,
					  struct accel_memory_domain **out)
{
	struct accel_memory_domain *fresh = create(name, size);

	if (!fresh)
		return WEFT_OUT_OF_MEMORY;
	weft_mutex_lock(&registry_lock);
	struct accel_memory_domain *domain = find(name, size);
	if (!domain) {
		domain = fresh;
		domain->space = ++last_space;
		domain->next = domains;
		domains = domain;
		fresh = NULL;
	}
	domain->users++;
	weft_mutex_unlock(&registry_lock);
	if (fresh)
		destroy(fresh);
	*out = domain;
	return WEFT_OK;
}

void accel_memory_domain_get(struct accel_memory_domain *domain)
{
	weft_mutex_lock(&registry_lock);
	domain->users++;
	weft_mutex_unlock(&registry_lock);
}

/* Returns whether it was the last reference; then the domain is not in the list any more. */
static bool drop(struct accel_memory_domain *domain) WEFT_REQUIRES(&registry_lock)
{
	struct accel_memory_domain **link = &domains;

	if (--domain->users > 0)
		return false;
	while (*link != domain)
		link = &(*link)->next;
	*link = domain->next;
	return true;
}

void accel_memory_domain_close(struct accel_memory_domain *domain)
{
	if (!domain)
		return;
	weft_mutex_lock(&registry_lock);
	bool last = drop(domain);
	weft_mutex_unlock(&registry_lock);
	if (last)
		destroy(domain);
}

struct accel_memory_domain *accel_memory_domain_of(weft_space space)
{
	weft_mutex_lock(&registry_lock);
	struct accel_memory_domain *domain = domains;
	while (domain && domain->space != space)
		domain = domain->next;
	weft_mutex_unlock(&registry_lock);
	return domain;
}

/* ---- devices --------------------------------------------------------------------------------- */

/* No command is in the ring. */
static void begin_device(struct accel_device *device)
{
	device->clusters = (struct accel_engine){.device = device, .most_running = 1};
	device->dma = (struct accel_engine){.device = device,
					    .most_running = (uint32_t)device->description.channels};
	device->calls.memory = &device->domain->memory;
	weft_list_init(&device->pending);
	device->was_full = false;
	device->ring.tail = 0;
	device->ended = (struct accel_entries){0};
	device->stats = (struct accel_stats){0};
	accel_kernel_table_reset(&device->kernels);
}

/* Reserves memory for the device's ring, and for the domain's slots if that has not been done. */
static bool reserve_memory(struct accel_memory_domain *domain, struct accel_device *device)
	WEFT_REQUIRES(&domain->lock)
{
	struct accel_ring *ring = &device->ring;

	if (!domain->slots.table)
		domain->slots.table = accel_memory_reserve(
			&domain->memory, ACCEL_NUM_EVENT_SLOTS * sizeof(*domain->slots.table));
	ring->size = (uint32_t)device->description.ring;
	ring->entries = accel_memory_reserve(&domain->memory, ring->size * sizeof(*ring->entries));
	return ring->entries && domain->slots.table;
}

enum weft_status accel_memory_domain_add_device(struct accel_memory_domain *domain,
						struct accel_device *device)
{
	begin_device(device);
	weft_mutex_lock(&domain->lock);
	bool found = reserve_memory(domain, device);
	if (found)
		weft_list_append(&domain->devices, &device->link);
	weft_mutex_unlock(&domain->lock);
	if (found)
		return WEFT_OK;
	accel_memory_return(&domain->memory, device->ring.entries);
	return WEFT_OUT_OF_MEMORY;
}

void accel_memory_domain_remove_device(struct accel_memory_domain *domain,
				       struct accel_device *device)
{
	weft_mutex_lock(&domain->lock);
	weft_list_remove(&device->link);
	bool last = weft_list_empty(&domain->devices);
	weft_mutex_unlock(&domain->lock);
	if (last)
		accel_engine_end_threads(domain);
	accel_memory_return(&domain->memory, device->kernels.entries);
	accel_memory_return(&domain->memory, device->ring.entries);
	accel_call_ring_destroy(&device->calls);
}

/* The first of its devices to come here finds the domain as the parent had it. */
void accel_memory_domain_restart_device(struct accel_memory_domain *domain,
					struct accel_device *device)
	WEFT_TSA(no_thread_safety_analysis)
{
	if (domain->fork_generation != weft_fork_generation()) {
		reset(domain);
		accel_clock_rest(&domain->clock, weft_clock_now());
		accel_event_slots_reset(&domain->slots);
	}
	begin_device(device);
	memset(device->ring.entries, 0, device->ring.size * sizeof(*device->ring.entries));
	weft_list_append(&domain->devices, &device->link);
}

void accel_memory_domain_unload(struct accel_memory_domain *domain,
				const struct weft_module *module)
{
	weft_mutex_lock(&domain->lock);
	for (struct accel_device *device = accel_next_device(domain, NULL); device;
	     device = accel_next_device(domain, device))
		accel_kernel_table_remove_module(&device->kernels, module);
	weft_mutex_unlock(&domain->lock);
}
