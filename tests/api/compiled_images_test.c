/* SPDX-License-Identifier: MIT
 *
 * Images in kernels, with the real compiler: every function that reads or writes one, of every type of image, with every format
 * and sampler, against the specification's text (image_reference.h). WEFT_VECTOR_WIDTH and WEFT_DEVICES say what runs them.
 */
#include "compiled_fixture.h"
#include "image_kernels.h"
#include "image_samples.h"

#include <CL/cl_ext.h>

#include <math.h>
#include <stdio.h>

/* Work-items: not a multiple of any vector. */
#define ITEMS 50
#define MOST_SAMPLERS 20

struct numbers {
	union {
		float floats[4];
		int32_t integers[4];
		uint32_t bits[4];
	} items[ITEMS];
};

struct images {
	struct fixture *f;
	cl_program program;
	cl_sampler samplers[2][MOST_SAMPLERS]; /* nearest, linear; NULL: not defined */
	cl_sampler plain[3];                   /* for integer coordinates */
	cl_mem in, colors, out;
};

/* One image, and what the tests do with it. */
struct image {
	struct reference_image reference;
	const struct image_kernels *kernels;
	const char *kind; /* of its texels: f, i or ui */
	size_t size;      /* bytes */
	cl_mem mem;
	cl_mem buffer; /* that it is made from; or NULL */
};

static const cl_addressing_mode plain_modes[] = {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP,
						 CL_ADDRESS_CLAMP_TO_EDGE};

/* ---- objects ---------------------------------------------------------------------------------------- */

static cl_sampler make_sampler(struct images *t, const struct reference_sampler *sampler)
{
	union {
		cl_float lod;
		cl_sampler_properties property;
	} least = {.lod = sampler->lod_min}, most = {.lod = sampler->lod_max};
	const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
						    sampler->normalized,
						    CL_SAMPLER_ADDRESSING_MODE,
						    sampler->addressing,
						    CL_SAMPLER_FILTER_MODE,
						    sampler->filter,
						    CL_SAMPLER_MIP_FILTER_MODE_KHR,
						    sampler->mip_filter,
						    CL_SAMPLER_LOD_MIN_KHR,
						    least.property,
						    CL_SAMPLER_LOD_MAX_KHR,
						    most.property,
						    0};
	cl_int err;
	cl_sampler made = clCreateSamplerWithProperties(t->f->context, properties, &err);

	assert_int_equal(err, CL_SUCCESS);
	return made;
}

static struct reference_sampler plain_sampler(size_t number)
{
	return (struct reference_sampler){.addressing = plain_modes[number],
					  .filter = CL_FILTER_NEAREST,
					  .mip_filter = CL_FILTER_NEAREST,
					  .lod_max = 1000};
}

static int set_up(void **state)
{
	static struct images images;
	struct images *t = &images;
	struct reference_sampler sampler;
	char *source = image_kernels_source();

	if (compiled_set_up((void **)&t->f) != 0)
		return -1;
	t->program = compiled_program(t->f->context, source, "-cl-std=CL3.0");
	free(source);
	for (int linear = 0; linear < 2; linear++) {
		for (unsigned int i = 0; sample_sampler(i, linear, &sampler); i++) {
			bool wraps = sampler.addressing == CL_ADDRESS_REPEAT ||
				     sampler.addressing == CL_ADDRESS_MIRRORED_REPEAT;

			if (sampler.normalized || !wraps)
				t->samplers[linear][i] = make_sampler(t, &sampler);
		}
	}
	for (size_t i = 0; i < 3; i++) {
		sampler = plain_sampler(i);
		t->plain[i] = make_sampler(t, &sampler);
	}
	t->in = fixture_buffer(t->f, CL_MEM_READ_WRITE, sizeof(struct numbers), NULL);
	t->colors = fixture_buffer(t->f, CL_MEM_READ_WRITE, sizeof(struct numbers), NULL);
	t->out = fixture_buffer(t->f, CL_MEM_READ_WRITE, sizeof(struct numbers), NULL);
	*state = t;
	return 0;
}

static int tear_down(void **state)
{
	struct images *t = *state;
	void *fixture = t->f;

	for (int i = 0; i < 2 * MOST_SAMPLERS; i++) {
		if (t->samplers[i / MOST_SAMPLERS][i % MOST_SAMPLERS])
			clReleaseSampler(t->samplers[i / MOST_SAMPLERS][i % MOST_SAMPLERS]);
	}
	for (int i = 0; i < 3; i++)
		clReleaseSampler(t->plain[i]);
	clReleaseMemObject(t->in);
	clReleaseMemObject(t->colors);
	clReleaseMemObject(t->out);
	clReleaseProgram(t->program);
	return fixture_tear_down(&fixture);
}

static bool is_offered(struct images *t, const cl_image_format *format, cl_mem_object_type type)
{
	cl_image_format formats[512];
	cl_uint count = 0;

	assert_int_equal(clGetSupportedImageFormats(t->f->context, CL_MEM_READ_WRITE, type, 512,
						    formats, &count),
			 CL_SUCCESS);
	for (cl_uint i = 0; i < count; i++) {
		if (memcmp(&formats[i], format, sizeof(*format)) == 0)
			return true;
	}
	return false;
}

static void region_of(const struct reference_image *image, int level, size_t region[3])
{
	bool is_3d = image->type == CL_MEM_OBJECT_IMAGE3D;
	int width = image->width >> level, height = image->height >> level;
	int depth = is_3d ? image->depth >> level : image->layers;

	region[0] = (size_t)(width ? width : 1);
	region[1] = (size_t)(height ? height : 1);
	region[2] = (size_t)(depth ? depth : 1);
	if (image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY) {
		region[1] = region[2];
		region[2] = 1;
	}
}

/* The level is what comes after the coordinates. */
static void origin_of(const struct reference_image *image, int level, size_t origin[4])
{
	memset(origin, 0, 4 * sizeof(*origin));
	switch (image->type) {
	case CL_MEM_OBJECT_IMAGE1D:
		origin[1] = (size_t)level;
		break;
	case CL_MEM_OBJECT_IMAGE1D_ARRAY:
	case CL_MEM_OBJECT_IMAGE2D:
		origin[2] = (size_t)level;
		break;
	default:
		origin[3] = (size_t)level;
	}
}

/* To the image from the reference's bytes, or back. */
static void transfer(struct images *t, const struct image *image, bool to_image)
{
	const struct reference_image *reference = &image->reference;

	for (int level = 0; level < reference->levels; level++) {
		size_t origin[4], region[3], row_pitch = reference->row_pitch;
		size_t slice_pitch = reference->slice_pitch;
		unsigned char *bytes = reference->data + reference->offsets[level];
		cl_int err;

		origin_of(reference, level, origin);
		region_of(reference, level, region);
		if (level > 0)
			row_pitch = reference_row_size(&reference->format, region[0]);
		if (level > 0)
			slice_pitch = reference->type == CL_MEM_OBJECT_IMAGE1D_ARRAY
					      ? row_pitch
					      : row_pitch * region[1];
		if (reference->type == CL_MEM_OBJECT_IMAGE1D ||
		    reference->type == CL_MEM_OBJECT_IMAGE2D)
			slice_pitch = 0;
		if (reference->type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
			row_pitch = 0;
		err = to_image
			      ? clEnqueueWriteImage(t->f->queue, image->mem, CL_TRUE, origin,
						    region, row_pitch, slice_pitch, bytes, 0, NULL,
						    NULL)
			      : clEnqueueReadImage(t->f->queue, image->mem, CL_TRUE, origin, region,
						   row_pitch, slice_pitch, bytes, 0, NULL, NULL);
		assert_int_equal(err, CL_SUCCESS);
	}
}

static void make_image(struct images *t, struct image *image, const cl_image_format *format,
		       bool levels)
{
	struct reference_image *reference = &image->reference;
	cl_image_desc desc = {.image_type = image->kernels->type};
	cl_int err;

	image->size =
		sample_image(reference, format,
			     desc.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? CL_MEM_OBJECT_IMAGE1D
									     : desc.image_type,
			     levels);
	reference->data = malloc(image->size);
	assert_non_null(reference->data);
	image->kind = "f";
	if (reference_is_integer(format))
		image->kind = reference_is_signed(format) ? "i" : "ui";
	desc.image_width = (size_t)reference->width;
	desc.image_height = (size_t)reference->height;
	desc.image_depth = (size_t)reference->depth;
	desc.image_array_size = (size_t)reference->layers;
	desc.num_mip_levels = reference->levels > 1 ? (cl_uint)reference->levels : 0;
	image->buffer = NULL;
	if (desc.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
		desc.buffer = image->buffer =
			fixture_buffer(t->f, CL_MEM_READ_WRITE, image->size, NULL);
	image->mem = clCreateImage(t->f->context, CL_MEM_READ_WRITE, format, &desc, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
}

static void destroy_image(const struct image *image)
{
	clReleaseMemObject(image->mem);
	if (image->buffer)
		clReleaseMemObject(image->buffer);
	free(image->reference.data);
}

/* ---- launches --------------------------------------------------------------------------------------- */

static cl_kernel kernel_of(struct images *t, const struct image *image, const char *form)
{
	char name[64];
	cl_int err;

	snprintf(name, sizeof(name), "%s_%s_%s", form, image->kernels->name, image->kind);
	cl_kernel kernel = clCreateKernel(t->program, name, &err);

	assert_int_equal(err, CL_SUCCESS);
	return kernel;
}

static void launch(struct images *t, const struct image *image, const char *form,
		   cl_sampler sampler, struct numbers *out)
{
	const size_t items = ITEMS;
	cl_kernel kernel = kernel_of(t, image, form);
	const struct {
		size_t size;
		const void *value;
	} args[] = {{sizeof(cl_mem), &image->mem},
		    {sizeof(cl_mem), &t->in},
		    {sizeof(cl_mem), &t->colors},
		    {sizeof(cl_mem), &t->out},
		    {sizeof(cl_sampler), &sampler}};

	for (cl_uint i = 0; i < (sampler ? 5 : 4); i++)
		assert_int_equal(clSetKernelArg(kernel, i, args[i].size, args[i].value),
				 CL_SUCCESS);
	assert_int_equal(
		clEnqueueNDRangeKernel(t->f->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
		CL_SUCCESS);
	fixture_read(t->f, t->out, out, sizeof(*out));
	clReleaseKernel(kernel);
}

static void write_numbers(struct images *t, cl_mem mem, const struct numbers *numbers)
{
	assert_int_equal(clEnqueueWriteBuffer(t->f->queue, mem, CL_TRUE, 0, sizeof(*numbers),
					      numbers, 0, NULL, NULL),
			 CL_SUCCESS);
}

static void fail_access(const struct image *image, const char *form, const float *at,
			const struct reference_color *expected, const uint32_t *channels)
{
	const struct reference_image *reference = &image->reference;

	print_error("%s_%s_%s: order %x type %x, %d x %d x %d, %d layers, %d levels\n", form,
		    image->kernels->name, image->kind, reference->format.image_channel_order,
		    reference->format.image_channel_data_type, reference->width, reference->height,
		    reference->depth, reference->layers, reference->levels);
	print_error("at %.9g %.9g %.9g, level %.9g\n", (double)at[0], (double)at[1], (double)at[2],
		    (double)at[3]);
	for (int i = 0; i < 4; i++)
		print_error("expected %.9g, got bits %x\n", expected->channels[i], channels[i]);
	fail();
}

/* ---- samples ---------------------------------------------------------------------------------------- */

static void check_samples(struct images *t, const struct image *image, unsigned int number,
			  bool linear)
{
	const bool with_lod = image->reference.levels > 1;
	const char *form = with_lod ? "level" : "sample";
	struct reference_sampler sampler;
	struct numbers in, out;
	const float *at;

	sample_sampler(number, linear, &sampler);
	if (!t->samplers[linear][number] || !sample_is_defined(&image->reference, &sampler))
		return;
	for (int i = 0; i < ITEMS; i++) {
		if (i % 20 == 0 || number % 2)
			sample_position(&image->reference, &sampler, in.items[i].floats);
		else
			sample_neighbour(&image->reference, &sampler, in.items[i - 1].floats, 1,
					 in.items[i].floats);
	}
	write_numbers(t, t->in, &in);
	launch(t, image, form, t->samplers[linear][number], &out);
	for (int i = 0; i < ITEMS; i++) {
		at = in.items[i].floats;
		/* What the text defines: products with a size are numbers. */
		if (!(fabsf(at[0]) < 1e36f && fabsf(at[1]) < 1e36f && fabsf(at[2]) < 1e36f))
			continue;
		struct reference_color color =
			reference_sample(&image->reference, &sampler, at, with_lod ? &at[3] : NULL);

		if (!reference_is_color(&image->reference.format, &color, out.items[i].bits))
			fail_access(image, form, at, &color, out.items[i].bits);
	}
}

/* Runs `check` with an image of each type and format. Depth images have no mip levels. */
static void each_image(struct images *t, void (*check)(struct images *t, struct image *image))
{
	for (size_t i = 0; i < num_reference_formats * num_image_kernels; i++) {
		const cl_image_format *format = &reference_formats[i / num_image_kernels];
		struct image image = {.kernels = &image_kernels[i % num_image_kernels]};

		if ((format->image_channel_order == CL_DEPTH) != image.kernels->is_depth ||
		    !is_offered(t, format, image.kernels->type))
			continue;
		make_image(t, &image, format,
			   !image.kernels->is_buffer && !image.kernels->is_depth &&
				   sample_below(2));
		check(t, &image);
		destroy_image(&image);
	}
}

static void fill_image(struct images *t, const struct image *image, bool for_filter)
{
	sample_image_bytes(&image->reference, image->size, for_filter);
	transfer(t, image, true);
}

static void check_image_samples(struct images *t, struct image *image)
{
	if (image->kernels->is_buffer)
		return;
	for (int linear = 0; linear < 2; linear++) {
		fill_image(t, image, linear);
		/* Each sampler with every third image. */
		for (unsigned int i = sample_below(3); i < MOST_SAMPLERS; i += 3)
			check_samples(t, image, i, linear);
	}
}

static void test_samples(void **state)
{
	each_image(*state, check_image_samples);
}

/* ---- reads ------------------------------------------------------------------------------------------ */

static void make_places(const struct image *image, struct numbers *places)
{
	bool in_a_row = sample_below(2);

	for (int i = 0; i < ITEMS; i++) {
		if (in_a_row && i % 20 > 0) {
			places->items[i] = places->items[i - 1];
			places->items[i].bits[0]++;
		} else {
			sample_place(&image->reference, places->items[i].integers);
		}
	}
}

static void check_reads(struct images *t, const struct image *image, const char *form, int number)
{
	const struct reference_sampler sampler = plain_sampler(number < 0 ? 0 : (size_t)number);
	struct numbers in, out;

	make_places(image, &in);
	write_numbers(t, t->in, &in);
	launch(t, image, form, number < 0 ? NULL : t->plain[number], &out);
	for (int i = 0; i < ITEMS; i++) {
		const int32_t *at = in.items[i].integers;
		struct reference_color color =
			reference_read(&image->reference, number < 0 ? NULL : &sampler, at);

		if (!reference_is_color(&image->reference.format, &color, out.items[i].bits)) {
			float floats[4] = {(float)at[0], (float)at[1], (float)at[2], 0};

			fail_access(image, form, floats, &color, out.items[i].bits);
		}
	}
}

static void check_image_reads(struct images *t, struct image *image)
{
	fill_image(t, image, false);
	check_reads(t, image, "read", -1);
	for (int i = 0; i < 3 && !image->kernels->is_buffer; i++)
		check_reads(t, image, "place", i);
}

static void test_reads(void **state)
{
	each_image(*state, check_image_reads);
}

/* ---- writes ----------------------------------------------------------------------------------------- */

/* No two of the same texel: the second lies outside. */
static void make_different(const struct image *image, struct numbers *places, bool with_lod)
{
	for (int i = 0; i < ITEMS; i++) {
		int32_t *at = places->items[i].integers;

		at[3] = with_lod ? at[3] : 0;
		for (int j = 0; j < i; j++) {
			int32_t *other = places->items[j].integers;

			if (reference_address(&image->reference, at[3], at) ==
			    reference_address(&image->reference, other[3], other))
				at[0] = -1;
		}
	}
}

static void check_writes(struct images *t, const struct image *image, const char *form)
{
	const struct reference_image *reference = &image->reference;
	const bool with_lod = strcmp(form, "deep") == 0;
	unsigned char *before = malloc(image->size);
	struct numbers in, colors, out;

	assert_non_null(before);
	memcpy(before, reference->data, image->size);
	make_places(image, &in);
	make_different(image, &in, with_lod);
	for (int i = 0; i < ITEMS; i++)
		sample_channels(&reference->format, colors.items[i].bits);
	write_numbers(t, t->in, &in);
	write_numbers(t, t->colors, &colors);
	launch(t, image, form, NULL, &out);
	transfer(t, image, false);
	for (int i = 0; i < ITEMS; i++) {
		const int32_t *at = in.items[i].integers;
		unsigned char *texel = reference_address(reference, at[3], at);

		if (!texel)
			continue;
		if (!reference_is_written(&reference->format, colors.items[i].bits, texel)) {
			struct reference_color none = {.most = 0};
			float floats[4] = {(float)at[0], (float)at[1], (float)at[2], (float)at[3]};

			fail_access(image, form, floats, &none, colors.items[i].bits);
		}
		memcpy(before + (texel - reference->data), texel,
		       reference_texel_size(&reference->format));
	}
	assert_memory_equal(before, reference->data, image->size);
	free(before);
}

static void check_image_writes(struct images *t, struct image *image)
{
	if (reference_is_raw(&image->reference.format))
		return;
	fill_image(t, image, false);
	check_writes(t, image, "write");
	check_writes(t, image, "both");
	if (image->reference.levels > 1)
		check_writes(t, image, "deep");
}

static void test_writes(void **state)
{
	each_image(*state, check_image_writes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_reads),
		cmocka_unit_test(test_writes),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
