/* SPDX-License-Identifier: MIT
 *
 * Models of images in the host's memory, for random sequences of commands: where the texels of a region lie in the model, and what
 * the next command waits for.
 */
#ifndef WEFT_TESTS_API_IMAGE_MODEL_H
#define WEFT_TESTS_API_IMAGE_MODEL_H

#include "images.h"

enum { IMAGES = 4, BURST = 15, COMMANDS = 10 * BURST, SEQUENCES = 30, SIDE = 12, MOST_LEVELS = 4 };

/* The model of an image: its levels one after the other, without gaps. */
struct picture {
	cl_mem mem;
	cl_mem_object_type type;
	size_t size[3]; /* as regions count it */
	unsigned levels;
	void *host; /* of CL_MEM_USE_HOST_PTR */
	unsigned char *model;
};

/* Commands of one in-order queue need no events. */
struct sequence {
	cl_context context;
	const cl_command_queue *queues;
	cl_uint num_queues;
	bool in_order;
	cl_command_queue queue; /* of the next command */
	cl_event last;          /* the end of the last one, or NULL */
	cl_command_queue last_queue;
	cl_event
		gate; /* a user event that holds back commands, so that many become ready at once; or NULL */
	bool is_behind; /* a command waits for it already */
	cl_image_format format;
	size_t texel; /* bytes */
	struct picture pictures[IMAGES];
	cl_mem buffer;
	size_t buffer_size;
	unsigned char *buffer_model;
	unsigned char *given[COMMANDS]; /* bytes that writes take */
};

static inline cl_uint num_waits(const struct sequence *s)
{
	if (s->gate)
		return !s->is_behind;
	return s->last && !(s->in_order && s->last_queue == s->queue);
}

static inline const cl_event *waits(const struct sequence *s)
{
	return !num_waits(s) ? NULL : s->gate ? &s->gate : &s->last;
}

static inline void enqueued(struct sequence *s, cl_int err, const cl_event *event)
{
	assert_int_equal(err, CL_SUCCESS);
	if (s->last)
		assert_int_equal(clReleaseEvent(s->last), CL_SUCCESS);
	s->last = *event;
	s->last_queue = s->queue;
	s->is_behind = true;
}

/* ---- places ---------------------------------------------------------------------------------- */

static inline unsigned coordinates(cl_mem_object_type type)
{
	switch (type) {
	case CL_MEM_OBJECT_IMAGE1D:
		return 1;
	case CL_MEM_OBJECT_IMAGE1D_ARRAY:
	case CL_MEM_OBJECT_IMAGE2D:
		return 2;
	default:
		return 3;
	}
}

static inline bool is_array(cl_mem_object_type type)
{
	return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

/* A region of a level, `origin` as commands take it. */
struct part {
	const struct picture *picture;
	unsigned level;
	size_t place[3];
	size_t origin[4];
	size_t region[3];
};

static inline void level_size(const struct picture *picture, unsigned level, size_t size[3])
{
	for (unsigned i = 0; i < 3; i++) {
		bool layers = is_array(picture->type) && i + 1 == coordinates(picture->type);

		size[i] = layers ? picture->size[i] : picture->size[i] >> level;
		size[i] = size[i] ? size[i] : 1;
	}
}

static inline size_t level_bytes(const struct sequence *s, const struct picture *picture,
				 unsigned level)
{
	size_t size[3];

	level_size(picture, level, size);
	return size[0] * size[1] * size[2] * s->texel;
}

static inline unsigned char *at(const struct sequence *s, const struct part *part, size_t y,
				size_t z)
{
	unsigned char *bytes = part->picture->model;
	size_t size[3];

	for (unsigned level = 0; level < part->level; level++)
		bytes += level_bytes(s, part->picture, level);
	level_size(part->picture, part->level, size);
	return bytes +
	       (((part->place[2] + z) * size[1] + part->place[1] + y) * size[0] + part->place[0]) *
		       s->texel;
}

/* Somewhere in a level, of no more than `most` texels. */
static inline void place(struct part *part, const struct picture *picture, const size_t *most)
{
	size_t size[3];

	*part = (struct part){.picture = picture,
			      .level = (unsigned)fixture_random_below(picture->levels)};
	level_size(picture, part->level, size);
	for (unsigned i = 0; i < 3; i++) {
		size_t limit = most && most[i] < size[i] ? most[i] : size[i];

		part->region[i] = 1 + fixture_random_below(limit);
		if (fixture_random_below(3) == 0)
			part->region[i] = limit;
		part->place[i] = fixture_random_below(size[i] - part->region[i] + 1);
		part->origin[i] = part->place[i];
	}
	if (picture->levels > 1)
		part->origin[coordinates(picture->type)] = part->level;
}

static inline const struct picture *any(const struct sequence *s)
{
	return &s->pictures[fixture_random_below(IMAGES)];
}

static inline size_t row_bytes(const struct sequence *s, const struct part *part)
{
	return part->region[0] * s->texel;
}

/* Pitches of a transfer as the application gives them, and those of rows and slices that follow. */
struct pitches {
	size_t row;
	size_t slice;
	size_t y;
	size_t z;
};

static inline struct pitches any_pitches(const struct sequence *s, const struct part *part)
{
	const cl_mem_object_type type = part->picture->type;
	const bool layers_are_rows = type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
	const size_t rows = layers_are_rows ? 1 : part->region[1];
	struct pitches p = {0};

	if (fixture_random_below(2))
		p.row = row_bytes(s, part) + fixture_random_below(20);
	size_t row = p.row ? p.row : row_bytes(s, part);
	if (fixture_random_below(2) && (is_array(type) || type == CL_MEM_OBJECT_IMAGE3D))
		p.slice = row * rows + fixture_random_below(30);
	p.z = p.slice ? p.slice : row * rows;
	p.y = layers_are_rows ? p.z : row;
	return p;
}

static inline size_t span(const struct sequence *s, const struct part *part,
			  const struct pitches *p)
{
	return (part->region[2] - 1) * p->z + (part->region[1] - 1) * p->y + row_bytes(s, part);
}

#endif
