/* SPDX-License-Identifier: MIT
 *
 * PySchedCL's lookahead: like the baseline, but of the two kernels that come first, one that is much better on a GPU and one that is
 * much better on a CPU run side by side, each as a whole; else the smaller one of them is split.
 */
#include "strategies/classes.h"

#define GPU_BIAS 0.8
#define CPU_BIAS 0.2

static bool decide(const struct weft_schedule_view *view, struct weft_schedule_decision *decision)
{
	const struct weft_free_devices devices = weft_free_devices(view);
	const size_t first =
		weft_class_first(view, WEFT_CLASS_MIXED_CPU, WEFT_CLASS_MIXED_GPU, WEFT_NONE);

	if (!devices.has_both || first == WEFT_NONE)
		return weft_class_give_pure(view, &devices, decision);
	const size_t second =
		weft_class_first(view, WEFT_CLASS_MIXED_CPU, WEFT_CLASS_MIXED_GPU, first);
	if (second == WEFT_NONE)
		return weft_class_split(view, first, &devices, decision);
	const struct weft_schedule_task *a = &view->tasks[first];
	const struct weft_schedule_task *b = &view->tasks[second];
	if ((a->partition >= GPU_BIAS && b->partition <= CPU_BIAS) ||
	    (b->partition >= GPU_BIAS && a->partition <= CPU_BIAS)) {
		const bool a_on_gpu = a->partition >= GPU_BIAS;

		weft_give_whole(view, a_on_gpu ? first : second, devices.gpu, decision);
		return weft_give_whole(view, a_on_gpu ? second : first, devices.cpu, decision);
	}
	return weft_class_split(view, a->work_items < b->work_items ? first : second, &devices,
				decision);
}

const struct weft_schedule_strategy weft_strategy_lookahead = {
	.name = "lookahead",
	.summary =
		"PySchedCL's: like baseline, but kernels of opposite partitions run side by side",
	.decide = decide,
};
