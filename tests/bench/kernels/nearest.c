/* SPDX-License-Identifier: MIT
 *
 * Cases on images whose texels are read as they are.
 */
#include "half.h"
#include "pixels.h"

#include <stdlib.h>
#include <string.h>

static void prepare_copy(struct work *work)
{
	add_bytes(work, CL_RGBA, work->size);
	add_byte_output(work, CL_RGBA);
	work_buffer_int(work, (int)work->size);
	over_pixels(work);
}

static void openmp_copy(const struct work *work)
{
	const uint32_t *in = work_data(work, 0);
	uint32_t *out = work_data(work, 1);

#pragma omp parallel for simd
	for (size_t i = 0; i < work->size * work->size; i++)
		out[i] = in[i];
}

static void prepare_color(struct work *work)
{
	add_bytes(work, CL_RGBA, work->size);
	add_byte_output(work, CL_RGBA);
	work_floats(work, 16, -0.5F, 1);
	add_buffer_size(work, work->size);
	over_pixels(work);
}

static void openmp_color(const struct work *work)
{
	const uint8_t (*in)[4] = work_data(work, 0);
	uint8_t (*out)[4] = work_data(work, 1);
	const float (*rows)[4] = work_data(work, 2);

#pragma omp parallel for simd
	for (size_t i = 0; i < work->size * work->size; i++) {
#pragma GCC unroll 4
		for (size_t k = 0; k < 4; k++)
			out[i][k] = to_unorm(from_unorm(in[i][0]) * rows[k][0] +
					     from_unorm(in[i][1]) * rows[k][1] +
					     from_unorm(in[i][2]) * rows[k][2] +
					     from_unorm(in[i][3]) * rows[k][3]);
	}
}

static void prepare_box3(struct work *work)
{
	add_bytes(work, CL_BGRA, work->size);
	add_byte_output(work, CL_BGRA);
	add_buffer_size(work, work->size);
	over_pixels(work);
}

static void openmp_box3(const struct work *work)
{
	const uint8_t *in = work_data(work, 0);
	uint8_t *out = work_data(work, 1);
	int n = (int)work->size;

#pragma omp parallel for
	for (int y = 0; y < n; y++) {
		const uint8_t *above = &in[(size_t)clamped(y - 1, n) * work->size * 4];
		const uint8_t *middle = &in[(size_t)y * work->size * 4];
		const uint8_t *below = &in[(size_t)clamped(y + 1, n) * work->size * 4];
		uint8_t *to = &out[(size_t)y * work->size * 4];

#pragma omp simd
		for (int x = 0; x < 4 * n; x++) {
			int l = x < 4 ? x : x - 4;
			int r = x < 4 * n - 4 ? x + 4 : x;
			int sum = above[l] + above[x] + above[r] + middle[l] + middle[x] +
				  middle[r] + below[l] + below[x] + below[r];

			to[x] = to_unorm((float)sum * (1.0F / (9 * 255)));
		}
	}
}

#define BLUR_RADIUS 2
#define BLUR_SPAN (2 * BLUR_RADIUS + 1)

/* Weights of a Gaussian; their sum is 1. */
static void fill_weights(float *weights, int radius)
{
	float sum = 0;

	for (int k = -radius; k <= radius; k++)
		sum += weights[k + radius] = expf(-2 * (float)(k * k) / (float)(radius * radius));
	for (int k = 0; k <= 2 * radius; k++)
		weights[k] /= sum;
}

static void prepare_blur5(struct work *work)
{
	const struct picture picture = square(CL_RGBA, CL_HALF_FLOAT, work->size);
	uint16_t *halves = work_image_input(work, &picture);
	float row[BLUR_SPAN];

	for (size_t i = 0; i < 4 * work->size * work->size; i++)
		halves[i] = half_from_float(0.25F + (float)(work_random() >> 8) * 0x1p-24F);
	work_image_output(work, ELEMENT_HALF, &picture);
	float *weights = work_input(work, sizeof(float) * BLUR_SPAN * BLUR_SPAN);
	fill_weights(row, BLUR_RADIUS);
	for (int i = 0; i < BLUR_SPAN * BLUR_SPAN; i++)
		weights[i] = row[i / BLUR_SPAN] * row[i % BLUR_SPAN];
	add_buffer_size(work, work->size);
	over_pixels(work);
}

#define MOST_PIXELS 1024

/* A row of the image with the pixels that its blur needs on each side. */
static void widen_row(const uint16_t *from, float *row, int n)
{
	for (int x = -BLUR_RADIUS; x < n + BLUR_RADIUS; x++) {
		for (int c = 0; c < 4; c++)
			row[4 * (x + BLUR_RADIUS) + c] = half_to_float(from[4 * clamped(x, n) + c]);
	}
}

static void openmp_blur5(const struct work *work)
{
	const uint16_t *in = work_data(work, 0);
	uint16_t *out = work_data(work, 1);
	const float *weights = work_data(work, 2);
	int n = (int)work->size;

#pragma omp parallel for
	for (int y = 0; y < n; y++) {
		float sums[4 * MOST_PIXELS] = {0};
		float row[4 * (MOST_PIXELS + 2 * BLUR_RADIUS)];

		for (int i = 0; i < BLUR_SPAN; i++) {
			const float *w = &weights[i * BLUR_SPAN];
			int from = clamped(y + i - BLUR_RADIUS, n);

			widen_row(&in[4 * work->size * (size_t)from], row, n);
#pragma omp simd
			for (int x = 0; x < 4 * n; x++)
				sums[x] += w[0] * row[x] + w[1] * row[x + 4] + w[2] * row[x + 8] +
					   w[3] * row[x + 12] + w[4] * row[x + 16];
		}
#pragma omp simd
		for (int x = 0; x < 4 * n; x++)
			out[4 * work->size * (size_t)y + (size_t)x] = half_from_float(sums[x]);
	}
}

#define GAUSS_RADIUS 6

static void prepare_gauss(struct work *work, int step_x, int step_y)
{
	const struct picture picture = square(CL_R, CL_FLOAT, work->size);

	fill_floats(work_image_input(work, &picture), work->size * work->size);
	work_image_output(work, ELEMENT_FLOAT, &picture);
	fill_weights(work_input(work, sizeof(float) * (2 * GAUSS_RADIUS + 1)), GAUSS_RADIUS);
	work_int(work, GAUSS_RADIUS);
	memcpy(work_values(work, sizeof(cl_int2)), (const cl_int[]){step_x, step_y},
	       sizeof(cl_int2));
	add_buffer_size(work, work->size);
	over_pixels(work);
}

static void prepare_gauss_x(struct work *work)
{
	prepare_gauss(work, 1, 0);
}

static void prepare_gauss_y(struct work *work)
{
	prepare_gauss(work, 0, 1);
}

static void openmp_gauss_x(const struct work *work)
{
	const float *in = work_data(work, 0);
	float *out = work_data(work, 1);
	const float *weights = work_data(work, 2);
	int n = (int)work->size;

#pragma omp parallel for
	for (int y = 0; y < n; y++) {
		float row[MOST_PIXELS + 2 * GAUSS_RADIUS];
		float *to = &out[(size_t)y * work->size];

		for (int x = -GAUSS_RADIUS; x < n + GAUSS_RADIUS; x++)
			row[x + GAUSS_RADIUS] = in[(size_t)y * work->size + (size_t)clamped(x, n)];
#pragma omp simd
		for (int x = 0; x < n; x++) {
			float sum = 0;

			for (int k = 0; k <= 2 * GAUSS_RADIUS; k++)
				sum += weights[k] * row[x + k];
			to[x] = sum;
		}
	}
}

static void openmp_gauss_y(const struct work *work)
{
	const float *in = work_data(work, 0);
	float *out = work_data(work, 1);
	const float *weights = work_data(work, 2);
	int n = (int)work->size;

#pragma omp parallel for
	for (int y = 0; y < n; y++) {
		float sums[MOST_PIXELS] = {0};

		for (int k = -GAUSS_RADIUS; k <= GAUSS_RADIUS; k++) {
			const float *from = &in[(size_t)clamped(y + k, n) * work->size];

#pragma omp simd
			for (int x = 0; x < n; x++)
				sums[x] += weights[k + GAUSS_RADIUS] * from[x];
		}
		memcpy(&out[(size_t)y * work->size], sums, work->size * sizeof(float));
	}
}

static void prepare_sobel(struct work *work)
{
	add_bytes(work, CL_R, work->size);
	add_byte_output(work, CL_R);
	add_buffer_size(work, work->size);
	over_pixels(work);
}

/* The places left and right of a pixel, which the first and the last pixel of a row are themselves. */
static void sobel_row(const uint8_t *const rows[3], uint8_t *out, int n)
{
	const uint8_t *above = rows[0];
	const uint8_t *middle = rows[1];
	const uint8_t *below = rows[2];

#pragma omp simd
	for (int x = 0; x < n; x++) {
		int l = x > 0 ? x - 1 : 0;
		int r = x < n - 1 ? x + 1 : x;
		int gx = above[r] + 2 * middle[r] + below[r] - above[l] - 2 * middle[l] - below[l];
		int gy = below[l] + 2 * below[x] + below[r] - above[l] - 2 * above[x] - above[r];

		out[x] = to_unorm(sqrtf((float)(gx * gx + gy * gy)) * (1.0F / 255));
	}
}

static void openmp_sobel(const struct work *work)
{
	const uint8_t *in = work_data(work, 0);
	uint8_t *out = work_data(work, 1);
	int n = (int)work->size;

#pragma omp parallel for
	for (int y = 0; y < n; y++) {
		const uint8_t *const rows[3] = {&in[work->size * (size_t)clamped(y - 1, n)],
						&in[work->size * (size_t)y],
						&in[work->size * (size_t)clamped(y + 1, n)]};

		sobel_row(rows, &out[work->size * (size_t)y], n);
	}
}

static void prepare_median3(struct work *work)
{
	add_bytes(work, CL_RGBA, work->size);
	add_byte_output(work, CL_RGBA);
	add_buffer_size(work, work->size);
	over_pixels(work);
}

static inline void sort_two(uint8_t *a, uint8_t *b)
{
	uint8_t least = *a < *b ? *a : *b;

	*b = *a < *b ? *b : *a;
	*a = least;
}

static inline uint8_t median_of_nine(uint8_t *v)
{
	static const uint8_t pairs[][2] = {{1, 2}, {4, 5}, {7, 8}, {0, 1}, {3, 4}, {6, 7}, {1, 2},
					   {4, 5}, {7, 8}, {0, 3}, {5, 8}, {4, 7}, {3, 6}, {1, 4},
					   {2, 5}, {4, 7}, {4, 2}, {6, 4}, {4, 2}};

#pragma GCC unroll 19
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		sort_two(&v[pairs[i][0]], &v[pairs[i][1]]);
	return v[4];
}

static void openmp_median3(const struct work *work)
{
	const uint8_t *in = work_data(work, 0);
	uint8_t *out = work_data(work, 1);
	int n = (int)work->size;

#pragma omp parallel for
	for (int y = 0; y < n; y++) {
		const uint8_t *above = &in[4 * work->size * (size_t)clamped(y - 1, n)];
		const uint8_t *middle = &in[4 * work->size * (size_t)y];
		const uint8_t *below = &in[4 * work->size * (size_t)clamped(y + 1, n)];

#pragma omp simd
		for (int x = 0; x < 4 * n; x++) {
			int l = x < 4 ? x : x - 4;
			int r = x < 4 * n - 4 ? x + 4 : x;
			uint8_t v[9] = {above[l],  above[x], above[r], middle[l], middle[x],
					middle[r], below[l], below[x], below[r]};

			out[4 * work->size * (size_t)y + (size_t)x] = median_of_nine(v);
		}
	}
}

static void prepare_yuv(struct work *work)
{
	add_bytes(work, CL_R, work->size);
	add_bytes(work, CL_RG, work->size / 2);
	add_byte_output(work, CL_RGBA);
	work_buffer_int(work, (int)work->size);
	over_pixels(work);
}

static void openmp_yuv(const struct work *work)
{
	const uint8_t *lumas = work_data(work, 0);
	const uint8_t (*chromas)[2] = work_data(work, 1);
	uint8_t (*out)[4] = work_data(work, 2);
	size_t n = work->size;

#pragma omp parallel for
	for (size_t y = 0; y < n; y++) {
#pragma omp simd
		for (size_t x = 0; x < n; x++) {
			const uint8_t *chroma = chromas[y / 2 * (n / 2) + x / 2];
			float luma = 1.164F * (from_unorm(lumas[y * n + x]) - 16.0F / 255);
			float u = from_unorm(chroma[0]) - 128.0F / 255;
			float v = from_unorm(chroma[1]) - 128.0F / 255;
			uint8_t *pixel = out[y * n + x];

			pixel[0] = to_unorm(luma + 1.596F * v);
			pixel[1] = to_unorm(luma - 0.392F * u - 0.813F * v);
			pixel[2] = to_unorm(luma + 2.017F * u);
			pixel[3] = 255;
		}
	}
}

static void prepare_bicubic(struct work *work)
{
	add_resizing(work);
}

/* Catmull-Rom's weights. */
static void cubic(float f, float w[4])
{
	w[0] = ((-0.5F * f + 1) * f - 0.5F) * f;
	w[1] = (1.5F * f - 2.5F) * f * f + 1;
	w[2] = ((-1.5F * f + 2) * f + 0.5F) * f;
	w[3] = (0.5F * f - 0.5F) * f * f;
}

/* All channels of a pixel. */
static void interpolate(const uint8_t *in, int n, float u, float v, uint8_t out[4])
{
	float sums[4] = {0};
	float wx[4];
	float wy[4];

	cubic(u - floorf(u), wx);
	cubic(v - floorf(v), wy);
	for (int j = 0; j < 4; j++) {
		const uint8_t *row =
			&in[(size_t)4 * (size_t)n * (size_t)clamped((int)floorf(v) + j - 1, n)];

		for (int i = 0; i < 4; i++) {
			const uint8_t *pixel = &row[4 * clamped((int)floorf(u) + i - 1, n)];

			for (int c = 0; c < 4; c++)
				sums[c] += wy[j] * wx[i] * from_unorm(pixel[c]);
		}
	}
	for (int c = 0; c < 4; c++)
		out[c] = to_unorm(sums[c]);
}

static void openmp_bicubic(const struct work *work)
{
	const uint8_t *in = work_data(work, 0);
	uint8_t (*out)[4] = work_data(work, 1);
	int n = (int)work->size;

#pragma omp parallel for
	for (int y = 0; y < n; y++) {
		for (int x = 0; x < n; x++)
			interpolate(in, n * 3 / 4, ((float)x + 0.5F) * 0.75F - 0.5F,
				    ((float)y + 0.5F) * 0.75F - 0.5F, out[y * n + x]);
	}
}

#define MATCH_BLOCK 8
#define MATCH_REACH 2

static void prepare_match(struct work *work)
{
	const struct picture frame = square(CL_R, CL_UNSIGNED_INT8, work->size);
	struct picture field = square(CL_RGBA, CL_UNSIGNED_INT16, work->size / MATCH_BLOCK);

	field.read_write = true;
	for (int i = 0; i < 2; i++)
		fill_bytes(work_image_input(work, &frame), image_bytes(&frame));
	work_image_output(work, ELEMENT_EXACT, &field);
	add_buffer_size(work, work->size);
	work_range_2d(work, field.width, field.height, 8, 8);
}

static int likeness(const struct work *work, const int from[2], const int to[2])
{
	const uint8_t *frame = work_data(work, 0);
	const uint8_t *before = work_data(work, 1);
	int n = (int)work->size;
	int sum = 0;

	for (int y = 0; y < MATCH_BLOCK; y++) {
		const uint8_t *a = &frame[(from[1] + y) * n];
		const uint8_t *b = &before[clamped(to[1] + y, n) * n];

		for (int x = 0; x < MATCH_BLOCK; x++)
			sum += abs(a[from[0] + x] - b[clamped(to[0] + x, n)]);
	}
	return 255 * MATCH_BLOCK * MATCH_BLOCK - sum;
}

static void match_block(const struct work *work, const int from[2], uint16_t best[4])
{
	for (int dy = -MATCH_REACH; dy <= MATCH_REACH; dy++) {
		for (int dx = -MATCH_REACH; dx <= MATCH_REACH; dx++) {
			const int to[2] = {from[0] + dx, from[1] + dy};
			int found = likeness(work, from, to);

			if (found <= best[0])
				continue;
			best[0] = (uint16_t)found;
			best[1] = (uint16_t)(dx + MATCH_REACH);
			best[2] = (uint16_t)(dy + MATCH_REACH);
			best[3] = 1;
		}
	}
}

static void openmp_match(const struct work *work)
{
	uint16_t (*field)[4] = work_data(work, 2);
	int blocks = (int)work->size / MATCH_BLOCK;

#pragma omp parallel for
	for (int i = 0; i < blocks * blocks; i++) {
		const int from[2] = {i % blocks * MATCH_BLOCK, i / blocks * MATCH_BLOCK};

		match_block(work, from, field[i]);
	}
}

const struct bench_case nearest_cases[] = {
	BOTH_FORMS(copy, copy, "", 1024, ONE_LEVEL),
	BOTH_FORMS(color, color, "", 1024, ONE_LEVEL),
	BOTH_FORMS(box3, box3, "", 1024, ONE_LEVEL),
	BOTH_FORMS(blur5, blur5, "", 1024, 1e-3),
	BOTH_FORMS(gauss_x, gauss, "", 1024, 1e-5),
	BOTH_FORMS(gauss_y, gauss, "", 1024, 1e-5),
	BOTH_FORMS(sobel, sobel, "", 1024, ONE_LEVEL),
	BOTH_FORMS(median3, median3, "", 1024, ONE_LEVEL),
	BOTH_FORMS(yuv, yuv, "", 1024, ONE_LEVEL),
	BOTH_FORMS(bicubic, bicubic, "", 1024, ONE_LEVEL),
	BOTH_FORMS(match, match, "-cl-std=CL3.0", 512, 0),
	{0},
};
