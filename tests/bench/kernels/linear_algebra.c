/* SPDX-License-Identifier: MIT
 *
 * Cases on matrices: products, dense and sparse, transposes, small factorisations, scores of sequences.
 */
#include "bench.h"

#include <string.h>

#define TILE 16
#define BLOCK 4

static size_t squared(size_t n)
{
	return n * n;
}

static void prepare_sgemm(struct work *work)
{
	work_floats(work, squared(work->size), -1, 1);
	work_floats(work, squared(work->size), -1, 1);
	work_output(work, ELEMENT_FLOAT, squared(work->size) * sizeof(float));
	work_int(work, (int)work->size);
	work_range_2d(work, work->size, work->size, TILE, TILE);
}

/* Each work-item has BLOCK times BLOCK elements. */
static void prepare_sgemm_blocked(struct work *work)
{
	prepare_sgemm(work);
	work_range_2d(work, work->size / BLOCK, work->size / BLOCK, TILE, TILE);
}

/* A column of sixteen elements. */
static void prepare_sgemm_strips(struct work *work)
{
	prepare_sgemm(work);
	work_range_2d(work, work->size / BLOCK, work->size / BLOCK, TILE, BLOCK);
}

static void openmp_sgemm_naive(const struct work *work)
{
	const float *a = work_data(work, 0);
	const float *b = work_data(work, 1);
	float *c = work_data(work, 2);
	size_t n = work->size;

#pragma omp parallel for
	for (size_t i = 0; i < n; i++) {
		memset(&c[i * n], 0, n * sizeof(float));
		for (size_t k = 0; k < n; k++) {
			float factor = a[i * n + k];
#pragma omp simd
			for (size_t j = 0; j < n; j++)
				c[i * n + j] += factor * b[k * n + j];
		}
	}
}

#define ROWS 8
#define COLUMNS 32

/* ROWS times COLUMNS of the product, in registers. */
static void multiply_block(const float *a, const float *b, float *c, size_t n)
{
	float sums[ROWS][COLUMNS] = {0};

	for (size_t k = 0; k < n; k++) {
#pragma GCC unroll 8
		for (size_t i = 0; i < ROWS; i++) {
#pragma omp simd
			for (size_t j = 0; j < COLUMNS; j++)
				sums[i][j] += a[i * n + k] * b[k * n + j];
		}
	}
	for (size_t i = 0; i < ROWS; i++)
		memcpy(&c[i * n], sums[i], sizeof(sums[i]));
}

static void openmp_sgemm_tiled(const struct work *work)
{
	const float *a = work_data(work, 0);
	const float *b = work_data(work, 1);
	float *c = work_data(work, 2);
	size_t n = work->size;

#pragma omp parallel for collapse(2)
	for (size_t j = 0; j < n; j += COLUMNS) {
		for (size_t i = 0; i < n; i += ROWS)
			multiply_block(&a[i * n], &b[j], &c[i * n + j], n);
	}
}

static void prepare_sgemv(struct work *work)
{
	work_floats(work, squared(work->size), -1, 1);
	work_floats(work, work->size, -1, 1);
	work_output(work, ELEMENT_FLOAT, work->size * sizeof(float));
	work_int(work, (int)work->size);
	work_range(work, work->size, 64);
}

static void openmp_sgemv(const struct work *work)
{
	const float *a = work_data(work, 0);
	const float *x = work_data(work, 1);
	float *y = work_data(work, 2);
	size_t n = work->size;

#pragma omp parallel for
	for (size_t i = 0; i < n; i++) {
		float sum = 0;
#pragma omp simd reduction(+ : sum)
		for (size_t k = 0; k < n; k++)
			sum += a[i * n + k] * x[k];
		y[i] = sum;
	}
}

/* Half as high as wide. */
static void prepare_transpose(struct work *work)
{
	size_t width = work->size;
	size_t height = work->size / 2;

	work_floats(work, width * height, -1, 1);
	work_output(work, ELEMENT_FLOAT, width * height * sizeof(float));
	work_int(work, (int)width);
	work_int(work, (int)height);
	work_range_2d(work, width, height, TILE, TILE);
}

static void openmp_transpose_naive(const struct work *work)
{
	const float *in = work_data(work, 0);
	float *out = work_data(work, 1);
	size_t width = work->size;
	size_t height = work->size / 2;

#pragma omp parallel for
	for (size_t x = 0; x < width; x++) {
#pragma omp simd
		for (size_t y = 0; y < height; y++)
			out[x * height + y] = in[y * width + x];
	}
}

static void transpose_tile(const float *in, float *out, size_t width, size_t height)
{
	for (size_t x = 0; x < TILE; x++) {
#pragma omp simd
		for (size_t y = 0; y < TILE; y++)
			out[x * height + y] = in[y * width + x];
	}
}

static void openmp_transpose_local(const struct work *work)
{
	const float *in = work_data(work, 0);
	float *out = work_data(work, 1);
	size_t width = work->size;
	size_t height = work->size / 2;

#pragma omp parallel for collapse(2)
	for (size_t y = 0; y < height; y += TILE) {
		for (size_t x = 0; x < width; x += TILE)
			transpose_tile(&in[y * width + x], &out[x * height + y], width, height);
	}
}

#define MOST_IN_ROW 64

static void prepare_spmv(struct work *work)
{
	size_t rows = work->size;
	int *starts = work_input(work, (rows + 1) * sizeof(int));

	for (size_t i = 0; i < rows; i++)
		starts[i + 1] = starts[i] + (int)(work_random() % MOST_IN_ROW);
	work_integers(work, (size_t)starts[rows], (uint32_t)rows);
	work_floats(work, (size_t)starts[rows], -1, 1);
	work_floats(work, rows, -1, 1);
	work_output(work, ELEMENT_FLOAT, rows * sizeof(float));
	work_int(work, (int)rows);
	work_range(work, (rows + 63) / 64 * 64, 64);
}

static void openmp_spmv(const struct work *work)
{
	const int *starts = work_data(work, 0);
	const int *columns = work_data(work, 1);
	const float *values = work_data(work, 2);
	const float *x = work_data(work, 3);
	float *y = work_data(work, 4);

#pragma omp parallel for
	for (size_t i = 0; i < work->size; i++) {
		float sum = 0;
#pragma omp simd simdlen(8) reduction(+ : sum)
		for (int k = starts[i]; k < starts[i + 1]; k++)
			sum += values[k] * x[columns[k]];
		y[i] = sum;
	}
}

/* Large diagonals, so that no pivot is small. */
static void prepare_lu(struct work *work)
{
	float *matrices = work_floats(work, work->size * squared(TILE), -1, 1);

	for (size_t i = 0; i < work->size * TILE; i++)
		matrices[i / TILE * squared(TILE) + i % TILE * (TILE + 1)] += 2 * TILE;
	work_output(work, ELEMENT_FLOAT, work->size * squared(TILE) * sizeof(float));
	work_range(work, work->size * TILE, TILE);
}

static void factorize(float m[TILE][TILE])
{
	for (size_t k = 0; k < TILE - 1; k++) {
		for (size_t i = k + 1; i < TILE; i++) {
			m[i][k] /= m[k][k];
#pragma omp simd
			for (size_t j = k + 1; j < TILE; j++)
				m[i][j] -= m[i][k] * m[k][j];
		}
	}
}

static void openmp_lu(const struct work *work)
{
	const float *in = work_data(work, 0);
	float *out = work_data(work, 1);

#pragma omp parallel for
	for (size_t i = 0; i < work->size; i++) {
		float matrix[TILE][TILE];

		memcpy(matrix, &in[i * squared(TILE)], sizeof(matrix));
		factorize(matrix);
		memcpy(&out[i * squared(TILE)], matrix, sizeof(matrix));
	}
}

#define PENALTY 10
#define BORDER (2 * TILE + 1)

static void prepare_needle(struct work *work)
{
	int *similar = work_input(work, work->size * squared(TILE) * sizeof(int));
	int *borders = work_input(work, work->size * BORDER * sizeof(int));

	for (size_t i = 0; i < work->size * squared(TILE); i++)
		similar[i] = (int)(work_random() % 15) - 4;
	for (size_t i = 0; i < work->size * BORDER; i++)
		borders[i] = -(int)(work_random() % 100);
	work_output(work, ELEMENT_EXACT, work->size * squared(TILE) * sizeof(int));
	work_int(work, PENALTY);
	work_range(work, work->size * TILE, TILE);
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

static void score_tile(const int *similar, const int *borders, int *out)
{
	int score[TILE + 1][TILE + 1];

	memcpy(score[0], borders, sizeof(score[0]));
	for (size_t y = 0; y < TILE; y++) {
		score[y + 1][0] = borders[TILE + 1 + y];
		for (size_t x = 0; x < TILE; x++)
			score[y + 1][x + 1] =
				larger(score[y][x] + similar[y * TILE + x],
				       larger(score[y + 1][x], score[y][x + 1]) - PENALTY);
		memcpy(&out[y * TILE], &score[y + 1][1], TILE * sizeof(int));
	}
}

static void openmp_needle(const struct work *work)
{
	const int *similar = work_data(work, 0);
	const int *borders = work_data(work, 1);
	int *out = work_data(work, 2);

#pragma omp parallel for
	for (size_t i = 0; i < work->size; i++)
		score_tile(&similar[i * squared(TILE)], &borders[i * BORDER],
			   &out[i * squared(TILE)]);
}

const struct bench_case linear_algebra_cases[] = {
	{"sgemm_naive", "sgemm_naive", "", 512, 64, prepare_sgemm, openmp_sgemm_naive, 1e-4, NULL},
	{"sgemm_swapped", "sgemm_swapped", "", 512, 64, prepare_sgemm, openmp_sgemm_naive, 1e-4,
	 NULL},
	{"sgemm_memory", "sgemm_memory", "", 512, 64, prepare_sgemm, openmp_sgemm_naive, 1e-4,
	 NULL},
	{"sgemm_tiled", "sgemm_tiled", "", 512, 64, prepare_sgemm, openmp_sgemm_tiled, 1e-4, NULL},
	{"sgemm_blocked", "sgemm_blocked", "", 512, 64, prepare_sgemm_blocked, openmp_sgemm_tiled,
	 1e-4, NULL},
	{"sgemm_strips", "sgemm_strips", "", 512, 64, prepare_sgemm_strips, openmp_sgemm_tiled,
	 1e-4, NULL},
	{"sgemm_unrolled", "sgemm_unrolled", "", 512, 64, prepare_sgemm_strips, openmp_sgemm_tiled,
	 1e-4, NULL},
	{"sgemv", "sgemv", "", 1024, 128, prepare_sgemv, openmp_sgemv, 1e-4, NULL},
	{"transpose_naive", "transpose_naive", "", 1024, 64, prepare_transpose,
	 openmp_transpose_naive, 0, NULL},
	{"transpose_local", "transpose_local", "", 1024, 64, prepare_transpose,
	 openmp_transpose_local, 0, NULL},
	{"spmv_csr", "spmv_csr", "", 32000, 500, prepare_spmv, openmp_spmv, 1e-4, NULL},
	{"lu", "lu", "", 4096, 32, prepare_lu, openmp_lu, 1e-4, NULL},
	{"needle", "needle", "", 4096, 32, prepare_needle, openmp_needle, 0, NULL},
	{0},
};
