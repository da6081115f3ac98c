/* SPDX-License-Identifier: MIT
 *
 * Event slots: words in device memory, one slot per command, by which commands of devices that share the memory wait for
 * each other. What a command waits for on the host counts as one more thing in its slot. A command has its slot from its
 * submission until its end has been told everywhere; the slot's serial number tells it from the commands that have the slot
 * later. The caller of these functions holds the domain's lock, which stands for the atomic operations of a memory that
 * devices share.
 */
#ifndef WEFT_ACCEL_EVENT_SLOTS_H
#define WEFT_ACCEL_EVENT_SLOTS_H

#include "driver_optional.h"

#define ACCEL_NUM_EVENT_SLOTS 4096u
#define ACCEL_MOST_EVENT_LINKS 8u /* commands that one command follows */

enum accel_event_slot_state {
	ACCEL_EVENT_SLOT_FREE,
	ACCEL_EVENT_SLOT_HELD, /* the command has not run yet */
	ACCEL_EVENT_SLOT_RAN,  /* it has run, but what it is to end after has not ended */
	ACCEL_EVENT_SLOT_ENDED, /* it has ended; or it has run, and only the host knows when it ends */
};

/* A link in the list of one slot says that another slot waits for it; it lies in the slot that waits. */
struct accel_event_link {
	uint32_t next; /* a link's number, or 0 */
	uint32_t kind; /* enum weft_follow */
};

/* In a trace: a row of a device, which shows what a part of the device works on; part 0: no row. */
struct accel_trace_row {
	uint32_t device;
	uint32_t part;
};

/* In a trace: what a command has waited for last. */
struct accel_trace_cause {
	struct accel_trace_row row;
	uint64_t end; /* ps */
};

struct accel_event_slot {
	uint32_t serial;
	uint32_t state;       /* enum accel_event_slot_state */
	uint32_t result;      /* enum weft_status: of what the command waits for; then its own */
	uint32_t unmet;       /* things that the start waits for; the host is one of them */
	uint32_t before_end;  /* things that the end waits for; the run is one of them */
	uint32_t end_unknown; /* only the host knows when the command has ended */
	uint32_t next; /* a slot in a list: of free slots, of ready ones, or of ending ones */
	uint32_t num_links;
	uint32_t after_run; /* the first link of slots that wait for the run */
	uint32_t after_end; /* the first link of slots that wait for the end */
	uint32_t entry;     /* in the ring of `device` */
	struct accel_device *device;
	uint64_t ready;    /* simulated time, ps: the latest end of what the command follows */
	uint64_t ran_at;   /* ps: when it has run */
	uint64_t ended_at; /* ps: when it has ended */
	struct accel_trace_row row;     /* where it has run */
	struct accel_trace_cause cause; /* of `ready` */
	struct accel_event_link links[ACCEL_MOST_EVENT_LINKS];
};

struct accel_event_slots {
	struct accel_event_slot
		*table; /* in device memory, ACCEL_NUM_EVENT_SLOTS; number 0 is not used; or NULL */
	uint32_t used;  /* numbers that have ever been taken */
	uint32_t free;  /* the first number that has been returned, or 0 */
};

/* Names a command's slot for as long as the command has it; 0: none. */
typedef uint64_t accel_event_slot_id;

/* A slot that is held and waits for the host; 0: none is free. */
accel_event_slot_id accel_event_slots_take(struct accel_event_slots *slots);
/* NULL: the command does not have the slot any more. */
struct accel_event_slot *accel_event_slots_find(struct accel_event_slots *slots,
						accel_event_slot_id id);
/* As weft_driver_chaining_ops.follow. */
bool accel_event_slots_follow(struct accel_event_slots *slots, accel_event_slot_id id,
			      accel_event_slot_id other, enum weft_follow kind);
/* The start waits for one thing less. Returns whether the command is ready. */
bool accel_event_slot_meet(struct accel_event_slot *slot);
/* The command has run, or was not to run, at the simulated time `end`. Returns the first slot that has become ready by
 * that, of a list linked by `next`; or 0. */
uint32_t accel_event_slots_run(struct accel_event_slots *slots, struct accel_event_slot *slot,
			       enum weft_status result, uint64_t end);
/* No command follows this one any more, and it follows none. */
void accel_event_slots_return(struct accel_event_slots *slots, accel_event_slot_id id);
/* All slots are free. */
void accel_event_slots_reset(struct accel_event_slots *slots);

#endif
