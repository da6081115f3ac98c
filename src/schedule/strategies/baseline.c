/* SPDX-License-Identifier: MIT
 *
 * PySchedCL's baseline: a kernel that both kinds of device are good for is split by its partition as soon as one of each is free,
 * the most even one first.
 */
#include "strategies/classes.h"

static bool decide(const struct weft_schedule_view *view, struct weft_schedule_decision *decision)
{
	const struct weft_free_devices devices = weft_free_devices(view);
	const size_t task =
		weft_class_first(view, WEFT_CLASS_MIXED_CPU, WEFT_CLASS_MIXED_GPU, WEFT_NONE);

	if (devices.has_both && task != WEFT_NONE)
		return weft_class_split(view, task, &devices, decision);
	return weft_class_give_pure(view, &devices, decision);
}

const struct weft_schedule_strategy weft_strategy_baseline = {
	.name = "baseline",
	.summary = "PySchedCL's: each kernel is split between a CPU and a GPU by its partition",
	.decide = decide,
};
