/* SPDX-License-Identifier: MIT
 *
 * Groups played again. Invariant: no step of a group comes before a step of another one that has been played.
 */
#include "simulation/group_timeline.h"

#include "alloc.h"
#include "simulation/cycles.h"

#include <string.h>

/* ---- which transfers ------------------------------------------------------------------------- */

static struct accel_request request_of(const struct accel_description *machine,
				       const struct weft_transfer_desc *desc,
				       const uint64_t local_size[3])
{
	const uint64_t sizes[] = {local_size[0], local_size[1], local_size[2], desc->rounds};
	const uint64_t line = sizes[desc->along] * desc->unit;
	uint64_t lines = 1;

	for (uint32_t d = 0; d <= WEFT_TRANSFER_ROUNDS; d++)
		lines *= desc->lines >> d & 1 ? sizes[d] : 1;
	return (struct accel_request){
		.region = desc->region,
		.writes = desc->flags & WEFT_TRANSFER_WRITES,
		.ahead = desc->flags & WEFT_TRANSFER_AHEAD,
		.bytes = lines * line,
		.cycles = lines * accel_moving_cycles(machine, line),
	};
}

/* All elements of a cluster must save twice what the request takes, each. */
static bool pays(const struct accel_description *machine, const struct weft_transfer_desc *desc,
		 const struct accel_request *request, uint64_t num_items)
{
	if (machine->global_latency <= machine->local_latency)
		return false;
	const uint64_t saved = machine->global_latency - machine->local_latency;
	const double all = (double)num_items * desc->accesses * (double)saved;
	const uint64_t taken = machine->dma_latency + request->cycles;

	return all / (double)machine->elements > 2 * (double)taken;
}

static void leave_largest(struct accel_transfers *transfers)
{
	uint32_t largest = 0;
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < transfers->num_requests; i++) {
		if (transfers->chosen >> i & 1 && transfers->requests[i].bytes >= bytes) {
			largest = i;
			bytes = transfers->requests[i].bytes;
		}
	}
	transfers->chosen &= ~(UINT64_C(1) << largest);
	transfers->bytes -= bytes;
}

void accel_transfers_choose(struct accel_transfers *transfers,
			    const struct accel_description *machine,
			    const struct accel_wishes *wishes, uint64_t local_bytes)
{
	const uint64_t *sizes = wishes->local_size;

	transfers->chosen = 0;
	transfers->bytes = 0;
	transfers->num_requests = machine->transfers ? wishes->num_descs : 0;
	for (uint32_t i = 0; i < transfers->num_requests; i++) {
		struct accel_request *request = &transfers->requests[i];

		*request = request_of(machine, &wishes->descs[i], sizes);
		if (request->bytes > machine->local_bytes ||
		    !pays(machine, &wishes->descs[i], request, sizes[0] * sizes[1] * sizes[2]))
			continue;
		transfers->chosen |= UINT64_C(1) << i;
		transfers->bytes += request->bytes;
	}
	while (transfers->chosen && transfers->bytes + local_bytes > machine->local_bytes)
		leave_largest(transfers);
}

void accel_transfers_place(struct accel_transfers *transfers,
			   const struct accel_description *machine, uint64_t local_bytes,
			   uint32_t groups)
{
	uint64_t again = 0;

	for (uint32_t i = 0; i < transfers->num_requests; i++) {
		if (transfers->chosen >> i & 1 && transfers->requests[i].ahead)
			again += transfers->requests[i].bytes;
	}
	if (local_bytes + transfers->bytes + again <= machine->local_bytes / groups)
		return;
	for (uint32_t i = 0; i < transfers->num_requests; i++)
		transfers->requests[i].ahead = false;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void destroy_record(struct accel_record *record)
{
	weft_free(record->phases);
	weft_free(record->copies);
	weft_free((void *)record->busy);
	*record = (struct accel_record){0};
}

static void destroy_places(struct accel_replay *replay)
{
	for (uint32_t i = 0; i < replay->allocated; i++) {
		destroy_record(&replay->places[i].record);
		weft_free(replay->places[i].coming);
	}
	weft_free(replay->places);
	weft_free((void *)replay->order);
	replay->places = NULL;
	replay->order = NULL;
	replay->allocated = 0;
}

void accel_replay_destroy(struct accel_replay *replay)
{
	destroy_places(replay);
	destroy_record(&replay->recorded);
	weft_free(replay->channels);
	*replay = (struct accel_replay){0};
}

static bool make_record(struct accel_record *record, const struct accel_description *machine)
{
	if (!record->busy)
		record->busy = weft_calloc(machine->elements, sizeof(*record->busy));
	return record->busy;
}

/* For as many groups as there may be at a time. */
static bool make_places(struct accel_replay *replay)
{
	const struct accel_description *machine = replay->machine;

	if (!replay->channels)
		replay->channels = weft_calloc(machine->clusters * machine->channels,
					       sizeof(*replay->channels));
	if (replay->num_places > replay->allocated) {
		destroy_places(replay);
		replay->places = weft_calloc(replay->num_places, sizeof(*replay->places));
		replay->allocated = replay->places ? replay->num_places : 0;
		replay->order = (struct accel_played **)weft_calloc(replay->num_places,
								    sizeof(*replay->order));
	}
	bool made = replay->channels && replay->places && replay->order &&
		    make_record(&replay->recorded, machine);
	for (uint32_t i = 0; i < replay->num_places && made; i++) {
		struct accel_played *place = &replay->places[i];

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

void accel_replay_begin(struct accel_replay *replay, const struct accel_description *machine,
			const struct accel_transfers *transfers, uint32_t groups_at_a_time,
			_Atomic uint64_t *busy)
{
	replay->machine = machine;
	replay->transfers = transfers;
	replay->elements = machine->elements / groups_at_a_time;
	replay->num_places = (uint32_t)machine->clusters * groups_at_a_time;
	replay->busy = busy;
	replay->finished = machine->launch;
	replay->traffic = (struct accel_traffic){0};
	replay->waits = false;
	replay->failed = !make_places(replay);
	if (replay->failed)
		return;
	empty(&replay->recorded, replay->elements);
	memset(replay->channels, 0,
	       machine->clusters * machine->channels * sizeof(*replay->channels));
	for (uint32_t i = 0; i < replay->num_places; i++) {
		replay->places[i].number = i;
		replay->places[i].runs = false;
		replay->places[i].time = machine->launch;
		replay->order[i] = &replay->places[i]; /* which is a heap */
	}
	replay->num_ordered = replay->num_places;
}

_Atomic uint64_t *accel_replay_elements(struct accel_replay *replay)
{
	return replay->failed ? NULL : replay->recorded.busy;
}

/* An array with room for one more element; or NULL, and then it has failed. */
static void *grow(struct accel_replay *replay, void *array, size_t count, size_t *capacity,
		  size_t size)
{
	if (count < *capacity)
		return array;
	size_t wanted = *capacity ? 2 * *capacity : 16;
	void *larger = weft_calloc(wanted, size);
	if (!larger) {
		replay->failed = true;
		return NULL;
	}
	if (count > 0)
		memcpy(larger, array, count * size);
	weft_free(array);
	*capacity = wanted;
	return larger;
}

static void add_copy(struct accel_replay *replay, struct accel_copy copy)
{
	struct accel_record *record = &replay->recorded;

	if (record->num_copies == ACCEL_MOST_PHASES) {
		record->copies[record->num_copies - 1].bytes += copy.bytes;
		record->copies[record->num_copies - 1].cycles += copy.cycles;
		return;
	}
	struct accel_copy *copies = grow(replay, record->copies, record->num_copies,
					 &record->copies_capacity, sizeof(*copies));

	if (!copies)
		return;
	record->copies = copies;
	copies[record->num_copies++] = copy;
}

void accel_replay_copy(struct accel_replay *replay, uint64_t bytes, uint64_t lines, uint64_t begin)
{
	if (lines == 0)
		replay->waits = true;
	else if (!replay->failed)
		add_copy(replay,
			 (struct accel_copy){begin, bytes * lines,
					     lines * accel_moving_cycles(replay->machine, bytes)});
}

void accel_replay_phase(struct accel_replay *replay, uint32_t region, uint64_t cycles)
{
	struct accel_record *record = &replay->recorded;

	if (replay->failed)
		return;
	if (record->count == ACCEL_MOST_PHASES) {
		record->phases[record->count - 1].cycles += cycles;
		record->phases[record->count - 1].end = record->num_copies;
		return;
	}
	struct accel_phase *phases =
		grow(replay, record->phases, record->count, &record->capacity, sizeof(*phases));
	if (!phases)
		return;
	record->phases = phases;
	phases[record->count++] = (struct accel_phase){
		.region = region,
		.waits = replay->waits,
		.cycles = cycles,
		.end = record->num_copies,
	};
	replay->waits = false;
}

/* ---- order ----------------------------------------------------------------------------------- */

/* A free one first, then the one counted first. */
static bool comes_before(const struct accel_played *a, const struct accel_played *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	return a->runs != b->runs ? b->runs : a->number < b->number;
}

/* The first one has changed. */
static void reorder(struct accel_replay *replay)
{
	struct accel_played **order = replay->order;
	struct accel_played *moved = order[0];
	uint32_t at = 0;

	for (uint32_t child = 1; child < replay->num_ordered; child = 2 * at + 1) {
		child += child + 1 < replay->num_ordered &&
			 comes_before(order[child + 1], order[child]);
		if (!comes_before(order[child], moved))
			break;
		order[at] = order[child];
		at = child;
	}
	order[at] = moved;
}

/* ---- playing --------------------------------------------------------------------------------- */

static uint64_t chosen_of(const struct accel_replay *replay, uint32_t region, bool writes)
{
	const struct accel_transfers *transfers = replay->transfers;
	uint64_t found = 0;

	for (uint32_t i = 0; i < transfers->num_requests; i++) {
		if (transfers->requests[i].region == region &&
		    transfers->requests[i].writes == writes)
			found |= UINT64_C(1) << i;
	}
	return found & transfers->chosen;
}

/* When what is asked for now has come, or gone. */
static uint64_t ask(struct accel_replay *replay, const struct accel_played *place, uint64_t bytes,
		    uint64_t cycles, uint64_t now)
{
	const struct accel_description *machine = replay->machine;
	uint64_t *channels =
		replay->channels + place->number % machine->clusters * machine->channels;
	uint64_t first = 0;

	for (uint64_t i = 1; i < machine->channels; i++)
		first = channels[i] < channels[first] ? i : first;
	/* it prepares for one while it moves the bytes of others */
	channels[first] = accel_later(channels[first], now + machine->dma_latency) + cycles;
	replay->traffic.requests++;
	replay->traffic.bytes += bytes;
	return channels[first];
}

static uint64_t ask_for(struct accel_replay *replay, const struct accel_played *place,
			uint32_t number, uint64_t now)
{
	const struct accel_request *request = &replay->transfers->requests[number];

	return ask(replay, place, request->bytes, request->cycles, now);
}

/* What the kernel itself asks for in a region that begins now. */
static void copy(struct accel_replay *replay, struct accel_played *place, uint64_t now)
{
	const struct accel_record *record = &place->record;
	const size_t first = place->next > 0 ? record->phases[place->next - 1].end : 0;

	for (size_t i = first; i < record->phases[place->next].end; i++) {
		const struct accel_copy *copy = &record->copies[i];
		uint64_t end = ask(replay, place, copy->bytes, copy->cycles, now + copy->begin);

		place->copied = accel_later(place->copied, end);
	}
}

/* What the group waits for before it begins with a region; asks for what it needs and what comes next. */
static uint64_t wait_for(struct accel_replay *replay, struct accel_played *place,
			 const struct accel_phase *phase, uint64_t now)
{
	const uint64_t reads = chosen_of(replay, phase->region, false);
	const uint64_t writes = chosen_of(replay, phase->region, true);
	uint64_t ready = phase->waits ? accel_later(now, place->copied) : now;

	for (uint64_t left = reads; left; left &= left - 1) {
		const uint32_t i = (uint32_t)__builtin_ctzll(left);

		if (!(place->asked >> i & 1))
			place->coming[i] = ask_for(replay, place, i, now);
		ready = accel_later(ready, place->coming[i]);
	}
	place->asked &= ~reads;
	for (uint64_t left = phase->ahead; left; left &= left - 1) {
		const uint32_t i = (uint32_t)__builtin_ctzll(left);

		place->coming[i] = ask_for(replay, place, i, now);
		place->asked |= UINT64_C(1) << i;
	}
	replay->traffic.waiting += ready - now;
	/* its elements meet where they wait, and before what they have written goes */
	const uint64_t meetings = (reads ? 1u : 0u) + (writes ? 1u : 0u);
	return ready + (replay->elements > 1 ? meetings * replay->machine->barrier : 0);
}

/* Behind a region what the group has written in it is there for all: when that is. */
static uint64_t write_out(struct accel_replay *replay, struct accel_played *place,
			  const struct accel_phase *phase)
{
	uint64_t gone = place->time;

	for (uint64_t left = chosen_of(replay, phase->region, true); left; left &= left - 1)
		gone = accel_later(
			gone, ask_for(replay, place, (uint32_t)__builtin_ctzll(left), place->time));
	replay->traffic.waiting += gone - place->time;
	return gone;
}

/* The place's next step: a region begins, or what it has written goes; or its group ends. */
static void play(struct accel_replay *replay, struct accel_played *place)
{
	const struct accel_record *record = &place->record;

	if (place->ends) {
		place->time = write_out(replay, place, &record->phases[place->next++]);
		place->ends = false;
		return;
	}
	if (place->next < record->count) {
		const struct accel_phase *phase = &record->phases[place->next];

		place->time = wait_for(replay, place, phase, place->time);
		copy(replay, place, place->time);
		place->time += phase->cycles;
		place->ends = true;
		return;
	}
	/* its local memory is not another group's before */
	place->time = accel_later(place->time, place->copied);
	place->runs = false;
	replay->finished = accel_later(replay->finished, place->time);
}

/* The first place's. */
static void step(struct accel_replay *replay)
{
	play(replay, replay->order[0]);
	reorder(replay);
}

/* Which reads are followed by the same of the next repetition. */
static void look_ahead(const struct accel_transfers *transfers, struct accel_record *record)
{
	uint64_t seen = 0;

	for (size_t p = record->count; p-- > 0;) {
		struct accel_phase *phase = &record->phases[p];

		for (uint32_t i = 0; i < transfers->num_requests; i++) {
			const struct accel_request *request = &transfers->requests[i];

			if (!request->ahead || request->writes ||
			    request->region != phase->region || !(transfers->chosen >> i & 1))
				continue;
			phase->ahead |= seen & UINT64_C(1) << i;
			seen |= UINT64_C(1) << i;
		}
	}
}

static void add_busy(struct accel_replay *replay, const struct accel_played *place)
{
	const uint64_t clusters = replay->machine->clusters;
	_Atomic uint64_t *busy = replay->busy +
				 place->number % clusters * replay->machine->elements +
				 place->number / clusters * replay->elements;

	for (uint64_t r = 0; r < replay->elements; r++)
		accel_add(&busy[r],
			  atomic_load_explicit(&place->record.busy[r], memory_order_relaxed));
}

/* What a group has asked for since its last region, is another group's, whose first region has yet to be recorded. */
static void keep_copies(struct accel_replay *replay, struct accel_record *ended)
{
	const size_t own = ended->count > 0 ? ended->phases[ended->count - 1].end : 0;

	for (size_t i = own; i < ended->num_copies; i++)
		add_copy(replay, ended->copies[i]);
	ended->num_copies = own;
}

void accel_replay_group(struct accel_replay *replay)
{
	if (replay->failed)
		return;
	while (replay->order[0]->runs)
		step(replay);
	struct accel_played *place = replay->order[0];
	const struct accel_record recorded = replay->recorded;
	replay->recorded = place->record;
	place->record = recorded;
	empty(&replay->recorded, replay->elements);
	keep_copies(replay, &place->record);
	look_ahead(replay->transfers, &place->record);
	add_busy(replay, place);
	place->time += replay->machine->dispatch;
	place->next = 0;
	place->runs = true;
	place->asked = 0;
	place->copied = 0;
	place->ends = false;
	reorder(replay);
}

uint64_t accel_replay_end(struct accel_replay *replay)
{
	while (!replay->failed && replay->num_ordered > 0) {
		if (replay->order[0]->runs) {
			step(replay);
			continue;
		}
		replay->order[0] = replay->order[--replay->num_ordered];
		reorder(replay);
	}
	return replay->finished;
}
