/* SPDX-License-Identifier: MIT
 *
 * Replicas. Invariant: the extents begin at 0, each behind the one before and inside the buffer, and neighbours differ.
 * A buffer whose contents are undefined is valid everywhere.
 */
#include "memory/replica.h"

#include "alloc.h"
#include "block_pool.h"
#include "device/context.h"
#include "driver_optional.h"
#include "log.h"
#include "memory/allocation.h"

#include <assert.h>

static_assert(sizeof(struct weft_extent) <= WEFT_BLOCK_POOL_JOIN_COUNTER_BYTES,
	      "one pool serves both");

#define ANYWHERE UINT32_MAX
#define HOST 1u /* replica 0 */

cl_int weft_replicas_create(cl_mem buffer, bool defined)
{
	size_t memories = buffer->context->num_memories;
	struct weft_replicas *replicas =
		weft_zalloc(sizeof(*replicas) + memories * sizeof(replicas->addresses[0]));

	if (!replicas)
		return CL_OUT_OF_HOST_MEMORY;
	replicas->first.valid = defined ? HOST : ANYWHERE;
	for (size_t i = 0; i < memories; i++)
		atomic_init(&replicas->addresses[i], NULL);
	buffer->replicas = replicas;
	return CL_SUCCESS;
}

static void release(struct weft_device *device, char *address)
{
	device->driver->memory->release(device, address);
}

void weft_replicas_destroy(cl_mem buffer)
{
	struct weft_replicas *replicas = buffer->replicas;

	if (!replicas)
		return;
	weft_replica_unreserve(replicas->first.next);
	for (cl_uint i = 0; i < buffer->context->num_memories; i++) {
		char *address = atomic_load_explicit(&replicas->addresses[i], memory_order_relaxed);

		if (address)
			release(buffer->context->memories[i].device->impl, address);
	}
	weft_free(replicas);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* An allocation's replicas are at its own address. */
static enum weft_status take_memory(struct weft_device *device, cl_mem root, void **address)
{
	const struct weft_driver_memory_ops *memory = device->driver->memory;

	if (!root->allocation || !root->allocation->moves)
		return memory->allocate(device, root->size, weft_mem_alignment(root->context),
					address);
	if (!device->properties.shares_addresses)
		return WEFT_UNSUPPORTED;
	*address = root->address;
	return memory->share(device, root->address, root->size);
}

/* No lock is held while the driver is called: two may allocate, and one gives back what it got. */
cl_int weft_replica_allocate(cl_mem mem, unsigned replica)
{
	cl_mem root = weft_mem_root(mem);
	char *before = NULL;
	void *address;

	if (!root->replicas)
		return CL_MEM_OBJECT_ALLOCATION_FAILURE;
	_Atomic(char *) *place = &root->replicas->addresses[replica - 1];
	if (atomic_load_explicit(place, memory_order_acquire))
		return CL_SUCCESS;
	struct weft_device *device = root->context->memories[replica - 1].device->impl;
	enum weft_status status = take_memory(device, root, &address);
	if (status != WEFT_OK) {
		weft_log(WEFT_LOG_WARN, "memory", "%s has no memory for a buffer of %zu bytes",
			 device->properties.name, root->size);
		return CL_MEM_OBJECT_ALLOCATION_FAILURE;
	}
	if (!atomic_compare_exchange_strong_explicit(place, &before, (char *)address,
						     memory_order_acq_rel, memory_order_acquire))
		release(device, address);
	return CL_SUCCESS;
}

char *weft_replica_address(cl_mem mem, unsigned replica)
{
	cl_mem root = weft_mem_root(mem);

	if (replica == 0)
		return mem->address;
	return atomic_load_explicit(&root->replicas->addresses[replica - 1], memory_order_acquire) +
	       mem->origin;
}

/* ---- what is valid where --------------------------------------------------------------------- */

static size_t end_of(cl_mem buffer, const struct weft_extent *extent)
{
	return extent->next ? extent->next->begin : buffer->size;
}

/* An extent that begins before `at`, or the first one. Commands that go through a buffer from its start find it at once. */
static struct weft_extent *extent_before(cl_mem buffer, size_t at) WEFT_REQUIRES(&buffer->lock)
{
	struct weft_replicas *replicas = buffer->replicas;
	const bool follows = replicas->cursor && replicas->cursor->begin < at;
	struct weft_extent *extent = follows ? replicas->cursor : &replicas->first;

	while (extent->next && extent->next->begin < at)
		extent = extent->next;
	return extent;
}

bool weft_replica_find_stale(cl_mem buffer, unsigned replica, const struct weft_range *range,
			     struct weft_range *stale, uint32_t *valid)
{
	const uint32_t bit = UINT32_C(1) << replica;

	for (const struct weft_extent *extent = extent_before(buffer, range->begin);
	     extent && extent->begin < range->end; extent = extent->next) {
		size_t begin = extent->begin > range->begin ? extent->begin : range->begin;
		size_t end = end_of(buffer, extent);

		end = end < range->end ? end : range->end;
		if (begin >= end || (extent->valid & bit))
			continue;
		*stale = (struct weft_range){begin, end};
		*valid = extent->valid;
		return true;
	}
	return false;
}

uint32_t weft_replica_find_valid(cl_mem buffer, const struct weft_range *range)
{
	struct weft_replicas *replicas = buffer->replicas;
	uint32_t found = HOST;

	for (cl_uint i = 0; i < buffer->context->num_memories; i++) {
		if (atomic_load_explicit(&replicas->addresses[i], memory_order_acquire))
			found |= HOST << (i + 1);
	}
	for (const struct weft_extent *extent = extent_before(buffer, range->begin);
	     extent && extent->begin < range->end; extent = extent->next) {
		if (end_of(buffer, extent) > range->begin)
			found &= extent->valid;
	}
	return found;
}

bool weft_replica_reserve(cl_mem buffer, const struct weft_range *range, struct weft_extent **spare)
{
	const int most = (range->begin > 0) + (range->end < buffer->size);

	for (int i = 0; i < most; i++) {
		struct weft_extent *extent = weft_block_pool_take(WEFT_BLOCK_POOL_JOIN_COUNTERS);

		if (!extent)
			return false;
		extent->next = *spare;
		*spare = extent;
	}
	return true;
}

void weft_replica_unreserve(struct weft_extent *spare)
{
	while (spare) {
		struct weft_extent *next = spare->next;

		weft_block_pool_return(WEFT_BLOCK_POOL_JOIN_COUNTERS, spare);
		spare = next;
	}
}

/* The extent that begins there, by now; `extent` begins there or before. */
static struct weft_extent *split(cl_mem buffer, struct weft_extent *extent, size_t at,
				 struct weft_extent **spare) WEFT_REQUIRES(&buffer->lock)
{
	while (end_of(buffer, extent) <= at)
		extent = extent->next;
	if (extent->begin == at)
		return extent;
	struct weft_extent *rest = *spare;
	*spare = rest->next;
	*rest = (struct weft_extent){extent->next, at, extent->valid};
	extent->next = rest;
	return rest;
}

/* Those from `extent` on that begin before `end`, each with the one behind it. */
static void merge(struct weft_extent *extent, size_t end)
{
	while (extent->next && extent->begin < end) {
		struct weft_extent *next = extent->next;

		if (next->valid != extent->valid) {
			extent = next;
			continue;
		}
		extent->next = next->next;
		weft_block_pool_return(WEFT_BLOCK_POOL_JOIN_COUNTERS, next);
	}
}

void weft_replica_validate(cl_mem buffer, unsigned replica, const struct weft_range *range,
			   bool alone, struct weft_extent **spare)
{
	const uint32_t bit = UINT32_C(1) << replica;

	if (range->begin >= range->end)
		return;
	struct weft_extent *before = extent_before(buffer, range->begin);
	struct weft_extent *extent = split(buffer, before, range->begin, spare);
	if (range->end < buffer->size)
		(void)split(buffer, extent, range->end, spare);
	for (; extent && extent->begin < range->end; extent = extent->next)
		extent->valid = alone ? bit : extent->valid | bit;
	merge(before, range->end);
	buffer->replicas->cursor = before;
}
