/* SPDX-License-Identifier: MIT
 *
 * Of each task, those that wait for it: what a task's end changes is found without looking at all others.
 */
#ifndef WEFT_SCHEDULE_FOLLOWERS_H
#define WEFT_SCHEDULE_FOLLOWERS_H

#include <weft/schedule.h>

struct weft_followers {
	size_t *tasks; /* owned: of all tasks, one after the other */
	size_t *begin; /* owned: where those of a task begin; one more at the end */
};

/* False: out of memory; `followers` is to be destroyed all the same. */
bool weft_followers_find(struct weft_followers *followers, const struct weft_schedule_task *tasks,
			 size_t count);
void weft_followers_destroy(struct weft_followers *followers);

#endif
