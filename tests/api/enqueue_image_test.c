/* SPDX-License-Identifier: MIT
 *
 * Commands on images: every code of a wrong argument.
 */
#include "image_calls.h"

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
	cl_int (*const blocking[])(const struct call *) = {call_read, call_write, call_map};
	for (size_t i = 0; i < 3; i++) {
		struct call c = right_call(&o, &commands[0]);

		c.num_waits = 1;
		c.waits = &failed;
		assert_int_equal(blocking[i](&c), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(handles),      cmocka_unit_test(buffers_are_no_images),
		cmocka_unit_test(regions),      cmocka_unit_test(pitches_and_pointers),
		cmocka_unit_test(other_values), cmocka_unit_test(wait_lists),
		cmocka_unit_test(host_flags),
	};

	return cmocka_run_group_tests(tests, fixture_set_up, fixture_tear_down);
}
