/* SPDX-License-Identifier: MIT
 *
 * Commands on images in command buffers: every code of a wrong argument, and what they leave, in order and by sync points.
 */
#include "command_buffers.h"
#include "images.h"

#define WIDTH 8
#define HEIGHT 6
#define BYTES (WIDTH * HEIGHT * 4)

static const size_t zero[3];
static const size_t all[3] = {WIDTH, HEIGHT, 1};
static const size_t half[3] = {WIDTH / 2, HEIGHT, 1};
static const size_t middle[3] = {WIDTH / 2, 0, 0};
static const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};

struct objects {
	cl_mem image;
	cl_mem other;
	cl_mem buffer;
	cl_mem foreign;
	cl_mem floats;
};

static struct objects make_objects(struct fixture *f)
{
	const cl_image_desc desc = IMAGE_2D(WIDTH, HEIGHT);

	return (struct objects){
		make_image(f->context, 0, &format, &desc, NULL),
		make_image(f->context, 0, &format, &desc, NULL),
		fixture_buffer(f, 0, BYTES, NULL),
		make_image(f->other_context, 0, &format, &desc, NULL),
		make_image(f->context, 0, &r_float, &desc, NULL),
	};
}

static void release_objects(const struct objects *o)
{
	const cl_mem mems[] = {o->image, o->other, o->buffer, o->foreign, o->floats};

	for (int i = 0; i < 5; i++)
		assert_int_equal(clReleaseMemObject(mems[i]), CL_SUCCESS);
}

/* ---- wrong arguments ------------------------------------------------------------------------- */

static cl_int copy(cl_command_buffer_khr b, cl_mem from, cl_mem to, const size_t *origin,
		   const size_t *region)
{
	return ext.clCommandCopyImageKHR(b, NULL, NULL, from, to, origin, origin, region, 0, NULL,
					 NULL, NULL);
}

static cl_int to_buffer(cl_command_buffer_khr b, cl_mem from, cl_mem to, const size_t *origin,
			const size_t *region)
{
	return ext.clCommandCopyImageToBufferKHR(b, NULL, NULL, from, to, origin, region, 0, 0,
						 NULL, NULL, NULL);
}

static cl_int from_buffer(cl_command_buffer_khr b, cl_mem to, cl_mem from, const size_t *origin,
			  const size_t *region)
{
	return ext.clCommandCopyBufferToImageKHR(b, NULL, NULL, from, to, 0, origin, region, 0,
						 NULL, NULL, NULL);
}

/* The other object is none of its arguments. */
static cl_int fill(cl_command_buffer_khr b, cl_mem image, cl_mem other, const size_t *origin,
		   const size_t *region)
{
	static const cl_uint color[4];

	(void)other;
	return ext.clCommandFillImageKHR(b, NULL, NULL, image, color, origin, region, 0, NULL, NULL,
					 NULL);
}

typedef cl_int (*recorder)(cl_command_buffer_khr, cl_mem, cl_mem, const size_t *, const size_t *);

static void check_errors(const struct objects *o, cl_command_buffer_khr b, recorder record,
			 cl_mem second)
{
	const size_t large[3] = {WIDTH + 1, 1, 1};

	assert_int_equal(record(NULL, o->image, second, zero, all), CL_INVALID_COMMAND_BUFFER_KHR);
	assert_int_equal(record(b, NULL, second, zero, all), CL_INVALID_MEM_OBJECT);
	assert_int_equal(record(b, o->buffer, second, zero, all), CL_INVALID_MEM_OBJECT);
	assert_int_equal(record(b, o->foreign, second, zero, all), CL_INVALID_CONTEXT);
	assert_int_equal(record(b, o->image, second, NULL, all), CL_INVALID_VALUE);
	assert_int_equal(record(b, o->image, second, zero, NULL), CL_INVALID_VALUE);
	assert_int_equal(record(b, o->image, second, zero, large), CL_INVALID_VALUE);
	if (record != fill)
		assert_int_equal(record(b, o->image, NULL, zero, all), CL_INVALID_MEM_OBJECT);
}

static void errors(void **state)
{
	struct fixture *f = *state;
	const struct objects o = make_objects(f);
	cl_command_buffer_khr b = command_buffer_for(f->queue, 0);

	check_errors(&o, b, copy, o.other);
	check_errors(&o, b, to_buffer, o.buffer);
	check_errors(&o, b, from_buffer, o.buffer);
	check_errors(&o, b, fill, NULL);
	assert_int_equal(copy(b, o.image, o.floats, zero, all), CL_IMAGE_FORMAT_MISMATCH);
	assert_int_equal(copy(b, o.image, o.image, zero, all), CL_MEM_COPY_OVERLAP);
	assert_int_equal(ext.clCommandFillImageKHR(b, NULL, NULL, o.image, NULL, zero, all, 0, NULL,
						   NULL, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(ext.clCommandCopyImageToBufferKHR(b, NULL, NULL, o.image, o.buffer, zero,
							   all, 1, 0, NULL, NULL, NULL),
			 CL_INVALID_VALUE);
	command_buffer_finalize(b);
	assert_int_equal(copy(b, o.image, o.other, zero, all), CL_INVALID_OPERATION);
	command_buffer_release(b);
	release_objects(&o);
}

/* ---- what they leave ------------------------------------------------------------------------- */

/* Two halves of two colors; copied to another image, from there to the buffer, and back into the first image, swapped. */
static void record_swap(cl_command_buffer_khr b, const struct objects *o, bool chained)
{
	static const cl_uint colors[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
	cl_sync_point_khr fills[2], copied, read;
	const cl_uint two = chained ? 2 : 0, single = chained ? 1 : 0;

	for (int i = 0; i < 2; i++)
		assert_int_equal(ext.clCommandFillImageKHR(b, NULL, NULL, o->image, colors[i],
							   i ? middle : zero, half, 0, NULL,
							   &fills[i], NULL),
				 CL_SUCCESS);
	assert_int_equal(ext.clCommandCopyImageKHR(b, NULL, NULL, o->image, o->other, zero, zero,
						   all, two, chained ? fills : NULL, &copied, NULL),
			 CL_SUCCESS);
	assert_int_equal(ext.clCommandCopyImageToBufferKHR(b, NULL, NULL, o->other, o->buffer,
							   middle, half, 0, single,
							   chained ? &copied : NULL, &read, NULL),
			 CL_SUCCESS);
	assert_int_equal(ext.clCommandCopyBufferToImageKHR(b, NULL, NULL, o->buffer, o->image, 0,
							   zero, half, single,
							   chained ? &read : NULL, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(ext.clCommandCopyImageKHR(b, NULL, NULL, o->other, o->image, zero, middle,
						   half, single, chained ? &read : NULL, NULL,
						   NULL),
			 CL_SUCCESS);
}

static void check_swap(struct fixture *f, const struct objects *o)
{
	unsigned char bytes[BYTES];

	assert_int_equal(clEnqueueReadImage(f->queue, o->image, CL_TRUE, zero, all, 0, 0, bytes, 0,
					    NULL, NULL),
			 CL_SUCCESS);
	for (int i = 0; i < BYTES; i++)
		assert_int_equal(bytes[i], (i / 4 % WIDTH < WIDTH / 2 ? 5 : 1) + i % 4);
}

static void swap_in(struct fixture *f, cl_command_queue queue, bool chained)
{
	static const cl_uint black[4];
	const struct objects o = make_objects(f);
	cl_command_buffer_khr b = command_buffer_for(queue, 0);

	record_swap(b, &o, chained);
	command_buffer_finalize(b);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(
			clEnqueueFillImage(f->queue, o.image, black, zero, all, 0, NULL, NULL),
			CL_SUCCESS);
		assert_int_equal(clFinish(f->queue), CL_SUCCESS);
		command_buffer_run(b);
		check_swap(f, &o);
	}
	command_buffer_release(b);
	release_objects(&o);
}

static void in_order(void **state)
{
	struct fixture *f = *state;

	swap_in(f, f->queue, false);
}

static void by_sync_points(void **state)
{
	struct fixture *f = *state;

	swap_in(f, f->out_of_order, true);
}

static int set_up(void **state)
{
	command_buffers_find();
	return fixture_set_up(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors),
		cmocka_unit_test(in_order),
		cmocka_unit_test(by_sync_points),
	};

	return cmocka_run_group_tests(tests, set_up, fixture_tear_down);
}
