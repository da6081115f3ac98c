/* SPDX-License-Identifier: MIT
 *
 * What the cases on images share in OpenMP C: addressing, conversions, and the table's rows.
 */
#ifndef WEFT_BENCH_PIXELS_H
#define WEFT_BENCH_PIXELS_H

#include "bench.h"

#include <math.h>

/* Between two neighbours of 8 bits, with room for how numbers are rounded on the way. */
#define ONE_LEVEL 0.004

/* A case in both forms, with a kernel, prepare_NAME and openmp_NAME. */
#define BOTH_FORMS(name, kernel, options, size, tolerance)                                         \
	{"image_" #name, "image_" #kernel, options,   size, 64,                                    \
	 prepare_##name, openmp_##name,    tolerance, NULL},                                       \
	{                                                                                          \
		"image_" #name BUFFER_FORM, "image_" #kernel BUFFER_FORM, options, size, 64,       \
			prepare_##name, openmp_##name, tolerance, NULL                             \
	}

static inline int clamped(int at, int size)
{
	at = at < 0 ? 0 : at;
	return at < size ? at : size - 1;
}

static inline float from_unorm(uint8_t byte)
{
	return (float)byte * (1.0F / 255);
}

static inline uint8_t to_unorm(float number)
{
	number = number < 0 ? 0 : number;
	number = number > 1 ? 1 : number;
	return (uint8_t)(number * 255 + 0.5F);
}

static inline float between(float a, float b, float part)
{
	return a + (b - a) * part;
}

/* A square of size x size pixels. */
static inline struct picture square(cl_channel_order order, cl_channel_type type, size_t size)
{
	return (struct picture){.order = order, .type = type, .width = size, .height = size};
}

static inline void fill_bytes(void *data, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		((uint8_t *)data)[i] = (uint8_t)work_random();
}

/* From 0 to 1. */
static inline void fill_floats(float *data, size_t count)
{
	for (size_t i = 0; i < count; i++)
		data[i] = (float)(work_random() >> 8) * 0x1p-24F;
}

/* An input of 8 bits a channel. */
static inline void add_bytes(struct work *work, cl_channel_order order, size_t size)
{
	const struct picture picture = square(order, CL_UNORM_INT8, size);

	fill_bytes(work_image_input(work, &picture), image_bytes(&picture));
}

static inline void add_byte_output(struct work *work, cl_channel_order order)
{
	const struct picture picture = square(order, CL_UNORM_INT8, work->size);

	work_image_output(work, ELEMENT_UNORM, &picture);
}

/* Width and height of square images, which a kernel asks an image for. */
static inline void add_buffer_size(struct work *work, size_t size)
{
	work_buffer_int(work, (int)size);
	work_buffer_int(work, (int)size);
}

/* A work-item for each pixel. */
static inline void over_pixels(struct work *work)
{
	work_range_2d(work, work->size, work->size, 16, 16);
}

/* What is resized has three quarters of the size. */
static inline void add_resizing(struct work *work)
{
	size_t in_size = work->size * 3 / 4;

	add_bytes(work, CL_RGBA, in_size);
	add_byte_output(work, CL_RGBA);
	add_buffer_size(work, in_size);
	add_buffer_size(work, work->size);
	over_pixels(work);
}

#endif
