/* SPDX-License-Identifier: MIT */
#include "engine/followers.h"

#include <stdlib.h>

bool weft_followers_find(struct weft_followers *followers, const struct weft_schedule_task *tasks,
			 size_t count)
{
	size_t edges = 0;

	for (size_t t = 0; t < count; t++)
		edges += tasks[t].num_depends;
	followers->tasks = (size_t *)calloc(edges + 1, sizeof(size_t));
	followers->begin = (size_t *)calloc(count + 2, sizeof(size_t));
	if (!followers->tasks || !followers->begin)
		return false;
	/* Two places further: the third loop moves each beginning to that of the next task. */
	size_t *const next = followers->begin + 1;
	for (size_t t = 0; t < count; t++) {
		for (size_t i = 0; i < tasks[t].num_depends; i++)
			next[tasks[t].depends[i] + 1]++;
	}
	for (size_t t = 0; t < count; t++)
		next[t + 1] += next[t];
	for (size_t t = 0; t < count; t++) {
		for (size_t i = 0; i < tasks[t].num_depends; i++)
			followers->tasks[next[tasks[t].depends[i]]++] = t;
	}
	return true;
}

void weft_followers_destroy(struct weft_followers *followers)
{
	free(followers->tasks);
	free(followers->begin);
	*followers = (struct weft_followers){0};
}
