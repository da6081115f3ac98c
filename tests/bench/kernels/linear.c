/* SPDX-License-Identifier: MIT
 *
 * Cases on images with linear filters.
 */
#include "pixels.h"

#include <math.h>

/* ---- RGBA of 8 bits -------------------------------------------------------------------------- */

/* Whether a pixel outside of the image is its nearest pixel, or nothing. */
enum outside { OUTSIDE_EDGE, OUTSIDE_NOTHING };

/* A square of n x n pixels. */
struct level {
	const uint8_t (*pixels)[4];
	int n;
	enum outside outside;
};

static inline float channel(const struct level *level, int x, int y, int c)
{
	int inside = x >= 0 && y >= 0 && x < level->n && y < level->n;
	const uint8_t *pixel =
		level->pixels[clamped(y, level->n) * level->n + clamped(x, level->n)];

	return level->outside == OUTSIDE_EDGE || inside ? from_unorm(pixel[c]) : 0;
}

/* A channel between the four pixels around a place, where the middle of the first pixel is (0, 0). */
static inline float filtered(const struct level *level, float u, float v, int c)
{
	int x = (int)floorf(u);
	int y = (int)floorf(v);
	float f = u - floorf(u);

	return between(between(channel(level, x, y, c), channel(level, x + 1, y, c), f),
		       between(channel(level, x, y + 1, c), channel(level, x + 1, y + 1, c), f),
		       v - floorf(v));
}

static void prepare_resize(struct work *work)
{
	add_resizing(work);
}

static void openmp_resize(const struct work *work)
{
	uint8_t (*out)[4] = work_data(work, 1);
	int n = (int)work->size;
	const struct level level = {work_data(work, 0), n * 3 / 4, OUTSIDE_EDGE};

#pragma omp parallel for
	for (int y = 0; y < n; y++) {
		float v = ((float)y + 0.5F) * 0.75F - 0.5F;

#pragma omp simd
		for (int x = 0; x < n; x++) {
			float u = ((float)x + 0.5F) * 0.75F - 0.5F;

			for (int c = 0; c < 4; c++)
				out[y * n + x][c] = to_unorm(filtered(&level, u, v, c));
		}
	}
}

#define ANGLE 0.3F

static void prepare_rotate(struct work *work)
{
	const struct sampling linear = {CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, 0};

	add_bytes(work, CL_RGBA, work->size);
	add_byte_output(work, CL_RGBA);
	work_float(work, cosf(ANGLE));
	work_float(work, sinf(ANGLE));
	work_sampler(work, &linear);
	add_buffer_size(work, work->size);
	over_pixels(work);
}

static void openmp_rotate(const struct work *work)
{
	uint8_t (*out)[4] = work_data(work, 1);
	int n = (int)work->size;
	const struct level level = {work_data(work, 0), n, OUTSIDE_NOTHING};
	float cosine = *(const float *)work_data(work, 2);
	float sine = *(const float *)work_data(work, 3);
	float middle = 0.5F * (float)n;

#pragma omp parallel for
	for (int y = 0; y < n; y++) {
		float dy = (float)y + 0.5F - middle;

#pragma omp simd
		for (int x = 0; x < n; x++) {
			float dx = (float)x + 0.5F - middle;
			float u = middle + cosine * dx - sine * dy - 0.5F;
			float v = middle + sine * dx + cosine * dy - 0.5F;

			for (int c = 0; c < 4; c++)
				out[y * n + x][c] = to_unorm(filtered(&level, u, v, c));
		}
	}
}

#define MOST_BLUR 4 /* the level of the corners; with the one behind it, 6 levels */

static void prepare_pyramid(struct work *work)
{
	const struct sampling trilinear = {CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR,
					   CL_FILTER_LINEAR};
	struct picture pyramid = square(CL_RGBA, CL_UNORM_INT8, work->size);

	pyramid.levels = MOST_BLUR + 2;
	fill_bytes(work_image_input(work, &pyramid), image_bytes(&pyramid));
	add_byte_output(work, CL_RGBA);
	work_float(work, MOST_BLUR);
	work_sampler(work, &trilinear);
	work_buffer_int(work, (int)work->size);
	over_pixels(work);
}

static void fill_levels(const struct work *work, struct level levels[MOST_BLUR + 2])
{
	const uint8_t (*pixels)[4] = work_data(work, 0);

	for (int i = 0; i < MOST_BLUR + 2; i++) {
		levels[i] = (struct level){pixels, (int)work->size >> i, OUTSIDE_EDGE};
		pixels += levels[i].n * levels[i].n;
	}
}

static void openmp_pyramid(const struct work *work)
{
	uint8_t (*out)[4] = work_data(work, 1);
	int n = (int)work->size;
	struct level levels[MOST_BLUR + 2];

	fill_levels(work, levels);
#pragma omp parallel for
	for (int y = 0; y < n; y++) {
		for (int x = 0; x < n; x++) {
			float u = ((float)x + 0.5F) / (float)n;
			float v = ((float)y + 0.5F) / (float)n;
			float away = 2 * sqrtf((u - 0.5F) * (u - 0.5F) + (v - 0.5F) * (v - 0.5F));
			float blur = MOST_BLUR * (away < 1 ? away : 1);
			const struct level *a = &levels[(int)blur];
			const struct level *b = a + 1;

			for (int c = 0; c < 4; c++)
				out[y * n + x][c] =
					to_unorm(between(filtered(a, u * (float)a->n - 0.5F,
								  v * (float)a->n - 0.5F, c),
							 filtered(b, u * (float)b->n - 0.5F,
								  v * (float)b->n - 0.5F, c),
							 blur - floorf(blur)));
		}
	}
}

/* ---- floats ---------------------------------------------------------------------------------- */

/* The map of a lens that bends straight lines. */
static void prepare_remap(struct work *work)
{
	const struct picture picture = square(CL_R, CL_FLOAT, work->size);
	const struct picture map = square(CL_RG, CL_FLOAT, work->size);
	float middle = 0.5F * (float)work->size;

	fill_floats(work_image_input(work, &picture), work->size * work->size);
	float (*places)[2] = work_image_input(work, &map);
	for (size_t i = 0; i < work->size * work->size; i++) {
		float dx = (float)(i % work->size) - middle;
		size_t row = i / work->size;
		float dy = (float)row - middle;
		float bend = 0.9F + 0.2F * (dx * dx + dy * dy) / (middle * middle);

		places[i][0] = middle + bend * dx;
		places[i][1] = middle + bend * dy;
	}
	work_image_output(work, ELEMENT_FLOAT, &picture);
	add_buffer_size(work, work->size);
	over_pixels(work);
}

static void openmp_remap(const struct work *work)
{
	const float *in = work_data(work, 0);
	const float (*map)[2] = work_data(work, 1);
	float *out = work_data(work, 2);
	int n = (int)work->size;

#pragma omp parallel for simd
	for (int i = 0; i < n * n; i++) {
		int x = (int)floorf(map[i][0]);
		int y = (int)floorf(map[i][1]);
		float f = map[i][0] - floorf(map[i][0]);
		const float *above = &in[clamped(y, n) * n];
		const float *below = &in[clamped(y + 1, n) * n];
		int l = clamped(x, n);
		int r = clamped(x + 1, n);

		out[i] = between(between(above[l], above[r], f), between(below[l], below[r], f),
				 map[i][1] - floorf(map[i][1]));
	}
}

#define TABLE_SIZE 33

static void prepare_lut3d(struct work *work)
{
	const struct picture picture = square(CL_RGBA, CL_FLOAT, work->size);
	const struct picture table = {.order = CL_RGBA,
				      .type = CL_FLOAT,
				      .width = TABLE_SIZE,
				      .height = TABLE_SIZE,
				      .depth = TABLE_SIZE};

	fill_floats(work_image_input(work, &picture), 4 * work->size * work->size);
	fill_floats(work_image_input(work, &table), 4L * TABLE_SIZE * TABLE_SIZE * TABLE_SIZE);
	work_image_output(work, ELEMENT_FLOAT, &picture);
	work_buffer_int(work, (int)work->size);
	work_buffer_int(work, TABLE_SIZE);
	over_pixels(work);
}

/* The first index of an entry, and how far the place is from it to the next one. */
static inline int entry(float color, float *part)
{
	float place = color * (TABLE_SIZE - 1);
	int first = (int)place;

	*part = place - (float)first;
	return first;
}

static inline float filtered_entry(const float (*table)[4], const float color[4], int c)
{
	float f[3];
	int x = entry(color[0], &f[0]);
	int y = entry(color[1], &f[1]);
	int z = entry(color[2], &f[2]);
	int right = x < TABLE_SIZE - 1 ? 1 : 0;
	int down = y < TABLE_SIZE - 1 ? TABLE_SIZE : 0;
	int back = z < TABLE_SIZE - 1 ? TABLE_SIZE * TABLE_SIZE : 0;
	int i = (z * TABLE_SIZE + y) * TABLE_SIZE + x;
	int j = i + back;
	float front = between(between(table[i][c], table[i + right][c], f[0]),
			      between(table[i + down][c], table[i + down + right][c], f[0]), f[1]);
	float behind = between(between(table[j][c], table[j + right][c], f[0]),
			       between(table[j + down][c], table[j + down + right][c], f[0]), f[1]);

	return between(front, behind, f[2]);
}

static void openmp_lut3d(const struct work *work)
{
	const float (*in)[4] = work_data(work, 0);
	const float (*table)[4] = work_data(work, 1);
	float (*out)[4] = work_data(work, 2);

#pragma omp parallel for simd
	for (size_t i = 0; i < work->size * work->size; i++) {
		for (int c = 0; c < 3; c++)
			out[i][c] = filtered_entry(table, in[i], c);
		out[i][3] = in[i][3];
	}
}

const struct bench_case linear_cases[] = {
	BOTH_FORMS(resize, resize, "", 1024, ONE_LEVEL),
	BOTH_FORMS(rotate, rotate, "", 1024, ONE_LEVEL),
	BOTH_FORMS(remap, remap, "", 1024, 1e-3),
	BOTH_FORMS(lut3d, lut3d, "", 1024, 1e-3),
	BOTH_FORMS(pyramid, pyramid, "", 1024, ONE_LEVEL),
	{0},
};
