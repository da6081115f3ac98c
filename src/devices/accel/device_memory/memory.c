/* SPDX-License-Identifier: MIT
 *
 * Allocation of device memory, in granules. `heads` has, at the first granule of each allocation, the number of its
 * granules, and zero everywhere else; so one store makes an allocation, one undoes it, and the child of a fork finds the
 * list whole. `next` is the end of the newest allocation: never inside one. Behind the last granule of the memory, and
 * one that nobody has, are those for the driver's own use.
 *
 * `registry_lock` guards the list of memories, a memory's own lock its allocations. Nothing blocks.
 */
#include "device_memory/memory.h"

#include "alloc.h"
#include "driver/memory_domain.h"
#include "log.h"
#include "mutex.h"

#include <string.h>
#include <sys/mman.h>

#define GRANULE ((size_t)4096)
#define NAME_BYTES 64
/* Compiled code may read whole vectors at the end of an allocation. */
#define GAP_BYTES GRANULE
#define RESERVE_BYTES ((size_t)16 << 20)
/* An allocation of that size gives its pages back when it is released. */
#define LARGE_BYTES ((size_t)1 << 20)

struct accel_memory {
	struct accel_memory *next_memory;
	char name[NAME_BYTES];
	uint64_t size; /* bytes, a multiple of GRANULE */
	weft_space space;
	uint32_t users; /* guarded by the registry's lock */
	struct accel_board board;
	struct weft_mutex lock;
	/* The three are mapped together, with the first allocation; constant from then on. */
	_Atomic(unsigned char *) addresses; /* of the device: no access */
	unsigned char *bytes;               /* what lies there */
	uint32_t *heads WEFT_GUARDED_BY(&lock);
	size_t next WEFT_GUARDED_BY(&lock); /* granule */
};

/* ---- the memories ---------------------------------------------------------------------------- */

static struct weft_mutex registry_lock = WEFT_MUTEX_INITIALIZER(WEFT_RANK_DEVICE);
static struct accel_memory *memories WEFT_GUARDED_BY(&registry_lock);
static weft_space last_space WEFT_GUARDED_BY(&registry_lock) = WEFT_SPACE_HOST;

static struct accel_memory *find(const char *name, uint64_t size) WEFT_REQUIRES(&registry_lock)
{
	struct accel_memory *memory = memories;

	while (memory && (memory->size != size || strcmp(memory->name, name) != 0))
		memory = memory->next_memory;
	return memory;
}

static size_t num_granules(const struct accel_memory *memory)
{
	return memory->size / GRANULE;
}

static struct accel_memory *create(const char *name, uint64_t size)
{
	struct accel_memory *memory = weft_zalloc(sizeof(*memory));

	if (!memory)
		return NULL;
	strncpy(memory->name, name, sizeof(memory->name) - 1);
	memory->size = size;
	weft_mutex_init(&memory->lock, WEFT_RANK_DEVICE_MEMORY);
	accel_board_init(&memory->board, memory);
	return memory;
}

/* Of the granules that are for the driver. */
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

/* Nobody else has it. */
static void destroy(struct accel_memory *memory) WEFT_TSA(no_thread_safety_analysis)
{
	unsigned char *addresses = atomic_load_explicit(&memory->addresses, memory_order_relaxed);

	if (addresses) {
		munmap(addresses, memory->size);
		munmap(memory->bytes, bytes_size(memory));
		munmap(memory->heads, heads_size(memory));
	}
	accel_board_destroy(&memory->board);
	weft_mutex_destroy(&memory->lock);
	weft_free(memory);
}

enum weft_status accel_memory_open(const char *name, uint64_t size, struct accel_memory **out)
{
	struct accel_memory *fresh = create(name, size & ~(uint64_t)(GRANULE - 1));

	if (!fresh)
		return WEFT_OUT_OF_MEMORY;
	weft_mutex_lock(&registry_lock);
	struct accel_memory *memory = find(fresh->name, fresh->size);
	if (!memory) {
		memory = fresh;
		memory->space = ++last_space;
		memory->next_memory = memories;
		memories = memory;
		fresh = NULL;
	}
	memory->users++;
	weft_mutex_unlock(&registry_lock);
	if (fresh)
		destroy(fresh);
	*out = memory;
	return WEFT_OK;
}

void accel_memory_get(struct accel_memory *memory)
{
	weft_mutex_lock(&registry_lock);
	memory->users++;
	weft_mutex_unlock(&registry_lock);
}

static bool leave(struct accel_memory *memory) WEFT_REQUIRES(&registry_lock)
{
	struct accel_memory **link = &memories;

	if (--memory->users > 0)
		return false;
	while (*link != memory)
		link = &(*link)->next_memory;
	*link = memory->next_memory;
	return true;
}

void accel_memory_close(struct accel_memory *memory)
{
	if (!memory)
		return;
	weft_mutex_lock(&registry_lock);
	bool last = leave(memory);
	weft_mutex_unlock(&registry_lock);
	if (last)
		destroy(memory);
}

weft_space accel_memory_space(const struct accel_memory *memory)
{
	return memory->space;
}

struct accel_memory *accel_memory_of(weft_space space)
{
	weft_mutex_lock(&registry_lock);
	struct accel_memory *memory = memories;
	while (memory && memory->space != space)
		memory = memory->next_memory;
	weft_mutex_unlock(&registry_lock);
	return memory;
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

/* Granules. */
struct span {
	size_t first; /* not inside an allocation */
	size_t end;
};

/* The first gap of so many granules. */
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
	memory->next = *start + count; /* before it may be inside one */
	memory->heads[*start] = (uint32_t)count;
	return true;
}

enum weft_status accel_memory_allocate(struct accel_memory *memory, size_t size, size_t alignment,
				       void **address)
{
	size_t count = size / GRANULE + (size % GRANULE != 0);
	size_t start;

	if (alignment > GRANULE || count > num_granules(memory) || count > UINT32_MAX ||
	    weft_alloc_must_fail())
		return WEFT_OUT_OF_RESOURCES;
	weft_mutex_lock(&memory->lock);
	bool taken = take(memory, count ? count : 1, &start);
	weft_mutex_unlock(&memory->lock);
	if (!taken)
		return WEFT_OUT_OF_RESOURCES;
	*address = atomic_load_explicit(&memory->addresses, memory_order_relaxed) + start * GRANULE;
	return WEFT_OK;
}

void accel_memory_release(struct accel_memory *memory, void *address)
{
	unsigned char *addresses = atomic_load_explicit(&memory->addresses, memory_order_relaxed);
	size_t start = (size_t)((unsigned char *)address - addresses) / GRANULE;

	weft_mutex_lock(&memory->lock);
	size_t size = memory->heads[start] * GRANULE;
	/* while it is nobody else's */
	if (size >= LARGE_BYTES)
		madvise(memory->bytes + start * GRANULE, size, MADV_DONTNEED);
	memory->heads[start] = 0;
	weft_mutex_unlock(&memory->lock);
}

/* ---- for the driver itself ------------------------------------------------------------------- */

struct accel_board *accel_memory_board(struct accel_memory *memory)
{
	return &memory->board;
}

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
	madvise(place, memory->heads[start] * GRANULE, MADV_DONTNEED); /* so it is zeroed */
	memory->heads[start] = 0;
	weft_mutex_unlock(&memory->lock);
}

void *accel_memory_at(const struct accel_memory *memory, const void *address, size_t size)
{
	unsigned char *addresses = atomic_load_explicit(
		&((struct accel_memory *)(uintptr_t)memory)->addresses, memory_order_acquire);
	uintptr_t offset = (uintptr_t)address - (uintptr_t)addresses;

	if (!addresses || offset > memory->size || size > memory->size - offset)
		return NULL;
	return memory->bytes + offset;
}

bool accel_memory_find(const struct accel_memory *memory, const void *place, uint64_t *offset)
{
	const unsigned char *addresses = atomic_load_explicit(
		&((struct accel_memory *)(uintptr_t)memory)->addresses, memory_order_acquire);

	*offset = (uintptr_t)place - (uintptr_t)memory->bytes;
	return addresses && *offset < memory->size;
}
