/* SPDX-License-Identifier: MIT
 *
 * What is measured: kernels of the kinds that programs have, with the results that they must have. No kernel uses a vector type or
 * an extension, which one driver may like better than another.
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>

#define N ((int)WEFT_BENCH_FLOATS)
#define MAD_ROUNDS 256
#define MATRIX 512
#define BODIES 4096
#define PICTURE 1024
#define ITERATIONS 256
#define GROUP 256
#define BINS 256

const char *const weft_bench_source =
	"kernel void empty(global float *a, global float *b, global float *c, int n) { }\n"
	"kernel void triad(global float *a, global float *b, global float *c, int n)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	c[i] = a[i] + 3.0f * b[i];\n"
	"}\n"
	"kernel void mads(global float *a, global float *b, global float *c, int n)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	float m = b[i], p = a[i], q = p + 1.0f, r = p + 2.0f, s = p + 3.0f;\n"
	"	for (int k = 0; k < n; k++) {\n"
	"		p = mad(p, m, 1.0f); q = mad(q, m, 1.0f);\n"
	"		r = mad(r, m, 1.0f); s = mad(s, m, 1.0f);\n"
	"		p = mad(p, m, 2.0f); q = mad(q, m, 2.0f);\n"
	"		r = mad(r, m, 2.0f); s = mad(s, m, 2.0f);\n"
	"	}\n"
	"	c[i] = p + q + r + s;\n"
	"}\n"
	"kernel void matrix(global float *a, global float *b, global float *c, int n)\n"
	"{\n"
	"	local float x[16][16], y[16][16];\n"
	"	int i = get_global_id(0), j = get_global_id(1);\n"
	"	int u = get_local_id(0), v = get_local_id(1);\n"
	"	float sum = 0.0f;\n"
	"	for (int t = 0; t < n; t += 16) {\n"
	"		x[v][u] = a[j * n + t + u];\n"
	"		y[v][u] = b[(t + v) * n + i];\n"
	"		barrier(CLK_LOCAL_MEM_FENCE);\n"
	"		for (int k = 0; k < 16; k++)\n"
	"			sum += x[v][k] * y[k][u];\n"
	"		barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	}\n"
	"	c[j * n + i] = sum;\n"
	"}\n"
	"kernel void bodies(global float *a, global float *b, global float *c, int n)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	float x = a[i], y = b[i], force = 0.0f;\n"
	"	for (int j = 0; j < n; j++) {\n"
	"		float dx = a[j] - x, dy = b[j] - y;\n"
	"		float r = rsqrt(dx * dx + dy * dy + 0.01f);\n"
	"		force += dx * r * r * r;\n"
	"	}\n"
	"	c[i] = force;\n"
	"}\n"
	"kernel void fractal(global float *a, global float *b, global float *c, int n)\n"
	"{\n"
	"#pragma OPENCL FP_CONTRACT OFF\n"
	"	int i = get_global_id(0), j = get_global_id(1);\n"
	"	float x = i * (3.0f / 1024.0f) - 2.0f, y = j * (2.0f / 1024.0f) - 1.0f;\n"
	"	float u = 0.0f, v = 0.0f;\n"
	"	int k = 0;\n"
	"	while (k < n && u * u + v * v < 4.0f) {\n"
	"		float t = u * u - v * v + x;\n"
	"		v = 2.0f * u * v + y;\n"
	"		u = t;\n"
	"		k++;\n"
	"	}\n"
	"	c[j * 1024 + i] = k;\n"
	"}\n"
	"kernel void sum(global float *a, global float *b, global float *c, int n)\n"
	"{\n"
	"	local float part[256];\n"
	"	int l = get_local_id(0);\n"
	"	part[l] = a[get_global_id(0)];\n"
	"	barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	for (int s = 128; s > 0; s /= 2) {\n"
	"		if (l < s)\n"
	"			part[l] += part[l + s];\n"
	"		barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	}\n"
	"	if (l == 0)\n"
	"		c[get_group_id(0)] = part[0];\n"
	"}\n"
	"kernel void bins(global float *a, global float *b, global float *c, int n)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	global int *counts = (global int *)c;\n"
	"	atomic_inc(&counts[(int)(a[i] * 96.0f) + (i & 1) * 128]);\n"
	"}\n";

static double expect_triad(const float *a, const float *b, size_t index, int number)
{
	(void)number;
	return (double)a[index] + 3.0 * (double)b[index];
}

static double expect_mads(const float *a, const float *b, size_t index, int number)
{
	const double m = (double)b[index];
	double sum = 0;

	for (int chain = 0; chain < 4; chain++) {
		double p = (double)a[index] + chain;

		for (int k = 0; k < number; k++) {
			p = p * m + 1;
			p = p * m + 2;
		}
		sum += p;
	}
	return sum;
}

static double expect_matrix(const float *a, const float *b, size_t index, int number)
{
	const size_t n = (size_t)number;
	double sum = 0;

	for (size_t k = 0; k < n; k++)
		sum += (double)a[index / n * n + k] * (double)b[k * n + index % n];
	return sum;
}

static double expect_bodies(const float *a, const float *b, size_t index, int number)
{
	double force = 0;

	for (int j = 0; j < number; j++) {
		const double dx = (double)a[j] - (double)a[index];
		const double dy = (double)b[j] - (double)b[index];

		force += dx * pow(dx * dx + dy * dy + 0.01, -1.5);
	}
	return force;
}

/* In float, as the kernel: a point at the edge has another number of iterations if anything is rounded otherwise. */
static double expect_fractal(const float *a, const float *b, size_t index, int number)
{
	const size_t column = index % PICTURE, line = index / PICTURE;
	const float x = (float)column * (3.0f / 1024.0f) - 2.0f;
	const float y = (float)line * (2.0f / 1024.0f) - 1.0f;
	float u = 0, v = 0;
	int k = 0;

	(void)a;
	(void)b;
	while (k < number && u * u + v * v < 4.0f) {
		const float t = u * u - v * v + x;

		v = 2.0f * u * v + y;
		u = t;
		k++;
	}
	return k;
}

static double expect_sum(const float *a, const float *b, size_t index, int number)
{
	double sum = 0;

	(void)b;
	(void)number;
	for (size_t i = 0; i < GROUP; i++)
		sum += (double)a[index * GROUP + i];
	return sum;
}

static double expect_bins(const float *a, const float *b, size_t index, int number)
{
	int count = 0;

	(void)b;
	for (int i = 0; i < number; i++)
		count += (size_t)(int)(a[i] * 96.0f) + (size_t)(i & 1) * 128 == index;
	return count;
}

const struct weft_measure weft_measures[WEFT_NUM_MEASURES] = {
	{.kind = WEFT_MEASURE_FIRST,
	 .name = "first results",
	 .unit = "ms",
	 .what = "from the source to the first results of all kernels, nothing cached"},
	{.kind = WEFT_MEASURE_LAUNCH,
	 .name = "launch",
	 .unit = "us",
	 .what = "an empty kernel, waited for"},
	{.kind = WEFT_MEASURE_QUEUE,
	 .name = "queue",
	 .unit = "us",
	 .what = "each of 1000 empty kernels, enqueued at once"},
	{.kind = WEFT_MEASURE_KERNEL,
	 .name = "memory",
	 .unit = "GB/s",
	 .what = "c = a + 3 b over 96 MiB",
	 .kernel = "triad",
	 .dimensions = 1,
	 .global = {N},
	 .results = N,
	 .work = 12e-9 * N,
	 .expected = expect_triad},
	{.kind = WEFT_MEASURE_KERNEL,
	 .name = "arithmetic",
	 .unit = "GFLOP/s",
	 .what = "chains of multiplications and additions",
	 .kernel = "mads",
	 .dimensions = 1,
	 .global = {1 << 16},
	 .results = 1 << 16,
	 .number = MAD_ROUNDS,
	 .work = 16e-9 * MAD_ROUNDS * (1 << 16),
	 .expected = expect_mads},
	{.kind = WEFT_MEASURE_KERNEL,
	 .name = "matrices",
	 .unit = "GFLOP/s",
	 .what = "product of 512 x 512, by tiles in local memory",
	 .kernel = "matrix",
	 .dimensions = 2,
	 .global = {MATRIX, MATRIX},
	 .local = {16, 16},
	 .results = (size_t)MATRIX * MATRIX,
	 .number = MATRIX,
	 .work = 2e-9 * MATRIX * MATRIX * MATRIX,
	 .expected = expect_matrix},
	{.kind = WEFT_MEASURE_KERNEL,
	 .name = "bodies",
	 .unit = "G/s",
	 .what = "forces between 4096 bodies, with rsqrt",
	 .kernel = "bodies",
	 .dimensions = 1,
	 .global = {BODIES},
	 .results = BODIES,
	 .number = BODIES,
	 .work = 1e-9 * BODIES * BODIES,
	 .expected = expect_bodies},
	{.kind = WEFT_MEASURE_KERNEL,
	 .name = "branches",
	 .unit = "Mpixel/s",
	 .what = "a fractal: work-items loop for as long as they differ",
	 .kernel = "fractal",
	 .dimensions = 2,
	 .global = {PICTURE, PICTURE},
	 .results = (size_t)PICTURE * PICTURE,
	 .number = ITERATIONS,
	 .work = 1e-6 * PICTURE * PICTURE,
	 .expected = expect_fractal},
	{.kind = WEFT_MEASURE_KERNEL,
	 .name = "barriers",
	 .unit = "GB/s",
	 .what = "sums of 256 floats, with nine barriers each",
	 .kernel = "sum",
	 .dimensions = 1,
	 .global = {N},
	 .local = {GROUP},
	 .results = N / GROUP,
	 .work = 4e-9 * N,
	 .expected = expect_sum},
	{.kind = WEFT_MEASURE_KERNEL,
	 .name = "atomics",
	 .unit = "M/s",
	 .what = "a histogram in global memory",
	 .kernel = "bins",
	 .dimensions = 1,
	 .global = {1 << 20},
	 .results = BINS,
	 .counts = true,
	 .number = 1 << 20,
	 .work = 1e-6 * (1 << 20),
	 .expected = expect_bins},
};

void weft_bench_format(double value, char text[16])
{
	if (value > 0)
		snprintf(text, 16, "%.*f", value < 10 ? 2 : value < 100 ? 1 : 0, value);
	else
		snprintf(text, 16, "failed");
}
