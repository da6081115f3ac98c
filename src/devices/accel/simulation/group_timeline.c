/* SPDX-License-Identifier: MIT
 *
 * Playing work-groups. Invariant: when a step of a group has been played, no step with an earlier time is left to play.
 */
#include "simulation/group_timeline.h"

#include "alloc.h"
#include "simulation/cycles.h"

#include <string.h>

/* ---- memory ---------------------------------------------------------------------------------- */

static void destroy_record(struct accel_record *record)
{
	weft_free(record->phases);
	weft_free(record->copies);
	weft_free((void *)record->busy);
	*record = (struct accel_record){0};
}

static void destroy_places(struct accel_group_timeline *timeline)
{
	for (uint32_t i = 0; i < timeline->allocated; i++) {
		destroy_record(&timeline->places[i].record);
		weft_free(timeline->places[i].coming);
	}
	weft_free(timeline->places);
	weft_free((void *)timeline->order);
	timeline->places = NULL;
	timeline->order = NULL;
	timeline->allocated = 0;
}

void accel_group_timeline_destroy(struct accel_group_timeline *timeline)
{
	destroy_places(timeline);
	destroy_record(&timeline->recorded);
	weft_free(timeline->channels);
	*timeline = (struct accel_group_timeline){0};
}

static bool make_record(struct accel_record *record, const struct accel_description *machine)
{
	if (!record->busy)
		record->busy = weft_calloc(machine->elements, sizeof(*record->busy));
	return record->busy;
}

/* Places for as many work-groups as run at a time. */
static bool make_places(struct accel_group_timeline *timeline)
{
	const struct accel_description *machine = timeline->machine;

	if (!timeline->channels)
		timeline->channels = weft_calloc(machine->clusters * machine->channels,
						 sizeof(*timeline->channels));
	if (timeline->num_places > timeline->allocated) {
		destroy_places(timeline);
		timeline->places = weft_calloc(timeline->num_places, sizeof(*timeline->places));
		timeline->allocated = timeline->places ? timeline->num_places : 0;
		timeline->order = (struct accel_timeline_place **)weft_calloc(
			timeline->num_places, sizeof(*timeline->order));
	}
	bool made = timeline->channels && timeline->places && timeline->order &&
		    make_record(&timeline->recorded, machine);
	for (uint32_t i = 0; i < timeline->num_places && made; i++) {
		struct accel_timeline_place *place = &timeline->places[i];

		if (!place->coming)
			place->coming = weft_calloc(WEFT_MOST_TRANSFERS, sizeof(*place->coming));
		made = make_record(&place->record, machine) && place->coming;
	}
	return made;
}

/* ---- recording ------------------------------------------------------------------------------- */

static void empty(struct accel_record *record, uint64_t elements)
{
	record->count = 0;
	record->num_copies = 0;
	memset((void *)record->busy, 0, elements * sizeof(*record->busy));
}

void accel_group_timeline_begin(struct accel_group_timeline *timeline,
				const struct accel_description *machine,
				const struct accel_transfers *transfers, uint32_t groups_at_a_time,
				_Atomic uint64_t *busy)
{
	timeline->machine = machine;
	timeline->transfers = transfers;
	timeline->elements = machine->elements / groups_at_a_time;
	timeline->num_places = (uint32_t)machine->clusters * groups_at_a_time;
	timeline->busy = busy;
	timeline->finished = machine->launch;
	timeline->traffic = (struct accel_traffic){0};
	timeline->waits = false;
	timeline->failed = !make_places(timeline);
	if (timeline->failed)
		return;
	empty(&timeline->recorded, timeline->elements);
	memset(timeline->channels, 0,
	       machine->clusters * machine->channels * sizeof(*timeline->channels));
	for (uint32_t i = 0; i < timeline->num_places; i++) {
		timeline->places[i].number = i;
		timeline->places[i].runs = false;
		timeline->places[i].time = machine->launch;
		timeline->order[i] = &timeline->places[i]; /* equal times: a heap */
	}
	timeline->num_ordered = timeline->num_places;
}

_Atomic uint64_t *accel_group_timeline_elements(struct accel_group_timeline *timeline)
{
	return timeline->failed ? NULL : timeline->recorded.busy;
}

/* Returns the array with room for one more element; NULL: there is no memory, and the timeline has failed. */
static void *grow(struct accel_group_timeline *timeline, void *array, size_t count,
		  size_t *capacity, size_t size)
{
	if (count < *capacity)
		return array;
	size_t wanted = *capacity ? 2 * *capacity : 16;
	void *larger = weft_calloc(wanted, size);
	if (!larger) {
		timeline->failed = true;
		return NULL;
	}
	if (count > 0)
		memcpy(larger, array, count * size);
	weft_free(array);
	*capacity = wanted;
	return larger;
}

static void add_copy(struct accel_group_timeline *timeline, struct accel_copy copy)
{
	struct accel_record *record = &timeline->recorded;

	if (record->num_copies == ACCEL_MOST_PHASES) {
		record->copies[record->num_copies - 1].bytes += copy.bytes;
		record->copies[record->num_copies - 1].cycles += copy.cycles;
		return;
	}
	struct accel_copy *copies = grow(timeline, record->copies, record->num_copies,
					 &record->copies_capacity, sizeof(*copies));

	if (!copies)
		return;
	record->copies = copies;
	copies[record->num_copies++] = copy;
}

void accel_group_timeline_copy(struct accel_group_timeline *timeline, uint64_t bytes,
			       uint64_t lines, uint64_t begin)
{
	if (lines == 0)
		timeline->waits = true;
	else if (!timeline->failed)
		add_copy(timeline, (struct accel_copy){
					   begin, bytes * lines,
					   lines * accel_moving_cycles(timeline->machine, bytes)});
}

void accel_group_timeline_phase(struct accel_group_timeline *timeline, uint32_t region,
				uint64_t cycles)
{
	struct accel_record *record = &timeline->recorded;

	if (timeline->failed)
		return;
	if (record->count == ACCEL_MOST_PHASES) {
		record->phases[record->count - 1].cycles += cycles;
		record->phases[record->count - 1].end = record->num_copies;
		return;
	}
	struct accel_phase *phases =
		grow(timeline, record->phases, record->count, &record->capacity, sizeof(*phases));
	if (!phases)
		return;
	record->phases = phases;
	phases[record->count++] = (struct accel_phase){
		.region = region,
		.waits = timeline->waits,
		.cycles = cycles,
		.end = record->num_copies,
	};
	timeline->waits = false;
}

/* ---- order ----------------------------------------------------------------------------------- */

/* At equal times free places come first, then the place with the lower number. */
static bool comes_before(const struct accel_timeline_place *a, const struct accel_timeline_place *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	return a->runs != b->runs ? b->runs : a->number < b->number;
}

/* Restores the heap after its first element has changed. */
static void reorder(struct accel_group_timeline *timeline)
{
	struct accel_timeline_place **order = timeline->order;
	struct accel_timeline_place *moved = order[0];
	uint32_t at = 0;

	for (uint32_t child = 1; child < timeline->num_ordered; child = 2 * at + 1) {
		child += child + 1 < timeline->num_ordered &&
			 comes_before(order[child + 1], order[child]);
		if (!comes_before(order[child], moved))
			break;
		order[at] = order[child];
		at = child;
	}
	order[at] = moved;
}

/* ---- playing --------------------------------------------------------------------------------- */

static uint64_t chosen_of(const struct accel_group_timeline *timeline, uint32_t region, bool writes)
{
	const struct accel_transfers *transfers = timeline->transfers;
	uint64_t found = 0;

	for (uint32_t i = 0; i < transfers->num_requests; i++) {
		if (transfers->requests[i].region == region &&
		    transfers->requests[i].writes == writes)
			found |= UINT64_C(1) << i;
	}
	return found & transfers->chosen;
}

/* Makes a request. Returns when its bytes will have moved. */
static uint64_t request(struct accel_group_timeline *timeline,
			const struct accel_timeline_place *place, uint64_t bytes, uint64_t cycles,
			uint64_t now)
{
	const struct accel_description *machine = timeline->machine;
	uint64_t *channels =
		timeline->channels + place->number % machine->clusters * machine->channels;
	uint64_t first = 0;

	for (uint64_t i = 1; i < machine->channels; i++)
		first = channels[i] < channels[first] ? i : first;
	/* a channel prepares for a request while it moves the bytes of others */
	channels[first] = accel_later(channels[first], now + machine->dma_latency) + cycles;
	timeline->traffic.requests++;
	timeline->traffic.bytes += bytes;
	return channels[first];
}

static uint64_t request_chosen(struct accel_group_timeline *timeline,
			       const struct accel_timeline_place *place, uint32_t number,
			       uint64_t now)
{
	const struct accel_transfer_request *chosen = &timeline->transfers->requests[number];

	return request(timeline, place, chosen->bytes, chosen->cycles, now);
}

/* The requests that the kernel itself makes in a region that begins now. */
static void copy(struct accel_group_timeline *timeline, struct accel_timeline_place *place,
		 uint64_t now)
{
	const struct accel_record *record = &place->record;
	const size_t first = place->next > 0 ? record->phases[place->next - 1].end : 0;

	for (size_t i = first; i < record->phases[place->next].end; i++) {
		const struct accel_copy *copy = &record->copies[i];
		uint64_t end =
			request(timeline, place, copy->bytes, copy->cycles, now + copy->begin);

		place->copied = accel_later(place->copied, end);
	}
}

/* Makes the requests that the region needs, and those for the next repetition. Returns when the group begins with the
 * region. */
static uint64_t begin_region(struct accel_group_timeline *timeline,
			     struct accel_timeline_place *place, const struct accel_phase *phase,
			     uint64_t now)
{
	const uint64_t reads = chosen_of(timeline, phase->region, false);
	const uint64_t writes = chosen_of(timeline, phase->region, true);
	uint64_t ready = phase->waits ? accel_later(now, place->copied) : now;

	for (uint64_t left = reads; left; left &= left - 1) {
		const uint32_t i = (uint32_t)__builtin_ctzll(left);

		if (!(place->asked >> i & 1))
			place->coming[i] = request_chosen(timeline, place, i, now);
		ready = accel_later(ready, place->coming[i]);
	}
	place->asked &= ~reads;
	for (uint64_t left = phase->ahead; left; left &= left - 1) {
		const uint32_t i = (uint32_t)__builtin_ctzll(left);

		place->coming[i] = request_chosen(timeline, place, i, now);
		place->asked |= UINT64_C(1) << i;
	}
	timeline->traffic.waiting += ready - now;
	/* a barrier where the elements wait, and one before what they have written is moved */
	const uint64_t meetings = (reads ? 1u : 0u) + (writes ? 1u : 0u);
	return ready + (timeline->elements > 1 ? meetings * timeline->machine->barrier : 0);
}

/* Makes the requests for what the group has written in the region. Returns when it has been moved. */
static uint64_t write_out(struct accel_group_timeline *timeline, struct accel_timeline_place *place,
			  const struct accel_phase *phase)
{
	uint64_t gone = place->time;

	for (uint64_t left = chosen_of(timeline, phase->region, true); left; left &= left - 1)
		gone = accel_later(gone,
				   request_chosen(timeline, place, (uint32_t)__builtin_ctzll(left),
						  place->time));
	timeline->traffic.waiting += gone - place->time;
	return gone;
}

/* The place's next step: a region begins, or ends and what it has written is moved, or the group ends. */
static void play(struct accel_group_timeline *timeline, struct accel_timeline_place *place)
{
	const struct accel_record *record = &place->record;

	if (place->ends) {
		place->time = write_out(timeline, place, &record->phases[place->next++]);
		place->ends = false;
		return;
	}
	if (place->next < record->count) {
		const struct accel_phase *phase = &record->phases[place->next];

		place->time = begin_region(timeline, place, phase, place->time);
		copy(timeline, place, place->time);
		place->time += phase->cycles;
		place->ends = true;
		return;
	}
	/* the next group gets the local memory after that */
	place->time = accel_later(place->time, place->copied);
	place->runs = false;
	timeline->finished = accel_later(timeline->finished, place->time);
}

/* The step of the first place. */
static void step(struct accel_group_timeline *timeline)
{
	play(timeline, timeline->order[0]);
	reorder(timeline);
}

/* Notes in each phase which reads another run of its region follows. */
static void look_ahead(const struct accel_transfers *transfers, struct accel_record *record)
{
	uint64_t seen = 0;

	for (size_t p = record->count; p-- > 0;) {
		struct accel_phase *phase = &record->phases[p];

		for (uint32_t i = 0; i < transfers->num_requests; i++) {
			const struct accel_transfer_request *request = &transfers->requests[i];

			if (!request->ahead || request->writes ||
			    request->region != phase->region || !(transfers->chosen >> i & 1))
				continue;
			phase->ahead |= seen & UINT64_C(1) << i;
			seen |= UINT64_C(1) << i;
		}
	}
}

static void add_busy(struct accel_group_timeline *timeline,
		     const struct accel_timeline_place *place)
{
	const uint64_t clusters = timeline->machine->clusters;
	_Atomic uint64_t *busy = timeline->busy +
				 place->number % clusters * timeline->machine->elements +
				 place->number / clusters * timeline->elements;

	for (uint64_t r = 0; r < timeline->elements; r++)
		accel_add(&busy[r],
			  atomic_load_explicit(&place->record.busy[r], memory_order_relaxed));
}

/* Requests made since the group's last region belong to the next group, whose first region has not been recorded yet. */
static void keep_copies(struct accel_group_timeline *timeline, struct accel_record *ended)
{
	const size_t own = ended->count > 0 ? ended->phases[ended->count - 1].end : 0;

	for (size_t i = own; i < ended->num_copies; i++)
		add_copy(timeline, ended->copies[i]);
	ended->num_copies = own;
}

void accel_group_timeline_group(struct accel_group_timeline *timeline)
{
	if (timeline->failed)
		return;
	while (timeline->order[0]->runs)
		step(timeline);
	struct accel_timeline_place *place = timeline->order[0];
	const struct accel_record recorded = timeline->recorded;
	timeline->recorded = place->record;
	place->record = recorded;
	empty(&timeline->recorded, timeline->elements);
	keep_copies(timeline, &place->record);
	look_ahead(timeline->transfers, &place->record);
	add_busy(timeline, place);
	place->time += timeline->machine->dispatch;
	place->next = 0;
	place->runs = true;
	place->asked = 0;
	place->copied = 0;
	place->ends = false;
	reorder(timeline);
}

uint64_t accel_group_timeline_end(struct accel_group_timeline *timeline)
{
	while (!timeline->failed && timeline->num_ordered > 0) {
		if (timeline->order[0]->runs) {
			step(timeline);
			continue;
		}
		timeline->order[0] = timeline->order[--timeline->num_ordered];
		reorder(timeline);
	}
	return timeline->finished;
}
