/* SPDX-License-Identifier: MIT
 *
 * Waiting by slots. Invariant: a slot that waits for another one has a link in that one's list, and each link is met once.
 * So a slot that is returned is in no list: it has run, and everything that its end waits for has ended.
 */
#include "device_memory/event_slots.h"

#include "simulation/cycles.h"

#include <assert.h>
#include <string.h>

static uint32_t number_of(accel_event_slot_id id)
{
	return (uint32_t)id;
}

static accel_event_slot_id id_of(uint32_t number, uint32_t serial)
{
	return (uint64_t)serial << 32 | number;
}

/* ---- life ------------------------------------------------------------------------------------ */

static uint32_t find_free(struct accel_event_slots *slots)
{
	uint32_t number = slots->free;

	if (number != 0)
		slots->free = slots->table[number].next;
	else if (slots->table && slots->used + 1 < ACCEL_NUM_EVENT_SLOTS)
		number = ++slots->used;
	return number;
}

accel_event_slot_id accel_event_slots_take(struct accel_event_slots *slots)
{
	uint32_t number = find_free(slots);

	if (number == 0)
		return 0;
	struct accel_event_slot *slot = &slots->table[number];
	uint32_t serial = slot->serial + 1;
	memset(slot, 0, offsetof(struct accel_event_slot, links));
	slot->serial = serial ? serial : 1; /* an id is never below 1 << 32 */
	slot->state = ACCEL_EVENT_SLOT_HELD;
	slot->unmet = 1;
	slot->before_end = 1;
	return id_of(number, slot->serial);
}

struct accel_event_slot *accel_event_slots_find(struct accel_event_slots *slots,
						accel_event_slot_id id)
{
	uint32_t number = number_of(id);

	if (id >> 32 == 0 || number > slots->used)
		return NULL;
	struct accel_event_slot *slot = &slots->table[number];
	bool same = slot->state != ACCEL_EVENT_SLOT_FREE && slot->serial == id >> 32;
	return same ? slot : NULL;
}

void accel_event_slots_return(struct accel_event_slots *slots, accel_event_slot_id id)
{
	struct accel_event_slot *slot = accel_event_slots_find(slots, id);

	if (!slot)
		return;
	assert(slot->after_run == 0 && slot->after_end == 0);
	slot->state = ACCEL_EVENT_SLOT_FREE;
	slot->next = slots->free;
	slots->free = number_of(id);
}

/* Names of before service names of nothing. */
void accel_event_slots_reset(struct accel_event_slots *slots)
{
	slots->free = 0;
	for (uint32_t number = slots->used; number > 0; number--) {
		slots->table[number].state = ACCEL_EVENT_SLOT_FREE;
		slots->table[number].next = slots->free;
		slots->free = number;
	}
}

/* ---- following ------------------------------------------------------------------------------- */

static void add_link(struct accel_event_slots *slots, struct accel_event_slot *slot,
		     struct accel_event_slot *other, enum weft_follow kind)
{
	uint32_t number = (uint32_t)(slot - slots->table);
	uint32_t *list = kind == WEFT_FOLLOW_RUN ? &other->after_run : &other->after_end;

	slot->links[slot->num_links] = (struct accel_event_link){*list, kind};
	*list = number * ACCEL_MOST_EVENT_LINKS + slot->num_links;
	slot->num_links++;
	*(kind == WEFT_FOLLOW_LAST ? &slot->before_end : &slot->unmet) += 1;
}

static bool is_over(const struct accel_event_slot *slot, enum weft_follow kind)
{
	return slot->state == ACCEL_EVENT_SLOT_ENDED ||
	       (slot->state == ACCEL_EVENT_SLOT_RAN && kind == WEFT_FOLLOW_RUN);
}

static void note_ready(struct accel_event_slot *slot, const struct accel_event_slot *other,
		       uint64_t time)
{
	if (slot->ready >= time)
		return;
	slot->ready = time;
	slot->cause = (struct accel_trace_cause){other->row, other->ran_at};
}

static void note_end(struct accel_event_slot *slot, const struct accel_event_slot *other,
		     enum weft_follow kind)
{
	if (kind == WEFT_FOLLOW_LAST)
		slot->ended_at = accel_later(slot->ended_at, other->ended_at);
	else
		note_ready(slot, other, kind == WEFT_FOLLOW_RUN ? other->ran_at : other->ended_at);
	if (kind == WEFT_FOLLOW_END_CHECKED && other->result != WEFT_OK)
		slot->result = WEFT_DEPENDENCY_FAILED;
}

static bool follow(struct accel_event_slots *slots, struct accel_event_slot *slot,
		   struct accel_event_slot *other, enum weft_follow kind)
{
	if (!other || (other->end_unknown && kind != WEFT_FOLLOW_RUN))
		return false;
	if (is_over(other, kind)) {
		note_end(slot, other, kind);
		return true;
	}
	if (slot->num_links == ACCEL_MOST_EVENT_LINKS)
		return false;
	add_link(slots, slot, other, kind);
	return true;
}

bool accel_event_slots_follow(struct accel_event_slots *slots, accel_event_slot_id id,
			      accel_event_slot_id other_id, enum weft_follow kind)
{
	struct accel_event_slot *slot = accel_event_slots_find(slots, id);
	bool follows = slot && follow(slots, slot, accel_event_slots_find(slots, other_id), kind);

	if (slot && !follows && kind == WEFT_FOLLOW_LAST)
		slot->end_unknown = true;
	return follows;
}

bool accel_event_slot_meet(struct accel_event_slot *slot)
{
	return --slot->unmet == 0;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Lists of slots. */
struct outcome {
	uint32_t ready;  /* that have become ready */
	uint32_t ending; /* that end, and whose waiters have not been told */
};

static void put(struct accel_event_slots *slots, uint32_t *list, uint32_t number)
{
	slots->table[number].next = *list;
	*list = number;
}

static void count_end(struct accel_event_slots *slots, uint32_t number, struct outcome *outcome)
{
	struct accel_event_slot *slot = &slots->table[number];

	if (--slot->before_end > 0)
		return;
	slot->state = ACCEL_EVENT_SLOT_ENDED;
	put(slots, &outcome->ending, number);
}

/* `list` has the links of slots that wait for what the slot has reached. */
static void tell(struct accel_event_slots *slots, const struct accel_event_slot *slot,
		 uint32_t list, struct outcome *outcome)
{
	while (list != 0) {
		uint32_t number = list / ACCEL_MOST_EVENT_LINKS;
		struct accel_event_slot *waiter = &slots->table[number];
		const struct accel_event_link *link = &waiter->links[list % ACCEL_MOST_EVENT_LINKS];

		list = link->next;
		note_end(waiter, slot, (enum weft_follow)link->kind);
		if (link->kind == WEFT_FOLLOW_LAST)
			count_end(slots, number, outcome);
		else if (accel_event_slot_meet(waiter))
			put(slots, &outcome->ready, number);
	}
}

uint32_t accel_event_slots_run(struct accel_event_slots *slots, struct accel_event_slot *slot,
			       enum weft_status result, uint64_t end)
{
	struct outcome outcome = {0};
	uint32_t list = slot->after_run;

	slot->ran_at = end;
	slot->ended_at = accel_later(slot->ended_at, end);
	slot->result = result;
	slot->state = ACCEL_EVENT_SLOT_RAN;
	slot->after_run = 0;
	tell(slots, slot, list, &outcome);
	count_end(slots, (uint32_t)(slot - slots->table), &outcome);
	while (outcome.ending != 0) {
		struct accel_event_slot *ended = &slots->table[outcome.ending];

		outcome.ending = ended->next;
		list = ended->after_end;
		ended->after_end = 0;
		tell(slots, ended, list, &outcome);
	}
	return outcome.ready;
}
