/* SPDX-License-Identifier: MIT
 *
 * The policy of specialisations: which of them a launch runs, and when one is asked for. Its steps are the table in
 * docs/runtime.md. Invariant: once the program has closed them, no launch looks for one, and each goes with its last user.
 */
#include "program/specialisations.h"

#include "alloc.h"
#include "clock.h"
#include "options.h"
#include "program/specialisation_job.h"
#include "program/specialisation_table.h"
#include "program/tier.h"

/* Work-items of a launch that without code for its formats takes that long, so its specialisation is made at once. */
#define LARGE UINT64_C(1000000)

/* ---- when ------------------------------------------------------------------------------------ */

/* Whether its launches run quick code while there is no code for their local size. */
static bool replaces_quick(const struct weft_specialisation *specialisation)
{
	struct weft_kernel_specialisations *of = specialisation->of;

	return weft_replaces_quick(of) && !weft_gains_by_images(of) && specialisation->words[0] &&
	       !atomic_load_explicit(&of->has_full, memory_order_relaxed);
}

/* Launches of its local size have code of their own soon. */
static void forget_quick_time(struct weft_specialisation *specialisation)
{
	const uint64_t time = weft_run_time_total(&specialisation->run);

	if (replaces_quick(specialisation))
		atomic_fetch_sub_explicit(&specialisation->of->quick_time, (int64_t)time,
					  memory_order_relaxed);
}

static void ask(struct weft_specialisation *specialisation, enum weft_specialisation_state state)
{
	const struct weft_specialisation_request request = {
		.specialisation = specialisation,
		.state = state,
		.replaces = state == WEFT_SPECIALISATION_COMPILED,
		.now = weft_clock_now(),
	};
	struct weft_specialisation_table *table =
		atomic_load_explicit(&specialisation->of->table, memory_order_acquire);

	if (weft_specialisation_table_admit(table, &request)) {
		if (request.replaces)
			forget_quick_time(specialisation);
		weft_specialisation_make(specialisation);
	} else if (request.replaces &&
		   weft_specialisation_state(specialisation) == WEFT_SPECIALISATION_IDLE) {
		/* It asks once more when it has run for as long. */
		weft_run_time_begin_again(&specialisation->run);
	}
}

static bool is_idle(const struct weft_specialisation *specialisation)
{
	return weft_specialisation_state(specialisation) == WEFT_SPECIALISATION_IDLE;
}

bool weft_specialisation_count(struct weft_specialisation *specialisation, uint64_t items)
{
	const bool timed = weft_run_time_count(&specialisation->run);

	weft_specialisation_add_items(specialisation, items);
	return timed && is_idle(specialisation);
}

uint32_t weft_specialisation_launches(const struct weft_specialisation *specialisation)
{
	return atomic_load_explicit(
		&((struct weft_specialisation *)(uintptr_t)specialisation)->run.launches,
		memory_order_relaxed);
}

/* Launches without it have run for so much longer. */
static void note_more(struct weft_specialisation *specialisation, uint64_t time)
{
	if (!is_idle(specialisation))
		return;
	if (replaces_quick(specialisation))
		atomic_fetch_add_explicit(&specialisation->of->quick_time, (int64_t)time,
					  memory_order_relaxed);
	if (weft_specialisation_is_ripe(specialisation))
		ask(specialisation, WEFT_SPECIALISATION_COMPILED);
}

static void note_time(struct weft_replacement *replacement, uint64_t time)
{
	struct weft_specialisation *specialisation =
		WEFT_CONTAINER_OF(replacement, struct weft_specialisation, replacement);

	weft_run_time_ran(&specialisation->run, time);
	note_more(specialisation, time);
}

void weft_specialisation_ran(struct weft_specialisation *specialisation, uint64_t time)
{
	note_more(specialisation, weft_run_time_took(&specialisation->run, time));
}

static void note_launch(struct weft_replacement *replacement, uint64_t time)
{
	weft_specialisation_ran(
		WEFT_CONTAINER_OF(replacement, struct weft_specialisation, replacement), time);
}

/* Code that may have been compiled before: for formats, which other programs may share, or for a program that was. */
static void seek(struct weft_specialisation *specialisation)
{
	if ((weft_gains_by_images(specialisation->of) || specialisation->of->owner->made_before) &&
	    is_idle(specialisation))
		ask(specialisation, WEFT_SPECIALISATION_SOUGHT);
}

/* The first launch looks into the cache. A large one with formats does not wait for the code to be ripe, whichever launch it is: as
 * if it had run for so long. */
void weft_specialisation_ask_early(struct weft_specialisation *specialisation, uint64_t items)
{
	const bool first = weft_specialisation_launches(specialisation) == 1;
	const bool large = weft_gains_by_images(specialisation->of) && items >= LARGE;

	if (weft_specialisation_state(specialisation) > WEFT_SPECIALISATION_SOUGHT)
		return;
	if (large)
		atomic_fetch_add_explicit(&specialisation->run.time,
					  WEFT_SPECIALISATION_RIPE_FORMATS, memory_order_relaxed);
	if (large && is_idle(specialisation))
		ask(specialisation, WEFT_SPECIALISATION_COMPILED);
	else if (first)
		seek(specialisation);
}

void weft_specialisation_ask_any_size(struct weft_specialisation *any_size, bool first)
{
	_Atomic int64_t *time = &any_size->of->quick_time;

	if (first)
		seek(any_size);
	if (atomic_load_explicit(time, memory_order_relaxed) < WEFT_SPECIALISATION_RIPE_ANY_SIZE ||
	    !is_idle(any_size))
		return;
	atomic_store_explicit(time, 0, memory_order_relaxed);
	ask(any_size, WEFT_SPECIALISATION_COMPILED);
}

/* ---- life ------------------------------------------------------------------------------------ */

/* Of flags of kernels, those for which specialisations are made. */
static uint32_t wanted_gains(void)
{
	const uint32_t gains = (uint32_t)WEFT_KERNEL_GAINS_BY_SIZE | WEFT_KERNEL_GAINS_BY_IMAGES;

	if (weft_tier() == WEFT_TIER_QUICK)
		return 0;
	return WEFT_KERNEL_QUICK | (weft_options()->specialise ? gains : 0);
}

struct weft_specialisations *weft_specialisations_create(cl_device_id device,
							 const struct weft_program_desc *desc,
							 bool made_before)
{
	struct weft_specialisations *specialisations = NULL;
	const uint32_t wanted = wanted_gains();
	uint32_t gains = 0;

	for (uint32_t i = 0; i < desc->num_kernels; i++)
		gains |= desc->kernels[i].flags & wanted;
	if (desc->object && gains)
		specialisations =
			weft_zalloc(sizeof(*specialisations) +
				    desc->num_kernels * sizeof(specialisations->kernels[0]));
	if (!specialisations)
		return NULL;
	weft_refcount_init(&specialisations->refs, 1);
	weft_object_get(&device->base);
	specialisations->device = device;
	specialisations->desc = desc;
	specialisations->made_before = made_before;
	specialisations->wanted = wanted;
	specialisations->ran = note_time;
	specialisations->took = note_launch;
	specialisations->num_kernels = desc->num_kernels;
	for (uint32_t i = 0; i < desc->num_kernels; i++) {
		specialisations->kernels[i].owner = specialisations;
		specialisations->kernels[i].kernel = &desc->kernels[i];
	}
	return specialisations;
}

void weft_specialisations_close(struct weft_specialisations *specialisations)
{
	if (!specialisations)
		return;
	for (uint32_t i = 0; i < specialisations->num_kernels; i++) {
		struct weft_kernel_specialisations *of = &specialisations->kernels[i];

		weft_specialisation_table_destroy(
			atomic_exchange_explicit(&of->table, NULL, memory_order_acq_rel));
	}
	weft_specialisations_put(specialisations);
}
