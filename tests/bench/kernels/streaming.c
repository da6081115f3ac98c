/* SPDX-License-Identifier: MIT
 *
 * Cases that move data: plain, guarded, strided, by structures, by an index, from one side or the other.
 */
#include "bench.h"

#include <math.h>

static void prepare_add(struct work *work)
{
	work_floats(work, work->size, -1, 1);
	work_floats(work, work->size, -1, 1);
	work_output(work, ELEMENT_FLOAT, work->size * sizeof(float));
	work_range(work, work->size, 256);
}

static void openmp_add(const struct work *work)
{
	const float *a = work_data(work, 0);
	const float *b = work_data(work, 1);
	float *c = work_data(work, 2);

#pragma omp parallel for simd
	for (size_t i = 0; i < work->size; i++)
		c[i] = a[i] + b[i];
}

#define SAXPY_A 1.5F

static void prepare_saxpy_in(struct work *work, size_t items, size_t local)
{
	work_floats(work, work->size, -1, 1);
	work_floats(work, work->size, -1, 1);
	work_output(work, ELEMENT_FLOAT, work->size * sizeof(float));
	work_float(work, SAXPY_A);
	work_int(work, (int)work->size);
	work_range(work, items, local);
}

/* The size is no multiple of the group's: the last group's guard counts. */
static void prepare_saxpy(struct work *work)
{
	work->size -= 77;
	prepare_saxpy_in(work, (work->size + 255) / 256 * 256, 256);
}

static void prepare_saxpy_alone(struct work *work)
{
	prepare_saxpy_in(work, work->size, 1);
}

static void prepare_saxpy_any(struct work *work)
{
	work->size -= 24;
	prepare_saxpy_in(work, work->size, 0);
}

static void openmp_saxpy(const struct work *work)
{
	const float *x = work_data(work, 0);
	const float *y = work_data(work, 1);
	float *z = work_data(work, 2);

#pragma omp parallel for simd
	for (size_t i = 0; i < work->size; i++)
		z[i] = SAXPY_A * x[i] + y[i];
}

static void prepare_grid_stride(struct work *work)
{
	work_floats(work, work->size, -1, 1);
	work_output(work, ELEMENT_FLOAT, work->size * sizeof(float));
	work_int(work, (int)work->size);
	work_range(work, (size_t)64 * 256, 256);
}

static void openmp_grid_stride(const struct work *work)
{
	const float *x = work_data(work, 0);
	float *y = work_data(work, 1);

#pragma omp parallel for simd
	for (size_t i = 0; i < work->size; i++)
		y[i] = x[i] * x[i] + 1.0F;
}

static void prepare_reverse(struct work *work)
{
	work_floats(work, work->size, -1, 1);
	work_output(work, ELEMENT_FLOAT, work->size * sizeof(float));
	work_int(work, (int)work->size);
	work_range(work, work->size, 64);
}

static void openmp_reverse(const struct work *work)
{
	const float *in = work_data(work, 0);
	float *out = work_data(work, 1);

#pragma omp parallel for simd
	for (size_t i = 0; i < work->size; i++)
		out[i] = in[work->size - 1 - i];
}

static void prepare_luminance(struct work *work)
{
	work_floats(work, 3 * work->size, 0, 1);
	work_output(work, ELEMENT_FLOAT, work->size * sizeof(float));
	work_range(work, work->size, 128);
}

static void openmp_luminance(const struct work *work)
{
	const float *rgb = work_data(work, 0);
	float *out = work_data(work, 1);

#pragma omp parallel for simd
	for (size_t i = 0; i < work->size; i++)
		out[i] = 0.299F * rgb[3 * i] + 0.587F * rgb[3 * i + 1] + 0.114F * rgb[3 * i + 2];
}

struct particle {
	float x, y, z;
	float vx, vy, vz;
	float mass;
	float age;
};

#define STEP 0.01F

static void prepare_particles(struct work *work)
{
	work_floats(work, work->size * sizeof(struct particle) / sizeof(float), -1, 1);
	work_output(work, ELEMENT_FLOAT, work->size * sizeof(struct particle));
	work_float(work, STEP);
	work_range(work, work->size, 256);
}

static void openmp_particles(const struct work *work)
{
	const struct particle *in = work_data(work, 0);
	struct particle *out = work_data(work, 1);

#pragma omp parallel for simd
	for (size_t i = 0; i < work->size; i++) {
		struct particle p = in[i];

		p.vy -= 9.81F * STEP;
		p.x += p.vx * STEP;
		p.y += p.vy * STEP;
		p.z += p.vz * STEP;
		p.vy = p.y < 0 ? -0.8F * p.vy : p.vy;
		p.y = p.y < 0 ? -p.y : p.y;
		p.age += STEP;
		out[i] = p;
	}
}

static void prepare_gather(struct work *work)
{
	work_floats(work, work->size, -1, 1);
	work_integers(work, work->size, (uint32_t)work->size);
	work_output(work, ELEMENT_FLOAT, work->size * sizeof(float));
	work_range(work, work->size, 256);
}

static void openmp_gather(const struct work *work)
{
	const float *table = work_data(work, 0);
	const int *index = work_data(work, 1);
	float *out = work_data(work, 2);

#pragma omp parallel for simd
	for (size_t i = 0; i < work->size; i++)
		out[i] = 2.0F * table[index[i]];
}

static void prepare_upwind(struct work *work)
{
	work_floats(work, work->size, -1, 1);
	work_floats(work, work->size + 2, 0, 1);
	work_output(work, ELEMENT_FLOAT, work->size * sizeof(float));
	work_range(work, work->size, 128);
}

static void openmp_upwind(const struct work *work)
{
	const float *speed = work_data(work, 0);
	const float *in = work_data(work, 1);
	float *out = work_data(work, 2);

#pragma omp parallel for simd
	for (size_t i = 0; i < work->size; i++) {
		float from = speed[i] > 0 ? in[i] : in[i + 2];

		out[i] = in[i + 1] + 0.25F * fabsf(speed[i]) * (from - in[i + 1]);
	}
}

#define SIZE (1U << 20)
#define SMALL (1U << 12)

const struct bench_case streaming_cases[] = {
	{"add", "add", "", SIZE, SMALL, prepare_add, openmp_add, 0, NULL},
	{"saxpy", "saxpy", "", SIZE, SMALL, prepare_saxpy, openmp_saxpy, 1e-6, NULL},
	{"saxpy_alone", "saxpy", "", SIZE, SMALL, prepare_saxpy_alone, openmp_saxpy, 1e-6, NULL},
	{"saxpy_any", "saxpy", "", SIZE, SMALL, prepare_saxpy_any, openmp_saxpy, 1e-6, NULL},
	{"saxpy_group", "saxpy_group", "", SIZE, SMALL, prepare_saxpy_alone, openmp_saxpy, 1e-6,
	 NULL},
	{"grid_stride", "grid_stride", "", SIZE, 20000, prepare_grid_stride, openmp_grid_stride,
	 1e-6, NULL},
	{"reverse", "reverse", "", SIZE, SMALL, prepare_reverse, openmp_reverse, 0, NULL},
	{"luminance", "luminance", "", SIZE, SMALL, prepare_luminance, openmp_luminance, 1e-6,
	 NULL},
	{"particles", "particles", "", SIZE / 4, SMALL, prepare_particles, openmp_particles, 1e-5,
	 NULL},
	{"upwind", "upwind", "", SIZE, SMALL, prepare_upwind, openmp_upwind, 1e-6, NULL},
	{"gather", "gather", "", SIZE, SMALL, prepare_gather, openmp_gather, 0, NULL},
	{0},
};
