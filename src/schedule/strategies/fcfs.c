/* SPDX-License-Identifier: MIT
 *
 * First come, first served: the first kernel that is ready goes to the first device that is free.
 */
#include "strategies/strategies.h"

static bool decide(const struct weft_schedule_view *view, struct weft_schedule_decision *decision)
{
	const size_t task = weft_first_ready(view);
	const size_t device = weft_first_free(view);

	return task != WEFT_NONE && device != WEFT_NONE &&
	       weft_give_whole(view, task, device, decision);
}

const struct weft_schedule_strategy weft_strategy_fcfs = {
	.name = "fcfs",
	.summary = "whole kernels, the first that is ready to the first device that is free",
	.decide = decide,
};
