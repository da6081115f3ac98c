/* SPDX-License-Identifier: MIT
 *
 * The code that accesses of images become where their format is known (inline-image-accesses), against the functions for any
 * format, to the bit: every format in one of two runs, with types of images, samplers and accesses by turns (turns.h), for each takes
 * a build. The
 * functions are compared with the specification's text elsewhere (tests/driver/images_test.c).
 */
#include "guarded.h"
#include "image_reference.h"
#include "image_samples.h"
#include "kernel_runner.h"
#include "turns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Work-items: not a multiple of any vector. */
#define ITEMS 50

struct numbers {
	_Alignas(16) uint32_t items[ITEMS][4]; /* vectors of OpenCL C */
};

static const struct image_type {
	cl_mem_object_type type;
	const char *name, *at; /* in OpenCL C; coordinates, of the four numbers p */
} types[] = {
	{CL_MEM_OBJECT_IMAGE2D, "image2d_t", "p.xy"},
	{CL_MEM_OBJECT_IMAGE1D, "image1d_t", "p.x"},
	{CL_MEM_OBJECT_IMAGE3D, "image3d_t", "p"},
	{CL_MEM_OBJECT_IMAGE2D_ARRAY, "image2d_array_t", "p"},
	{CL_MEM_OBJECT_IMAGE1D_ARRAY, "image1d_array_t", "p.xy"},
};
#define NUM_TYPES (sizeof(types) / sizeof(types[0]))

/* Several accesses in each kernel: building one takes most of the time. */
static const char kernels[] =
	"#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable\n"
	"#define KERNELS(k, bits, channels) \\\n"
	"kernel void sample_##k(read_only IMAGE image, global const float4 *in, global const "
	"uint4 *colors, global uint4 *out, sampler_t s) {\\\n"
	"  size_t g = get_global_id(0); float4 p = in[g]; out[g] = bits(read_image##k(image, s, "
	"AT)); }\\\n"
	"kernel void read_##k(read_only IMAGE image, global const int4 *in, global const uint4 "
	"*colors, global uint4 *out, sampler_t s) {\\\n"
	"  size_t g = get_global_id(0); int4 p = in[g]; out[g] = bits(read_image##k(image, AT)) ^ "
	"bits(read_image##k(image, s, AT)); }\\\n"
	"kernel void write_##k(write_only IMAGE image, global const int4 *in, global const uint4 "
	"*colors, global uint4 *out, sampler_t s) {\\\n"
	"  size_t g = get_global_id(0); int4 p = in[g]; write_image##k(image, AT, "
	"channels(colors[g])); }\n"
	"KERNELS(f, as_uint4, as_float4)\nKERNELS(i, as_uint4, as_int4)\nKERNELS(ui, , )\n";

/* An image, and what kernels are given with it. */
struct trial {
	struct reference_image reference;
	struct weft_image view;
	struct guarded memory;
	size_t size; /* bytes */
	uint64_t sampler;
	struct numbers in, colors;
};

static struct runner *runners[NUM_TYPES];

static int build(void **state)
{
	char source[4096];
	(void)state;

	for (size_t i = 0; i < NUM_TYPES; i++) {
		snprintf(source, sizeof(source), "#define IMAGE %s\n#define AT %s\n%s",
			 types[i].name, types[i].at, kernels);
		runners[i] = runner_build(source, "-cl-std=CL3.0");
	}
	return 0;
}

static int release(void **state)
{
	(void)state;
	for (size_t i = 0; i < NUM_TYPES; i++)
		runner_destroy(runners[i]);
	return 0;
}

static void make_view(struct trial *trial)
{
	const struct reference_image *reference = &trial->reference;

	trial->view = (struct weft_image){
		.data = reference->data,
		.format = weft_image_format(reference->format.image_channel_order,
					    reference->format.image_channel_data_type,
					    (uint32_t)reference_texel_size(&reference->format),
					    (uint32_t)reference->levels),
		.width = (uint32_t)reference->width,
		.height = (uint32_t)reference->height,
		.depth = (uint32_t)reference->depth,
		.layers = (uint32_t)reference->layers,
		.row_pitch = reference->row_pitch,
		.slice_pitch = reference->slice_pitch,
	};
	for (int i = 0; i < reference->levels; i++)
		trial->view.level_offsets[i] = reference->offsets[i];
}

static void run(const struct runner *runner, const char *kernel, const struct trial *trial,
		struct numbers *out)
{
	const struct runner_arg args[] = {RUNNER_VALUE(trial->view), RUNNER_MEMORY(&trial->in),
					  RUNNER_MEMORY(&trial->colors), RUNNER_MEMORY(out),
					  RUNNER_VALUE(trial->sampler)};
	const size_t items[3] = {ITEMS, 1, 1};

	memset(out, 0, sizeof(*out));
	runner_run(runner, kernel, items, items, args, 5);
}

/* What the kernel leaves in `out` and in the image, without and with code for the image's format. */
static void compare(const struct runner *runner, const char *kernel, const struct trial *trial)
{
	const uint64_t constants[] = {trial->view.format, trial->sampler};
	struct runner *known = runner_for_images(runner, kernel, constants, 2);
	unsigned char *before = malloc(trial->size), *general = malloc(trial->size);
	struct numbers expected, out;

	assert_non_null(known);
	assert_non_null(before);
	assert_non_null(general);
	memcpy(before, trial->reference.data, trial->size);
	run(runner, kernel, trial, &expected);
	memcpy(general, trial->reference.data, trial->size);
	memcpy(trial->reference.data, before, trial->size);
	run(known, kernel, trial, &out);
	if (memcmp(&out, &expected, sizeof(out)) != 0 ||
	    memcmp(general, trial->reference.data, trial->size) != 0)
		fail_msg("%s: order %x type %x, image %x, %d levels, sampler %llx", kernel,
			 trial->reference.format.image_channel_order,
			 trial->reference.format.image_channel_data_type, trial->reference.type,
			 trial->reference.levels, (unsigned long long)trial->sampler);
	free(before);
	free(general);
	runner_destroy(known);
}

/* Neighbours, as most kernels have them, and places anywhere. */
static void make_places(struct trial *trial)
{
	for (int i = 0; i < ITEMS; i++) {
		int32_t place[4];

		sample_place(&trial->reference, place);
		if (i >= ITEMS / 2)
			place[0] = i - ITEMS / 2 - 2;
		place[1] = i >= ITEMS / 2 ? 0 : place[1];
		memcpy(trial->in.items[i], place, sizeof(place));
	}
}

static void make_positions(struct trial *trial, const struct reference_sampler *sampler)
{
	float first[4], position[4];

	sample_position(&trial->reference, sampler, first);
	for (uint32_t i = 0; i < ITEMS; i++) {
		if (i < ITEMS / 2)
			sample_position(&trial->reference, sampler, position);
		else
			sample_neighbour(&trial->reference, sampler, first, i - ITEMS / 2,
					 position);
		memcpy(trial->in.items[i], position, sizeof(position));
	}
}

/* No two work-items write the same texel. */
static void make_different(struct trial *trial)
{
	for (int i = 0; i < ITEMS; i++) {
		const int32_t place[4] = {i < ITEMS / 2 ? -1 : i - ITEMS / 2 - 2, 0, 0, 0};

		memcpy(trial->in.items[i], place, sizeof(place));
		sample_channels(&trial->reference.format, trial->colors.items[i]);
	}
}

static void try_format(const cl_image_format *format, size_t number, bool linear)
{
	const char *kind = !reference_is_integer(format) ? "f"
			   : reference_is_signed(format) ? "i"
							 : "ui";
	const size_t type = number % NUM_TYPES;
	struct trial trial = {.sampler = 0};
	struct reference_sampler sampler;
	char kernel[16];
	unsigned count = 0;

	while (sample_sampler(count, linear, &sampler))
		count++;
	assert_true(sample_sampler((unsigned)number * 7 % count, linear, &sampler));
	trial.sampler = sample_sampler_number(&sampler);
	trial.size = sample_image(&trial.reference, format, types[type].type,
				  number % 2 == 0 && types[type].type != CL_MEM_OBJECT_IMAGE1D);
	trial.memory = guarded_new(trial.size, sample_below(2));
	trial.reference.data = trial.memory.bytes;
	sample_image_bytes(&trial.reference, trial.size, linear);
	make_view(&trial);
	if (linear || sampler.normalized || number % 2 == 0) {
		make_positions(&trial, &sampler);
		snprintf(kernel, sizeof(kernel), "sample_%s", kind);
	} else {
		make_places(&trial);
		snprintf(kernel, sizeof(kernel), "read_%s", kind);
	}
	compare(runners[type], kernel, &trial);
	if (!linear && number % 2 == 1 && !reference_is_raw(format)) {
		make_different(&trial);
		snprintf(kernel, sizeof(kernel), "write_%s", kind);
		compare(runners[type], kernel, &trial);
	}
	guarded_free(&trial.memory);
}

static void test_nearest(void **state)
{
	(void)state;
	for (size_t i = 0; i < num_reference_formats; i++)
		if (test_has_turn(i / 2, 2))
			try_format(&reference_formats[i], i + test_turn() / 2, false);
}

static void test_linear(void **state)
{
	(void)state;
	for (size_t i = 0; i < num_reference_formats; i++) {
		if (test_has_turn(i / 2, 4) && !reference_is_integer(&reference_formats[i]))
			try_format(&reference_formats[i], i + test_turn() / 2, true);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_linear),
	};

	return cmocka_run_group_tests(tests, build, release);
}
