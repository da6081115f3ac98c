/* SPDX-License-Identifier: MIT
 *
 * Entries are one behind the other, none across the ring's end: a last one without a call fills what is left there.
 */
#include "device_memory/call_ring.h"

#include <assert.h>
#include <string.h>

enum status {
	EMPTY, /* the device's */
	POSTED,
	ANSWERED,
	SKIPPED, /* no call: the next entry is at the ring's start */
};

/* Its size is in bytes. The arguments are behind it. */
struct entry {
	uint64_t status; /* enum status */
	uint64_t size;   /* with arguments */
	uint64_t key;
	uint64_t result; /* an address of the driver's */
};

static_assert(sizeof(struct entry) <= ACCEL_CALL_UNIT, "an entry takes a unit");

static struct entry *entry_at(const struct accel_call_ring *ring, uint64_t offset)
{
	return (struct entry *)(void *)(ring->bytes + offset % ACCEL_CALL_RING_BYTES);
}

void accel_call_ring_begin(struct accel_call_ring *ring)
{
	ring->posted = ring->answered = 0;
	ring->num_calls = ring->num_made = ring->num_batches = 0;
}

static uint64_t round_up(uint64_t size)
{
	return (size + ACCEL_CALL_UNIT - 1) / ACCEL_CALL_UNIT * ACCEL_CALL_UNIT;
}

static bool has_memory(struct accel_call_ring *ring)
{
	if (!ring->bytes)
		ring->bytes = accel_memory_reserve(ring->memory, ACCEL_CALL_RING_BYTES);
	return ring->bytes != NULL;
}

/* Leaves out what is before the ring's end if `size` bytes do not fit there. False: nor do they fit anywhere now. */
static bool make_room(struct accel_call_ring *ring, uint64_t size)
{
	const uint64_t left = ACCEL_CALL_RING_BYTES - ring->posted % ACCEL_CALL_RING_BYTES;
	const uint64_t skipped = size > left ? left : 0;

	if (ring->posted - ring->answered + skipped + size > ACCEL_CALL_RING_BYTES)
		return false;
	if (skipped > 0)
		*entry_at(ring, ring->posted) = (struct entry){.status = SKIPPED, .size = skipped};
	ring->posted += skipped;
	return true;
}

/* In their order. */
static void make_all(struct accel_call_ring *ring, struct weft_work_context *context)
{
	ring->num_batches += ring->posted != ring->answered;
	while (ring->answered < ring->posted) {
		struct entry *entry = entry_at(ring, ring->answered);

		if (entry->status == POSTED) {
			context->call_host(context, entry->key,
					   (const unsigned char *)entry + ACCEL_CALL_UNIT,
					   (void *)(uintptr_t)entry->result);
			ring->num_made++;
		}
		ring->answered += entry->size;
		entry->status = ANSWERED;
	}
}

/* Without the ring, which is empty. */
static void make_now(struct accel_call_ring *ring, struct weft_work_context *context,
		     const struct weft_posted_call *call)
{
	ring->num_batches++;
	context->call_host(context, call->key, call->args, call->result);
	ring->num_made++;
}

uint64_t accel_call_ring_post(struct accel_call_ring *ring, struct weft_work_context *context,
			      const struct weft_posted_call *call)
{
	const uint64_t most = ACCEL_CALL_RING_BYTES - ACCEL_CALL_UNIT;
	const bool fits = call->args_size <= most && has_memory(ring);
	const uint64_t size = ACCEL_CALL_UNIT + (fits ? round_up(call->args_size) : 0);

	if (!fits || !make_room(ring, size)) {
		make_all(ring, context);
		ring->posted = ring->answered = 0;
	}
	ring->num_calls++;
	if (!fits) {
		make_now(ring, context, call);
		return ring->num_calls;
	}
	struct entry *entry = entry_at(ring, ring->posted);
	*entry = (struct entry){.status = POSTED,
				.size = size,
				.key = call->key,
				.result = (uintptr_t)call->result};
	if (call->args_size > 0)
		memcpy((unsigned char *)entry + ACCEL_CALL_UNIT, call->args, call->args_size);
	ring->posted += size;
	return ring->num_calls;
}

void accel_call_ring_await(struct accel_call_ring *ring, struct weft_work_context *context,
			   uint64_t call)
{
	if (ring->num_made < call)
		make_all(ring, context);
}

void accel_call_ring_destroy(struct accel_call_ring *ring)
{
	accel_memory_return(ring->memory, ring->bytes);
	ring->bytes = NULL;
}
