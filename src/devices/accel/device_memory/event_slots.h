/* SPDX-License-Identifier: MIT
 *
 * Event slots: words in device memory, one slot per command, by which commands of devices that share the memory wait for
 * each other. What a command waits for from elsewhere counts as one more thing in its slot, the host's. A slot is a
 * command's from its submission until its end has been told everywhere; its generation tells the command from those that
 * have the slot later. Whoever calls these functions holds the board's lock, which stands for the atomic operations of a
 * memory that devices share.
 */
#ifndef WEFT_ACCEL_SLOTS_H
#define WEFT_ACCEL_SLOTS_H

#include "driver/trace.h"
#include "driver_optional.h"

#define ACCEL_NUM_SLOTS 4096u
#define ACCEL_MOST_LINKS 8u /* of a slot: commands that one command follows */

enum accel_slot_state {
	ACCEL_SLOT_FREE,
	ACCEL_SLOT_HELD,  /* it has yet to run */
	ACCEL_SLOT_RAN,   /* but what its command is to end after has not ended */
	ACCEL_SLOT_ENDED, /* or it has run, and nobody here knows whether it may end */
};

/* "This one waits for that one", in the list of that one. */
struct accel_link {
	uint32_t next; /* a link's number, or 0 */
	uint32_t kind; /* enum weft_follow */
};

struct accel_slot {
	uint32_t generation;
	uint32_t state;       /* enum accel_slot_state */
	uint32_t result;      /* enum weft_status: of what the command waits for; then its own */
	uint32_t unmet;       /* what the start waits for, one of it the host's word */
	uint32_t before_end;  /* what the end waits for, one of it the run */
	uint32_t end_unknown; /* only the host knows when it has ended */
	uint32_t next; /* a slot in a list: free ones, those that are ready, or those that end */
	uint32_t num_links;
	uint32_t after_run; /* the first link of those that wait for the run, */
	uint32_t after_end; /* and for the end */
	uint32_t entry;     /* in the ring of */
	struct accel_device *device;
	/* Simulated times, ps: of what it follows, the latest end; and its own, once it has run, and has ended. */
	uint64_t ready;
	uint64_t ran_at;
	uint64_t ended_at;
	struct accel_row row;     /* where it has run, for traces */
	struct accel_cause cause; /* of `ready`, likewise */
	struct accel_link links[ACCEL_MOST_LINKS];
};

struct accel_slots {
	struct accel_slot
		*table; /* in device memory, ACCEL_NUM_SLOTS; number 0 is nobody's; or NULL */
	uint32_t used;  /* numbers that have ever been taken */
	uint32_t free;  /* the first that has been given back, or 0 */
};

/* What a command calls its slot, for as long as it has it; 0: none. */
typedef uint64_t accel_slot_name;

/* 0: none is free. It is held, and waits for the host. */
accel_slot_name accel_slots_take(struct accel_slots *slots);
/* NULL: the name's command does not have it any more. */
struct accel_slot *accel_slots_find(struct accel_slots *slots, accel_slot_name name);
/* As weft_driver_chaining_ops.follow. */
bool accel_slots_follow(struct accel_slots *slots, accel_slot_name name, accel_slot_name other,
			enum weft_follow kind);
/* One thing less for the start to wait for. True: the command is ready. */
bool accel_slot_meet(struct accel_slot *slot);
/* The command has run, or was not to, up to the simulated time `end`. Returns the first of those that have become ready by
 * that, a list by `next`; or 0. */
uint32_t accel_slots_run(struct accel_slots *slots, struct accel_slot *slot,
			 enum weft_status result, uint64_t end);
/* Nothing follows the command any more, nor does it follow. */
void accel_slots_give(struct accel_slots *slots, accel_slot_name name);
/* All are free. */
void accel_slots_reset(struct accel_slots *slots);

#endif
