/* SPDX-License-Identifier: MIT
 *
 * PySchedCL's CPU-GPU: no kernel is split; each runs on the kind of device that its partition favours.
 */
#include "strategies/classes.h"

static bool decide(const struct weft_schedule_view *view, struct weft_schedule_decision *decision)
{
	const struct weft_free_devices devices = weft_free_devices(view);
	const size_t for_cpu =
		weft_class_first(view, WEFT_CLASS_CPU, WEFT_CLASS_MIXED_CPU, WEFT_NONE);
	const size_t for_gpu =
		weft_class_first(view, WEFT_CLASS_MIXED_GPU, WEFT_CLASS_GPU, WEFT_NONE);

	if (devices.cpu != WEFT_NONE && for_cpu != WEFT_NONE)
		return weft_give_whole(view, for_cpu, devices.cpu, decision);
	return devices.gpu != WEFT_NONE && for_gpu != WEFT_NONE &&
	       weft_give_whole(view, for_gpu, devices.gpu, decision);
}

const struct weft_schedule_strategy weft_strategy_cpu_gpu = {
	.name = "cpu-gpu",
	.summary =
		"PySchedCL's: whole kernels, each on the kind of device that its partition favours",
	.decide = decide,
};
