/* SPDX-License-Identifier: MIT
 *
 * The library's strategies, and what several of them need.
 */
#ifndef WEFT_SCHEDULE_STRATEGIES_H
#define WEFT_SCHEDULE_STRATEGIES_H

#include <weft/schedule.h>

#define WEFT_STRATEGY(name) extern const struct weft_schedule_strategy weft_strategy_##name;
#include "strategies/strategies.def"
#undef WEFT_STRATEGY

/* NULL: there is none of that name. */
const struct weft_schedule_strategy *weft_strategy_named(const char *name);

#define WEFT_NONE ((size_t)-1)

/* The first ready task of which nothing is given out yet; WEFT_NONE. */
size_t weft_first_ready(const struct weft_schedule_view *view);
/* The first device that is free; WEFT_NONE. */
size_t weft_first_free(const struct weft_schedule_view *view);
/* Adds a part to the decision: so many slabs, or all that is unclaimed. Always true. */
bool weft_give(const struct weft_schedule_view *view, size_t task, size_t device, size_t slabs,
	       struct weft_schedule_decision *decision);
bool weft_give_whole(const struct weft_schedule_view *view, size_t task, size_t device,
		     struct weft_schedule_decision *decision);

/* Seconds of one slab. */
double weft_rate(const struct weft_schedule_view *view, size_t task, size_t device);

/* Seconds of the inputs and the launch of what is unclaimed of the task. */
double weft_input_seconds(const struct weft_schedule_view *view, size_t task, size_t device);

/* Whether the device has shown a rate, for any task. */
bool weft_is_known(const struct weft_schedule_view *view, size_t device);

/* Seconds of a part among others: where transfers run beside kernels, those of what takes longest. */
double weft_part_seconds(const struct weft_schedule_view *view,
			 const struct weft_schedule_part *part);

/* Seconds of the whole task on an average device, with its transfers. */
double weft_mean_seconds(const struct weft_schedule_view *view, size_t task);

/* Of each task, the upward rank of HEFT: seconds of the longest chain of tasks that begins with it, on average devices. */
void weft_ranks(const struct weft_schedule_view *view, double *ranks);

#endif
