/* SPDX-License-Identifier: MIT
 *
 * Cases that compute more than they move.
 */
#include "bench.h"
#include "vector_math.h"

#include <float.h>

#define RATE 0.02F
#define VOLATILITY 0.3F

static void prepare_black_scholes(struct work *work)
{
	size_t n = work->size - 3;

	work_output(work, ELEMENT_FLOAT, n * sizeof(float));
	work_output(work, ELEMENT_FLOAT, n * sizeof(float));
	work_floats(work, n, 5, 30);
	work_floats(work, n, 1, 100);
	work_floats(work, n, 0.25F, 10);
	work_float(work, RATE);
	work_float(work, VOLATILITY);
	work_int(work, (int)n);
	work_range(work, work->size, 128);
	work->size = n;
}

static inline float normal_distribution(float d)
{
	float k = 1.0F / (1.0F + 0.2316419F * fabsf(d));
	float tail = 0.39894228F * expf(-0.5F * d * d) *
		     (k * (0.31938153F +
			   k * (-0.356563782F +
				k * (1.781477937F + k * (-1.821255978F + k * 1.330274429F)))));

	return d > 0 ? 1 - tail : tail;
}

static void openmp_black_scholes(const struct work *work)
{
	float *call = work_data(work, 0);
	float *put = work_data(work, 1);
	const float *price = work_data(work, 2);
	const float *strike = work_data(work, 3);
	const float *years = work_data(work, 4);

#pragma omp parallel for simd
	for (size_t i = 0; i < work->size; i++) {
		float t = years[i];
		float root = sqrtf(t);
		float d1 =
			(logf(price[i] / strike[i]) + (RATE + 0.5F * VOLATILITY * VOLATILITY) * t) /
			(VOLATILITY * root);
		float n1 = normal_distribution(d1);
		float n2 = normal_distribution(d1 - VOLATILITY * root);
		float discounted = strike[i] * expf(-RATE * t);

		call[i] = price[i] * n1 - discounted * n2;
		put[i] = discounted * (1 - n2) - price[i] * (1 - n1);
	}
}

/* ---- bodies: x, y, z and a mass -------------------------------------------------------------- */

#define SOFTENING 0.01F

static void prepare_nbody(struct work *work)
{
	work_floats(work, 4 * work->size, 0, 1);
	work_output(work, ELEMENT_FLOAT, 4 * work->size * sizeof(float));
	work_int(work, (int)work->size);
	work_float(work, SOFTENING);
	work_range(work, work->size, 256);
}

static void openmp_nbody(const struct work *work)
{
	const float (*bodies)[4] = work_data(work, 0);
	float (*forces)[4] = work_data(work, 1);

#pragma omp parallel for simd
	for (size_t i = 0; i < work->size; i++) {
		float x = 0;
		float y = 0;
		float z = 0;

		for (size_t j = 0; j < work->size; j++) {
			float dx = bodies[j][0] - bodies[i][0];
			float dy = bodies[j][1] - bodies[i][1];
			float dz = bodies[j][2] - bodies[i][2];
			float inverse = 1 / sqrtf(dx * dx + dy * dy + dz * dz + SOFTENING);
			float scale = bodies[j][3] * inverse * inverse * inverse;

			x += dx * scale;
			y += dy * scale;
			z += dz * scale;
		}
		forces[i][0] = x;
		forces[i][1] = y;
		forces[i][2] = z;
		forces[i][3] = 0;
	}
}

static void prepare_nbody_float3(struct work *work)
{
	work_floats(work, 4 * work->size, 0, 1);
	work_floats(work, work->size, 0, 1);
	work_output(work, ELEMENT_FLOAT, 4 * work->size * sizeof(float));
	work_int(work, (int)work->size);
	work_float(work, SOFTENING);
	work_range(work, work->size, 256);
}

static void openmp_nbody_float3(const struct work *work)
{
	const float (*positions)[4] = work_data(work, 0);
	const float *masses = work_data(work, 1);
	float (*forces)[4] = work_data(work, 2);

#pragma omp parallel for simd
	for (size_t i = 0; i < work->size; i++) {
		float x = 0;
		float y = 0;
		float z = 0;

		for (size_t j = 0; j < work->size; j++) {
			float dx = positions[j][0] - positions[i][0];
			float dy = positions[j][1] - positions[i][1];
			float dz = positions[j][2] - positions[i][2];
			float inverse = 1 / sqrtf(dx * dx + dy * dy + dz * dz + SOFTENING);
			float scale = masses[j] * inverse * inverse * inverse;

			x += dx * scale;
			y += dy * scale;
			z += dz * scale;
		}
		forces[i][0] = x;
		forces[i][1] = y;
		forces[i][2] = z;
	}
}

/* The fourth number of a float3 in memory is padding. */
static bool check_float3(const struct work *expected, void *const *got)
{
	const float *numbers = work_data(expected, 2);

	for (size_t i = 0; i < 4 * expected->size; i++) {
		if (i % 4 != 3 &&
		    !work_near((double)((const float *)got[2])[i], (double)numbers[i], 1e-3))
			return false;
	}
	return true;
}

/* ---- Mandelbrot's set ------------------------------------------------------------------------ */

#define LEFT (-2.0F)
#define TOP (-1.25F)
#define MOST 256

static float step_of(size_t width)
{
	return 2.5F / (float)width;
}

static void prepare_mandelbrot(struct work *work)
{
	work_output(work, ELEMENT_EXACT, work->size * work->size * sizeof(int));
	work_int(work, (int)work->size);
	work_float(work, LEFT);
	work_float(work, TOP);
	work_float(work, step_of(work->size));
	work_int(work, MOST);
	work_range_2d(work, work->size, work->size, 0, 0);
}

static int iterations(float cx, float cy)
{
	float x = 0;
	float y = 0;
	int count = 0;

	while (x * x + y * y <= 4 && count < MOST) {
		float next = x * x - y * y + cx;

		y = 2 * x * y + cy;
		x = next;
		count++;
	}
	return count;
}

static void openmp_mandelbrot(const struct work *work)
{
	int *out = work_data(work, 0);
	size_t width = work->size;
	float step = step_of(width);

#pragma omp parallel for schedule(dynamic)
	for (size_t y = 0; y < width; y++) {
		for (size_t x = 0; x < width; x++)
			out[y * width + x] =
				iterations(LEFT + (float)x * step, TOP + (float)y * step);
	}
}

/* Rounding decides at the border: few points may differ. */
static bool check_mandelbrot(const struct work *expected, void *const *got)
{
	const int *counts = work_data(expected, 0);
	size_t points = expected->size * expected->size;
	size_t wrong = 0;

	for (size_t i = 0; i < points; i++)
		wrong += ((const int *)got[0])[i] != counts[i];
	return wrong <= points / 20;
}

/* ---- rays ------------------------------------------------------------------------------------- */

#define SPHERES 128

static float ray_step(size_t width)
{
	return 10.0F / (float)width;
}

static void prepare_rays(struct work *work)
{
	float *spheres = work_floats(work, 4UL * SPHERES, 0, 10);

	for (size_t i = 0; i < SPHERES; i++)
		spheres[4 * i + 3] = 0.02F + 0.1F * spheres[4 * i + 3];
	work_output(work, ELEMENT_EXACT, work->size * work->size * sizeof(int));
	work_int(work, SPHERES);
	work_int(work, (int)work->size);
	work_float(work, ray_step(work->size));
	work_range_2d(work, work->size, work->size, 16, 16);
}

static int nearest_sphere(const float (*spheres)[4], float x, float y)
{
	float least = FLT_MAX;
	int found = -1;

	for (int i = 0; i < SPHERES; i++) {
		float dx = spheres[i][0] - x;
		float dy = spheres[i][1] - y;
		float inside = spheres[i][3] - dx * dx - dy * dy;
		float distance = spheres[i][2] - sqrtf(inside < 0 ? 0 : inside);

		distance = inside < 0 ? FLT_MAX : distance;
		found = distance < least ? i : found;
		least = distance < least ? distance : least;
	}
	return found;
}

static void openmp_rays(const struct work *work)
{
	const float (*spheres)[4] = work_data(work, 0);
	int *nearest = work_data(work, 1);
	size_t width = work->size;
	float step = ray_step(width);

#pragma omp parallel for
	for (size_t y = 0; y < width; y++) {
#pragma omp simd
		for (size_t x = 0; x < width; x++)
			nearest[y * width + x] =
				nearest_sphere(spheres, (float)x * step, (float)y * step);
	}
}

/* Rounding decides at the rim: few rays may differ. */
static bool check_rays(const struct work *expected, void *const *got)
{
	const int *nearest = work_data(expected, 1);
	size_t rays = expected->size * expected->size;
	size_t wrong = 0;

	for (size_t i = 0; i < rays; i++)
		wrong += ((const int *)got[1])[i] != nearest[i];
	return wrong <= rays / 1000;
}

/* ---- k-means --------------------------------------------------------------------------------- */

#define CLUSTERS 16
#define FEATURES 16
#define BLOCK 256

static void prepare_kmeans(struct work *work)
{
	work_floats(work, work->size * FEATURES, 0, 1);
	work_floats(work, (size_t)CLUSTERS * FEATURES, 0, 1);
	work_output(work, ELEMENT_EXACT, work->size * sizeof(int));
	work_int(work, (int)work->size);
	work_int(work, CLUSTERS);
	work_int(work, FEATURES);
	work_range(work, work->size, 256);
}

static void square_distances(const float *features, const float *cluster, size_t points,
			     float distances[BLOCK])
{
	for (size_t i = 0; i < BLOCK; i++)
		distances[i] = 0;
	for (size_t l = 0; l < FEATURES; l++) {
#pragma omp simd
		for (size_t i = 0; i < BLOCK; i++) {
			float d = features[l * points + i] - cluster[l];

			distances[i] += d * d;
		}
	}
}

static void openmp_kmeans(const struct work *work)
{
	const float *features = work_data(work, 0);
	const float *clusters = work_data(work, 1);
	int *membership = work_data(work, 2);

#pragma omp parallel for
	for (size_t first = 0; first < work->size; first += BLOCK) {
		float least[BLOCK];
		float distances[BLOCK];

		for (size_t i = 0; i < BLOCK; i++)
			least[i] = FLT_MAX;
		for (int c = 0; c < CLUSTERS; c++) {
			square_distances(&features[first], &clusters[c * FEATURES], work->size,
					 distances);
#pragma omp simd
			for (size_t i = 0; i < BLOCK; i++) {
				membership[first + i] =
					distances[i] < least[i] ? c : membership[first + i];
				least[i] = distances[i] < least[i] ? distances[i] : least[i];
			}
		}
	}
}

/* Two clusters may be equally near but for rounding. */
static bool check_kmeans(const struct work *expected, void *const *got)
{
	const int *membership = work_data(expected, 2);
	size_t wrong = 0;

	for (size_t i = 0; i < expected->size; i++)
		wrong += ((const int *)got[2])[i] != membership[i];
	return wrong <= expected->size / 1000;
}

const struct bench_case simulation_cases[] = {
	{"black_scholes", "black_scholes", "", 1U << 19, 1U << 10, prepare_black_scholes,
	 openmp_black_scholes, 1e-3, NULL},
	{"nbody", "nbody", "", 4096, 512, prepare_nbody, openmp_nbody, 1e-3, NULL},
	{"nbody_local", "nbody_local", "", 4096, 512, prepare_nbody, openmp_nbody, 1e-3, NULL},
	{"nbody_float3", "nbody_float3", "", 4096, 512, prepare_nbody_float3, openmp_nbody_float3,
	 1e-3, check_float3},
	{"mandelbrot", "mandelbrot", "", 512, 64, prepare_mandelbrot, openmp_mandelbrot, 0,
	 check_mandelbrot},
	{"rays", "rays", "", 512, 64, prepare_rays, openmp_rays, 0, check_rays},
	{"kmeans", "kmeans", "", 1U << 17, 1U << 10, prepare_kmeans, openmp_kmeans, 0,
	 check_kmeans},
	{0},
};
