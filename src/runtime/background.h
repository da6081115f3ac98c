/* SPDX-License-Identifier: MIT
 *
 * What is done beside the application's work: compiling, for the most part. Threads of its own, as many as there are
 * cores, that live while there is something to do.
 */
#ifndef WEFT_RUNTIME_BACKGROUND_H
#define WEFT_RUNTIME_BACKGROUND_H

#include "list.h"

#include <stdbool.h>

enum weft_task_kind {
	WEFT_TASK_URGENT, /* somebody may be waiting for it: in the order of posting, on all cores */
	WEFT_TASK_LEISURE, /* nobody is: one at a time, when nothing urgent is left to begin */
	WEFT_TASK_KINDS
};

/* Embedded in what the function works on. */
struct weft_task {
	struct weft_list link;
	void (*run)(struct weft_task *task); /* gives up the task */
};

/* False: no thread can be had, and the task is the caller's still. In the child of a fork what its parent has posted does
 * not run. */
bool weft_background_post(struct weft_task *task, enum weft_task_kind kind)
	__attribute__((warn_unused_result));

#endif
