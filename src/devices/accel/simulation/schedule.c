/* SPDX-License-Identifier: MIT
 *
 * Work-groups at their places. Nothing here depends on the order in which things happen in this process.
 */
#include "simulation/schedule.h"

#include "alloc.h"
#include "simulation/cycles.h"

/* What a work-item is expected to need. */
#define USUAL_CYCLES 100

/* ---- how many groups at a time --------------------------------------------------------------- */

/* The time of all rounds of groups; the work-items of each element run one after the other. A double holds any product of
 * these numbers. */
static double estimate(const struct accel_description *machine, const struct accel_load *load,
		       uint32_t groups)
{
	uint64_t rounds = accel_divide_up(load->num_groups, machine->clusters * groups);
	uint64_t factor = accel_divide_up(load->num_items, machine->elements / groups);

	return (double)rounds * ((double)factor * USUAL_CYCLES + (double)machine->dispatch);
}

static bool fit(const struct accel_description *machine, const struct accel_load *load,
		uint32_t groups)
{
	return groups <= machine->elements && load->local_bytes <= machine->local_bytes / groups;
}

uint32_t accel_groups_at_a_time(const struct accel_description *machine,
				const struct accel_load *load)
{
	uint32_t best = 1;

	for (uint32_t groups = 2; groups <= ACCEL_MOST_GROUPS && fit(machine, load, groups);
	     groups *= 2) {
		if (machine->groups
			    ? groups <= machine->groups
			    : estimate(machine, load, groups) <= estimate(machine, load, best))
			best = groups;
	}
	return best;
}

/* ---- places ---------------------------------------------------------------------------------- */

static bool before(struct accel_place a, struct accel_place b)
{
	return a.free != b.free ? a.free < b.free : a.number < b.number;
}

static struct accel_place *place_at(const struct accel_schedule *schedule, uint32_t index)
{
	uint32_t at = schedule->first + index;

	return &schedule->places[at < schedule->num_places ? at : at - schedule->num_places];
}

/* Moves the first place to where it belongs now: mostly to the end, since groups are mostly alike. */
static void put_back(struct accel_schedule *schedule)
{
	const struct accel_place moved = *place_at(schedule, 0);
	uint32_t hole = schedule->num_places;

	/* the place behind the last one is that of the first */
	for (; hole > 1 && before(moved, *place_at(schedule, hole - 1)); hole--)
		*place_at(schedule, hole) = *place_at(schedule, hole - 1);
	*place_at(schedule, hole) = moved;
	schedule->first = (uint32_t)(place_at(schedule, 1) - schedule->places);
}

static void end_group(struct accel_schedule *schedule)
{
	if (!schedule->has_group)
		return;
	struct accel_place *place = place_at(schedule, 0);
	place->free += schedule->running;
	if (place->free > schedule->finished)
		schedule->finished = place->free;
	put_back(schedule);
	schedule->has_group = false;
}

/* ---- a launch -------------------------------------------------------------------------------- */

enum weft_status accel_schedule_init(struct accel_schedule *schedule,
				     const struct accel_description *machine)
{
	*schedule = (struct accel_schedule){
		.machine = machine,
		.places = weft_calloc(machine->clusters * ACCEL_MOST_GROUPS,
				      sizeof(*schedule->places)),
		.busy = weft_calloc(machine->clusters * machine->elements, sizeof(*schedule->busy)),
	};
	if (schedule->places && schedule->busy)
		return WEFT_OK;
	accel_schedule_destroy(schedule);
	return WEFT_OUT_OF_MEMORY;
}

void accel_schedule_destroy(struct accel_schedule *schedule)
{
	weft_free(schedule->places);
	weft_free((void *)schedule->busy);
	accel_group_timeline_destroy(&schedule->timeline);
	*schedule = (struct accel_schedule){0};
}

void accel_schedule_reset(struct accel_schedule *schedule)
{
	const uint64_t elements = schedule->machine->clusters * schedule->machine->elements;

	for (uint64_t i = 0; i < elements; i++)
		atomic_store_explicit(&schedule->busy[i], 0, memory_order_relaxed);
	/* the parent may have been recording groups: its memory is not freed */
	schedule->timeline = (struct accel_group_timeline){0};
}

/* Where the place's first element is in `busy`. The first place of each cluster comes before the second of any: every cluster
 * gets one group before one gets a second. */
static _Atomic uint64_t *elements_of(const struct accel_schedule *schedule, uint64_t place)
{
	const uint64_t clusters = schedule->machine->clusters;
	const uint64_t first = place / clusters * schedule->elements;

	return schedule->busy + place % clusters * schedule->machine->elements + first;
}

void accel_schedule_begin(struct accel_schedule *schedule, const struct accel_load *asked,
			  const struct accel_transfer_options *options)
{
	const struct accel_description *machine = schedule->machine;
	struct accel_transfers *transfers = &schedule->transfers;
	struct accel_load with_transfers = *asked;
	const struct accel_load *load = &with_transfers;

	accel_transfers_choose(transfers, machine,
			       options ? options : &(struct accel_transfer_options){0},
			       asked->local_bytes);
	with_transfers.local_bytes += transfers->bytes;
	schedule->groups_at_a_time = accel_groups_at_a_time(machine, load);
	schedule->uses_timeline = transfers->chosen || (options && options->copies);
	accel_transfers_place(transfers, machine, asked->local_bytes, schedule->groups_at_a_time);
	if (schedule->uses_timeline)
		accel_group_timeline_begin(&schedule->timeline, machine, transfers,
					   schedule->groups_at_a_time, schedule->busy);
	schedule->elements = machine->elements / schedule->groups_at_a_time;
	schedule->items = load->num_items;
	schedule->factor = accel_divide_up(load->num_items, schedule->elements);
	schedule->num_places = (uint32_t)machine->clusters * schedule->groups_at_a_time;
	schedule->first = 0;
	schedule->has_group = false;
	schedule->calls_host = false;
	schedule->each = 0;
	schedule->num_begun = 0;
	schedule->finished = machine->launch;
	for (uint32_t i = 0; i < schedule->num_places; i++)
		schedule->places[i] =
			(struct accel_place){machine->launch, i, elements_of(schedule, i)};
}

/* Adds to `busy` what each element does. Returns what the slowest one does. */
static uint64_t share_out(struct accel_schedule *schedule, _Atomic uint64_t *busy,
			  const uint64_t *cycles, uint64_t num_items)
{
	const uint64_t factor = num_items == schedule->items
					? schedule->factor
					: accel_divide_up(num_items, schedule->elements);
	uint64_t slowest = 0;

	for (uint64_t first = 0; first < num_items; first += factor) {
		const uint64_t end = num_items - first < factor ? num_items : first + factor;
		uint64_t sum = schedule->each;

		for (uint64_t i = first; i < end; i++)
			sum += cycles[i];
		accel_add(busy++, sum);
		slowest = accel_later(slowest, sum);
	}
	schedule->each = 0;
	return slowest;
}

/* Work-items of the group at the first place. */
static uint64_t run_items(struct accel_schedule *schedule, const uint64_t *cycles,
			  uint64_t num_items)
{
	return share_out(schedule, schedule->places[schedule->first].busy, cycles, num_items);
}

/* Cycles for which the running group waits for the host. */
static uint64_t take_round_trip(struct accel_schedule *schedule)
{
	const uint64_t cycles = schedule->calls_host ? schedule->machine->launch : 0;

	schedule->calls_host = false;
	return cycles;
}

static void record_region(struct accel_schedule *schedule, const uint64_t *cycles,
			  uint64_t num_items, uint32_t region)
{
	if (region == 0 && schedule->has_group)
		accel_group_timeline_group(&schedule->timeline);
	schedule->has_group = true;
	_Atomic uint64_t *busy = accel_group_timeline_elements(&schedule->timeline);
	uint64_t time = busy ? share_out(schedule, busy, cycles, num_items) : 0;
	if (region > 0 && schedule->elements > 1)
		time += schedule->machine->barrier;
	accel_group_timeline_phase(&schedule->timeline, region, time + take_round_trip(schedule));
}

static void begin_group(struct accel_schedule *schedule, const uint64_t *cycles, uint64_t num_items)
{
	end_group(schedule);
	schedule->has_group = true;
	schedule->num_begun++;
	schedule->running = schedule->machine->dispatch + run_items(schedule, cycles, num_items);
}

static bool are_equal(const uint64_t *cycles, uint64_t count)
{
	uint64_t differences = 0;

	for (uint64_t i = 1; i < count; i++)
		differences |= cycles[i] ^ cycles[0];
	return differences == 0;
}

/* Runs `rounds` groups at each place, with all work-items alike: the order of the places stays. */
static void run_rounds(struct accel_schedule *schedule, uint64_t cycles, uint64_t rounds)
{
	const uint64_t time = schedule->machine->dispatch + schedule->factor * cycles;

	for (uint32_t p = 0; p < schedule->num_places; p++) {
		struct accel_place *place = &schedule->places[p];
		uint64_t left = schedule->items;

		place->free += rounds * time;
		for (uint64_t r = 0; left > 0; r++) {
			uint64_t taken = left < schedule->factor ? left : schedule->factor;

			accel_add(&place->busy[r], rounds * taken * cycles);
			left -= taken;
		}
	}
	const uint64_t last = place_at(schedule, schedule->num_places - 1)->free;
	if (last > schedule->finished)
		schedule->finished = last;
}

/* Small groups come by the million: runs whole rounds of groups at once if all their work-items are alike. Returns how many
 * groups that are. */
static uint64_t take_rounds(struct accel_schedule *schedule, const uint64_t *cycles,
			    uint64_t groups)
{
	const uint64_t rounds = groups / schedule->num_places;

	if (rounds < 2 || !are_equal(cycles, groups * schedule->items))
		return 0;
	end_group(schedule);
	struct accel_place first = *place_at(schedule, 0);
	first.free += schedule->machine->dispatch + schedule->factor * cycles[0];
	if (before(first, *place_at(schedule, schedule->num_places - 1)))
		return 0;
	run_rounds(schedule, cycles[0], rounds);
	schedule->num_begun += rounds * schedule->num_places;
	return rounds * schedule->num_places;
}

static void record_groups(struct accel_schedule *schedule, const uint64_t *cycles,
			  uint64_t num_items, uint32_t region)
{
	for (; region == 0 && num_items > schedule->items; num_items -= schedule->items) {
		record_region(schedule, cycles, schedule->items, 0);
		cycles += schedule->items;
	}
	record_region(schedule, cycles, num_items, region);
}

void accel_schedule_region(struct accel_schedule *schedule, const uint64_t *cycles,
			   uint64_t num_items, uint32_t region)
{
	if (schedule->uses_timeline) {
		record_groups(schedule, cycles, num_items, region);
		return;
	}
	if (region > 0) {
		schedule->running += schedule->elements > 1 ? schedule->machine->barrier : 0;
		schedule->running += run_items(schedule, cycles, num_items);
		schedule->running += take_round_trip(schedule);
		return;
	}
	if (schedule->each > 0 && num_items > schedule->items) {
		begin_group(schedule, cycles, schedule->items);
		cycles += schedule->items;
		num_items -= schedule->items;
	}
	const uint64_t rounds = schedule->calls_host ? 0 : num_items / schedule->items;
	const uint64_t taken = take_rounds(schedule, cycles, rounds) * schedule->items;
	cycles += taken;
	num_items -= taken;
	if (num_items == 0)
		return;
	for (; num_items > schedule->items; num_items -= schedule->items) {
		begin_group(schedule, cycles, schedule->items);
		cycles += schedule->items;
	}
	begin_group(schedule, cycles, num_items);
	schedule->running += take_round_trip(schedule);
}

void accel_schedule_each(struct accel_schedule *schedule, uint64_t cycles)
{
	schedule->each = cycles;
}

void accel_schedule_host_call(struct accel_schedule *schedule)
{
	schedule->calls_host = true;
}

uint64_t accel_schedule_cluster(struct accel_schedule *schedule, uint64_t group)
{
	if (group >= schedule->num_begun)
		end_group(schedule);
	return (uint64_t)(place_at(schedule, 0)->busy - schedule->busy) /
	       schedule->machine->elements;
}

void accel_schedule_request(struct accel_schedule *schedule, uint64_t bytes, uint64_t lines,
			    uint64_t cycles)
{
	if (schedule->uses_timeline)
		accel_group_timeline_copy(&schedule->timeline, bytes, lines, cycles);
}

uint64_t accel_schedule_end(struct accel_schedule *schedule)
{
	if (schedule->uses_timeline) {
		if (schedule->has_group)
			accel_group_timeline_group(&schedule->timeline);
		schedule->has_group = false;
		schedule->finished = accel_group_timeline_end(&schedule->timeline);
		for (uint32_t i = 0; i < schedule->num_places && !schedule->timeline.failed; i++)
			schedule->places[i].free = schedule->timeline.places[i].time;
		return schedule->finished;
	}
	end_group(schedule);
	return schedule->finished;
}

struct accel_traffic accel_schedule_traffic(const struct accel_schedule *schedule)
{
	return schedule->uses_timeline ? schedule->timeline.traffic : (struct accel_traffic){0};
}
