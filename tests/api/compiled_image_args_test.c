/* SPDX-License-Identifier: MIT
 *
 * Images in kernels that the compiler makes: which images suit which arguments, and images in the memory of other objects,
 * whose contents kernels and commands on those objects see in order.
 */
#include "compiled_fixture.h"
#include "images.h"

#include <stdio.h>

static const char *const type_names[] = {
	"image1d_t",       "image1d_buffer_t", "image1d_array_t", "image2d_t",
	"image2d_array_t", "image3d_t",        "image2d_depth_t", "image2d_array_depth_t",
};
#define NUM_TYPE_NAMES (sizeof(type_names) / sizeof(type_names[0]))

/* ---- arguments ------------------------------------------------------------------------------- */

/* Images of all types, and then those of depth. */
static void make_images(struct fixture *f, cl_mem buffer, cl_mem images[NUM_TYPE_NAMES])
{
	const cl_image_format depth = {CL_DEPTH, CL_FLOAT};

	for (size_t i = 0; i < NUM_TYPE_NAMES; i++) {
		const cl_mem_object_type type = i < NUM_IMAGE_TYPES ? image_types[i]
						: i == NUM_IMAGE_TYPES
							? CL_MEM_OBJECT_IMAGE2D
							: CL_MEM_OBJECT_IMAGE2D_ARRAY;
		cl_image_desc desc = small_desc(type);

		desc.mem_object = type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? buffer : NULL;
		images[i] = make_image(f->context, 0, i < NUM_IMAGE_TYPES ? &r_float : &depth,
				       &desc, NULL);
	}
}

/* An argument takes images of its type; of a type that is not of depth, those of depth, too. */
static bool suits(size_t argument, size_t image)
{
	return argument == image || (argument == 3 && image == 6) || (argument == 4 && image == 7);
}

/* For each type a kernel with an image of it, and one whose type is a name that the program gives to another name of its own. */
static cl_program program_of_types(cl_context context)
{
	char source[4096] = "";

	for (size_t i = 0; i < NUM_TYPE_NAMES; i++)
		snprintf(source + strlen(source), sizeof(source) - strlen(source),
			 "kernel void k%zu(read_only %s image, global int *out)\n"
			 "{ out[0] = get_image_width(image); }\n"
			 "typedef write_only %s written%zu; typedef written%zu mine%zu;\n"
			 "kernel void mine_k%zu(mine%zu image, global int *out)\n"
			 "{ out[0] = get_image_width(image); }\n",
			 i, type_names[i], type_names[i], i, i, i, i, i);
	return compiled_program(context, source, "-cl-std=CL3.0");
}

static void check_types(cl_program program, const char *start, const cl_mem images[NUM_TYPE_NAMES])
{
	for (size_t i = 0; i < NUM_TYPE_NAMES * NUM_TYPE_NAMES; i++) {
		const size_t argument = i / NUM_TYPE_NAMES, image = i % NUM_TYPE_NAMES;
		char name[16];

		snprintf(name, sizeof(name), "%s%zu", start, argument);
		cl_kernel kernel = clCreateKernel(program, name, NULL);
		assert_int_equal(clSetKernelArg(kernel, 0, sizeof(cl_mem), &images[image]),
				 suits(argument, image) ? CL_SUCCESS : CL_INVALID_MEM_OBJECT);
		assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	}
}

/* A name of the program's own says nothing of the access; it is the type's. */
static void check_own_access(cl_context context, cl_program program)
{
	cl_kernel kernel = clCreateKernel(program, "mine_k3", NULL);
	cl_mem image = make_image(context, CL_MEM_READ_ONLY, &r_float, &IMAGE_2D(2, 2), NULL);
	cl_kernel_arg_access_qualifier access = 0;
	char name[16] = "";

	assert_int_equal(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ACCESS_QUALIFIER,
					    sizeof(access), &access, NULL),
			 CL_SUCCESS);
	assert_int_equal(access, CL_KERNEL_ARG_ACCESS_WRITE_ONLY);
	assert_int_equal(
		clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof(name), name, NULL),
		CL_SUCCESS);
	assert_string_equal(name, "mine3");
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(image), &image), CL_INVALID_ARG_VALUE);
	assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

static void test_types(void **state)
{
	struct fixture *f = *state;
	cl_mem buffer = fixture_buffer(f, 0, 64, NULL);
	cl_program program = program_of_types(f->context);
	cl_mem images[NUM_TYPE_NAMES];

	make_images(f, buffer, images);
	check_types(program, "k", images);
	check_types(program, "mine_k", images);
	check_own_access(f->context, program);
	for (size_t i = 0; i < NUM_TYPE_NAMES; i++)
		assert_int_equal(clReleaseMemObject(images[i]), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* ---- contents -------------------------------------------------------------------------------- */

static const char copies[] =
	"kernel void copy(read_only image2d_t from, write_only image2d_t to)\n"
	"{\n"
	"	int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
	"	write_imageui(to, at, read_imageui(from, at) + (uint4)(1, 2, 3, 4));\n"
	"}\n"
	"kernel void add(read_write image1d_array_t image, sampler_t sampler)\n"
	"{\n"
	"	int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
	"	write_imageui(image, at, read_imageui(image, at) + (uint4)(1, 2, 3, 4));\n"
	"}\n";

static void run(struct fixture *f, cl_kernel kernel, const size_t size[2])
{
	assert_int_equal(
		clEnqueueNDRangeKernel(f->queue, kernel, 2, NULL, size, NULL, 0, NULL, NULL),
		CL_SUCCESS);
}

static void set_mem(cl_kernel kernel, cl_uint index, cl_mem mem)
{
	assert_int_equal(clSetKernelArg(kernel, index, sizeof(mem), &mem), CL_SUCCESS);
}

/* A kernel copies from the one half of a buffer to the other, both seen as images with a pitch. The bytes between the rows
 * stay. Written and read as a buffer, by commands that do not wait. */
static void test_images_in_a_buffer(void **state)
{
	enum { WIDTH = 5, HEIGHT = 7, PITCH = 24, SIZE = PITCH * HEIGHT };
	struct fixture *f = *state;
	const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
	const size_t half = (SIZE + f->alignment - 1) / f->alignment * f->alignment;
	cl_program program = compiled_program(f->context, copies, "-cl-std=CL3.0");
	cl_kernel kernel = clCreateKernel(program, "copy", NULL);
	cl_mem buffer = fixture_buffer(f, 0, 2 * half, NULL);
	cl_mem parts[2], images[2];
	cl_image_desc desc = IMAGE_2D(WIDTH, HEIGHT);
	unsigned char bytes[2 * 4096], seen[2 * 4096];

	assert_true(2 * half <= sizeof(bytes));
	desc.image_row_pitch = PITCH;
	for (cl_uint i = 0; i < 2; i++) {
		parts[i] = fixture_sub_buffer(buffer, 0, i * half, half);
		desc.mem_object = parts[i];
		images[i] = make_image(f->context, 0, &format, &desc, NULL);
		set_mem(kernel, i, images[i]);
	}
	for (int round = 0; round < 3; round++) {
		fixture_random_bytes(bytes, sizeof(bytes));
		assert_int_equal(clEnqueueWriteBuffer(f->queue, buffer, CL_FALSE, 0, 2 * half,
						      bytes, 0, NULL, NULL),
				 CL_SUCCESS);
		run(f, kernel, (const size_t[]){WIDTH, HEIGHT});
		fixture_read(f, buffer, seen, 2 * half);
		for (size_t i = 0; i < WIDTH * HEIGHT * 4; i++) {
			const size_t place = i / (WIDTH * 4) * PITCH + i % (WIDTH * 4);
			const unsigned sum = bytes[place] + 1u + i % 4;

			bytes[half + place] = (unsigned char)(sum < 255 ? sum : 255);
		}
		assert_memory_equal(seen, bytes, 2 * half);
	}
	for (int i = 0; i < 2; i++) {
		assert_int_equal(clReleaseMemObject(images[i]), CL_SUCCESS);
		assert_int_equal(clReleaseMemObject(parts[i]), CL_SUCCESS);
	}
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* An image on the application's memory, read and written by one kernel twice; a map of its buffer shows the result. */
static void test_read_write(void **state)
{
	enum { WIDTH = 6, LAYERS = 5, PITCH = 7 * 16 };
	struct fixture *f = *state;
	const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT32};
	cl_program program = compiled_program(f->context, copies, "-cl-std=CL3.0");
	cl_kernel kernel = clCreateKernel(program, "add", NULL);
	cl_uint words[PITCH / 4 * LAYERS];
	cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY,
			      .image_width = WIDTH,
			      .image_array_size = LAYERS,
			      .image_row_pitch = PITCH};
	cl_sampler sampler =
		clCreateSampler(f->context, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, NULL);
	cl_int err;

	for (cl_uint i = 0; i < PITCH / 4 * LAYERS; i++)
		words[i] = i;
	cl_mem buffer = fixture_buffer(f, CL_MEM_USE_HOST_PTR, sizeof(words), words);
	desc.mem_object = buffer;
	cl_mem image = make_image(f->context, 0, &format, &desc, NULL);
	set_mem(kernel, 0, image);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(sampler), &sampler), CL_SUCCESS);
	assert_int_equal(clReleaseSampler(sampler), CL_SUCCESS);
	for (int round = 0; round < 2; round++)
		run(f, kernel, (const size_t[]){WIDTH, LAYERS});
	const cl_uint *mapped = clEnqueueMapBuffer(f->queue, buffer, CL_TRUE, CL_MAP_READ, 0,
						   sizeof(words), 0, NULL, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	for (cl_uint i = 0; i < PITCH / 4 * LAYERS; i++)
		assert_int_equal(mapped[i],
				 i + (i % (PITCH / 4) < WIDTH * 4 ? 2 * (1 + i % 4) : 0));
	assert_int_equal(
		clEnqueueUnmapMemObject(f->queue, buffer, (void *)(uintptr_t)mapped, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_images_in_a_buffer),
		cmocka_unit_test(test_read_write),
	};

	return cmocka_run_group_tests(tests, compiled_set_up, fixture_tear_down);
}
