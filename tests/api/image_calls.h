/* SPDX-License-Identifier: MIT
 *
 * All commands on images, called by one structure of arguments.
 */
#ifndef WEFT_TESTS_API_IMAGE_CALLS_H
#define WEFT_TESTS_API_IMAGE_CALLS_H

#include "images.h"

static const size_t zero[4];
static const size_t one[3] = {1, 1, 1};
static unsigned char bytes[4096];

/* The arguments of all commands. */
struct call {
	cl_command_queue queue;
	cl_mem image;
	cl_mem other; /* a buffer or an image */
	const size_t *origin;
	const size_t *region;
	size_t row_pitch;
	size_t slice_pitch;
	size_t offset;
	const void *pointer;
	cl_uint num_waits;
	const cl_event *waits;
};

static inline cl_int call_read(const struct call *c)
{
	return clEnqueueReadImage(c->queue, c->image, CL_TRUE, c->origin, c->region, c->row_pitch,
				  c->slice_pitch, (void *)c->pointer, c->num_waits, c->waits, NULL);
}

static inline cl_int call_write(const struct call *c)
{
	return clEnqueueWriteImage(c->queue, c->image, CL_TRUE, c->origin, c->region, c->row_pitch,
				   c->slice_pitch, c->pointer, c->num_waits, c->waits, NULL);
}

/* From the image, and to it. */
static inline cl_int call_copy_from(const struct call *c)
{
	return clEnqueueCopyImage(c->queue, c->image, c->other, c->origin, zero, c->region,
				  c->num_waits, c->waits, NULL);
}

static inline cl_int call_copy_to(const struct call *c)
{
	return clEnqueueCopyImage(c->queue, c->other, c->image, zero, c->origin, c->region,
				  c->num_waits, c->waits, NULL);
}

static inline cl_int call_fill(const struct call *c)
{
	return clEnqueueFillImage(c->queue, c->image, c->pointer, c->origin, c->region,
				  c->num_waits, c->waits, NULL);
}

static inline cl_int call_to_buffer(const struct call *c)
{
	return clEnqueueCopyImageToBuffer(c->queue, c->image, c->other, c->origin, c->region,
					  c->offset, c->num_waits, c->waits, NULL);
}

static inline cl_int call_from_buffer(const struct call *c)
{
	return clEnqueueCopyBufferToImage(c->queue, c->other, c->image, c->offset, c->origin,
					  c->region, c->num_waits, c->waits, NULL);
}

static inline cl_int call_map(const struct call *c)
{
	size_t row_pitch, slice_pitch;
	cl_int err = 1;
	void *pointer =
		clEnqueueMapImage(c->queue, c->image, CL_TRUE, CL_MAP_READ, c->origin, c->region,
				  &row_pitch, &slice_pitch, c->num_waits, c->waits, NULL, &err);

	assert_int_equal(pointer != NULL, err == CL_SUCCESS);
	if (pointer)
		assert_int_equal(
			clEnqueueUnmapMemObject(c->queue, c->image, pointer, 0, NULL, NULL),
			CL_SUCCESS);
	return err;
}

static const struct command {
	cl_int (*call)(const struct call *);
	enum { HOST, OTHER_IMAGE, BUFFER, NEITHER } with;
} commands[] = {
	{call_read, HOST},           {call_write, HOST},   {call_copy_from, OTHER_IMAGE},
	{call_copy_to, OTHER_IMAGE}, {call_fill, NEITHER}, {call_to_buffer, BUFFER},
	{call_from_buffer, BUFFER},  {call_map, NEITHER},
};
#define NUM_COMMANDS (sizeof(commands) / sizeof(commands[0]))

struct objects {
	struct fixture *f;
	cl_mem image;
	cl_mem same; /* another one like it */
	cl_mem buffer;
};

static inline struct objects make_objects(struct fixture *f, const cl_image_desc *desc)
{
	return (struct objects){
		.f = f,
		.image = make_image(f->context, 0, &rgba8, desc, NULL),
		.same = make_image(f->context, 0, &rgba8, desc, NULL),
		.buffer = fixture_buffer(f, 0, 256, NULL),
	};
}

static inline void release_objects(const struct objects *o)
{
	assert_int_equal(clReleaseMemObject(o->image), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(o->same), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(o->buffer), CL_SUCCESS);
}

static inline struct call right_call(const struct objects *o, const struct command *command)
{
	return (struct call){
		.queue = o->f->queue,
		.image = o->image,
		.other = command->with == OTHER_IMAGE ? o->same : o->buffer,
		.origin = zero,
		.region = one,
		.pointer = bytes,
	};
}

#endif
