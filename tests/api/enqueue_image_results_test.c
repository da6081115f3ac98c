/* SPDX-License-Identifier: MIT
 *
 * Commands on images: what events say, colors of fills, mip levels in origins, memory that several objects share.
 */
#include "image_calls.h"

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
		cmocka_unit_test(event_types),
		cmocka_unit_test(overlapping_copies),
		cmocka_unit_test(colors),
		cmocka_unit_test(levels),
		cmocka_unit_test(image_in_a_buffer),
		cmocka_unit_test(maps_side_by_side),
	};

	return cmocka_run_group_tests(tests, fixture_set_up, fixture_tear_down);
}
