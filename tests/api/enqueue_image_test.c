/* SPDX-License-Identifier: MIT
 *
 * Commands on images: every code of a wrong argument, what events say, colors of fills, mip levels in origins, memory that
 * several objects share.
 */
#include "images.h"

static const size_t zero[4];
static const size_t one[3] = {1, 1, 1};
static unsigned char bytes[4096];

/* ---- wrong arguments ------------------------------------------------------------------------- */

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

static cl_int call_read(const struct call *c)
{
	return clEnqueueReadImage(c->queue, c->image, CL_TRUE, c->origin, c->region, c->row_pitch,
				  c->slice_pitch, (void *)c->pointer, c->num_waits, c->waits, NULL);
}

static cl_int call_write(const struct call *c)
{
	return clEnqueueWriteImage(c->queue, c->image, CL_TRUE, c->origin, c->region, c->row_pitch,
				   c->slice_pitch, c->pointer, c->num_waits, c->waits, NULL);
}

/* From the image, and to it. */
static cl_int call_copy_from(const struct call *c)
{
	return clEnqueueCopyImage(c->queue, c->image, c->other, c->origin, zero, c->region,
				  c->num_waits, c->waits, NULL);
}

static cl_int call_copy_to(const struct call *c)
{
	return clEnqueueCopyImage(c->queue, c->other, c->image, zero, c->origin, c->region,
				  c->num_waits, c->waits, NULL);
}

static cl_int call_fill(const struct call *c)
{
	return clEnqueueFillImage(c->queue, c->image, c->pointer, c->origin, c->region,
				  c->num_waits, c->waits, NULL);
}

static cl_int call_to_buffer(const struct call *c)
{
	return clEnqueueCopyImageToBuffer(c->queue, c->image, c->other, c->origin, c->region,
					  c->offset, c->num_waits, c->waits, NULL);
}

static cl_int call_from_buffer(const struct call *c)
{
	return clEnqueueCopyBufferToImage(c->queue, c->other, c->image, c->offset, c->origin,
					  c->region, c->num_waits, c->waits, NULL);
}

static cl_int call_map(const struct call *c)
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

static struct objects make_objects(struct fixture *f, const cl_image_desc *desc)
{
	return (struct objects){
		.f = f,
		.image = make_image(f->context, 0, &rgba8, desc, NULL),
		.same = make_image(f->context, 0, &rgba8, desc, NULL),
		.buffer = fixture_buffer(f, 0, 256, NULL),
	};
}

static void release_objects(const struct objects *o)
{
	assert_int_equal(clReleaseMemObject(o->image), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(o->same), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(o->buffer), CL_SUCCESS);
}

static struct call right_call(const struct objects *o, const struct command *command)
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

static void handles(void **state)
{
	struct fixture *f = *state;
	const cl_image_desc desc = IMAGE_2D(5, 3);
	struct objects o = make_objects(f, &desc);
	cl_mem foreign = make_image(f->other_context, 0, &rgba8, &desc, NULL);
	cl_mem foreign_buffer = fixture_buffer_in(f->other_context, 0, 256, NULL);
	cl_mem floats = make_image(f->context, 0, &r_float, &desc, NULL);

	for (size_t i = 0; i < NUM_COMMANDS; i++) {
		const struct command *command = &commands[i];
		struct call c = right_call(&o, command);

		assert_int_equal(command->call(&c), CL_SUCCESS);
		c.queue = NULL;
		assert_int_equal(command->call(&c), CL_INVALID_COMMAND_QUEUE);
		c = right_call(&o, command);
		c.image = NULL;
		assert_int_equal(command->call(&c), CL_INVALID_MEM_OBJECT);
		c.image = o.buffer;
		assert_int_equal(command->call(&c), CL_INVALID_MEM_OBJECT);
		c.image = foreign;
		assert_int_equal(command->call(&c), CL_INVALID_CONTEXT);
		c = right_call(&o, command);
		if (command->with == BUFFER || command->with == OTHER_IMAGE) {
			c.other = command->with == BUFFER ? o.same : o.buffer;
			assert_int_equal(command->call(&c), CL_INVALID_MEM_OBJECT);
			c.other = command->with == BUFFER ? foreign_buffer : foreign;
			assert_int_equal(command->call(&c), CL_INVALID_CONTEXT);
		}
		if (command->with == OTHER_IMAGE) {
			c.other = floats;
			assert_int_equal(command->call(&c), CL_IMAGE_FORMAT_MISMATCH);
		}
	}
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	release_objects(&o);
	assert_int_equal(clReleaseMemObject(foreign), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(foreign_buffer), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(floats), CL_SUCCESS);
}

/* Commands on buffers take no images. */
static void buffers_are_no_images(void **state)
{
	struct fixture *f = *state;
	const cl_image_desc desc = IMAGE_2D(5, 3);
	struct objects o = make_objects(f, &desc);
	cl_mem i = o.image, b = o.buffer;
	cl_command_queue q = f->queue;
	cl_int err;

	assert_int_equal(clEnqueueReadBuffer(q, i, CL_TRUE, 0, 4, bytes, 0, NULL, NULL),
			 CL_INVALID_MEM_OBJECT);
	assert_int_equal(clEnqueueWriteBuffer(q, i, CL_TRUE, 0, 4, bytes, 0, NULL, NULL),
			 CL_INVALID_MEM_OBJECT);
	assert_int_equal(clEnqueueReadBufferRect(q, i, CL_TRUE, zero, zero, one, 0, 0, 0, 0, bytes,
						 0, NULL, NULL),
			 CL_INVALID_MEM_OBJECT);
	assert_int_equal(clEnqueueCopyBuffer(q, i, b, 0, 0, 4, 0, NULL, NULL),
			 CL_INVALID_MEM_OBJECT);
	assert_int_equal(
		clEnqueueCopyBufferRect(q, b, i, zero, zero, one, 0, 0, 0, 0, 0, NULL, NULL),
		CL_INVALID_MEM_OBJECT);
	assert_int_equal(clEnqueueFillBuffer(q, i, bytes, 1, 0, 4, 0, NULL, NULL),
			 CL_INVALID_MEM_OBJECT);
	assert_null(clEnqueueMapBuffer(q, i, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &err));
	assert_int_equal(err, CL_INVALID_MEM_OBJECT);
	release_objects(&o);
}

/* Origins and regions that are wrong for an image of the type, whose sizes are those of small_desc. */
static void check_regions(struct fixture *f, cl_mem_object_type type)
{
	const cl_image_desc desc = small_desc(type);
	struct objects o = make_objects(f, &desc);
	size_t size[3] = {5, 1, 1};

	if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
		size[1] = 7;
	else if (desc.image_height)
		size[1] = 3;
	size[2] = desc.image_depth ? 4 : type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? 7 : 1;
	for (size_t i = 0; i < NUM_COMMANDS; i++) {
		const struct command *command = &commands[i];
		struct call c = right_call(&o, command);

		for (int k = 0; k < 3; k++) {
			size_t origin[4] = {0}, region[3] = {1, 1, 1};

			c.origin = origin;
			c.region = region;
			origin[k] = size[k] - 1;
			assert_int_equal(command->call(&c), CL_SUCCESS);
			origin[k] = size[k];
			assert_int_equal(command->call(&c), CL_INVALID_VALUE);
			origin[k] = SIZE_MAX;
			region[k] = 2;
			assert_int_equal(command->call(&c), CL_INVALID_VALUE);
			origin[k] = 0;
			region[k] = size[k] + 1;
			assert_int_equal(command->call(&c), CL_INVALID_VALUE);
			region[k] = SIZE_MAX;
			assert_int_equal(command->call(&c), CL_INVALID_VALUE);
			region[k] = 0;
			assert_int_equal(command->call(&c), CL_INVALID_VALUE);
		}
		c.origin = zero;
		c.region = NULL;
		assert_int_equal(command->call(&c), CL_INVALID_VALUE);
		c.region = one;
		c.origin = NULL;
		assert_int_equal(command->call(&c), CL_INVALID_VALUE);
	}
	release_objects(&o);
}

static void regions(void **state)
{
	for (size_t i = 0; i < NUM_IMAGE_TYPES; i++) {
		if (image_types[i] != CL_MEM_OBJECT_IMAGE1D_BUFFER)
			check_regions(*state, image_types[i]);
	}
}

/* 1D arrays have slices of one row; a slice pitch of an image without slices is wrong. */
static void pitches_and_pointers(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < NUM_IMAGE_TYPES; i++) {
		const cl_mem_object_type type = image_types[i];
		const bool slices = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
				    type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
				    type == CL_MEM_OBJECT_IMAGE3D;
		const size_t two[3] = {2, type == CL_MEM_OBJECT_IMAGE1D ? 1 : 2, 1};
		const size_t rows = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 1 : two[1];
		const cl_image_desc desc = small_desc(type);

		if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
			continue;
		struct objects o = make_objects(f, &desc);
		for (int k = 0; k < 2; k++) {
			struct call c = right_call(&o, &commands[k]);

			c.region = two;
			c.row_pitch = 8;
			assert_int_equal(commands[k].call(&c), CL_SUCCESS);
			c.row_pitch = 7;
			assert_int_equal(commands[k].call(&c), CL_INVALID_VALUE);
			c.row_pitch = 12;
			c.slice_pitch = 12 * rows;
			assert_int_equal(commands[k].call(&c),
					 slices ? CL_SUCCESS : CL_INVALID_VALUE);
			c.slice_pitch--;
			assert_int_equal(commands[k].call(&c), CL_INVALID_VALUE);
			c.slice_pitch = 0;
			c.row_pitch = SIZE_MAX;
			if (two[1] > 1)
				assert_int_equal(commands[k].call(&c), CL_INVALID_VALUE);
			c.row_pitch = 0;
			c.pointer = NULL;
			assert_int_equal(commands[k].call(&c), CL_INVALID_VALUE);
		}
		release_objects(&o);
	}
}

static void other_values(void **state)
{
	struct fixture *f = *state;
	const cl_image_desc desc = IMAGE_2D(5, 3);
	const cl_image_desc array = small_desc(CL_MEM_OBJECT_IMAGE1D_ARRAY);
	struct objects o = make_objects(f, &desc);
	cl_mem layers = make_image(f->context, 0, &rgba8, &array, NULL);
	struct call c = right_call(&o, &commands[4]);
	size_t row, slice;
	cl_int err;

	c.pointer = NULL;
	assert_int_equal(call_fill(&c), CL_INVALID_VALUE);
	c = right_call(&o, &commands[5]);
	for (int i = 0; i < 2; i++) {
		c.offset = 252;
		assert_int_equal(commands[5 + i].call(&c), CL_SUCCESS);
		c.offset = 253;
		assert_int_equal(commands[5 + i].call(&c), CL_INVALID_VALUE);
		c.offset = SIZE_MAX - 1;
		assert_int_equal(commands[5 + i].call(&c), CL_INVALID_VALUE);
	}
#define MAP(mem, flags, row_pitch, slice_pitch)                                                    \
	clEnqueueMapImage(f->queue, mem, CL_TRUE, flags, zero, one, row_pitch, slice_pitch, 0,     \
			  NULL, NULL, &err)
	assert_null(MAP(o.image, CL_MAP_READ, NULL, &slice));
	assert_int_equal(err, CL_INVALID_VALUE);
	assert_null(MAP(layers, CL_MAP_READ, &row, NULL));
	assert_int_equal(err, CL_INVALID_VALUE);
	assert_null(MAP(o.image, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, &row, &slice));
	assert_int_equal(err, CL_INVALID_VALUE);
	assert_null(MAP(o.image, 1 << 10, &row, &slice));
	assert_int_equal(err, CL_INVALID_VALUE);
	void *pointer = MAP(o.image, CL_MAP_WRITE, &row, NULL);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(row, 20);
	assert_null(MAP(o.image, CL_MAP_WRITE, &row, NULL)); /* it is mapped for writing */
	assert_int_equal(err, CL_INVALID_OPERATION);
	assert_int_equal(clEnqueueUnmapMemObject(f->queue, o.image, bytes, 0, NULL, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(clEnqueueUnmapMemObject(f->queue, o.image, pointer, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(layers), CL_SUCCESS);
	release_objects(&o);
}

static void wait_lists(void **state)
{
	struct fixture *f = *state;
	const cl_image_desc desc = IMAGE_2D(5, 3);
	struct objects o = make_objects(f, &desc);
	cl_event foreign = clCreateUserEvent(f->other_context, NULL);
	cl_event failed = fixture_failed_event(f);

	for (size_t i = 0; i < NUM_COMMANDS; i++) {
		const struct command *command = &commands[i];
		struct call c = right_call(&o, command);

		c.num_waits = 1;
		assert_int_equal(command->call(&c), CL_INVALID_EVENT_WAIT_LIST);
		c.waits = &foreign;
		assert_int_equal(command->call(&c), CL_INVALID_CONTEXT);
		c.num_waits = 0;
		assert_int_equal(command->call(&c), CL_INVALID_EVENT_WAIT_LIST);
	}
	for (int i = 0; i < 2; i++) {
		struct call c = right_call(&o, &commands[i]);

		c.num_waits = 1;
		c.waits = &failed;
		assert_int_equal(commands[i].call(&c),
				 CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	}
	assert_int_equal(clReleaseEvent(foreign), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(failed), CL_SUCCESS);
	release_objects(&o);
}

/* CL_MEM_HOST_* flags, and what is read and written in spite of them. */
static void host_flags(void **state)
{
	static const struct {
		cl_mem_flags flags;
		cl_int read;
		cl_int write;
	} cases[] = {
		{CL_MEM_HOST_WRITE_ONLY, CL_INVALID_OPERATION, CL_SUCCESS},
		{CL_MEM_HOST_READ_ONLY, CL_SUCCESS, CL_INVALID_OPERATION},
		{CL_MEM_HOST_NO_ACCESS, CL_INVALID_OPERATION, CL_INVALID_OPERATION},
	};
	struct fixture *f = *state;
	const cl_image_desc desc = IMAGE_2D(5, 3);

	for (size_t i = 0; i < 3; i++) {
		struct objects o = make_objects(f, &desc);
		cl_mem image = make_image(f->context, cases[i].flags, &rgba8, &desc, NULL);

		for (size_t k = 0; k < NUM_COMMANDS; k++) {
			struct call c = right_call(&o, &commands[k]);
			const bool reads =
				commands[k].call == call_read || commands[k].call == call_map;
			const cl_int expected = reads                            ? cases[i].read
						: commands[k].call == call_write ? cases[i].write
										 : CL_SUCCESS;

			c.image = image;
			assert_int_equal(commands[k].call(&c), expected);
		}
		assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
		release_objects(&o);
	}
}

/* ---- what commands do ------------------------------------------------------------------------ */

static cl_command_type type_of(cl_event event)
{
	cl_command_type type;

	assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL),
			 CL_SUCCESS);
	assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	return type;
}

static void event_types(void **state)
{
	struct fixture *f = *state;
	const cl_image_desc desc = IMAGE_2D(5, 3);
	struct objects o = make_objects(f, &desc);
	cl_command_queue q = f->queue;
	size_t row;
	cl_event e;

	clEnqueueReadImage(q, o.image, CL_FALSE, zero, one, 0, 0, bytes, 0, NULL, &e);
	assert_int_equal(type_of(e), CL_COMMAND_READ_IMAGE);
	clEnqueueWriteImage(q, o.image, CL_FALSE, zero, one, 0, 0, bytes, 0, NULL, &e);
	assert_int_equal(type_of(e), CL_COMMAND_WRITE_IMAGE);
	clEnqueueCopyImage(q, o.image, o.same, zero, zero, one, 0, NULL, &e);
	assert_int_equal(type_of(e), CL_COMMAND_COPY_IMAGE);
	clEnqueueFillImage(q, o.image, bytes, zero, one, 0, NULL, &e);
	assert_int_equal(type_of(e), CL_COMMAND_FILL_IMAGE);
	clEnqueueCopyImageToBuffer(q, o.image, o.buffer, zero, one, 0, 0, NULL, &e);
	assert_int_equal(type_of(e), CL_COMMAND_COPY_IMAGE_TO_BUFFER);
	clEnqueueCopyBufferToImage(q, o.buffer, o.image, 0, zero, one, 0, NULL, &e);
	assert_int_equal(type_of(e), CL_COMMAND_COPY_BUFFER_TO_IMAGE);
	void *pointer = clEnqueueMapImage(q, o.image, CL_FALSE, CL_MAP_READ, zero, one, &row, NULL,
					  0, NULL, &e, NULL);
	assert_int_equal(type_of(e), CL_COMMAND_MAP_IMAGE);
	clEnqueueUnmapMemObject(q, o.image, pointer, 0, NULL, &e);
	assert_int_equal(type_of(e), CL_COMMAND_UNMAP_MEM_OBJECT);
	clEnqueueMigrateMemObjects(q, 1, &o.image, 0, 0, NULL, &e);
	assert_int_equal(type_of(e), CL_COMMAND_MIGRATE_MEM_OBJECTS);
	release_objects(&o);
}

/* Of one row of an image, to itself. */
static void overlapping_copies(void **state)
{
	struct fixture *f = *state;
	const cl_image_desc desc = IMAGE_2D(10, 3);
	const size_t region[3] = {5, 2, 1};
	const size_t beside[3] = {5, 0, 0}, across[3] = {4, 1, 0};
	struct objects o = make_objects(f, &desc);

	assert_int_equal(
		clEnqueueCopyImage(f->queue, o.image, o.image, zero, across, region, 0, NULL, NULL),
		CL_MEM_COPY_OVERLAP);
	assert_int_equal(
		clEnqueueCopyImage(f->queue, o.image, o.image, zero, beside, region, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	release_objects(&o);
}

struct filling {
	cl_image_format format;
	union {
		float f[4];
		cl_uint u[4];
		cl_int i[4];
	} color;
	unsigned size;
	unsigned char expected[16];
};

/* Sections 5.3.4 and 8.3: rounding to the nearest, saturation, channels in the order of memory. */
static void colors(void **state)
{
	static const struct filling fillings[] = {
		{{CL_RGBA, CL_UNORM_INT8}, {{0.0f, 1.0f, 0.5f, 2.0f}}, 4, {0, 255, 128, 255}},
		{{CL_BGRA, CL_UNORM_INT8}, {{1.0f, 0.2f, -3.0f, 0.4f}}, 4, {0, 51, 255, 102}},
		{{CL_ARGB, CL_UNORM_INT8}, {{1.0f, 0.2f, 0.4f, 0.6f}}, 4, {153, 255, 51, 102}},
		{{CL_RGBA, CL_SNORM_INT8}, {{1.0f, -1.0f, 0.0f, 5.0f}}, 4, {127, 0x81, 0, 127}},
		{{CL_A, CL_UNORM_INT8}, {{1.0f, 1.0f, 1.0f, 0.2f}}, 1, {51}},
		{{CL_RG, CL_UNORM_INT16}, {{1.0f, 0.2f, 0.0f, 0.0f}}, 4, {255, 255, 0x33, 0x33}},
		{{CL_RGB, CL_UNORM_SHORT_565}, {{1.0f, 0.0f, 1.0f, 0.0f}}, 2, {0x1f, 0xf8}},
		{{CL_R, CL_HALF_FLOAT}, {{1.0f, 0.0f, 0.0f, 0.0f}}, 2, {0x00, 0x3c}},
		{{CL_RG, CL_FLOAT},
		 {{1.0f, -2.0f, 0.0f, 0.0f}},
		 8,
		 {0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}},
		{{CL_DEPTH, CL_UNORM_INT16}, {{1.0f, 0.0f, 0.0f, 0.0f}}, 2, {255, 255}},
		{{CL_sRGBA, CL_UNORM_INT8}, {{1.0f, 0.0f, 0.5f, 0.2f}}, 4, {255, 0, 188, 51}},
		{{CL_RGBA, CL_UNSIGNED_INT8}, {.u = {1, 255, 256, 70000}}, 4, {1, 255, 255, 255}},
		{{CL_RGBA, CL_SIGNED_INT8}, {.i = {-1, -200, 200, 5}}, 4, {255, 0x80, 127, 5}},
		{{CL_RG, CL_SIGNED_INT16}, {.i = {-40000, 258, 0, 0}}, 4, {0, 0x80, 2, 1}},
		{{CL_R, CL_UNSIGNED_INT32}, {.u = {0x01020304, 0, 0, 0}}, 4, {4, 3, 2, 1}},
	};
	struct fixture *f = *state;
	const cl_image_desc desc = IMAGE_2D(7, 5);
	const size_t origin[3] = {1, 1, 0}, region[3] = {5, 3, 1}, all[3] = {7, 5, 1};

	for (size_t i = 0; i < sizeof(fillings) / sizeof(fillings[0]); i++) {
		const struct filling *filling = &fillings[i];
		cl_mem image = make_image(f->context, 0, &filling->format, &desc, NULL);

		memset(bytes, 0x77, sizeof(bytes));
		assert_int_equal(clEnqueueWriteImage(f->queue, image, CL_TRUE, zero, all, 0, 0,
						     bytes, 0, NULL, NULL),
				 CL_SUCCESS);
		assert_int_equal(clEnqueueFillImage(f->queue, image, &filling->color, origin,
						    region, 0, NULL, NULL),
				 CL_SUCCESS);
		assert_int_equal(clEnqueueReadImage(f->queue, image, CL_TRUE, zero, all, 0, 0,
						    bytes, 0, NULL, NULL),
				 CL_SUCCESS);
		for (size_t at = 0; at < 35; at++) {
			bool inside = at % 7 >= 1 && at % 7 < 6 && at / 7 >= 1 && at / 7 < 4;

			for (size_t k = 0; k < filling->size; k++)
				assert_int_equal(bytes[at * filling->size + k],
						 inside ? filling->expected[k] : 0x77);
		}
		assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
	}
}

/* The element of the origin behind the coordinates is the level. */
static void levels(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < NUM_IMAGE_TYPES; i++) {
		const cl_mem_object_type type = image_types[i];
		cl_image_desc desc = small_desc(type);
		const unsigned at = type == CL_MEM_OBJECT_IMAGE1D                             ? 1
				    : desc.image_depth || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? 3
											      : 2;

		if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
			continue;
		desc.num_mip_levels = 3;
		struct objects o = make_objects(f, &desc);
		for (size_t k = 0; k < NUM_COMMANDS; k++) {
			struct call c = right_call(&o, &commands[k]);
			size_t origin[4] = {1}, wide[4] = {3, 1, 1};

			c.origin = origin;
			origin[at] = 1; /* 2 texels wide */
			assert_int_equal(commands[k].call(&c), CL_SUCCESS);
			c.region = wide;
			assert_int_equal(commands[k].call(&c), CL_INVALID_VALUE);
			c.region = one;
			origin[at] = 2; /* 1 texel wide */
			assert_int_equal(commands[k].call(&c), CL_INVALID_VALUE);
			origin[0] = 0;
			assert_int_equal(commands[k].call(&c), CL_SUCCESS);
			origin[at] = 3;
			assert_int_equal(commands[k].call(&c), CL_INVALID_MIP_LEVEL);
			origin[at] = SIZE_MAX;
			assert_int_equal(commands[k].call(&c), CL_INVALID_MIP_LEVEL);
		}
		assert_int_equal(clFinish(f->queue), CL_SUCCESS);
		release_objects(&o);
	}
}

/* ---- shared memory --------------------------------------------------------------------------- */

/* An image in a buffer: what is written to one is read from the other, and copies between them may overlap. */
static void image_in_a_buffer(void **state)
{
	struct fixture *f = *state;
	const size_t origin[3] = {1, 2, 0}, region[3] = {2, 1, 1};
	cl_mem buffer = fixture_buffer(f, 0, 1024, NULL);
	cl_image_desc desc = IMAGE_2D(4, 4);
	cl_image_desc line = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 16};

	desc.image_row_pitch = 64;
	desc.mem_object = line.mem_object = buffer;
	cl_mem image = make_image(f->context, 0, &rgba8, &desc, NULL);
	cl_mem row = make_image(f->context, 0, &rgba8, &line, NULL);
	for (int i = 0; i < 8; i++)
		bytes[i] = (unsigned char)(i + 1);
	memset(bytes + 8, 0, 1024);
	assert_int_equal(
		clEnqueueWriteBuffer(f->queue, buffer, CL_TRUE, 0, 1024, bytes + 8, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(clEnqueueWriteImage(f->queue, image, CL_FALSE, origin, region, 0, 0, bytes,
					     0, NULL, NULL),
			 CL_SUCCESS);
	fixture_read(f, buffer, bytes + 8, 1024);
	assert_memory_equal(bytes + 8 + 2 * 64 + 4, bytes, 8);
	assert_int_equal(clEnqueueCopyImageToBuffer(f->queue, image, buffer, origin, region, 132, 0,
						    NULL, NULL),
			 CL_MEM_COPY_OVERLAP);
	assert_int_equal(clEnqueueCopyImageToBuffer(f->queue, image, buffer, origin, region, 512, 0,
						    NULL, NULL),
			 CL_SUCCESS);
	fixture_read(f, buffer, bytes + 8, 1024);
	assert_memory_equal(bytes + 8 + 512, bytes, 8);
	/* "a 1D image buffer object created from dst_buffer" */
	assert_int_equal(
		clEnqueueCopyImageToBuffer(f->queue, row, buffer, zero, one, 512, 0, NULL, NULL),
		CL_INVALID_MEM_OBJECT);
	assert_int_equal(
		clEnqueueCopyBufferToImage(f->queue, buffer, row, 512, zero, one, 0, NULL, NULL),
		CL_INVALID_MEM_OBJECT);
	assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(row), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
}

/* Two regions of an image may be mapped for writing that have columns beside each other. */
static void maps_side_by_side(void **state)
{
	struct fixture *f = *state;
	const cl_image_desc desc = IMAGE_2D(8, 4);
	const size_t half[3] = {4, 4, 1}, right[3] = {4, 0, 0}, middle[3] = {3, 0, 0};
	cl_mem image = make_image(f->context, 0, &rgba8, &desc, NULL);
	size_t pitch;
	cl_int err;

#define MAP_HALF(origin)                                                                           \
	clEnqueueMapImage(f->queue, image, CL_TRUE, CL_MAP_WRITE, origin, half, &pitch, NULL, 0,   \
			  NULL, NULL, &err)
	unsigned char *first = MAP_HALF(zero);
	assert_int_equal(err, CL_SUCCESS);
	unsigned char *second = MAP_HALF(right);
	assert_int_equal(err, CL_SUCCESS);
	assert_ptr_equal(second, first + 16);
	assert_null(MAP_HALF(middle));
	assert_int_equal(err, CL_INVALID_OPERATION);
	for (size_t y = 0; y < 4; y++) {
		memset(first + y * pitch, 1, 16);
		memset(second + y * pitch, 2, 16);
	}
	assert_int_equal(clEnqueueUnmapMemObject(f->queue, image, first, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clEnqueueUnmapMemObject(f->queue, image, second, 0, NULL, NULL),
			 CL_SUCCESS);
	const size_t all[3] = {8, 4, 1};
	assert_int_equal(
		clEnqueueReadImage(f->queue, image, CL_TRUE, zero, all, 0, 0, bytes, 0, NULL, NULL),
		CL_SUCCESS);
	for (size_t i = 0; i < 128; i++)
		assert_int_equal(bytes[i], 1 + i / 16 % 2);
	assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(handles),
		cmocka_unit_test(buffers_are_no_images),
		cmocka_unit_test(regions),
		cmocka_unit_test(pitches_and_pointers),
		cmocka_unit_test(other_values),
		cmocka_unit_test(wait_lists),
		cmocka_unit_test(host_flags),
		cmocka_unit_test(event_types),
		cmocka_unit_test(overlapping_copies),
		cmocka_unit_test(colors),
		cmocka_unit_test(levels),
		cmocka_unit_test(image_in_a_buffer),
		cmocka_unit_test(maps_side_by_side),
	};

	return cmocka_run_group_tests(tests, fixture_set_up, fixture_tear_down);
}
