/* SPDX-License-Identifier: MIT
 *
 * The image: a table that grows, in which places stay what they are as long as their kernels are there.
 */
#include "device_memory/kernel_table.h"

#include "device_memory/memory.h"

#include <string.h>

#define FIRST_CAPACITY 256u /* a granule of device memory */

static bool holds(const struct accel_image *image, uint32_t place, const struct weft_launch *launch)
{
	const struct accel_image_kernel *have = &image->table[place - 1];

	return have->kernel == launch->kernel && have->module == launch->module;
}

/* Its place, or one that is free, perhaps behind all others. */
static uint32_t find(const struct accel_image *image, const struct weft_launch *launch)
{
	uint32_t vacant = 0;

	for (uint32_t place = 1; place <= image->used; place++) {
		if (holds(image, place, launch))
			return place;
		if (vacant == 0 && !image->table[place - 1].kernel)
			vacant = place;
	}
	return vacant ? vacant : image->used + 1;
}

static bool grow(struct accel_image *image, struct accel_memory *memory)
{
	uint32_t capacity = image->capacity ? 2 * image->capacity : FIRST_CAPACITY;
	struct accel_image_kernel *table = accel_memory_reserve(memory, capacity * sizeof(*table));

	if (!table)
		return false;
	if (image->used > 0)
		memcpy(table, image->table, image->used * sizeof(*table));
	accel_memory_return(memory, image->table);
	image->table = table;
	image->capacity = capacity;
	return true;
}

static uint32_t *guess_of(struct accel_image *image, const struct weft_kernel_desc *kernel)
{
	return &image->guesses[(uintptr_t)kernel / sizeof(*kernel) % ACCEL_IMAGE_GUESSES];
}

uint32_t accel_image_link(struct accel_image *image, struct accel_memory *memory,
			  const struct weft_launch *launch)
{
	uint32_t *guess = guess_of(image, launch->kernel);

	if (*guess != 0 && holds(image, *guess, launch))
		return *guess;
	uint32_t place = find(image, launch);
	if (place > image->capacity && !grow(image, memory))
		return 0;
	if (place > image->used)
		image->used = place;
	if (!holds(image, place, launch)) {
		image->table[place - 1] =
			(struct accel_image_kernel){launch->kernel, launch->module};
		image->changed = true;
	}
	*guess = place;
	return place;
}

bool accel_image_upload(struct accel_image *image)
{
	bool changed = image->changed;

	image->changed = false;
	return changed;
}

void accel_image_unlink(struct accel_image *image, const struct weft_module *module)
{
	for (uint32_t i = 0; i < image->used; i++) {
		if (image->table[i].module == module)
			image->table[i] = (struct accel_image_kernel){NULL, NULL};
	}
}

void accel_image_reset(struct accel_image *image)
{
	image->used = 0;
	image->changed = false;
	memset(image->guesses, 0, sizeof(image->guesses));
}
