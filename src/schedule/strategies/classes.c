/* SPDX-License-Identifier: MIT */
#include "strategies/classes.h"

#include <math.h>

struct weft_free_devices weft_free_devices(const struct weft_schedule_view *view)
{
	struct weft_free_devices found = {WEFT_NONE, WEFT_NONE, false};

	for (size_t d = view->num_devices; d-- > 0;) {
		if (view->devices[d].queued > 0)
			continue;
		if (view->devices[d].is_cpu)
			found.cpu = d;
		else
			found.gpu = d;
	}
	found.has_both = found.cpu != WEFT_NONE && found.gpu != WEFT_NONE;
	return found;
}

static bool has_kind(const struct weft_schedule_view *view, bool is_cpu)
{
	for (size_t d = 0; d < view->num_devices; d++) {
		if (view->devices[d].is_cpu == is_cpu)
			return true;
	}
	return false;
}

/* Slabs for the GPU. */
static size_t gpu_slabs(const struct weft_schedule_task *task)
{
	return (size_t)lround((double)task->slabs * task->partition);
}

enum weft_class weft_class_of(const struct weft_schedule_view *view, size_t task)
{
	const struct weft_schedule_task *wanted = &view->tasks[task];
	const size_t slabs = gpu_slabs(wanted);

	if (!has_kind(view, false))
		return WEFT_CLASS_CPU;
	if (!has_kind(view, true))
		return WEFT_CLASS_GPU;
	if (slabs == 0 || slabs == wanted->slabs)
		return slabs == 0 ? WEFT_CLASS_CPU : WEFT_CLASS_GPU;
	return wanted->partition < 0.5 ? WEFT_CLASS_MIXED_CPU : WEFT_CLASS_MIXED_GPU;
}

static bool comes_before(const struct weft_schedule_task *a, const struct weft_schedule_task *b)
{
	const double bias_a = fabs(a->partition - 0.5);
	const double bias_b = fabs(b->partition - 0.5);

	return bias_a != bias_b ? bias_a < bias_b : a->work_items > b->work_items;
}

size_t weft_class_first(const struct weft_schedule_view *view, enum weft_class first,
			enum weft_class last, size_t skipped)
{
	size_t best = WEFT_NONE;

	for (size_t t = 0; t < view->num_tasks; t++) {
		if (!view->tasks[t].is_ready || view->tasks[t].unclaimed == 0 || t == skipped ||
		    weft_class_of(view, t) < first || weft_class_of(view, t) > last)
			continue;
		if (best == WEFT_NONE || comes_before(&view->tasks[t], &view->tasks[best]))
			best = t;
	}
	return best;
}

bool weft_class_split(const struct weft_schedule_view *view, size_t task,
		      const struct weft_free_devices *devices,
		      struct weft_schedule_decision *decision)
{
	const size_t slabs = gpu_slabs(&view->tasks[task]);

	weft_give(view, task, devices->gpu, slabs, decision);
	return weft_give(view, task, devices->cpu, view->tasks[task].slabs - slabs, decision);
}

bool weft_class_give_pure(const struct weft_schedule_view *view,
			  const struct weft_free_devices *devices,
			  struct weft_schedule_decision *decision)
{
	const size_t cpu_task = weft_class_first(view, WEFT_CLASS_CPU, WEFT_CLASS_CPU, WEFT_NONE);
	const size_t gpu_task = weft_class_first(view, WEFT_CLASS_GPU, WEFT_CLASS_GPU, WEFT_NONE);

	if (devices->cpu != WEFT_NONE && cpu_task != WEFT_NONE)
		return weft_give_whole(view, cpu_task, devices->cpu, decision);
	return devices->gpu != WEFT_NONE && gpu_task != WEFT_NONE &&
	       weft_give_whole(view, gpu_task, devices->gpu, decision);
}
