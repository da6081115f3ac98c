/* SPDX-License-Identifier: MIT
 *
 * Buffers.
 */
#include "memory.h"

#include "random.h"
#include "value.h"

#include <stdlib.h>
#include <string.h>

static void put(struct image *image, const struct kernel *kernel, unsigned object, size_t element,
		const struct value *value)
{
	const struct object *o = &kernel->objects[object];

	value_store(image->bytes[object] + element * o->stride, o->fields[0], value);
}

static void fill_permutation(struct image *image, const struct kernel *kernel, unsigned object,
			     struct random *random)
{
	size_t count = image->sizes[object] / kernel->objects[object].stride;
	struct value *values = calloc(count, sizeof(*values));

	for (size_t i = 0; i < count; i++) {
		size_t other = random_bits(random) % (i + 1);
		values[i] = values[other];
		values[other].lane[0].u = i;
	}
	for (size_t i = 0; i < count; i++)
		put(image, kernel, object, i, &values[i]);
	free(values);
}

static void fill(struct image *image, const struct kernel *kernel, unsigned object,
		 struct random *random, size_t items)
{
	const struct object *o = &kernel->objects[object];
	size_t count = image->sizes[object] / o->stride;

	for (size_t i = 0; i < count; i++) {
		for (unsigned f = 0; f < o->num_fields; f++) {
			struct value value = {0};
			for (unsigned l = 0; l < o->fields[f].lanes; l++)
				value.lane[l] = random_lane(random, o->fields[f].scalar);
			if (o->target >= 0)
				value.lane[0].u = random_bits(random) %
						  object_count(&kernel->objects[o->target], items);
			value_store(image->bytes[object] + i * o->stride + o->offsets[f],
				    o->fields[f], &value);
		}
	}
}

void image_make(struct image *image, const struct kernel *kernel, const struct geometry *geometry)
{
	struct random random = {kernel->seed + 0xabcdef};
	size_t items = geometry->global[0] * geometry->global[1] * geometry->global[2];

	memset(image, 0, sizeof(*image));
	for (unsigned j = 0; j < kernel->num_objects; j++) {
		const struct object *object = &kernel->objects[j];
		if (!is_buffer(object))
			continue;
		image->sizes[j] = object_count(object, items) * object->stride;
		image->bytes[j] = calloc(image->sizes[j] + 1, 1);
		if (object->target == -2)
			fill_permutation(image, kernel, j, &random);
		else
			fill(image, kernel, j, &random, items);
	}
}

void image_copy(struct image *copy, const struct image *image)
{
	memset(copy, 0, sizeof(*copy));
	for (unsigned j = 0; j < MAX_OBJECTS; j++) {
		if (!image->bytes[j])
			continue;
		copy->sizes[j] = image->sizes[j];
		copy->bytes[j] = malloc(image->sizes[j] + 1);
		memcpy(copy->bytes[j], image->bytes[j], image->sizes[j]);
	}
}

void image_copy_guarded(struct image *copy, const struct image *image, bool at_end)
{
	memset(copy, 0, sizeof(*copy));
	for (unsigned j = 0; j < MAX_OBJECTS; j++) {
		if (!image->bytes[j])
			continue;
		copy->guarded[j] = guarded_new(image->sizes[j], at_end);
		copy->sizes[j] = image->sizes[j];
		copy->bytes[j] = copy->guarded[j].bytes;
		memcpy(copy->bytes[j], image->bytes[j], image->sizes[j]);
	}
}

void image_destroy(struct image *image)
{
	for (unsigned j = 0; j < MAX_OBJECTS; j++) {
		if (image->guarded[j].map)
			guarded_free(&image->guarded[j]);
		else
			free(image->bytes[j]);
	}
	memset(image, 0, sizeof(*image));
}

/* A vector of three has a fourth element there. */
static struct type in_memory(struct type type)
{
	return make_type(type.scalar, type.lanes == 3 ? 4 : type.lanes);
}

struct value image_value(const struct kernel *kernel, const struct image *image,
			 const struct difference *at)
{
	const struct object *o = &kernel->objects[at->object];

	return value_load(image->bytes[at->object] + at->element * o->stride +
				  o->offsets[at->field],
			  in_memory(o->fields[at->field]));
}

/* Whether one element of a buffer differs; says where in it. */
static bool differs(const struct kernel *kernel, const struct image *a, const struct image *b,
		    struct difference *at)
{
	const struct object *o = &kernel->objects[at->object];

	for (unsigned f = 0; f < o->num_fields; f++) {
		at->field = (int)f;
		struct value x = image_value(kernel, a, at);
		struct value y = image_value(kernel, b, at);
		for (at->lane = 0; at->lane < in_memory(o->fields[f]).lanes; at->lane++) {
			if (!lane_equal(o->fields[f].scalar, x.lane[at->lane], y.lane[at->lane]))
				return true;
		}
	}
	return false;
}

struct difference image_compare(const struct kernel *kernel, const struct image *a,
				const struct image *b)
{
	for (unsigned j = 0; j < kernel->num_objects; j++) {
		if (!a->bytes[j] || memcmp(a->bytes[j], b->bytes[j], a->sizes[j]) == 0)
			continue;
		struct difference at = {.object = (int)j};
		size_t count = a->sizes[j] / kernel->objects[j].stride;
		for (; at.element < count; at.element++) {
			if (differs(kernel, a, b, &at))
				return at;
		}
	}
	return (struct difference){.object = -1};
}
