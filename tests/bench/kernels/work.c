/* SPDX-License-Identifier: MIT
 *
 * A case's data: the arguments as the case adds them, random numbers that are the same in each process, and the
 * comparison of results.
 */
#include "bench.h"

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
	if (kind == ARGUMENT_LOCAL)
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

void work_prepare(struct work *work, const struct bench_case *bench, bool small)
{
	memset(work, 0, sizeof(*work));
	random_state = 12345;
	work->size = small ? bench->small : bench->size;
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

/* The first element that is not near, or the number of elements. */
static size_t first_wrong(const struct argument *expected, const void *got, double tolerance)
{
	size_t i = 0;

	if (expected->element == ELEMENT_FLOAT) {
		const float *numbers = expected->data;

		while (i < expected->size / sizeof(float) &&
		       work_near((double)((const float *)got)[i], (double)numbers[i], tolerance))
			i++;
		return i;
	}
	if (expected->element == ELEMENT_DOUBLE) {
		const double *numbers = expected->data;

		while (i < expected->size / sizeof(double) &&
		       work_near(((const double *)got)[i], numbers[i], tolerance))
			i++;
		return i;
	}
	while (i < expected->size && ((const char *)got)[i] == ((const char *)expected->data)[i])
		i++;
	return i;
}

static size_t element_size(enum element element)
{
	if (element == ELEMENT_EXACT)
		return 1;
	return element == ELEMENT_FLOAT ? sizeof(float) : sizeof(double);
}

static void print_wrong(const struct argument *expected, const void *got, size_t at)
{
	if (expected->element == ELEMENT_FLOAT)
		fprintf(stderr, "element %zu is %.9g, not %.9g\n", at,
			(double)((const float *)got)[at],
			(double)((const float *)expected->data)[at]);
	else if (expected->element == ELEMENT_DOUBLE)
		fprintf(stderr, "element %zu is %.17g, not %.17g\n", at, ((const double *)got)[at],
			((const double *)expected->data)[at]);
	else
		fprintf(stderr, "byte %zu is %u, not %u\n", at, ((const unsigned char *)got)[at],
			((const unsigned char *)expected->data)[at]);
}

bool work_check(const struct work *expected, const struct bench_case *bench, void *const *got)
{
	if (bench->check)
		return bench->check(expected, got);
	for (unsigned i = 0; i < expected->num_arguments; i++) {
		const struct argument *argument = &expected->arguments[i];

		if (argument->kind != ARGUMENT_OUTPUT)
			continue;
		size_t at = first_wrong(argument, got[i], bench->tolerance);
		if (at < argument->size / element_size(argument->element)) {
			fprintf(stderr, "%s: argument %u: ", bench->name, i);
			print_wrong(argument, got[i], at);
			return false;
		}
	}
	return true;
}
