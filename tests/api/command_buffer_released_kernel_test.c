/* SPDX-License-Identifier: MIT
 *
 * What a command buffer uses may be released between any two of its steps: it keeps what its commands need, also of a
 * kernel that has no work-items at the moment.
 */
#include "program_fixture.h"

#include "command_buffers.h"

#define ITEMS 16
#define BYTES (ITEMS * sizeof(cl_int))

static const size_t items = ITEMS;
static const size_t none;
static const cl_int seven = 7;

static int set_up(void **state)
{
	int err = built_set_up(state);

	command_buffers_find();
	return err;
}

static cl_int update(cl_command_buffer_khr buffer,
		     const struct weft_mutable_dispatch_config *config)
{
	const cl_command_buffer_update_type_khr type = WEFT_MUTABLE_DISPATCH_CONFIG;
	const void *configs[] = {config};

	return ext.clUpdateMutableCommandsKHR(buffer, 1, &type, configs);
}

static void resize(cl_command_buffer_khr buffer, cl_mutable_command_khr handle, const size_t *size)
{
	const struct weft_mutable_dispatch_config config = {.command = handle,
							    .global_work_size = size};

	assert_int_equal(update(buffer, &config), CL_SUCCESS);
	assert_int_equal(command_buffer_state(buffer), CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
}

static cl_int set_mem(cl_command_buffer_khr buffer, cl_mutable_command_khr handle, cl_uint index,
		      cl_mem mem)
{
	const cl_mutable_dispatch_arg_khr arg = {index, sizeof(mem), &mem};
	const struct weft_mutable_dispatch_config config = {
		.command = handle, .num_args = 1, .arg_list = &arg};

	return update(buffer, &config);
}

static cl_mem zeros(struct program_fixture *f)
{
	cl_int values[ITEMS] = {0};

	return fixture_buffer(&f->base, CL_MEM_COPY_HOST_PTR, BYTES, values);
}

/* out[i] = a[i] + b[i] + 7 */
static cl_kernel add_of(cl_program program, cl_mem a, cl_mem b, cl_mem out)
{
	const cl_mem mems[] = {a, b, out};
	cl_kernel kernel = program_kernel(program, "add");

	for (cl_uint i = 0; i < 3; i++)
		assert_int_equal(clSetKernelArg(kernel, i, sizeof(cl_mem), &mems[i]), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 3, sizeof(seven), &seven), CL_SUCCESS);
	return kernel;
}

static void record(cl_command_buffer_khr buffer, cl_kernel kernel, const size_t *size,
		   cl_sync_point_khr *point, cl_mutable_command_khr *handle)
{
	assert_int_equal(ext.clCommandNDRangeKernelKHR(buffer, NULL, NULL, kernel, 1, NULL, size,
						       NULL, 0, NULL, point, handle),
			 CL_SUCCESS);
}

/* ---- step by step ---------------------------------------------------------------------------- */

enum step { RECORDED, FINALIZED, UPDATED, ENQUEUED, STEPS };

/* All that the application has beside the command buffer and the root of the results. */
struct objects {
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernel;
	cl_mem mems[4]; /* a, b, and two parts of the root: the sum and its copy */
};

static void create_objects(struct program_fixture *f, cl_mem root,
			   cl_command_queue_properties properties, struct objects *objects)
{
	cl_int ones[ITEMS];
	cl_mem *mems = objects->mems;

	for (int i = 0; i < ITEMS; i++)
		ones[i] = 1;
	cl_mem parent = fixture_buffer(&f->base, CL_MEM_COPY_HOST_PTR, BYTES, ones);
	objects->queue = fixture_queue(f->base.context, f->base.device, properties);
	objects->program = program_built(f->base.context, "x");
	mems[0] = fixture_buffer(&f->base, CL_MEM_COPY_HOST_PTR, BYTES, ones);
	mems[1] = fixture_sub_buffer(parent, 0, 0, BYTES);
	mems[2] = fixture_sub_buffer(root, 0, 0, BYTES);
	mems[3] = fixture_sub_buffer(root, 0, f->base.alignment, BYTES);
	objects->kernel = add_of(objects->program, mems[0], mems[1], mems[2]);
	assert_int_equal(clReleaseMemObject(parent), CL_SUCCESS);
}

static void release_objects(const struct objects *objects)
{
	for (int i = 0; i < 4; i++)
		assert_int_equal(clReleaseMemObject(objects->mems[i]), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(objects->kernel), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(objects->program), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(objects->queue), CL_SUCCESS);
}

static void clear(struct program_fixture *f, cl_mem root)
{
	static const cl_int zero;

	assert_int_equal(clEnqueueFillBuffer(f->base.queue, root, &zero, sizeof(zero), 0,
					     f->base.alignment + BYTES, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clFinish(f->base.queue), CL_SUCCESS);
}

/* The last element of the sum and of its copy. */
static void check(struct program_fixture *f, cl_mem root, cl_int expected)
{
	const size_t origins[] = {0, f->base.alignment};
	cl_int sum;

	for (int i = 0; i < 2; i++) {
		assert_int_equal(clEnqueueReadBuffer(f->base.queue, root, CL_TRUE,
						     origins[i] + BYTES - sizeof(sum), sizeof(sum),
						     &sum, 0, NULL, NULL),
				 CL_SUCCESS);
		assert_int_equal(sum, expected);
	}
}

/* The objects go after the step. The kernel is recorded with one size, and updated to the other one and back. */
static void go_through(struct program_fixture *f, enum step released,
		       cl_command_queue_properties properties, const size_t *sizes[2])
{
	cl_mem root = fixture_buffer(&f->base, 0, f->base.alignment + BYTES, NULL);
	cl_event gate = clCreateUserEvent(f->base.context, NULL);
	cl_mutable_command_khr handle;
	struct objects objects;
	cl_sync_point_khr point;
	cl_event event;

	clear(f, root);
	create_objects(f, root, properties, &objects);
	cl_command_buffer_khr buffer =
		command_buffer_for(objects.queue, CL_COMMAND_BUFFER_MUTABLE_KHR |
							  CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
	record(buffer, objects.kernel, sizes[0], &point, &handle);
	assert_int_equal(ext.clCommandCopyBufferKHR(buffer, NULL, NULL, objects.mems[2],
						    objects.mems[3], 0, 0, BYTES, 1, &point, NULL,
						    NULL),
			 CL_SUCCESS);
	if (released == RECORDED)
		release_objects(&objects);
	command_buffer_finalize(buffer);
	if (released == FINALIZED)
		release_objects(&objects);
	resize(buffer, handle, sizes[1]);
	if (released == UPDATED)
		release_objects(&objects);
	assert_int_equal(ext.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &gate, &event),
			 CL_SUCCESS);
	if (released == ENQUEUED)
		release_objects(&objects);
	resize(buffer, handle, sizes[0]);
	assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
	check(f, root, *sizes[1] ? 9 : 0);
	clear(f, root);
	command_buffer_run(buffer);
	check(f, root, *sizes[0] ? 9 : 0);
	assert_int_equal(clReleaseEvent(gate), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	command_buffer_release(buffer);
	assert_int_equal(clReleaseMemObject(root), CL_SUCCESS);
}

static void at_each_step(void **state)
{
	const size_t *sizes[][2] = {{&items, &items}, {&none, &items}, {&items, &none}};

	for (enum step released = RECORDED; released < STEPS; released++) {
		for (int i = 0; i < 3; i++) {
			go_through(*state, released, 0, sizes[i]);
			go_through(*state, released, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
				   sizes[i]);
		}
	}
}

/* ---- without work-items ---------------------------------------------------------------------- */

static void CL_CALLBACK note_end(cl_mem mem, void *ended)
{
	(void)mem;
	*(volatile bool *)ended = true;
}

/* Until they are replaced. */
static void a_kernel_without_work_items_keeps_its_arguments(void **state)
{
	struct program_fixture *f = *state;
	cl_mem in = zeros(f);
	cl_mem out = zeros(f);
	cl_command_buffer_khr buffer =
		command_buffer_for(f->base.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
	cl_kernel kernel = add_of(f->program, in, in, out);
	volatile bool ended = false;
	cl_mutable_command_khr handle;

	assert_int_equal(clSetMemObjectDestructorCallback(out, note_end, (void *)&ended),
			 CL_SUCCESS);
	record(buffer, kernel, &none, NULL, &handle);
	command_buffer_finalize(buffer);
	assert_int_equal(clReleaseMemObject(out), CL_SUCCESS);
	command_buffer_run(buffer);
	assert_false(ended);
	assert_int_equal(set_mem(buffer, handle, 2, in), CL_SUCCESS);
	assert_true(ended);
	command_buffer_release(buffer);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(in), CL_SUCCESS);
}

/* It needs no resources either. */
static void a_kernel_without_work_items_is_never_too_large(void **state)
{
	struct program_fixture *f = *state;
	cl_command_buffer_khr buffer = command_buffer_for(f->base.queue, 0);
	cl_kernel greedy = program_kernel(f->program, "greedy");

	record(buffer, greedy, &none, NULL, NULL);
	command_buffer_finalize(buffer);
	command_buffer_run(buffer);
	command_buffer_release(buffer);
	assert_int_equal(clReleaseKernel(greedy), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_each_step),
		cmocka_unit_test(a_kernel_without_work_items_keeps_its_arguments),
		cmocka_unit_test(a_kernel_without_work_items_is_never_too_large),
	};
	return cmocka_run_group_tests(tests, set_up, built_tear_down);
}
