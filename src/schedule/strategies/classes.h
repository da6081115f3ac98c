/* SPDX-License-Identifier: MIT
 *
 * What PySchedCL's strategies share: kernels by their partition class, which is the tenths of a kernel that a GPU gets, and devices
 * as CPUs and GPUs. "GPU" is any device that is no CPU.
 */
#ifndef WEFT_SCHEDULE_CLASSES_H
#define WEFT_SCHEDULE_CLASSES_H

#include "strategies/strategies.h"

enum weft_class {
	WEFT_CLASS_CPU,       /* 0: a CPU runs it */
	WEFT_CLASS_MIXED_CPU, /* below 5 */
	WEFT_CLASS_MIXED_GPU, /* from 5 on */
	WEFT_CLASS_GPU,       /* 10: a GPU runs it */
};

struct weft_free_devices {
	size_t cpu; /* a free one; WEFT_NONE */
	size_t gpu;
	bool has_both; /* both are free */
};

struct weft_free_devices weft_free_devices(const struct weft_schedule_view *view);

/* Of a machine with CPUs alone all kernels are of the class of CPUs, of one without CPUs of that of GPUs; a kernel that cannot be
 * split is of one of them as well. */
enum weft_class weft_class_of(const struct weft_schedule_view *view, size_t task);

/* The ready tasks of the classes from `first` to `last`, the one that comes first by PySchedCL's order: the most even partition, then
 * the most work-items. `skipped` is none of them. WEFT_NONE: there is none. */
size_t weft_class_first(const struct weft_schedule_view *view, enum weft_class first,
			enum weft_class last, size_t skipped);

/* Splits the task between the two by its partition. Always true. */
bool weft_class_split(const struct weft_schedule_view *view, size_t task,
		      const struct weft_free_devices *devices,
		      struct weft_schedule_decision *decision);

/* A task of the CPU's class to a free CPU, or of the GPU's class to a free GPU. */
bool weft_class_give_pure(const struct weft_schedule_view *view,
			  const struct weft_free_devices *devices,
			  struct weft_schedule_decision *decision);

#endif
