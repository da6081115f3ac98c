/* SPDX-License-Identifier: MIT
 *
 * Waiting by slots. Invariant: a slot that waits for another has a link in that one's list, and each link is met once;
 * so a slot that is given back is in nobody's list, for it has run, and everything before its end has ended.
 */
#include "device_memory/event_slots.h"

#include "simulation/cycles.h"

#include <assert.h>
#include <string.h>

static uint32_t number_of(accel_slot_name name)
{
	return (uint32_t)name;
}

static accel_slot_name name_of(uint32_t number, uint32_t generation)
{
	return (uint64_t)generation << 32 | number;
}

/* ---- life ------------------------------------------------------------------------------------ */

static uint32_t find_free(struct accel_slots *slots)
{
	uint32_t number = slots->free;

	if (number != 0)
		slots->free = slots->table[number].next;
	else if (slots->table && slots->used + 1 < ACCEL_NUM_SLOTS)
		number = ++slots->used;
	return number;
}

accel_slot_name accel_slots_take(struct accel_slots *slots)
{
	uint32_t number = find_free(slots);

	if (number == 0)
		return 0;
	struct accel_slot *slot = &slots->table[number];
	uint32_t generation = slot->generation + 1;
	memset(slot, 0, offsetof(struct accel_slot, links));
	slot->generation = generation ? generation : 1; /* a name is never below 1 << 32 */
	slot->state = ACCEL_SLOT_HELD;
	slot->unmet = 1;
	slot->before_end = 1;
	return name_of(number, slot->generation);
}

struct accel_slot *accel_slots_find(struct accel_slots *slots, accel_slot_name name)
{
	uint32_t number = number_of(name);

	if (name >> 32 == 0 || number > slots->used)
		return NULL;
	struct accel_slot *slot = &slots->table[number];
	bool same = slot->state != ACCEL_SLOT_FREE && slot->generation == name >> 32;
	return same ? slot : NULL;
}

void accel_slots_give(struct accel_slots *slots, accel_slot_name name)
{
	struct accel_slot *slot = accel_slots_find(slots, name);

	if (!slot)
		return;
	assert(slot->after_run == 0 && slot->after_end == 0);
	slot->state = ACCEL_SLOT_FREE;
	slot->next = slots->free;
	slots->free = number_of(name);
}

/* Names of before stay names of nothing. */
void accel_slots_reset(struct accel_slots *slots)
{
	slots->free = 0;
	for (uint32_t number = slots->used; number > 0; number--) {
		slots->table[number].state = ACCEL_SLOT_FREE;
		slots->table[number].next = slots->free;
		slots->free = number;
	}
}

/* ---- following ------------------------------------------------------------------------------- */

static void add_link(struct accel_slots *slots, struct accel_slot *slot, struct accel_slot *other,
		     enum weft_follow kind)
{
	uint32_t number = (uint32_t)(slot - slots->table);
	uint32_t *list = kind == WEFT_FOLLOW_RUN ? &other->after_run : &other->after_end;

	slot->links[slot->num_links] = (struct accel_link){*list, kind};
	*list = number * ACCEL_MOST_LINKS + slot->num_links;
	slot->num_links++;
	*(kind == WEFT_FOLLOW_LAST ? &slot->before_end : &slot->unmet) += 1;
}

static bool is_over(const struct accel_slot *slot, enum weft_follow kind)
{
	return slot->state == ACCEL_SLOT_ENDED ||
	       (slot->state == ACCEL_SLOT_RAN && kind == WEFT_FOLLOW_RUN);
}

static void note_ready(struct accel_slot *slot, const struct accel_slot *other, uint64_t time)
{
	if (slot->ready >= time)
		return;
	slot->ready = time;
	slot->cause = (struct accel_cause){other->row, other->ran_at};
}

static void note_end(struct accel_slot *slot, const struct accel_slot *other, enum weft_follow kind)
{
	if (kind == WEFT_FOLLOW_LAST)
		slot->ended_at = accel_later(slot->ended_at, other->ended_at);
	else
		note_ready(slot, other, kind == WEFT_FOLLOW_RUN ? other->ran_at : other->ended_at);
	if (kind == WEFT_FOLLOW_END_CHECKED && other->result != WEFT_OK)
		slot->result = WEFT_DEPENDENCY_FAILED;
}

static bool follow(struct accel_slots *slots, struct accel_slot *slot, struct accel_slot *other,
		   enum weft_follow kind)
{
	if (!other || (other->end_unknown && kind != WEFT_FOLLOW_RUN))
		return false;
	if (is_over(other, kind)) {
		note_end(slot, other, kind);
		return true;
	}
	if (slot->num_links == ACCEL_MOST_LINKS)
		return false;
	add_link(slots, slot, other, kind);
	return true;
}

bool accel_slots_follow(struct accel_slots *slots, accel_slot_name name, accel_slot_name other_name,
			enum weft_follow kind)
{
	struct accel_slot *slot = accel_slots_find(slots, name);
	bool follows = slot && follow(slots, slot, accel_slots_find(slots, other_name), kind);

	if (slot && !follows && kind == WEFT_FOLLOW_LAST)
		slot->end_unknown = true;
	return follows;
}

bool accel_slot_meet(struct accel_slot *slot)
{
	return --slot->unmet == 0;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Slots that have become ready, and those that end and have not yet told so. */
struct outcome {
	uint32_t ready;
	uint32_t ending;
};

static void put(struct accel_slots *slots, uint32_t *list, uint32_t number)
{
	slots->table[number].next = *list;
	*list = number;
}

static void count_end(struct accel_slots *slots, uint32_t number, struct outcome *outcome)
{
	struct accel_slot *slot = &slots->table[number];

	if (--slot->before_end > 0)
		return;
	slot->state = ACCEL_SLOT_ENDED;
	put(slots, &outcome->ending, number);
}

/* `list` is of the links that wait for what the slot has reached. */
static void tell(struct accel_slots *slots, const struct accel_slot *slot, uint32_t list,
		 struct outcome *outcome)
{
	while (list != 0) {
		uint32_t number = list / ACCEL_MOST_LINKS;
		struct accel_slot *waiter = &slots->table[number];
		const struct accel_link *link = &waiter->links[list % ACCEL_MOST_LINKS];

		list = link->next;
		note_end(waiter, slot, (enum weft_follow)link->kind);
		if (link->kind == WEFT_FOLLOW_LAST)
			count_end(slots, number, outcome);
		else if (accel_slot_meet(waiter))
			put(slots, &outcome->ready, number);
	}
}

uint32_t accel_slots_run(struct accel_slots *slots, struct accel_slot *slot,
			 enum weft_status result, uint64_t end)
{
	struct outcome outcome = {0};
	uint32_t list = slot->after_run;

	slot->ran_at = end;
	slot->ended_at = accel_later(slot->ended_at, end);
	slot->result = result;
	slot->state = ACCEL_SLOT_RAN;
	slot->after_run = 0;
	tell(slots, slot, list, &outcome);
	count_end(slots, (uint32_t)(slot - slots->table), &outcome);
	while (outcome.ending != 0) {
		struct accel_slot *ended = &slots->table[outcome.ending];

		outcome.ending = ended->next;
		list = ended->after_end;
		ended->after_end = 0;
		tell(slots, ended, list, &outcome);
	}
	return outcome.ready;
}
