/* SPDX-License-Identifier: MIT
 *
 * A list. Each change is one store, so the child of a fork finds it whole.
 */
#include "kernel/program_constants.h"

#include "mutex.h"

static struct weft_mutex lock = WEFT_MUTEX_INITIALIZER(WEFT_RANK_DEVICE_MEMORY);
static struct weft_program_constants *all WEFT_GUARDED_BY(&lock);

void weft_program_constants_add(struct weft_program_constants *constants, const void *begin,
				size_t size)
{
	if (size == 0)
		return;
	constants->begin = (uintptr_t)begin;
	constants->size = size;
	weft_mutex_lock(&lock);
	constants->next = all;
	all = constants;
	weft_mutex_unlock(&lock);
}

void weft_program_constants_remove(struct weft_program_constants *constants)
{
	if (constants->size == 0)
		return;
	weft_mutex_lock(&lock);
	struct weft_program_constants **link = &all;
	while (*link != constants)
		link = &(*link)->next;
	*link = constants->next;
	weft_mutex_unlock(&lock);
	constants->size = 0;
}

bool weft_program_constants_find(uintptr_t address, uintptr_t *begin, size_t *size)
{
	weft_mutex_lock(&lock);
	const struct weft_program_constants *found = all;
	while (found && address - found->begin >= found->size)
		found = found->next;
	if (found) {
		*begin = found->begin;
		*size = found->size;
	}
	weft_mutex_unlock(&lock);
	return found != NULL;
}
