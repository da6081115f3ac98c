/* SPDX-License-Identifier: MIT
 *
 * Specialisations of kernels: code for the formats of a kernel's images and for its samplers, and code for one local size as
 * well. A kernel that gains by them (WEFT_KERNEL_GAINS_BY_IMAGES, WEFT_KERNEL_GAINS_BY_SIZE) is compiled once more, in the
 * background, when it has run for so long that this pays; later launches run the specialisation, and so do the later
 * work-groups of a launch that is under way. Launches are timed now and then, so that short ones cost no clock.
 */
#ifndef WEFT_RUNTIME_SPECIALISATIONS_H
#define WEFT_RUNTIME_SPECIALISATIONS_H

#include "program/specialisation.h"
#include "program/width_trial.h"

/* NULL when no kernel gains or may (WEFT_SPECIALISE=0, WEFT_TIER=quick), or when there is no memory for them. `made_before`: the
 * program was not compiled now: it comes from the cache or a binary. */
struct weft_specialisations *weft_specialisations_create(cl_device_id device,
							 const struct weft_program_desc *desc,
							 bool made_before);
/* The code goes, and no launch of its kernels is left. NULL is fine. */
void weft_specialisations_close(struct weft_specialisations *specialisations);

/* What decides which specialisations suit. */
struct weft_specialised_launch {
	const struct weft_kernel_desc *kernel; /* of the description given to create */
	const struct weft_ndrange *range;
	const void *
		args; /* packed; images and samplers are filled in, but for the images' addresses */
};

/* The specialisations that may suit a launch; each may be NULL. */
struct weft_specialisation_pair {
	/* For its formats and samplers, and any local size. Of a kernel that has quick code and no images: full code. */
	struct weft_specialisation *any_size;
	struct weft_specialisation *sized; /* for its local size, too: better */
};

/* What a launch runs. */
struct weft_specialisation_choice {
	struct weft_specialisation *code;   /* whose code it runs; NULL: the kernel's own */
	struct weft_width_part part;        /* where it runs such code: which version of it */
	struct weft_specialisation *better; /* that would be better, and has no code yet; or NULL */
	bool timed; /* what the launch takes is for `better`: weft_specialisation_ran */
};

/* weft_specialisations_choose for a kernel that gains. */
struct weft_specialisation_choice
weft_specialisations_look_up(struct weft_specialisations *specialisations,
			     const struct weft_specialised_launch *launch);

/* Counts the launch. References to both are the caller's, who keeps them until the launch has ended. `specialisations` may be
 * NULL. */
static inline struct weft_specialisation_choice
weft_specialisations_choose(struct weft_specialisations *specialisations,
			    const struct weft_specialised_launch *launch)
{
	const uint32_t gains = (uint32_t)WEFT_KERNEL_GAINS_BY_SIZE | WEFT_KERNEL_GAINS_BY_IMAGES |
			       WEFT_KERNEL_QUICK;

	if (!specialisations || !(launch->kernel->flags & gains))
		return (struct weft_specialisation_choice){0};
	return weft_specialisations_look_up(specialisations, launch);
}

/* The specialisations of a launch that is recorded. The references are the caller's. `specialisations` may be NULL. */
struct weft_specialisation_pair
weft_specialisations_find(struct weft_specialisations *specialisations,
			  const struct weft_specialised_launch *launch);

/* The same as weft_specialisations_choose for a recorded launch of so many work-items. Borrowed from the pair, whose
 * successors it follows. */
struct weft_specialisation_choice
weft_specialisation_pair_choose(const struct weft_specialisation_pair *pair, uint64_t items);

/* The code of the choice is put into a launch whose arguments were packed for `recorded`. False: it has none that fits. */
bool weft_specialisation_choice_apply(const struct weft_specialisation_choice *choice,
				      const struct weft_kernel_desc *recorded,
				      struct weft_launch *launch);

/* The launch, which keeps the choice and has its code, if that fits, goes over to the better code when it is there, and counts for it
 * until then. Without better code it has a part in the trial of its own. */
static inline void
weft_specialisation_choice_replace(const struct weft_specialisation_choice *choice,
				   struct weft_launch *launch)
{
	const struct weft_width_part *part = &choice->part;
	const bool has_part = part->code && launch->kernel == part->code->desc;

	launch->replacement = choice->better ? &choice->better->replacement
			      : has_part     ? part->replacement
					     : NULL;
	launch->timed = choice->better ? choice->timed : has_part && part->timed;
}

/* Counts a launch of so many work-items while there is no code; true when this one is to be timed. */
bool weft_specialisation_count(struct weft_specialisation *specialisation, uint64_t items);

/* How many were counted: for tests. */
uint32_t weft_specialisation_launches(const struct weft_specialisation *specialisation);

/* A launch that was to be timed took so many nanoseconds of the processor's time: weft_replacement.took. */
void weft_specialisation_ran(struct weft_specialisation *specialisation, uint64_t time);

/* A launch of so many work-items has been counted for the specialisation: its code may be sought in the cache, or made, before it is
 * ripe. */
void weft_specialisation_ask_early(struct weft_specialisation *specialisation, uint64_t items);

/* A launch with a local size of its own runs quick code: full code for any size may be sought in the cache, or is made when launches of
 * many sizes have run for long. `first`: no launch had this size before. */
void weft_specialisation_ask_any_size(struct weft_specialisation *any_size, bool first);

static inline uint64_t weft_ndrange_items(const struct weft_ndrange *range)
{
	return range->global_size[0] * range->global_size[1] * range->global_size[2];
}

#endif
