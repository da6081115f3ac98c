/* SPDX-License-Identifier: MIT
 *
 * Cases of arithmetic alone: the common math functions at OpenCL's full precision, roots of halves, a polynomial in double, a
 * stage of an FFT.
 */
#include "bench.h"
#include "half.h"
#include "vector_math.h"

static void prepare_map(struct work *work, float low, float high)
{
	work_floats(work, work->size, low, high);
	work_floats(work, work->size, -3, 3);
	work_output(work, ELEMENT_FLOAT, work->size * sizeof(float));
	work_range(work, work->size, 128);
}

static void prepare_positive(struct work *work)
{
	prepare_map(work, 0.001F, 100);
}

static void prepare_signed(struct work *work)
{
	prepare_map(work, -10, 10);
}

#define MAP(name, expression)                                                                      \
	static void openmp_##name(const struct work *work)                                         \
	{                                                                                          \
		const float *in = work_data(work, 0);                                              \
		const float *second = work_data(work, 1);                                          \
		float *out = work_data(work, 2);                                                   \
                                                                                                   \
		(void)second;                                                                      \
		_Pragma("omp parallel for simd") for (size_t i = 0; i < work->size; i++) out[i] =  \
			(expression);                                                              \
	}

MAP(exp, expf(in[i]))
MAP(log, logf(in[i]))
MAP(pow, powf(in[i], second[i]))
MAP(sin, sinf(in[i]))
MAP(cos, cosf(in[i]))
MAP(tan, tanf(in[i]))
MAP(atan2, atan2f(in[i], second[i]))
MAP(tanh, tanhf(in[i]))
MAP(erf, erff(in[i]))
MAP(cbrt, cbrtf(in[i]))
MAP(rsqrt, 1 / sqrtf(in[i]))

static void prepare_half_root(struct work *work)
{
	uint16_t *in = work_input(work, work->size * sizeof(uint16_t));

	for (size_t i = 0; i < work->size; i++)
		in[i] = half_from_float(0.25F + (float)(work_random() >> 8) * 0x1p-24F);
	work_output(work, ELEMENT_HALF, work->size * sizeof(uint16_t));
	work_range(work, work->size, 128);
}

static void openmp_half_root(const struct work *work)
{
	const uint16_t *in = work_data(work, 0);
	uint16_t *out = work_data(work, 1);

#pragma omp parallel for simd
	for (size_t i = 0; i < work->size; i++)
		out[i] = half_from_float(sqrtf(half_to_float(in[i])));
}

static void prepare_polynomial(struct work *work)
{
	double *in = work_input(work, work->size * sizeof(double));

	for (size_t i = 0; i < work->size; i++)
		in[i] = (double)work_random() * 0x1p-32;
	work_output(work, ELEMENT_DOUBLE, work->size * sizeof(double));
	work_range(work, work->size, 128);
}

static void openmp_polynomial(const struct work *work)
{
	const double *in = work_data(work, 0);
	double *out = work_data(work, 1);

#pragma omp parallel for simd
	for (size_t i = 0; i < work->size; i++) {
		double x = in[i];
		double y = 0.00001;

		for (int k = 0; k < 8; k++) {
			y = y * x + 0.0013;
			y = y * x - 0.0083;
			y = y * x + 0.0416;
			y = y * x - 0.1666;
		}
		out[i] = y;
	}
}

#define PART 64

/* Complex numbers: the first half and the second half are joined. */
static void prepare_fft_stage(struct work *work)
{
	work_floats(work, 2 * work->size, -1, 1);
	work_output(work, ELEMENT_FLOAT, 2 * work->size * sizeof(float));
	work_int(work, PART);
	work_range(work, work->size / 2, 128);
}

/* Two loops: a compiler that sees both functions of one angle calls neither's vector form. */
static void fill_factors(float cosines[PART], float sines[PART])
{
#pragma omp simd
	for (int k = 0; k < PART; k++)
		cosines[k] = cosf(-3.14159265F * (float)k / PART);
#pragma omp simd
	for (int k = 0; k < PART; k++)
		sines[k] = sinf(-3.14159265F * (float)k / PART);
}

static void join_parts(const float (*a)[2], const float (*b)[2], float (*out)[2])
{
	float cosines[PART];
	float sines[PART];

	fill_factors(cosines, sines);
#pragma omp simd
	for (int k = 0; k < PART; k++) {
		float re = b[k][0] * cosines[k] - b[k][1] * sines[k];
		float im = b[k][0] * sines[k] + b[k][1] * cosines[k];

		out[k][0] = a[k][0] + re;
		out[k][1] = a[k][1] + im;
		out[k + PART][0] = a[k][0] - re;
		out[k + PART][1] = a[k][1] - im;
	}
}

static void openmp_fft_stage(const struct work *work)
{
	const float (*in)[2] = work_data(work, 0);
	float (*out)[2] = work_data(work, 1);
	size_t half = work->size / 2;

#pragma omp parallel for
	for (size_t first = 0; first < half; first += PART)
		join_parts(&in[first], &in[first + half], &out[2 * first]);
}

#define SIZE (1U << 19)
#define SMALL (1U << 12)
#define ONE(name) "-DFUNCTION=" #name "(in[i])"
#define TWO(name) "-DFUNCTION=" #name "(in[i],second[i])"

/* Tolerances: OpenCL C's table of errors (section 7.4) in units of 1e-7, and the C library's 4 units in the last place. */
const struct bench_case math_cases[] = {
	{"exp", "map", ONE(exp), SIZE, SMALL, prepare_signed, openmp_exp, 1e-6, NULL},
	{"log", "map", ONE(log), SIZE, SMALL, prepare_positive, openmp_log, 1e-6, NULL},
	{"pow", "map", TWO(pow), SIZE, SMALL, prepare_positive, openmp_pow, 3e-6, NULL},
	{"sin", "map", ONE(sin), SIZE, SMALL, prepare_signed, openmp_sin, 1e-6, NULL},
	{"cos", "map", ONE(cos), SIZE, SMALL, prepare_signed, openmp_cos, 1e-6, NULL},
	{"tan", "map", ONE(tan), SIZE, SMALL, prepare_signed, openmp_tan, 2e-6, NULL},
	{"atan2", "map", TWO(atan2), SIZE, SMALL, prepare_signed, openmp_atan2, 2e-6, NULL},
	{"tanh", "map", ONE(tanh), SIZE, SMALL, prepare_signed, openmp_tanh, 2e-6, NULL},
	{"erf", "map", ONE(erf), SIZE, SMALL, prepare_signed, openmp_erf, 4e-6, NULL},
	{"cbrt", "map", ONE(cbrt), SIZE, SMALL, prepare_signed, openmp_cbrt, 1e-6, NULL},
	{"rsqrt", "map", ONE(rsqrt), SIZE, SMALL, prepare_positive, openmp_rsqrt, 1e-6, NULL},
	{"half_root", "half_root", "", 2 * SIZE, SMALL, prepare_half_root, openmp_half_root, 0,
	 NULL},
	{"polynomial", "polynomial", "", SIZE, SMALL, prepare_polynomial, openmp_polynomial, 1e-12,
	 NULL},
	{"fft_stage", "fft_stage", "", 1U << 18, SMALL, prepare_fft_stage, openmp_fft_stage, 1e-5,
	 NULL},
	{0},
};
