/* SPDX-License-Identifier: MIT
 *
 * Cases on images: stencils, convolutions, bytes, blocks.
 */
#include "bench.h"

#include <math.h>

static void prepare_stencil5(struct work *work)
{
	size_t pixels = work->size * work->size;

	work_floats(work, pixels, 0, 1);
	work_output(work, ELEMENT_FLOAT, pixels * sizeof(float));
	work_int(work, (int)work->size);
	work_int(work, (int)work->size);
	work_range_2d(work, work->size, work->size, 16, 16);
}

static void openmp_stencil5(const struct work *work)
{
	const float *in = work_data(work, 0);
	float *out = work_data(work, 1);
	size_t width = work->size;

#pragma omp parallel for
	for (size_t y = 1; y < width - 1; y++) {
#pragma omp simd
		for (size_t x = 1; x < width - 1; x++) {
			size_t i = y * width + x;

			out[i] = 0.5F * in[i] +
				 0.125F * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
		}
	}
}

static void prepare_stencil7(struct work *work)
{
	size_t n = work->size;

	work_floats(work, n * n * n, 0, 1);
	work_output(work, ELEMENT_FLOAT, n * n * n * sizeof(float));
	for (int i = 0; i < 3; i++)
		work_int(work, (int)n);
	work_range_3d(work, (const size_t[]){n, n, n}, (const size_t[]){8, 8, 4});
}

static void smooth_row(const float *in, float *out, size_t n)
{
#pragma omp simd
	for (size_t x = 1; x < n - 1; x++)
		out[x] = 0.4F * in[x] + 0.1F * (in[x - 1] + in[x + 1] + in[x - n] + in[x + n] +
						*(&in[x] - n * n) + in[x + n * n]);
}

static void openmp_stencil7(const struct work *work)
{
	const float *in = work_data(work, 0);
	float *out = work_data(work, 1);
	size_t n = work->size;

#pragma omp parallel for collapse(2)
	for (size_t z = 1; z < n - 1; z++) {
		for (size_t y = 1; y < n - 1; y++)
			smooth_row(&in[(z * n + y) * n], &out[(z * n + y) * n], n);
	}
}

#define RADIUS 3
#define SPAN (2 * RADIUS + 1)

static void prepare_convolve7(struct work *work)
{
	size_t row = work->size + 2 * RADIUS;

	work_floats(work, row * row, 0, 1);
	work_floats(work, (size_t)SPAN * SPAN, -0.1F, 0.1F);
	work_output(work, ELEMENT_FLOAT, work->size * work->size * sizeof(float));
	work_int(work, (int)work->size);
	work_range_2d(work, work->size, work->size, 16, 16);
}

static void openmp_convolve7(const struct work *work)
{
	const float *in = work_data(work, 0);
	const float *filter = work_data(work, 1);
	float *out = work_data(work, 2);
	size_t width = work->size;
	size_t row = width + 2 * RADIUS;

#pragma omp parallel for
	for (size_t y = 0; y < width; y++) {
#pragma omp simd
		for (size_t x = 0; x < width; x++) {
			float sum = 0;

			for (size_t dy = 0; dy < SPAN; dy++) {
				const float *f = &filter[dy * SPAN];
				const float *p = &in[(y + dy) * row + x];

				sum += f[0] * p[0] + f[1] * p[1] + f[2] * p[2] + f[3] * p[3] +
				       f[4] * p[4] + f[5] * p[5] + f[6] * p[6];
			}
			out[y * width + x] = sum;
		}
	}
}

static void prepare_sobel(struct work *work)
{
	size_t pixels = work->size * work->size;

	work_integers(work, pixels / sizeof(uint32_t), 0);
	work_output(work, ELEMENT_EXACT, pixels);
	work_int(work, (int)work->size);
	work_int(work, (int)work->size);
	work_range_2d(work, work->size, work->size, 16, 16);
}

static int gradient_along_x(const uint8_t *at, size_t width)
{
	const uint8_t *above = at - width;
	const uint8_t *below = at + width;

	return above[1] + 2 * at[1] + below[1] - above[-1] - 2 * at[-1] - below[-1];
}

static int gradient_along_y(const uint8_t *at, size_t width)
{
	const uint8_t *above = at - width;
	const uint8_t *below = at + width;

	return below[-1] + 2 * below[0] + below[1] - above[-1] - 2 * above[0] - above[1];
}

static void openmp_sobel(const struct work *work)
{
	const uint8_t *in = work_data(work, 0);
	uint8_t *out = work_data(work, 1);
	size_t width = work->size;

#pragma omp parallel for
	for (size_t y = 1; y < width - 1; y++) {
#pragma omp simd
		for (size_t x = 1; x < width - 1; x++) {
			int gx = gradient_along_x(&in[y * width + x], width);
			int gy = gradient_along_y(&in[y * width + x], width);
			int sum = (gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy);

			out[y * width + x] = (uint8_t)(sum < 255 ? sum : 255);
		}
	}
}

static void openmp_gradient(const struct work *work)
{
	const uint8_t *in = work_data(work, 0);
	uint8_t *out = work_data(work, 1);
	size_t width = work->size;

#pragma omp parallel for
	for (size_t y = 1; y < width - 1; y++) {
#pragma omp simd
		for (size_t x = 1; x < width - 1; x++) {
			int gx = gradient_along_x(&in[y * width + x], width);
			int gy = gradient_along_y(&in[y * width + x], width);
			int sum = (int)sqrtf((float)(gx * gx + gy * gy));

			out[y * width + x] = (uint8_t)(sum < 255 ? sum : 255);
		}
	}
}

static void prepare_grayscale(struct work *work)
{
	work_integers(work, work->size, 0);
	work_output(work, ELEMENT_EXACT, work->size);
	work_range(work, work->size, 256);
}

static void openmp_grayscale(const struct work *work)
{
	const uint8_t (*in)[4] = work_data(work, 0);
	uint8_t *out = work_data(work, 1);

#pragma omp parallel for simd
	for (size_t i = 0; i < work->size; i++)
		out[i] = (uint8_t)((77 * in[i][0] + 151 * in[i][1] + 28 * in[i][2]) >> 8);
}

static void prepare_swap_channels(struct work *work)
{
	work_integers(work, work->size, 0);
	work_output(work, ELEMENT_EXACT, 4 * work->size);
	work_range(work, work->size, 256);
}

static void openmp_swap_channels(const struct work *work)
{
	const uint8_t (*in)[4] = work_data(work, 0);
	uint8_t (*out)[4] = work_data(work, 1);

#pragma omp parallel for simd
	for (size_t i = 0; i < work->size; i++) {
		out[i][0] = in[i][2];
		out[i][1] = in[i][1];
		out[i][2] = in[i][0];
		out[i][3] = in[i][3];
	}
}

static void prepare_color_matrix(struct work *work)
{
	work_floats(work, 4 * work->size, 0, 1);
	work_output(work, ELEMENT_FLOAT, 4 * work->size * sizeof(float));
	work_floats(work, 16, -0.5F, 1);
	work_range(work, work->size, 64);
}

static void openmp_color_matrix(const struct work *work)
{
	const float (*in)[4] = work_data(work, 0);
	float (*out)[4] = work_data(work, 1);
	const float (*rows)[4] = work_data(work, 2);

#pragma omp parallel for simd
	for (size_t i = 0; i < work->size; i++) {
#pragma GCC unroll 4
		for (size_t k = 0; k < 4; k++) {
			float sum = in[i][0] * rows[k][0] + in[i][1] * rows[k][1] +
				    in[i][2] * rows[k][2] + in[i][3] * rows[k][3];

			sum = sum < 0 ? 0 : sum;
			out[i][k] = sum > 1 ? 1 : sum;
		}
	}
}

#define BLOCK 8

static void prepare_dct8x8(struct work *work)
{
	const float pi = 3.14159265F;

	work_floats(work, work->size * work->size, -128, 127);
	work_output(work, ELEMENT_FLOAT, work->size * work->size * sizeof(float));
	float *cosines = work_input(work, sizeof(float) * BLOCK * BLOCK);
	for (int u = 0; u < BLOCK; u++) {
		for (int k = 0; k < BLOCK; k++)
			cosines[u * BLOCK + k] = (u == 0 ? sqrtf(0.125F) : 0.5F) *
						 cosf((float)((2 * k + 1) * u) * pi / 16);
	}
	work_int(work, (int)work->size);
	work_range_2d(work, work->size, work->size, BLOCK, BLOCK);
}

/* `turned` holds the cosines with u along the rows. */
static void transform_block(const float *in, float *out, const float *cosines,
			    const float turned[BLOCK][BLOCK], size_t width)
{
	float rows[BLOCK][BLOCK] = {0};
	float sums[BLOCK][BLOCK] = {0};

	for (size_t y = 0; y < BLOCK; y++) {
		for (size_t k = 0; k < BLOCK; k++) {
#pragma omp simd simdlen(8)
			for (size_t u = 0; u < BLOCK; u++)
				rows[y][u] += in[y * width + k] * turned[k][u];
		}
	}
	for (size_t v = 0; v < BLOCK; v++) {
		for (size_t k = 0; k < BLOCK; k++) {
#pragma omp simd simdlen(8)
			for (size_t x = 0; x < BLOCK; x++)
				sums[v][x] += rows[k][x] * cosines[v * BLOCK + k];
		}
		for (size_t x = 0; x < BLOCK; x++)
			out[v * width + x] = sums[v][x];
	}
}

static void openmp_dct8x8(const struct work *work)
{
	const float *in = work_data(work, 0);
	float *out = work_data(work, 1);
	const float *cosines = work_data(work, 2);
	float turned[BLOCK][BLOCK];
	size_t width = work->size;

	for (size_t i = 0; i < (size_t)BLOCK * BLOCK; i++)
		turned[i % BLOCK][i / BLOCK] = cosines[i];
#pragma omp parallel for collapse(2)
	for (size_t y = 0; y < width; y += BLOCK) {
		for (size_t x = 0; x < width; x += BLOCK)
			transform_block(&in[y * width + x], &out[y * width + x], cosines, turned,
					width);
	}
}

const struct bench_case image_cases[] = {
	{"stencil5", "stencil5", "", 1024, 64, prepare_stencil5, openmp_stencil5, 1e-6, NULL},
	{"stencil7", "stencil7", "", 128, 16, prepare_stencil7, openmp_stencil7, 1e-6, NULL},
	{"color_matrix", "color_matrix", "", 1U << 18, 1U << 10, prepare_color_matrix,
	 openmp_color_matrix, 1e-6, NULL},
	{"convolve7", "convolve7", "", 1024, 64, prepare_convolve7, openmp_convolve7, 1e-5, NULL},
	{"sobel", "sobel", "", 1024, 64, prepare_sobel, openmp_sobel, 0, NULL},
	{"gradient", "gradient", "", 1024, 64, prepare_sobel, openmp_gradient, 0, NULL},
	{"grayscale", "grayscale", "", 1U << 20, 1U << 12, prepare_grayscale, openmp_grayscale, 0,
	 NULL},
	{"swap_channels", "swap_channels", "", 1U << 20, 1U << 12, prepare_swap_channels,
	 openmp_swap_channels, 0, NULL},
	{"dct8x8", "dct8x8", "", 1024, 64, prepare_dct8x8, openmp_dct8x8, 1e-4, NULL},
	{0},
};
