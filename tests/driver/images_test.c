/* SPDX-License-Identifier: MIT
 *
 * The functions that access images of any format, against the specification's text (image_reference.h): every format, shape,
 * sampler and form of access, those for each kind of CPU that this machine is. The images lie next to pages that nothing may
 * touch.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "guarded.h"
#include "image_reference.h"
#include "image_samples.h"
#include "images/image_each.h"
#include "images/images.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MOST_LANES 64

static const struct weft_image_functions *functions;

static const cl_mem_object_type image_types[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY,
						 CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY,
						 CL_MEM_OBJECT_IMAGE3D};
#define NUM_TYPES (sizeof(image_types) / sizeof(image_types[0]))

/* An image as the specification and as the functions see it. */
struct image {
	struct reference_image reference;
	struct weft_image view;
	uint32_t access;
	struct guarded memory;
	size_t size; /* bytes */
};

static struct image make_image(const cl_image_format *format, cl_mem_object_type type, bool levels)
{
	struct image image = {0};

	image.size = sample_image(&image.reference, format, type, levels);
	image.memory = guarded_new(image.size, sample_below(2));
	image.reference.data = image.memory.bytes;
	image.view = sample_view(&image.reference);
	image.access = sample_access(&image.reference);
	return image;
}

static void destroy_image(const struct image *image)
{
	guarded_free(&image->memory);
}

/* ---- samples ---------------------------------------------------------------------------------------- */

struct lanes {
	uint32_t count;
	float coordinates[4 * MOST_LANES];
	int32_t integers[4 * MOST_LANES];
	uint32_t channels[4 * MOST_LANES];
};

static uint32_t any_count(void)
{
	static const uint32_t counts[] = {16, 1, 8, 4, 16, 2, 3, 7, 16, 17, 32, 40, MOST_LANES};

	return counts[sample_below(sizeof(counts) / sizeof(counts[0]))];
}

static void channels_of(const struct lanes *lanes, uint32_t lane, uint32_t channels[4])
{
	for (uint32_t i = 0; i < 4; i++)
		channels[i] = lanes->channels[i * lanes->count + lane];
}

static void fail_sample(const struct image *image, const struct reference_sampler *sampler,
			const float *at, const struct reference_color *expected,
			const uint32_t *channels)
{
	const struct reference_image *reference = &image->reference;
	const float *floats = (const float *)(const void *)channels;

	print_error("order %x type %x, image %x of %d x %d x %d, %d layers, %d levels\n",
		    reference->format.image_channel_order,
		    reference->format.image_channel_data_type, reference->type, reference->width,
		    reference->height, reference->depth, reference->layers, reference->levels);
	if (sampler)
		print_error("normalized %d addressing %x filter %x between levels %x\n",
			    sampler->normalized, sampler->addressing, sampler->filter,
			    sampler->mip_filter);
	print_error("at %.9g %.9g %.9g, level %.9g\n", (double)at[0], (double)at[1], (double)at[2],
		    (double)at[3]);
	for (int i = 0; i < 4; i++)
		print_error("expected %.9g, got %.9g (%x)\n", expected->channels[i],
			    (double)floats[i], channels[i]);
	fail();
}

/* Numbers whose products with a size are finite, too. */
static bool is_finite(const float at[4])
{
	return fabsf(at[0]) < 1e36f && fabsf(at[1]) < 1e36f && fabsf(at[2]) < 1e36f;
}

/* Samples that the text defines have its results. All have those of the scalar functions, to the bit, and stay inside of the
 * image, which its pages see to. */
static void check_samples(const struct image *image, const struct reference_sampler *sampler)
{
	struct lanes lanes = {.count = any_count()};
	uint32_t count = lanes.count;
	uint32_t scalar[4 * MOST_LANES];
	bool with_lod = sample_below(2), in_a_row = sample_below(2);
	uint32_t access = image->access | (with_lod ? 0 : WEFT_IMAGE_BASE_LEVEL);

	float first[4];

	sample_position(&image->reference, sampler, first);
	for (uint32_t lane = 0; lane < count; lane++) {
		float at[4];

		if (in_a_row)
			sample_neighbour(&image->reference, sampler, first, lane, at);
		else
			sample_position(&image->reference, sampler, at);
		for (uint32_t i = 0; i < 4; i++)
			lanes.coordinates[i * count + lane] = at[i];
	}
	const struct call call = {&image->view, sample_sampler_number(sampler), access};
	const struct rows rows = {scalar, count, count};

	functions->sample(call.image, call.sampler, access, count, lanes.coordinates,
			  lanes.channels);
	weft_image_sample_each(&call, lanes.coordinates, count, &rows);
	assert_memory_equal(lanes.channels, scalar, 4 * count * sizeof(scalar[0]));
	if (!sample_is_defined(&image->reference, sampler))
		return;
	for (uint32_t lane = 0; lane < count; lane++) {
		float at[4];
		uint32_t channels[4];

		for (uint32_t i = 0; i < 4; i++)
			at[i] = lanes.coordinates[i * count + lane];
		if (!is_finite(at))
			continue;
		struct reference_color color =
			reference_sample(&image->reference, sampler, at, with_lod ? &at[3] : NULL);

		channels_of(&lanes, lane, channels);
		if (!reference_is_color(&image->reference.format, &color, channels))
			fail_sample(image, sampler, at, &color, channels);
	}
}

static void test_sample(void **state)
{
	(void)state;
	for (size_t i = 0; i < num_reference_formats * NUM_TYPES; i++) {
		const cl_image_format *format = &reference_formats[i / NUM_TYPES];
		struct image image = make_image(format, image_types[i % NUM_TYPES], i % 3 == 0);
		struct reference_sampler sampler;

		for (int filter = 0; filter < 2; filter++) {
			sample_image_bytes(&image.reference, image.size, filter == 1);
			for (unsigned int j = 0; sample_sampler(j, filter == 1, &sampler); j++)
				check_samples(&image, &sampler);
		}
		destroy_image(&image);
	}
}

/* ---- reads ------------------------------------------------------------------------------------------ */

/* Places of reads and writes: of neighbours, or each on its own. */
static void make_places(const struct image *image, struct lanes *lanes)
{
	bool in_a_row = sample_below(2);
	int32_t at[4];

	for (uint32_t lane = 0; lane < lanes->count; lane++) {
		if (in_a_row && lane > 0)
			at[0] = (int32_t)((uint32_t)at[0] + 1);
		else
			sample_place(&image->reference, at);
		for (uint32_t i = 0; i < 4; i++)
			lanes->integers[i * lanes->count + lane] = at[i];
	}
}

static void check_reads(const struct image *image, const struct reference_sampler *sampler)
{
	struct lanes lanes = {.count = any_count()};
	uint32_t count = lanes.count;

	make_places(image, &lanes);
	functions->read(&image->view, sampler ? sample_sampler_number(sampler) : 0,
			image->access | WEFT_IMAGE_BASE_LEVEL, count, lanes.integers,
			lanes.channels);
	for (uint32_t lane = 0; lane < count; lane++) {
		int32_t at[4];
		uint32_t channels[4];

		for (uint32_t i = 0; i < 4; i++)
			at[i] = lanes.integers[i * count + lane];
		struct reference_color color = reference_read(&image->reference, sampler, at);

		channels_of(&lanes, lane, channels);
		if (!reference_is_color(&image->reference.format, &color, channels)) {
			float floats[4] = {(float)at[0], (float)at[1], (float)at[2], 0};

			fail_sample(image, sampler, floats, &color, channels);
		}
	}
}

static void test_read(void **state)
{
	static const cl_addressing_mode modes[] = {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP,
						   CL_ADDRESS_CLAMP_TO_EDGE};

	(void)state;
	for (size_t i = 0; i < num_reference_formats * NUM_TYPES; i++) {
		const cl_image_format *format = &reference_formats[i / NUM_TYPES];
		struct image image = make_image(format, image_types[i % NUM_TYPES], i % 3 == 0);

		sample_image_bytes(&image.reference, image.size, false);
		check_reads(&image, NULL);
		for (size_t j = 0; j < sizeof(modes) / sizeof(modes[0]); j++) {
			struct reference_sampler sampler = {.addressing = modes[j],
							    .filter = CL_FILTER_NEAREST,
							    .mip_filter = CL_FILTER_NEAREST};

			check_reads(&image, &sampler);
		}
		destroy_image(&image);
	}
}

/* ---- writes ----------------------------------------------------------------------------------------- */

/* Whether a later lane writes the same texel. */
static bool is_overwritten(const struct image *image, const struct lanes *lanes, uint32_t lane,
			   const unsigned char *texel)
{
	for (uint32_t other = lane + 1; other < lanes->count; other++) {
		int32_t at[4];

		for (uint32_t i = 0; i < 4; i++)
			at[i] = lanes->integers[i * lanes->count + other];
		if (reference_address(&image->reference, at[3], at) == texel)
			return true;
	}
	return false;
}

/* `rest` is what the image's bytes have to be where nothing was written: it takes over what was. */
static void check_write(const struct image *image, const struct lanes *lanes, uint32_t lane,
			unsigned char *rest)
{
	const cl_image_format *format = &image->reference.format;
	uint32_t channels[4];
	int32_t at[4];

	for (uint32_t i = 0; i < 4; i++)
		at[i] = lanes->integers[i * lanes->count + lane];
	const unsigned char *texel = reference_address(&image->reference, at[3], at);

	if (!texel || is_overwritten(image, lanes, lane, texel))
		return;
	memcpy(rest + (texel - image->reference.data), texel, reference_texel_size(format));
	channels_of(lanes, lane, channels);
	if (!reference_is_written(format, channels, texel)) {
		struct reference_color none = {.most = 0};
		float floats[4] = {(float)at[0], (float)at[1], (float)at[2], (float)at[3]};

		fail_sample(image, NULL, floats, &none, channels);
	}
}

static void check_writes(const struct image *image)
{
	struct lanes lanes = {.count = any_count()};
	uint32_t count = lanes.count;
	unsigned char *rest = malloc(image->size);

	assert_non_null(rest);
	memcpy(rest, image->reference.data, image->size);
	make_places(image, &lanes);
	for (uint32_t lane = 0; lane < count; lane++) {
		uint32_t channels[4];

		sample_channels(&image->reference.format, channels);
		for (uint32_t i = 0; i < 4; i++)
			lanes.channels[i * count + lane] = channels[i];
	}
	functions->write(&image->view, image->access, count, lanes.integers, lanes.channels);
	for (uint32_t lane = 0; lane < count; lane++)
		check_write(image, &lanes, lane, rest);
	assert_memory_equal(rest, image->reference.data, image->size);
	free(rest);
}

static void test_write(void **state)
{
	(void)state;
	for (size_t i = 0; i < num_reference_formats * NUM_TYPES; i++) {
		const cl_image_format *format = &reference_formats[i / NUM_TYPES];

		if (reference_is_raw(format))
			continue;
		struct image image = make_image(format, image_types[i % NUM_TYPES], i % 3 == 0);

		for (int round = 0; round < 3; round++) {
			sample_image_bytes(&image.reference, image.size, false);
			check_writes(&image);
		}
		destroy_image(&image);
	}
}

/* ---- pitches ---------------------------------------------------------------------------------------- */

/* The second layer begins more than 4 GiB behind the first. */
static void test_far_layers(void **state)
{
	const size_t slice = (size_t)1 << 32 | 4096, size = slice + 4096;
	unsigned char *data = mmap(NULL, size, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	int32_t coordinates[16] = {0, 1, 2, 3, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0};
	uint32_t texels[16] = {10, 11, 12, 13}, got[16];

	(void)state;
	assert_true(data != MAP_FAILED);
	const struct weft_image image = {
		.data = data,
		.format = weft_image_format(CL_R, CL_UNSIGNED_INT8, 1, 1),
		.width = 4,
		.height = 1,
		.depth = 1,
		.layers = 2,
		.row_pitch = 4,
		.slice_pitch = slice,
	};

	functions->write(&image, WEFT_IMAGE_2D_ARRAY | WEFT_IMAGE_INTEGER, 4, coordinates, texels);
	assert_int_equal(data[0], 10);
	assert_int_equal(data[3], 13);
	assert_int_equal(data[slice + 1], 11);
	assert_int_equal(data[slice + 2], 12);
	functions->read(&image, 0, WEFT_IMAGE_2D_ARRAY | WEFT_IMAGE_INTEGER, 4, coordinates, got);
	assert_memory_equal(got, texels, 4 * sizeof(got[0]));
	munmap(data, size);
}

static int use_base(void **state)
{
	(void)state;
	functions = &weft_image_functions_base;
	return 0;
}

#ifdef __x86_64__
static int use_v3(void **state)
{
	(void)state;
	functions = __builtin_cpu_supports("x86-64-v3") ? &weft_image_functions_v3
							: weft_image_functions();
	return 0;
}

static int use_v4(void **state)
{
	(void)state;
	functions = __builtin_cpu_supports("x86-64-v4") ? &weft_image_functions_v4
							: weft_image_functions();
	return 0;
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sample),
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_write),
		cmocka_unit_test(test_far_layers),
	};

	int failures = cmocka_run_group_tests(tests, use_base, NULL);

#ifdef __x86_64__
	failures += cmocka_run_group_tests(tests, use_v3, NULL);
	failures += cmocka_run_group_tests(tests, use_v4, NULL);
#endif
	return failures;
}
