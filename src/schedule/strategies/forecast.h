/* SPDX-License-Identifier: MIT
 *
 * When parts will have ended, by the rates and the costs of a view: transfers to a device, kernels, and transfers from it run beside each
 * other, each for one part at a time.
 */
#ifndef WEFT_SCHEDULE_FORECAST_H
#define WEFT_SCHEDULE_FORECAST_H

#include "strategies/strategies.h"

/* What a device does. */
struct weft_lane {
	double moved; /* when the inputs of its parts are there */
	double before; /* the end of the part before the last one: a device has one part waiting at most */
	double ended;
	double sent; /* when results are in the host's memory */
};

/* All arrays are the caller's. */
struct weft_forecast {
	const struct weft_schedule_view *view; /* borrowed: what is unclaimed there is forecast */
	size_t *slabs; /* by task and device: those of the unclaimed ones that are for it */
	double *ends;  /* by task */
	double *sent;
	struct weft_lane *lanes; /* by device */
};

/* Nothing of it is given out yet. */
void weft_forecast_begin(struct weft_forecast *forecast);
/* The next part of its device, given out at the time `now` or later. */
void weft_forecast_part(struct weft_forecast *forecast, const struct weft_schedule_part *part,
			double now);
/* When all parts have ended, and their results are in the host's memory. */
double weft_forecast_end(const struct weft_forecast *forecast);

/* When all ends that is unclaimed, nothing being given out yet, if the strategy decides. `slabs` are those that it gives to each device,
 * `order` all tasks in the order in which it begins with them. INFINITY: no memory, or it leaves tasks undone. */
double weft_forecast_strategy(struct weft_forecast *forecast,
			      const struct weft_schedule_strategy *strategy, size_t *order);

#endif
