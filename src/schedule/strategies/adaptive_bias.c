/* SPDX-License-Identifier: MIT
 *
 * PySchedCL's adaptive bias: the first kernel that leans towards a CPU and the first that leans towards a GPU run side by side, each
 * as a whole, if they lean far, or if they are small compared with the largest kernel; else the smaller one of them is split.
 */
#include "strategies/classes.h"

#include <math.h>

#define FAR_GPU 0.8
#define FAR_CPU 0.2
#define NEAR_GPU 0.6
#define NEAR_CPU 0.4
#define SMALL 0.4 /* of the largest kernel's work-items */

static double most_work_items(const struct weft_schedule_view *view)
{
	double most = 0;

	for (size_t t = 0; t < view->num_tasks; t++)
		most = fmax(most, view->tasks[t].work_items);
	return most;
}

/* Which of the two run as a whole. */
static bool decide_pair(const struct weft_schedule_view *view, size_t cpu_task, size_t gpu_task,
			const struct weft_free_devices *devices,
			struct weft_schedule_decision *decision)
{
	const struct weft_schedule_task *for_cpu = &view->tasks[cpu_task];
	const struct weft_schedule_task *for_gpu = &view->tasks[gpu_task];
	const double small = SMALL * most_work_items(view);
	const bool lean_far = for_cpu->partition <= FAR_CPU && for_gpu->partition >= FAR_GPU;
	const bool lean = for_cpu->partition <= NEAR_CPU && for_gpu->partition >= NEAR_GPU;

	if (lean_far || (lean && for_cpu->work_items < small))
		weft_give_whole(view, cpu_task, devices->cpu, decision);
	if (lean_far || (lean && for_gpu->work_items < small))
		weft_give_whole(view, gpu_task, devices->gpu, decision);
	return decision->num_parts > 0 ||
	       weft_class_split(view,
				for_cpu->work_items < for_gpu->work_items ? cpu_task : gpu_task,
				devices, decision);
}

static bool decide(const struct weft_schedule_view *view, struct weft_schedule_decision *decision)
{
	const struct weft_free_devices devices = weft_free_devices(view);
	const size_t cpu_task =
		weft_class_first(view, WEFT_CLASS_MIXED_CPU, WEFT_CLASS_MIXED_CPU, WEFT_NONE);
	const size_t gpu_task =
		weft_class_first(view, WEFT_CLASS_MIXED_GPU, WEFT_CLASS_MIXED_GPU, WEFT_NONE);

	if (!devices.has_both || (cpu_task == WEFT_NONE && gpu_task == WEFT_NONE))
		return weft_class_give_pure(view, &devices, decision);
	if (cpu_task == WEFT_NONE || gpu_task == WEFT_NONE)
		return weft_class_split(view, cpu_task == WEFT_NONE ? gpu_task : cpu_task, &devices,
					decision);
	return decide_pair(view, cpu_task, gpu_task, &devices, decision);
}

const struct weft_schedule_strategy weft_strategy_adaptive_bias = {
	.name = "adaptive-bias",
	.summary = "PySchedCL's: kernels that lean to a CPU and to a GPU run side by side, or are "
		   "split",
	.decide = decide,
};
