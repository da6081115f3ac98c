/* SPDX-License-Identifier: MIT
 *
 * How many lanes a kernel's code should have, by measurement. The compiler chooses them by estimates, which other code may show to be
 * wrong. Code that has run for long is made for other numbers of lanes, too, in the background (specialisation_job.h). Then threads run
 * some work-groups of each launch with one version and some with another, and what they take decides which version launches run from
 * then on.
 */
#ifndef WEFT_RUNTIME_WIDTH_TRIAL_H
#define WEFT_RUNTIME_WIDTH_TRIAL_H

#include "mutex.h"
#include "program/run_time.h"
#include "program/specialisation_code.h"

#define WEFT_WIDTH_VERSIONS 5
/* Times that are taken of each version, if the first few do not show which one is fastest. */
#define WEFT_WIDTH_SAMPLES 48
#define WEFT_WIDTH_FIRST_SAMPLES 16
/* ns that launches run the code before versions of it are made, beside what making the code took. Making the versions takes a few times as
 * long as that, on a thread of little priority. */
#define WEFT_WIDTH_RIPE UINT64_C(50000000)

enum weft_width_state {
	WEFT_WIDTH_WATCHED,  /* it is counted how long launches run */
	WEFT_WIDTH_COMPILED, /* a thread makes the versions */
	WEFT_WIDTH_TRIED,
	WEFT_WIDTH_ENDED, /* launches run the version that was chosen */
};

struct weft_width_version {
	/* None once the trial has ended without it, and no thread runs it any more. */
	struct weft_specialisation_code code;
	uint32_t lanes;
	uint32_t calls; /* that run it now */
	/* Work-groups that one call may run, until it is known that the version is not much slower than the first one; then UINT64_MAX. */
	uint64_t most_groups;
	uint32_t slow_probes; /* calls until then that were much slower */
	bool dropped;         /* much slower than the first version */
	uint32_t samples;
	double times[WEFT_WIDTH_SAMPLES]; /* ns of a work-item, in order of time */
};

/* What the trial's owner does for it. */
struct weft_width_owner {
	/* Has a thread make the versions (weft_width_candidates, weft_width_trial_add, weft_width_trial_begin). False: no memory, or no
	 * thread. */
	bool (*make)(void *data);
	/* So many lanes are best; 0: those of the first version. Not called when the trial ends without a decision. */
	void (*decided)(void *data, uint32_t lanes);
	void *data;
};

/* Launches that have a part in it keep its owner. */
struct weft_width_trial {
	struct weft_replacement base;  /* of launches, while it is TRIED */
	struct weft_replacement watch; /* of launches, while it is WATCHED; never has a kernel */
	struct weft_width_owner owner;
	cl_device_id device; /* borrowed */
	uint64_t ripe;       /* ns */
	struct weft_run_time run;
	_Atomic uint32_t state;  /* enum weft_width_state */
	_Atomic uint32_t chosen; /* of a version; 0 until it is ENDED */
	uint32_t
		num_versions; /* constant from TRIED on; the first is the specialisation's own code */
	/* WEFT_RANK_WIDTH_TRIAL: of what follows. The code of the version that was chosen is constant. */
	struct weft_mutex lock;
	uint32_t turn;
	uint32_t samples;    /* wanted of each version */
	uint64_t most_items; /* work-items of one call */
	struct weft_width_version versions[WEFT_WIDTH_VERSIONS];
};

/* Of code, borrowed, that took `compiling` ns to make, or to load from the cache. NULL: no other numbers of lanes may be tried, or there is no
 * memory. */
struct weft_width_trial *weft_width_trial_create(cl_device_id device,
						 const struct weft_specialisation_code *code,
						 uint64_t compiling,
						 const struct weft_width_owner *owner);
/* NULL is fine. */
void weft_width_trial_destroy(struct weft_width_trial *trial);

#define WEFT_WIDTH_MOST_LANES 32
/* Numbers of lanes to try beside that of the code; returns how many. */
uint32_t weft_width_candidates(const struct weft_kernel_desc *code,
			       uint32_t lanes[WEFT_WIDTH_VERSIONS - 1]);
/* The code becomes the trial's, unless it cannot run what the first version can, shows how many lanes it has, or has as many as another
 * version: then false. While the trial is COMPILED. */
bool weft_width_trial_add(struct weft_width_trial *trial,
			  const struct weft_specialisation_code *code);
/* All versions are there. False: the first one is alone, and stays. */
bool weft_width_trial_begin(struct weft_width_trial *trial);

/* What a launch of the code runs, and does for the trial. */
struct weft_width_part {
	const struct weft_specialisation_code *code;
	struct weft_replacement *replacement; /* or NULL */
	bool timed;                           /* weft_launch.timed */
};

/* `trial` NULL: it runs `code`. */
struct weft_width_part weft_width_trial_take_part(struct weft_width_trial *trial,
						  const struct weft_specialisation_code *code);

#endif
