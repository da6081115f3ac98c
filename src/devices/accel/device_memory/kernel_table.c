/* SPDX-License-Identifier: MIT
 *
 * A table that grows. A kernel keeps its place for as long as it is in the table.
 */
#include "device_memory/kernel_table.h"

#include "device_memory/memory.h"

#include <string.h>

#define FIRST_CAPACITY 256u /* a granule of device memory */

static bool holds(const struct accel_kernel_table *kernels, uint32_t place,
		  const struct weft_launch *launch)
{
	const struct accel_kernel_table_entry *have = &kernels->entries[place - 1];

	return have->kernel == launch->kernel && have->module == launch->module;
}

/* The kernel's place, or a free one, perhaps after all others. */
static uint32_t find(const struct accel_kernel_table *kernels, const struct weft_launch *launch)
{
	uint32_t vacant = 0;

	for (uint32_t place = 1; place <= kernels->used; place++) {
		if (holds(kernels, place, launch))
			return place;
		if (vacant == 0 && !kernels->entries[place - 1].kernel)
			vacant = place;
	}
	return vacant ? vacant : kernels->used + 1;
}

static bool grow(struct accel_kernel_table *kernels, struct accel_memory *memory)
{
	uint32_t capacity = kernels->capacity ? 2 * kernels->capacity : FIRST_CAPACITY;
	struct accel_kernel_table_entry *entries =
		accel_memory_reserve(memory, capacity * sizeof(*entries));

	if (!entries)
		return false;
	if (kernels->used > 0)
		memcpy(entries, kernels->entries, kernels->used * sizeof(*entries));
	accel_memory_return(memory, kernels->entries);
	kernels->entries = entries;
	kernels->capacity = capacity;
	return true;
}

static uint32_t *guess_of(struct accel_kernel_table *kernels, const struct weft_kernel_desc *kernel)
{
	return &kernels->guesses[(uintptr_t)kernel / sizeof(*kernel) % ACCEL_KERNEL_TABLE_GUESSES];
}

uint32_t accel_kernel_table_add(struct accel_kernel_table *kernels, struct accel_memory *memory,
				const struct weft_launch *launch)
{
	uint32_t *guess = guess_of(kernels, launch->kernel);

	if (*guess != 0 && holds(kernels, *guess, launch))
		return *guess;
	uint32_t place = find(kernels, launch);
	if (place > kernels->capacity && !grow(kernels, memory))
		return 0;
	if (place > kernels->used)
		kernels->used = place;
	if (!holds(kernels, place, launch)) {
		kernels->entries[place - 1] =
			(struct accel_kernel_table_entry){launch->kernel, launch->module};
		kernels->changed = true;
	}
	*guess = place;
	return place;
}

bool accel_kernel_table_upload(struct accel_kernel_table *kernels)
{
	bool changed = kernels->changed;

	kernels->changed = false;
	return changed;
}

void accel_kernel_table_remove_module(struct accel_kernel_table *kernels,
				      const struct weft_module *module)
{
	for (uint32_t i = 0; i < kernels->used; i++) {
		if (kernels->entries[i].module == module)
			kernels->entries[i] = (struct accel_kernel_table_entry){NULL, NULL};
	}
}

void accel_kernel_table_reset(struct accel_kernel_table *kernels)
{
	kernels->used = 0;
	kernels->changed = false;
	memset(kernels->guesses, 0, sizeof(kernels->guesses));
}
