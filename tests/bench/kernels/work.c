/* SPDX-License-Identifier: MIT
 *
 * A case's data: the arguments as the case adds them, random numbers that are the same in each process, and the
 * comparison of results.
 */
#include "bench.h"
#include "half.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64

static uint32_t random_state;

uint32_t work_random(void)
{
	random_state = random_state * 1664525U + 1013904223U;
	uint32_t mixed = random_state ^ (random_state >> 15);

	mixed *= 0x2c1b3c6dU;
	return mixed ^ (mixed >> 13);
}

static struct argument *add(struct work *work, enum argument_kind kind, size_t bytes)
{
	struct argument *argument = &work->arguments[work->num_arguments++];

	argument->kind = kind;
	argument->size = bytes;
	if (kind == ARGUMENT_LOCAL || kind == ARGUMENT_SAMPLER)
		return argument;
	argument->data = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
	if (!argument->data) {
		fprintf(stderr, "no memory for %zu bytes\n", bytes);
		exit(1);
	}
	memset(argument->data, 0, bytes);
	return argument;
}

void *work_input(struct work *work, size_t bytes)
{
	return add(work, ARGUMENT_INPUT, bytes)->data;
}

float *work_floats(struct work *work, size_t count, float low, float high)
{
	float *numbers = work_input(work, count * sizeof(float));

	for (size_t i = 0; i < count; i++)
		numbers[i] = low + (high - low) * (float)(work_random() >> 8) * 0x1p-24F;
	return numbers;
}

uint32_t *work_integers(struct work *work, size_t count, uint32_t bound)
{
	uint32_t *numbers = work_input(work, count * sizeof(uint32_t));

	for (size_t i = 0; i < count; i++)
		numbers[i] =
			bound ? (uint32_t)(((uint64_t)work_random() * bound) >> 32) : work_random();
	return numbers;
}

void work_output(struct work *work, enum element element, size_t bytes)
{
	add(work, ARGUMENT_OUTPUT, bytes)->element = element;
}

void *work_values(struct work *work, size_t bytes)
{
	return add(work, ARGUMENT_SCALAR, bytes)->data;
}

void work_int(struct work *work, int value)
{
	memcpy(work_values(work, sizeof(value)), &value, sizeof(value));
}

void work_float(struct work *work, float value)
{
	memcpy(work_values(work, sizeof(value)), &value, sizeof(value));
}

void work_local(struct work *work, size_t bytes)
{
	add(work, ARGUMENT_LOCAL, bytes);
}

void work_range(struct work *work, size_t global, size_t local)
{
	work->dimensions = 1;
	work->global[0] = global;
	work->local[0] = local;
}

void work_range_2d(struct work *work, size_t width, size_t height, size_t local_width,
		   size_t local_height)
{
	work->dimensions = 2;
	work->global[0] = width;
	work->global[1] = height;
	work->local[0] = local_width;
	work->local[1] = local_height;
}

void work_range_3d(struct work *work, const size_t global[3], const size_t local[3])
{
	work->dimensions = 3;
	memcpy(work->global, global, sizeof(work->global));
	memcpy(work->local, local, sizeof(work->local));
}

static struct argument *add_image(struct work *work, enum argument_kind kind,
				  const struct picture *picture)
{
	struct argument *argument = add(work, kind, image_bytes(picture));

	if (!work->on_buffers)
		argument->picture = *picture;
	return argument;
}

void *work_image_input(struct work *work, const struct picture *picture)
{
	return add_image(work, ARGUMENT_INPUT, picture)->data;
}

void work_image_output(struct work *work, enum element element, const struct picture *picture)
{
	add_image(work, ARGUMENT_OUTPUT, picture)->element = element;
}

void work_sampler(struct work *work, const struct sampling *sampling)
{
	if (!work->on_buffers)
		add(work, ARGUMENT_SAMPLER, sizeof(cl_sampler))->sampling = *sampling;
}

void work_buffer_int(struct work *work, int value)
{
	if (work->on_buffers)
		work_int(work, value);
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text);

	return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

void work_prepare(struct work *work, const struct bench_case *bench, bool small)
{
	memset(work, 0, sizeof(*work));
	random_state = 12345;
	work->size = small ? bench->small : bench->size;
	work->on_buffers = ends_with(bench->name, BUFFER_FORM);
	bench->prepare(work);
}

void work_release(struct work *work)
{
	for (unsigned i = 0; i < work->num_arguments; i++)
		free(work->arguments[i].data);
	memset(work, 0, sizeof(*work));
}

bool work_near(double got, double expected, double tolerance)
{
	return got == expected || (isnan(got) && isnan(expected)) ||
	       fabs(got - expected) <= tolerance * fmax(1, fabs(expected));
}

static size_t element_size(enum element element)
{
	static const size_t sizes[] = {
		[ELEMENT_EXACT] = 1,
		[ELEMENT_FLOAT] = sizeof(float),
		[ELEMENT_DOUBLE] = sizeof(double),
		[ELEMENT_HALF] = sizeof(uint16_t),
		[ELEMENT_UNORM] = 1,
	};

	return sizes[element];
}

static double element_at(enum element element, const void *data, size_t at)
{
	switch (element) {
	case ELEMENT_FLOAT:
		return (double)((const float *)data)[at];
	case ELEMENT_DOUBLE:
		return ((const double *)data)[at];
	case ELEMENT_HALF:
		return (double)half_to_float(((const uint16_t *)data)[at]);
	case ELEMENT_UNORM:
		return ((const uint8_t *)data)[at] / 255.0;
	case ELEMENT_EXACT:
		break;
	}
	return ((const uint8_t *)data)[at];
}

/* Whether the output is right; if not, says what differs first. */
static bool check_output(const struct argument *expected, const void *got, double tolerance)
{
	enum element element = expected->element;

	if (element == ELEMENT_EXACT)
		tolerance = 0;
	for (size_t i = 0; i < expected->size / element_size(element); i++) {
		double right = element_at(element, expected->data, i);
		double found = element_at(element, got, i);

		if (!work_near(found, right, tolerance)) {
			fprintf(stderr, "element %zu is %.17g, not %.17g\n", i, found, right);
			return false;
		}
	}
	return true;
}

bool work_check(const struct work *expected, const struct bench_case *bench, void *const *got)
{
	if (bench->check)
		return bench->check(expected, got);
	for (unsigned i = 0; i < expected->num_arguments; i++) {
		const struct argument *argument = &expected->arguments[i];

		if (argument->kind != ARGUMENT_OUTPUT)
			continue;
		if (!check_output(argument, got[i], bench->tolerance)) {
			fprintf(stderr, "%s: argument %u is wrong\n", bench->name, i);
			return false;
		}
	}
	return true;
}
