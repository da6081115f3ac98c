/* SPDX-License-Identifier: MIT
 *
 * Calls of the application's functions by the kernel that runs on a device: a ring in the device's memory, which the device writes and the
 * host reads. The device posts calls, each with a copy of its arguments; when a work-item cannot go on without an answer, the host
 * is asked for all that have been posted since it was asked last: a batch. It answers them in their order, each into the
 * place that the call has named. A ring without room for a call asks the host before.
 */
#ifndef WEFT_ACCEL_CALL_RING_H
#define WEFT_ACCEL_CALL_RING_H

#include "device_memory/memory.h"
#include "kernel/work.h"

/* All zeros is one without memory, which it takes for the first call. For one thread at a time. */
struct accel_call_ring {
	struct accel_memory *memory; /* the device's; borrowed */
	unsigned char
		*bytes;     /* in it, ACCEL_CALL_RING_BYTES, aligned to ACCEL_CALL_UNIT; or NULL */
	uint64_t posted;    /* bytes that the device has written since the launch began */
	uint64_t answered;  /* of these */
	uint64_t num_calls; /* that the launch has posted */
	uint64_t num_made;  /* of these: the first ones */
	uint64_t num_batches; /* in which they were made */
};

#define ACCEL_CALL_RING_BYTES (256u * 1024)
#define ACCEL_CALL_UNIT 128u /* the alignment of entries and of arguments; a power of two */

/* A launch begins. */
void accel_call_ring_begin(struct accel_call_ring *ring);
/* Returns the call's number, from 1 on. A call that does not fit into the ring, or finds no memory for it, is made at once. */
uint64_t accel_call_ring_post(struct accel_call_ring *ring, struct weft_work_context *context,
			      const struct weft_posted_call *call);
/* The host makes all calls that have been posted, unless it has made this one. */
void accel_call_ring_await(struct accel_call_ring *ring, struct weft_work_context *context,
			   uint64_t call);
/* The device is closed. */
void accel_call_ring_destroy(struct accel_call_ring *ring);

#endif
