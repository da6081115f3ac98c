/* SPDX-License-Identifier: MIT
 *
 * Allocation of device memory, in granules. `heads` has the number of granules of each allocation at its first granule,
 * and zero everywhere else. So one store makes an allocation, one store ends it, and the child of a fork finds the list
 * whole. `next` is the end of the newest allocation, and never inside one. Behind the last granule of the memory and an unused
 * one are the granules for the driver's own use. Nothing blocks.
 */
#include "device_memory/memory.h"

#include "alloc.h"
#include "log.h"

#include <stdatomic.h>
#include <sys/mman.h>

#define GRANULE ((size_t)4096)
/* Compiled code may read whole vectors at the end of an allocation. */
#define GAP_BYTES GRANULE
#define RESERVE_BYTES ((size_t)16 << 20)
/* An allocation of this size or more returns its pages when it is released. */
#define LARGE_BYTES ((size_t)1 << 20)

static size_t num_granules(const struct accel_memory *memory)
{
	return memory->size / GRANULE;
}

/* The first of the granules for the driver. */
static size_t first_reserve(const struct accel_memory *memory)
{
	return num_granules(memory) + GAP_BYTES / GRANULE;
}

static size_t end_reserve(const struct accel_memory *memory)
{
	return first_reserve(memory) + RESERVE_BYTES / GRANULE;
}

static size_t bytes_size(const struct accel_memory *memory)
{
	return end_reserve(memory) * GRANULE + GAP_BYTES;
}

static size_t heads_size(const struct accel_memory *memory)
{
	return end_reserve(memory) * sizeof(uint32_t);
}

void accel_memory_init(struct accel_memory *memory, uint64_t size)
{
	memory->size = size & ~(uint64_t)(GRANULE - 1);
	weft_mutex_init(&memory->lock, WEFT_RANK_DEVICE_MEMORY);
}

void accel_memory_destroy(struct accel_memory *memory) WEFT_TSA(no_thread_safety_analysis)
{
	unsigned char *addresses = atomic_load_explicit(&memory->addresses, memory_order_relaxed);

	if (addresses) {
		munmap(addresses, memory->size);
		munmap(memory->bytes, bytes_size(memory));
		munmap(memory->heads, heads_size(memory));
	}
	weft_free(memory->shared);
	weft_mutex_destroy(&memory->lock);
}

/* ---- allocation ------------------------------------------------------------------------------ */

static void *map(size_t size, int protection)
{
	void *mapped =
		mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return mapped == MAP_FAILED ? NULL : mapped;
}

/* Pages cost nothing until they are used. */
static bool map_all(struct accel_memory *memory) WEFT_REQUIRES(&memory->lock)
{
	if (atomic_load_explicit(&memory->addresses, memory_order_relaxed))
		return true;
	unsigned char *addresses = map(memory->size, PROT_NONE);
	unsigned char *bytes = map(bytes_size(memory), PROT_READ | PROT_WRITE);
	uint32_t *heads = map(heads_size(memory), PROT_READ | PROT_WRITE);

	if (addresses && bytes && heads) {
		memory->bytes = bytes;
		memory->heads = heads;
		atomic_store_explicit(&memory->addresses, addresses, memory_order_release);
		return true;
	}
	weft_log(WEFT_LOG_WARN, "memory", "no address space for an accelerator's %llu bytes",
		 (unsigned long long)memory->size);
	if (addresses)
		munmap(addresses, memory->size);
	if (bytes)
		munmap(bytes, bytes_size(memory));
	if (heads)
		munmap(heads, heads_size(memory));
	return false;
}

/* A range of granules. */
struct span {
	size_t first; /* not inside an allocation */
	size_t end;
};

/* Finds the first gap of `count` granules. */
static bool find_gap(const struct accel_memory *memory, size_t count, struct span span,
		     size_t *start) WEFT_REQUIRES(&memory->lock)
{
	size_t gap = 0;

	for (size_t at = span.first; at < span.end;) {
		if (memory->heads[at]) {
			at += memory->heads[at];
			gap = 0;
			continue;
		}
		at++;
		if (++gap == count) {
			*start = at - count;
			return true;
		}
	}
	return false;
}

static bool take(struct accel_memory *memory, size_t count, size_t *start)
	WEFT_REQUIRES(&memory->lock)
{
	const size_t end = num_granules(memory);

	if (!map_all(memory) ||
	    (!find_gap(memory, count, (struct span){memory->next, end}, start) &&
	     !find_gap(memory, count, (struct span){0, end}, start)))
		return false;
	memory->next = *start + count; /* before it could be inside the allocation */
	memory->heads[*start] = (uint32_t)count;
	return true;
}

/* Granules for so many bytes. */
static bool take_bytes(struct accel_memory *memory, size_t size, size_t *start)
	WEFT_REQUIRES(&memory->lock)
{
	const size_t count = size / GRANULE + (size % GRANULE != 0);

	return count <= num_granules(memory) && count <= UINT32_MAX && !weft_alloc_must_fail() &&
	       take(memory, count ? count : 1, start);
}

enum weft_status accel_memory_allocate(struct accel_memory *memory, size_t size, size_t alignment,
				       void **address)
{
	size_t start;

	if (alignment > GRANULE)
		return WEFT_OUT_OF_RESOURCES;
	weft_mutex_lock(&memory->lock);
	bool taken = take_bytes(memory, size, &start);
	weft_mutex_unlock(&memory->lock);
	if (!taken)
		return WEFT_OUT_OF_RESOURCES;
	*address = atomic_load_explicit(&memory->addresses, memory_order_relaxed) + start * GRANULE;
	return WEFT_OK;
}

enum weft_status accel_memory_share(struct accel_memory *memory, void *address, size_t size)
{
	struct accel_shared_range range = {.begin = (uintptr_t)address, .size = size};
	enum weft_status status = WEFT_OUT_OF_RESOURCES;

	weft_mutex_lock(&memory->lock);
	if (take_bytes(memory, size, &range.granule)) {
		status = accel_shared_ranges_add(&memory->shared, &range);
		if (status == WEFT_OK)
			atomic_fetch_add_explicit(&memory->num_shared, 1, memory_order_relaxed);
		else
			memory->heads[range.granule] = 0;
	}
	weft_mutex_unlock(&memory->lock);
	return status;
}

/* Of an allocation, or of a shared range, whose pages are not here. */
static size_t start_of(struct accel_memory *memory, void *address) WEFT_REQUIRES(&memory->lock)
{
	unsigned char *addresses = atomic_load_explicit(&memory->addresses, memory_order_relaxed);
	size_t start;

	if (accel_shared_ranges_remove(&memory->shared, (uintptr_t)address, &start)) {
		atomic_fetch_sub_explicit(&memory->num_shared, 1, memory_order_relaxed);
		return start;
	}
	return (size_t)((unsigned char *)address - addresses) / GRANULE;
}

void accel_memory_release(struct accel_memory *memory, void *address)
{
	weft_mutex_lock(&memory->lock);
	size_t start = start_of(memory, address);
	size_t size = memory->heads[start] * GRANULE;
	/* before another allocation can take it */
	if (size >= LARGE_BYTES)
		madvise(memory->bytes + start * GRANULE, size, MADV_DONTNEED);
	memory->heads[start] = 0;
	weft_mutex_unlock(&memory->lock);
}

/* ---- for the driver itself ------------------------------------------------------------------- */

void *accel_memory_reserve(struct accel_memory *memory, size_t size)
{
	size_t count = size / GRANULE + (size % GRANULE != 0);
	size_t start;

	if (weft_alloc_must_fail())
		return NULL;
	weft_mutex_lock(&memory->lock);
	const struct span span = {first_reserve(memory), end_reserve(memory)};
	bool found = map_all(memory) && find_gap(memory, count, span, &start);
	if (found)
		memory->heads[start] = (uint32_t)count;
	weft_mutex_unlock(&memory->lock);
	return found ? memory->bytes + start * GRANULE : NULL;
}

void accel_memory_return(struct accel_memory *memory, void *place)
{
	if (!place)
		return;
	size_t start = (size_t)((unsigned char *)place - memory->bytes) / GRANULE;

	weft_mutex_lock(&memory->lock);
	madvise(place, memory->heads[start] * GRANULE, MADV_DONTNEED); /* zeroes it */
	memory->heads[start] = 0;
	weft_mutex_unlock(&memory->lock);
}

/* ---- finding bytes ---------------------------------------------------------------------------- */

/* A copy of the shared range that has the address; false: there is none. */
static bool find_shared(struct accel_memory *memory, const void *address,
			struct accel_shared_range *range)
{
	if (atomic_load_explicit(&memory->num_shared, memory_order_relaxed) == 0)
		return false;
	weft_mutex_lock(&memory->lock);
	const struct accel_shared_range *found =
		accel_shared_ranges_find(memory->shared, (uintptr_t)address);
	if (found)
		*range = *found;
	weft_mutex_unlock(&memory->lock);
	return found;
}

void *accel_memory_at(struct accel_memory *memory, const void *address, size_t size)
{
	unsigned char *addresses = atomic_load_explicit(&memory->addresses, memory_order_acquire);
	const uintptr_t offset = (uintptr_t)address - (uintptr_t)addresses;
	struct accel_shared_range range;

	if (addresses && offset <= memory->size && size <= memory->size - offset)
		return memory->bytes + offset;
	return find_shared(memory, address, &range) &&
			       size <= range.size - ((uintptr_t)address - range.begin)
		       ? (void *)(uintptr_t)address
		       : NULL;
}

bool accel_memory_around(struct accel_memory *memory, const void *place, uintptr_t *begin,
			 size_t *size)
{
	const unsigned char *addresses =
		atomic_load_explicit(&memory->addresses, memory_order_acquire);
	struct accel_shared_range range;

	if (addresses && (uintptr_t)place - (uintptr_t)memory->bytes < memory->size) {
		*begin = (uintptr_t)memory->bytes;
		*size = memory->size;
		return true;
	}
	if (!find_shared(memory, place, &range))
		return false;
	*begin = range.begin;
	*size = range.size;
	return true;
}

bool accel_memory_find(struct accel_memory *memory, const void *place, uint64_t *offset)
{
	const unsigned char *addresses =
		atomic_load_explicit(&memory->addresses, memory_order_acquire);
	struct accel_shared_range range;

	*offset = (uintptr_t)place - (uintptr_t)memory->bytes;
	if (addresses && *offset < memory->size)
		return true;
	if (!find_shared(memory, place, &range))
		return false;
	*offset = range.granule * GRANULE + ((uintptr_t)place - range.begin);
	return true;
}
