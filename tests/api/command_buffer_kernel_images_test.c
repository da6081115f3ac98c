/* SPDX-License-Identifier: MIT
 *
 * Images and samplers as arguments of recorded kernels, and updates of them.
 */
#include "command_buffers.h"
#include "pictures.h"

static int set_up(void **state)
{
	int err = built_set_up(state);

	command_buffers_find();
	return err;
}

static cl_int set_one(cl_command_buffer_khr buffer, cl_mutable_command_khr handle, cl_uint index,
		      const void *value)
{
	const cl_mutable_dispatch_arg_khr arg = {index, sizeof(cl_mem), value};
	const struct weft_mutable_dispatch_config config = {
		.command = handle, .num_args = 1, .arg_list = &arg};
	const cl_command_buffer_update_type_khr type = WEFT_MUTABLE_DISPATCH_CONFIG;
	const void *configs[] = {&config};

	return ext.clUpdateMutableCommandsKHR(buffer, 1, &type, configs);
}

static struct fake_pictures run(struct program_fixture *f, cl_command_buffer_khr buffer, cl_mem out)
{
	struct fake_pictures seen;

	command_buffer_run(buffer);
	fixture_read(&f->base, out, &seen, sizeof(seen));
	return seen;
}

static void test_updates(void **state)
{
	struct program_fixture *f = *state;
	struct pictures p = make_pictures(f);
	const size_t one = 1;
	cl_command_buffer_khr buffer =
		command_buffer_for(f->base.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
	cl_mem larger = make_image(f->base.context, 0, &r_float, &IMAGE_2D(9, 8), NULL);
	cl_sampler repeat = clCreateSampler(f->base.context, CL_TRUE, CL_ADDRESS_REPEAT,
					    CL_FILTER_NEAREST, NULL);
	cl_mutable_command_khr handle;

	set_all(&p);
	assert_int_equal(ext.clCommandNDRangeKernelKHR(buffer, NULL, NULL, p.kernel, 1, NULL, &one,
						       NULL, 0, NULL, NULL, &handle),
			 CL_SUCCESS);
	command_buffer_finalize(buffer);
	struct fake_pictures seen = run(f, buffer, p.out);
	assert_int_equal(seen.images[0].width, 5);
	assert_int_equal(seen.sampler, WEFT_SAMPLER_CLAMP_TO_EDGE | WEFT_SAMPLER_LINEAR);
	/* what does not suit the argument changes nothing */
	assert_int_equal(set_one(buffer, handle, 1, &p.images[1]), CL_INVALID_MEM_OBJECT);
	assert_int_equal(set_one(buffer, handle, 4, &larger), CL_INVALID_SAMPLER);
	const struct fake_pictures again = run(f, buffer, p.out);
	assert_memory_equal(&again, &seen, sizeof(seen));
	assert_int_equal(set_one(buffer, handle, 1, &larger), CL_SUCCESS);
	assert_int_equal(set_one(buffer, handle, 4, &repeat), CL_SUCCESS);
	assert_int_equal(clReleaseSampler(repeat), CL_SUCCESS);
	seen = run(f, buffer, p.out);
	assert_int_equal(seen.images[0].width, 9);
	assert_int_equal(seen.images[0].format, weft_image_format(CL_R, CL_FLOAT, 4, 1));
	assert_int_equal(seen.images[1].layers, 7);
	assert_int_equal(seen.sampler,
			 WEFT_SAMPLER_NORMALIZED | WEFT_SAMPLER_REPEAT | WEFT_SAMPLER_NEAREST);
	command_buffer_release(buffer);
	assert_int_equal(clReleaseMemObject(larger), CL_SUCCESS);
	assert_int_equal(clReleaseSampler(p.sampler), CL_SUCCESS);
	release_images(&p);
	release_rest(&p);
}

/* A recorded kernel keeps its images, which the application may release. */
static void test_released_images(void **state)
{
	struct program_fixture *f = *state;
	struct pictures p = make_pictures(f);
	const size_t one = 1;
	cl_command_buffer_khr buffer = command_buffer_for(f->base.queue, 0);

	set_all(&p);
	assert_int_equal(ext.clCommandNDRangeKernelKHR(buffer, NULL, NULL, p.kernel, 1, NULL, &one,
						       NULL, 0, NULL, NULL, NULL),
			 CL_SUCCESS);
	release_images(&p);
	assert_int_equal(clReleaseSampler(p.sampler), CL_SUCCESS);
	command_buffer_finalize(buffer);
	assert_int_equal(run(f, buffer, p.out).images[0].height, 3);
	command_buffer_release(buffer);
	release_rest(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_updates),
		cmocka_unit_test(test_released_images),
	};

	return cmocka_run_group_tests(tests, set_up, built_tear_down);
}
