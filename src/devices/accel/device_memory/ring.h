/* SPDX-License-Identifier: MIT
 *
 * The command ring of a device, in its memory. The host writes entries in order; the device takes them in the order in
 * which they become ready; an entry is the host's again when the host has read how the command ended. The ring is full while
 * the next entry is still the device's. Invariant: a command in a ring waits only for commands of which the driver was
 * notified before, on any device. So the oldest of all commands that have not ended finds room and can run, and a full ring
 * empties.
 */
#ifndef WEFT_ACCEL_RING_H
#define WEFT_ACCEL_RING_H

#include <stdbool.h>
#include <stdint.h>

enum accel_entry_status {
	ACCEL_ENTRY_EMPTY, /* the host's */
	ACCEL_ENTRY_WAITING,
	ACCEL_ENTRY_READY,
	ACCEL_ENTRY_RUNNING,
	ACCEL_ENTRY_ENDED,
};

struct accel_entry {
	uint32_t status;  /* enum accel_entry_status */
	uint32_t result;  /* enum weft_status: of what the command waits for; then its own */
	uint32_t kernel;  /* its place in the device's kernel table, for a kernel */
	uint32_t next;    /* in a list of entries */
	uint64_t ready;   /* simulated time, ps: the command does not begin before */
	uint64_t turn;    /* commands handed over in the domain before this one */
	uint64_t slot;    /* accel_event_slot_id */
	uint64_t command; /* the host's name of it: struct weft_command's address */
	uint64_t
		start; /* simulated time, ps, of a command that has run, or a DMA request that runs */
	uint64_t end; /* simulated time, ps, of such a command */
};

/* A list of entries, by their numbers from 1 on: oldest first, or in the order of their turns. */
struct accel_entries {
	uint32_t first;
	uint32_t last;
	uint32_t count;
};

struct accel_ring {
	struct accel_entry *entries; /* in device memory, `size`; or NULL */
	uint32_t size;
	uint32_t tail; /* the index of the entry that the host writes next */
};

static inline struct accel_entry *accel_ring_entry(const struct accel_ring *ring, uint32_t number)
{
	return &ring->entries[number - 1];
}

/* The number of the entry that the host may write next; 0: the ring is full. */
static inline uint32_t accel_ring_room(const struct accel_ring *ring)
{
	return ring->entries[ring->tail].status == ACCEL_ENTRY_EMPTY ? ring->tail + 1 : 0;
}

/* The host has written that entry. */
static inline void accel_ring_advance(struct accel_ring *ring)
{
	ring->tail = (ring->tail + 1) % ring->size;
}

static inline void accel_entries_append(struct accel_entries *list, const struct accel_ring *ring,
					uint32_t number)
{
	accel_ring_entry(ring, number)->next = 0;
	if (list->count++ > 0)
		accel_ring_entry(ring, list->last)->next = number;
	else
		list->first = number;
	list->last = number;
}

/* Of two ready commands, the one that may begin first has its turn first, then the one that was handed over first. As no
 * command follows one that is handed over later, this is the order of simulated time, in whatever order the commands become
 * ready in this process. */
static inline bool accel_entry_is_before(const struct accel_entry *entry,
					 const struct accel_entry *other)
{
	return entry->ready != other->ready ? entry->ready < other->ready
					    : entry->turn < other->turn;
}

/* In the order of turns. */
static inline void accel_entries_insert(struct accel_entries *list, const struct accel_ring *ring,
					uint32_t number)
{
	struct accel_entry *entry = accel_ring_entry(ring, number);
	uint32_t *next = &list->first;

	if (list->count == 0 || accel_entry_is_before(accel_ring_entry(ring, list->last), entry)) {
		accel_entries_append(list, ring, number);
		return;
	}
	while (accel_entry_is_before(accel_ring_entry(ring, *next), entry))
		next = &accel_ring_entry(ring, *next)->next;
	entry->next = *next;
	*next = number;
	list->count++;
}

/* 0: the list is empty. */
static inline uint32_t accel_entries_pop(struct accel_entries *list, const struct accel_ring *ring)
{
	uint32_t number = list->count > 0 ? list->first : 0;

	if (number != 0) {
		list->first = accel_ring_entry(ring, number)->next;
		list->count--;
	}
	return number;
}

#endif
