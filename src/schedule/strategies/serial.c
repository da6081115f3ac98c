/* SPDX-License-Identifier: MIT
 *
 * One kernel after the other, all on the first device: what results are compared with.
 */
#include "strategies/strategies.h"

static bool decide(const struct weft_schedule_view *view, struct weft_schedule_decision *decision)
{
	const size_t task = weft_first_ready(view);

	return task != WEFT_NONE && view->devices[0].queued == 0 &&
	       weft_give_whole(view, task, 0, decision);
}

const struct weft_schedule_strategy weft_strategy_serial = {
	.name = "serial",
	.summary = "one kernel after the other on the first device",
	.decide = decide,
};
