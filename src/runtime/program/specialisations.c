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

/* Work-items of a launch that without code for its formats takes that long, so its specialisation is made at once. */
#define LARGE UINT64_C(1000000)

/* ---- life ------------------------------------------------------------------------------------ */

struct weft_specialisations *weft_specialisations_create(cl_device_id device,
							 const struct weft_program_desc *desc)
{
	struct weft_specialisations *specialisations = NULL;

	if (desc->object && weft_options()->specialise)
		specialisations =
			weft_zalloc(sizeof(*specialisations) +
				    desc->num_kernels * sizeof(specialisations->kernels[0]));
	if (!specialisations)
		return NULL;
	weft_refcount_init(&specialisations->refs, 1);
	weft_object_get(&device->base);
	specialisations->device = device;
	specialisations->desc = desc;
	specialisations->num_kernels = desc->num_kernels;
	for (uint32_t i = 0; i < desc->num_kernels; i++) {
		const struct weft_kernel_desc *kernel = &desc->kernels[i];
		struct weft_kernel_specialisations *of = &specialisations->kernels[i];

		of->owner = specialisations;
		of->kernel = kernel;
		of->by_images = kernel->flags & WEFT_KERNEL_GAINS_BY_IMAGES;
		of->by_size = kernel->flags & WEFT_KERNEL_GAINS_BY_SIZE;
		if (of->by_images &&
		    weft_specialisation_constants(kernel) > WEFT_SPECIALISATION_CONSTANTS)
			of->by_images = of->by_size = false;
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

/* ---- when ------------------------------------------------------------------------------------ */

/* One that may have no code begins again: it asks once more when it has run for as long. */
static void begin_again(struct weft_specialisation *specialisation)
{
	atomic_store_explicit(&specialisation->time, 0, memory_order_relaxed);
	atomic_store_explicit(&specialisation->timed, 0, memory_order_relaxed);
	atomic_store_explicit(&specialisation->launches, 0, memory_order_relaxed);
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

	if (weft_specialisation_table_admit(table, &request))
		weft_specialisation_make(specialisation);
	else if (request.replaces &&
		 weft_specialisation_state(specialisation) == WEFT_SPECIALISATION_IDLE)
		begin_again(specialisation);
}

static bool is_idle(const struct weft_specialisation *specialisation)
{
	return weft_specialisation_state(specialisation) == WEFT_SPECIALISATION_IDLE;
}

bool weft_specialisation_count(struct weft_specialisation *specialisation, uint64_t items)
{
	uint32_t count = atomic_load_explicit(&specialisation->launches, memory_order_relaxed) + 1;

	/* Two threads may count as one. */
	atomic_store_explicit(&specialisation->launches, count, memory_order_relaxed);
	weft_specialisation_add_items(specialisation, items);
	return (count & (count - 1)) == 0 && is_idle(specialisation);
}

uint32_t weft_specialisation_launches(const struct weft_specialisation *specialisation)
{
	return atomic_load_explicit(
		&((struct weft_specialisation *)(uintptr_t)specialisation)->launches,
		memory_order_relaxed);
}

void weft_specialisation_ran(struct weft_specialisation *specialisation, uint64_t time)
{
	uint32_t launches = atomic_load_explicit(&specialisation->launches, memory_order_relaxed);
	uint32_t timed =
		atomic_exchange_explicit(&specialisation->timed, launches, memory_order_relaxed);
	uint64_t total = time * (launches > timed ? launches - timed : 1);

	atomic_fetch_add_explicit(&specialisation->time, total, memory_order_relaxed);
	if (is_idle(specialisation) && weft_specialisation_is_ripe(specialisation))
		ask(specialisation, WEFT_SPECIALISATION_COMPILED);
}

/* The first launch with these formats looks into the cache, and a large one does not wait for the code to be ripe, whichever
 * launch it is: as if it had run for so long. */
void weft_specialisation_ask_early(struct weft_specialisation *formats, uint64_t items)
{
	const bool first = weft_specialisation_launches(formats) == 1;

	if (weft_specialisation_state(formats) > WEFT_SPECIALISATION_SOUGHT)
		return;
	if (items >= LARGE)
		atomic_fetch_add_explicit(&formats->time, WEFT_SPECIALISATION_RIPE_FORMATS,
					  memory_order_relaxed);
	if (items >= LARGE && is_idle(formats))
		ask(formats, WEFT_SPECIALISATION_COMPILED);
	else if (first && is_idle(formats))
		ask(formats, WEFT_SPECIALISATION_SOUGHT);
}
