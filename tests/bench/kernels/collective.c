/* SPDX-License-Identifier: MIT
 *
 * Cases in which the work-items of a group work together: sums, sorting networks, counts.
 */
#include "bench.h"

#include <stdio.h>
#include <string.h>

#define GROUP 256

/* Two numbers for each work-item. */
static void prepare_reduce(struct work *work)
{
	work_floats(work, 2 * work->size, 0, 1);
	work_output(work, ELEMENT_FLOAT, work->size / GROUP * sizeof(float));
	work_range(work, work->size, GROUP);
}

/* One sum, in the first element. */
static void openmp_reduce(const struct work *work)
{
	const float *in = work_data(work, 0);
	float *sums = work_data(work, 1);
	float sum = 0;

#pragma omp parallel for simd reduction(+ : sum)
	for (size_t i = 0; i < 2 * work->size; i++)
		sum += in[i];
	sums[0] = sum;
}

static bool check_reduce(const struct work *expected, void *const *got)
{
	const float *in = work_data(expected, 0);

	for (size_t group = 0; group < expected->size / GROUP; group++) {
		double sum = 0;

		for (size_t i = 0; i < 2UL * GROUP; i++)
			sum += (double)in[group * 2 * GROUP + i];
		if (!work_near((double)((const float *)got[1])[group], sum, 1e-5)) {
			fprintf(stderr, "reduce: group %zu\n", group);
			return false;
		}
	}
	return true;
}

static void prepare_scan(struct work *work)
{
	work_integers(work, work->size, 100);
	work_output(work, ELEMENT_EXACT, work->size * sizeof(int));
	work_local(work, 2 * GROUP * sizeof(int));
	work_range(work, work->size, GROUP);
}

static void openmp_scan(const struct work *work)
{
	const int *in = work_data(work, 0);
	int *out = work_data(work, 1);

#pragma omp parallel for
	for (size_t first = 0; first < work->size; first += GROUP) {
		int sum = 0;

#pragma omp simd reduction(inscan, + : sum)
		for (size_t i = 0; i < GROUP; i++) {
			sum += in[first + i];
#pragma omp scan inclusive(sum)
			out[first + i] = sum;
		}
	}
}

/* ---- sorting --------------------------------------------------------------------------------- */

static void prepare_bitonic_local(struct work *work)
{
	work_integers(work, 2 * work->size, 0);
	work_output(work, ELEMENT_EXACT, 2 * work->size * sizeof(uint32_t));
	work_range(work, work->size, GROUP);
}

/* One pass over pairs at a distance. */
static void merge_pairs(uint32_t *keys, size_t size, size_t stride)
{
	for (size_t first = 0; first < 2UL * GROUP; first += 2 * stride) {
		uint32_t *low = &keys[first];
		uint32_t *high = &keys[first + stride];
		bool up = (first & size) == 0;

#pragma omp simd
		for (size_t i = 0; i < stride; i++) {
			uint32_t least = low[i] < high[i] ? low[i] : high[i];
			uint32_t most = low[i] < high[i] ? high[i] : low[i];

			low[i] = up ? least : most;
			high[i] = up ? most : least;
		}
	}
}

static void openmp_bitonic_local(const struct work *work)
{
	const uint32_t *in = work_data(work, 0);
	uint32_t *out = work_data(work, 1);

#pragma omp parallel for
	for (size_t first = 0; first < 2 * work->size; first += 2UL * GROUP) {
		memcpy(&out[first], &in[first], 2 * GROUP * sizeof(uint32_t));
		for (size_t size = 2; size <= 2UL * GROUP; size *= 2) {
			for (size_t stride = size / 2; stride > 0; stride /= 2)
				merge_pairs(&out[first], size, stride);
		}
	}
}

#define STEP_SIZE 4096
#define STEP_STRIDE 64

static void prepare_bitonic_step(struct work *work)
{
	work_integers(work, work->size, 0);
	work_output(work, ELEMENT_EXACT, work->size * sizeof(uint32_t));
	work_int(work, STEP_SIZE);
	work_int(work, STEP_STRIDE);
	work_range(work, work->size, GROUP);
}

static void openmp_bitonic_step(const struct work *work)
{
	const uint32_t *in = work_data(work, 0);
	uint32_t *out = work_data(work, 1);

#pragma omp parallel for
	for (size_t first = 0; first < work->size; first += 2UL * STEP_STRIDE) {
		bool up = (first & STEP_SIZE) == 0;

#pragma omp simd
		for (size_t i = first; i < first + STEP_STRIDE; i++) {
			uint32_t least = in[i] < in[i + STEP_STRIDE] ? in[i] : in[i + STEP_STRIDE];
			uint32_t most = in[i] < in[i + STEP_STRIDE] ? in[i + STEP_STRIDE] : in[i];

			out[i] = up ? least : most;
			out[i + STEP_STRIDE] = up ? most : least;
		}
	}
}

/* ---- counting -------------------------------------------------------------------------------- */

#define BINS 256
#define PER_ITEM 32

static void prepare_histogram(struct work *work)
{
	work_integers(work, work->size * PER_ITEM / sizeof(uint32_t), 0);
	work_output(work, ELEMENT_EXACT, work->size / GROUP * BINS * sizeof(uint32_t));
	work_int(work, PER_ITEM);
	work_range(work, work->size, GROUP);
}

/* The sum of all groups' counts, in the first's. */
static void openmp_histogram(const struct work *work)
{
	const uint8_t *data = work_data(work, 0);
	uint32_t *counts = work_data(work, 1);
	uint32_t bins[BINS] = {0};

#pragma omp parallel for reduction(+ : bins[ : BINS])
	for (size_t i = 0; i < work->size * PER_ITEM; i++)
		bins[data[i]]++;
	memcpy(counts, bins, sizeof(bins));
}

static bool check_histogram(const struct work *expected, void *const *got)
{
	const uint32_t *counts = work_data(expected, 1);
	const uint32_t *parts = got[1];

	for (size_t bin = 0; bin < BINS; bin++) {
		uint32_t sum = 0;

		for (size_t group = 0; group < expected->size / GROUP; group++)
			sum += parts[group * BINS + bin];
		if (sum != counts[bin]) {
			fprintf(stderr, "histogram: bin %zu is %u, not %u\n", bin, sum,
				counts[bin]);
			return false;
		}
	}
	return true;
}

const struct bench_case collective_cases[] = {
	{"reduce", "reduce", "", 1U << 20, 1U << 12, prepare_reduce, openmp_reduce, 0,
	 check_reduce},
	{"scan", "scan", "", 1U << 20, 1U << 12, prepare_scan, openmp_scan, 0, NULL},
	{"bitonic_local", "bitonic_local", "", 1U << 17, 1U << 11, prepare_bitonic_local,
	 openmp_bitonic_local, 0, NULL},
	{"bitonic_step", "bitonic_step", "", 1U << 20, 1U << 14, prepare_bitonic_step,
	 openmp_bitonic_step, 0, NULL},
	{"histogram", "histogram", "", 1U << 17, 1U << 10, prepare_histogram, openmp_histogram, 0,
	 check_histogram},
	{0},
};
