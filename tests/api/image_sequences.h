/* SPDX-License-Identifier: MIT
 *
 * Long random sequences of commands on images and a buffer that no thread waits for, against a model in the host's memory:
 * all types, texels of all sizes, mip levels, pitches.
 */
#ifndef WEFT_TESTS_API_IMAGE_SEQUENCES_H
#define WEFT_TESTS_API_IMAGE_SEQUENCES_H

#include "image_model.h"

static void write_some(struct sequence *s, int number)
{
	struct part to;
	cl_event event;

	place(&to, any(s), NULL);
	const struct pitches p = any_pitches(s, &to);
	const size_t size = span(s, &to, &p);
	unsigned char *bytes = s->given[number] = malloc(size);
	fixture_random_bytes(bytes, size);
	enqueued(s,
		 clEnqueueWriteImage(s->queue, to.picture->mem, CL_FALSE, to.origin, to.region,
				     p.row, p.slice, bytes, num_waits(s), waits(s), &event),
		 &event);
	for (size_t z = 0; z < to.region[2]; z++)
		for (size_t y = 0; y < to.region[1]; y++)
			memcpy(at(s, &to, y, z), bytes + z * p.z + y * p.y, row_bytes(s, &to));
}

/* What is between the rows is not touched. */
static void read_some(struct sequence *s)
{
	struct part from;

	place(&from, any(s), NULL);
	const struct pitches p = any_pitches(s, &from);
	const size_t size = span(s, &from, &p);
	unsigned char *got = malloc(size), *expected = malloc(size);
	memset(got, 0xa5, size);
	memset(expected, 0xa5, size);
	for (size_t z = 0; z < from.region[2]; z++)
		for (size_t y = 0; y < from.region[1]; y++)
			memcpy(expected + z * p.z + y * p.y, at(s, &from, y, z),
			       row_bytes(s, &from));
	assert_int_equal(clEnqueueReadImage(s->queue, from.picture->mem, CL_TRUE, from.origin,
					    from.region, p.row, p.slice, got, num_waits(s),
					    waits(s), NULL),
			 CL_SUCCESS);
	assert_memory_equal(got, expected, size);
	free(got);
	free(expected);
}

static void fill_some(struct sequence *s)
{
	const size_t bytes = s->format.image_channel_data_type == CL_UNSIGNED_INT8    ? 1
			     : s->format.image_channel_data_type == CL_UNSIGNED_INT16 ? 2
										      : 4;
	cl_uint color[4];
	struct part to;
	cl_event event;

	place(&to, any(s), NULL);
	for (int i = 0; i < 4; i++)
		color[i] = fixture_random() >> (32 - 8 * bytes);
	enqueued(s,
		 clEnqueueFillImage(s->queue, to.picture->mem, color, to.origin, to.region,
				    num_waits(s), waits(s), &event),
		 &event);
	for (size_t i = 0; i < to.region[0] * to.region[1] * to.region[2]; i++) {
		size_t x = i % to.region[0], row = i / to.region[0];
		unsigned char *texel =
			at(s, &to, row % to.region[1], row / to.region[1]) + x * s->texel;

		for (size_t channel = 0; channel < s->texel / bytes; channel++)
			memcpy(texel + channel * bytes, &color[channel], bytes);
	}
}

static bool meet(const struct part *a, const struct part *b)
{
	bool meets = a->picture == b->picture && a->level == b->level;

	for (int i = 0; i < 3; i++)
		meets = meets && a->place[i] < b->place[i] + b->region[i] &&
			b->place[i] < a->place[i] + a->region[i];
	return meets;
}

static void copy_some(struct sequence *s)
{
	struct part from, to;
	cl_event event;

	place(&from, any(s), NULL);
	place(&to, any(s), from.region);
	memcpy(from.region, to.region, sizeof(to.region));
	cl_int err = clEnqueueCopyImage(s->queue, from.picture->mem, to.picture->mem, from.origin,
					to.origin, to.region, num_waits(s), waits(s), &event);
	if (meet(&from, &to)) {
		assert_int_equal(err, CL_MEM_COPY_OVERLAP);
		return;
	}
	enqueued(s, err, &event);
	for (size_t z = 0; z < to.region[2]; z++)
		for (size_t y = 0; y < to.region[1]; y++)
			memcpy(at(s, &to, y, z), at(s, &from, y, z), row_bytes(s, &to));
}

static void copy_with_buffer(struct sequence *s)
{
	const bool to_image = fixture_random_below(2);
	struct part part;
	cl_event event;
	cl_int err;

	place(&part, any(s), NULL);
	const size_t row = row_bytes(s, &part);
	const size_t size = row * part.region[1] * part.region[2];
	const size_t offset = fixture_random_below(s->buffer_size - size + 1);
	if (to_image)
		err = clEnqueueCopyBufferToImage(s->queue, s->buffer, part.picture->mem, offset,
						 part.origin, part.region, num_waits(s), waits(s),
						 &event);
	else
		err = clEnqueueCopyImageToBuffer(s->queue, part.picture->mem, s->buffer,
						 part.origin, part.region, offset, num_waits(s),
						 waits(s), &event);
	enqueued(s, err, &event);
	for (size_t i = 0; i < part.region[1] * part.region[2]; i++) {
		unsigned char *texels = at(s, &part, i % part.region[1], i / part.region[1]);
		unsigned char *bytes = s->buffer_model + offset + i * row;

		memcpy(to_image ? texels : bytes, to_image ? bytes : texels, row);
	}
}

static void map_some(struct sequence *s)
{
	struct part part;
	size_t row_pitch, slice_pitch = 77;
	cl_event event;
	cl_int err;

	place(&part, any(s), NULL);
	const cl_mem mem = part.picture->mem;
	const cl_mem_object_type type = part.picture->type;
	unsigned char *pointer = clEnqueueMapImage(
		s->queue, mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, part.origin, part.region,
		&row_pitch, &slice_pitch, num_waits(s), waits(s), NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	if (!is_array(type) && type != CL_MEM_OBJECT_IMAGE3D)
		assert_int_equal(slice_pitch, 0);
	if (part.level == 0)
		assert_int_equal(row_pitch, image_number(mem, CL_IMAGE_ROW_PITCH));
	const size_t y_pitch = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? slice_pitch : row_pitch;
	for (size_t i = 0; i < part.region[1] * part.region[2]; i++) {
		unsigned char *texels = at(s, &part, i % part.region[1], i / part.region[1]);
		unsigned char *mapped =
			pointer + i % part.region[1] * y_pitch + i / part.region[1] * slice_pitch;

		assert_memory_equal(mapped, texels, row_bytes(s, &part));
		fixture_random_bytes(texels, row_bytes(s, &part));
		memcpy(mapped, texels, row_bytes(s, &part));
	}
	enqueued(s, clEnqueueUnmapMemObject(s->queue, mem, pointer, 0, NULL, &event), &event);
}

/* ---- sequences ------------------------------------------------------------------------------- */

static cl_image_desc desc_of(const struct picture *picture)
{
	cl_image_desc desc = {.image_type = picture->type, .image_width = picture->size[0]};

	desc.num_mip_levels = picture->levels > 1 ? picture->levels : 0;
	if (picture->type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
		desc.image_array_size = picture->size[1];
	else if (coordinates(picture->type) > 1)
		desc.image_height = picture->size[1];
	if (picture->type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
		desc.image_array_size = picture->size[2];
	else if (picture->type == CL_MEM_OBJECT_IMAGE3D)
		desc.image_depth = picture->size[2];
	return desc;
}

/* In the application's memory, with pitches. */
static cl_mem make_there(struct sequence *s, struct picture *picture)
{
	cl_image_desc desc = desc_of(picture);
	const size_t rows = desc.image_height ? desc.image_height : 1;
	const size_t slices = desc.image_depth | desc.image_array_size;

	desc.image_row_pitch = (picture->size[0] + fixture_random_below(4)) * s->texel;
	if (slices)
		desc.image_slice_pitch = desc.image_row_pitch * (rows + fixture_random_below(3));
	size_t slice = slices ? desc.image_slice_pitch : desc.image_row_pitch * rows;
	size_t size = slice * (slices ? slices : 1);
	picture->host = aligned_alloc(128, (size + 127) & ~(size_t)127);
	return make_image(s->context, CL_MEM_USE_HOST_PTR, &s->format, &desc, picture->host);
}

static cl_uint most_levels(const struct picture *picture)
{
	size_t most = 1;
	cl_uint levels = 1;

	for (unsigned i = 0; i < coordinates(picture->type) - is_array(picture->type); i++)
		most = picture->size[i] > most ? picture->size[i] : most;
	for (; most > 1; most /= 2)
		levels++;
	return levels < MOST_LEVELS ? levels : MOST_LEVELS;
}

/* All its texels are written. */
static void make_picture(struct sequence *s, struct picture *picture)
{
	static const cl_mem_object_type types[] = {
		CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
		CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};
	size_t bytes = 0;

	*picture = (struct picture){.type = types[fixture_random_below(5)], .levels = 1};
	for (unsigned i = 0; i < 3; i++)
		picture->size[i] = i < coordinates(picture->type)
					   ? 1 + fixture_random_below(SIDE >> (i / 2))
					   : 1;
	if (fixture_random_below(2)) {
		picture->mem = make_there(s, picture);
	} else {
		picture->levels = 1 + (cl_uint)fixture_random_below(most_levels(picture));
		const cl_image_desc desc = desc_of(picture);
		picture->mem = make_image(s->context, CL_MEM_READ_WRITE, &s->format, &desc, NULL);
	}
	for (unsigned level = 0; level < picture->levels; level++)
		bytes += level_bytes(s, picture, level);
	picture->model = malloc(bytes);
	fixture_random_bytes(picture->model, bytes);
}

static void write_all(struct sequence *s, const struct picture *picture)
{
	struct part all = {.picture = picture};

	for (; all.level < picture->levels; all.level++) {
		if (picture->levels > 1)
			all.origin[coordinates(picture->type)] = all.level;
		level_size(picture, all.level, all.region);
		assert_int_equal(clEnqueueWriteImage(s->queue, picture->mem, CL_TRUE, all.origin,
						     all.region, 0, 0, at(s, &all, 0, 0),
						     num_waits(s), waits(s), NULL),
				 CL_SUCCESS);
	}
}

static void begin(struct sequence *s)
{
	static const struct {
		cl_image_format format;
		size_t bytes;
	} formats[] = {
		{{CL_R, CL_UNSIGNED_INT8}, 1},     {{CL_RG, CL_UNSIGNED_INT8}, 2},
		{{CL_RGBA, CL_UNSIGNED_INT8}, 4},  {{CL_RG, CL_UNSIGNED_INT32}, 8},
		{{CL_RGBA, CL_UNSIGNED_INT16}, 8}, {{CL_RGBA, CL_UNSIGNED_INT32}, 16},
	};
	const size_t choice = fixture_random_below(6);

	s->queue = s->queues[0];
	s->format = formats[choice].format;
	s->texel = formats[choice].bytes;
	s->buffer_size = 20000;
	for (int i = 0; i < IMAGES; i++) {
		make_picture(s, &s->pictures[i]);
		write_all(s, &s->pictures[i]);
	}
	s->buffer_size += (size_t)SIDE * SIDE * SIDE * s->texel;
	s->buffer_model = malloc(s->buffer_size);
	fixture_random_bytes(s->buffer_model, s->buffer_size);
	s->buffer = fixture_buffer_in(s->context, CL_MEM_COPY_HOST_PTR, s->buffer_size,
				      s->buffer_model);
}

static void check_and_end(struct sequence *s)
{
	unsigned char *got = malloc(s->buffer_size);

	for (int i = 0; i < 100; i++)
		read_some(s);
	assert_int_equal(clEnqueueReadBuffer(s->queue, s->buffer, CL_TRUE, 0, s->buffer_size, got,
					     num_waits(s), waits(s), NULL),
			 CL_SUCCESS);
	assert_memory_equal(got, s->buffer_model, s->buffer_size);
	for (cl_uint i = 0; i < s->num_queues; i++)
		assert_int_equal(clFinish(s->queues[i]), CL_SUCCESS);
	for (int i = 0; i < IMAGES; i++) {
		assert_int_equal(clReleaseMemObject(s->pictures[i].mem), CL_SUCCESS);
		free(s->pictures[i].model);
		free(s->pictures[i].host);
	}
	assert_int_equal(clReleaseMemObject(s->buffer), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(s->last), CL_SUCCESS);
	for (int i = 0; i < COMMANDS; i++)
		free(s->given[i]);
	free(s->buffer_model);
	free(got);
}

static void some_command(struct sequence *s, int number)
{
	const size_t choice = fixture_random_below(11);

	if (choice < 3)
		write_some(s, number);
	else if (choice < 6)
		fill_some(s);
	else if (choice < 8)
		copy_with_buffer(s);
	else
		copy_some(s);
}

/* In one in-order queue. */
static void close_gate(struct sequence *s)
{
	if (!s->in_order || s->num_queues > 1)
		return;
	assert_int_equal(clFlush(s->queue), CL_SUCCESS);
	s->gate = clCreateUserEvent(s->context, NULL);
	s->is_behind = false;
	assert_non_null(s->gate);
}

static void open_gate(struct sequence *s)
{
	if (!s->gate)
		return;
	assert_int_equal(clSetUserEventStatus(s->gate, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(s->gate), CL_SUCCESS);
	s->gate = NULL;
}

/* The context, the queues and their order are there. */
static void run(struct sequence *s)
{
	begin(s);
	for (int i = 0; i < COMMANDS; i += BURST) {
		close_gate(s);
		for (int k = i; k < i + BURST; k++) {
			if (fixture_random_below(4) == 0)
				s->queue = s->queues[fixture_random_below(s->num_queues)];
			some_command(s, k);
		}
		open_gate(s);
		if (fixture_random_below(2))
			map_some(s);
		else
			read_some(s);
	}
	check_and_end(s);
}

static inline void run_all(const struct sequence *sequence)
{
	static struct sequence s;

	for (int i = 0; i < SEQUENCES; i++) {
		s = *sequence;
		run(&s);
	}
}

#endif
