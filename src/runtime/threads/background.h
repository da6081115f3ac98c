/* SPDX-License-Identifier: MIT
 *
 * What is done beside the application's work: compiling, for the most part. Threads of its own, as many as there are
 * cores for what is urgent and half as many for the rest, that live while there is something to do.
 */
#ifndef WEFT_RUNTIME_BACKGROUND_H
#define WEFT_RUNTIME_BACKGROUND_H

#include "list.h"

#include <stdbool.h>

enum weft_task_kind {
	WEFT_TASK_URGENT, /* a thread waits for it: in the order of posting, on all cores */
	WEFT_TASK_SOON, /* a thread may wait for it: in the order of posting, on half of the cores */
	WEFT_TASK_LEISURE, /* no thread waits: one at a time, when none of the two above is left to begin, on a thread of no real-time class */
	WEFT_TASK_SPARE, /* need not be done: one at a time, beside all others, on a thread of no real-time class and little priority (nice) */
	WEFT_TASK_KINDS
};

/* Embedded in what the function works on. */
struct weft_task {
	struct weft_list link;
	void (*run)(struct weft_task *task); /* may free the task */
};

/* False: no thread can be had, and the task is the caller's still. In the child of a fork what its parent has posted does
 * not run. */
bool weft_background_post(struct weft_task *task, enum weft_task_kind kind)
	__attribute__((warn_unused_result));

/* A task that has been posted is urgent from now on, unless a thread has taken it. Nothing happens to one that is zeroed: another thread is
 * about to post it. */
void weft_background_hurry(struct weft_task *task);

/* The application begins or ends to wait for a task: while it waits, no core is kept for it. */
void weft_background_wait(bool begins);

/* A device has so many compute units: that many cores may be used, for the container's quota counts there, and more for
 * another device's; but none that affinity forbids. */
void weft_background_limit(unsigned units);

#endif
