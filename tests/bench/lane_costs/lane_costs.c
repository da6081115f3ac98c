/* SPDX-License-Identifier: MIT
 *
 * What operations take on this CPU that decide whether lanes pay. A cycle is the time of an addition in a chain of them.
 *
 * usage: lane_costs [--short | --row]
 *
 * Prints a table in cycles. --row: tenths of a cycle for each element, in the order of struct CpuCosts (costs/cpu_costs.h), or
 * nothing where this CPU lacks AVX-512 and AVX2.
 */
#define _GNU_SOURCE
#include "measure.h"

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TABLE 4096 /* numbers that loads pick from: they fit the first cache */
#define PLACES 1024
/* Short ones, of which the least counts: some are not interrupted, on a machine with other work too. */
#define BATCHES 101
#define ROUNDS 100

#define AVX2 __attribute__((noinline, target("avx2,fma")))
#define AVX512 __attribute__((noinline, target("avx512f,avx512dq,avx512vl,avx512bw")))

static int32_t table32[TABLE];
static int64_t table64[TABLE];
static int32_t places[PLACES] __attribute__((aligned(64)));
static uint16_t masks[PLACES];
static volatile uint64_t sink;

/* One row: a function does `rounds` times what the row is about, PLACES / `elements` times each. */
struct row {
	const char *name;
	void (*run)(unsigned rounds);
	unsigned elements; /* of a vector; 1: of a scalar operation */
	const char *feature;
};

/* Of registers: Intel's CPUs since Golden Cove add constants up while they rename registers, five in a cycle. */
static void run_additions(unsigned rounds)
{
	uint64_t number = 1;
	uint64_t step = 3;

	for (unsigned i = 0; i < rounds * PLACES / 16; i++)
		__asm__ volatile(".rept 16\n\tadd %1, %0\n\t.endr" : "+r"(number) : "r"(step));
	sink = number;
}

#define VECTORS(name, target, elements, body)                                                      \
	target static void name(unsigned rounds)                                                   \
	{                                                                                          \
		for (unsigned round = 0; round < rounds; round++)                                  \
			for (unsigned i = 0; i < PLACES; i += (elements))                          \
				body;                                                              \
	}

#define USE(vector) __asm__ volatile("" : : "x"(vector))
#define USE512(vector) __asm__ volatile("" : : "v"(vector))

#define INDICES512 _mm512_load_si512(&places[i])
#define INDICES256 _mm256_load_si256((const __m256i *)&places[i])
#define INDICES128 _mm_load_si128((const __m128i *)&places[i])

VECTORS(gather_16x32, AVX512, 16, USE512(_mm512_i32gather_epi32(INDICES512, table32, 4)))
VECTORS(gather_some_16x32, AVX512, 16,
	USE512(_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), masks[i], INDICES512, table32,
					   4)))
VECTORS(gather_8x64, AVX512, 8, USE512(_mm512_i32gather_epi64(INDICES256, table64, 8)))
VECTORS(gather_some_8x64, AVX512, 8,
	USE512(_mm512_mask_i32gather_epi64(_mm512_setzero_si512(), (__mmask8)masks[i], INDICES256,
					   table64, 8)))
VECTORS(scatter_16x32, AVX512, 16,
	_mm512_i32scatter_epi32(table32, INDICES512, _mm512_set1_epi32((int)i), 4))
VECTORS(gather_8x32, AVX2, 8, USE(_mm256_i32gather_epi32(table32, INDICES256, 4)))
VECTORS(gather_4x64, AVX2, 4,
	USE(_mm256_i32gather_epi64((const long long *)table64, INDICES128, 8)))

AVX512 static __m128i loads_4x32(const int32_t *at)
{
	return _mm_setr_epi32(table32[at[0]], table32[at[1]], table32[at[2]], table32[at[3]]);
}

AVX512 static void loads_16x32(unsigned rounds)
{
	for (unsigned round = 0; round < rounds; round++) {
		for (unsigned i = 0; i < PLACES; i += 16) {
			__m512i all = _mm512_castsi128_si512(loads_4x32(&places[i]));

			all = _mm512_inserti32x4(all, loads_4x32(&places[i + 4]), 1);
			all = _mm512_inserti32x4(all, loads_4x32(&places[i + 8]), 2);
			all = _mm512_inserti32x4(all, loads_4x32(&places[i + 12]), 3);
			USE512(all);
		}
	}
}

AVX512 static void shuffles_16x32(unsigned rounds)
{
	for (unsigned round = 0; round < rounds; round++) {
		for (unsigned i = 0; i < PLACES; i += 16) {
			__m512i order = INDICES512;

			USE512(_mm512_permutex2var_epi32(order, order, order));
		}
	}
}

/* Each division's result is looked at, so that no compiler makes vectors of them. */
static void divisions_32(unsigned rounds)
{
	for (unsigned round = 0; round < rounds; round++) {
		for (unsigned i = 0; i < PLACES; i++) {
			uint32_t quotient = UINT32_C(4000000000) / ((uint32_t)places[i] + 1);

			__asm__ volatile("" : : "r"(quotient));
		}
	}
}

static void divisions_64(unsigned rounds)
{
	for (unsigned round = 0; round < rounds; round++) {
		for (unsigned i = 0; i < PLACES; i++) {
			uint64_t quotient = (UINT64_C(1) << 60) / ((uint64_t)places[i] + 1);

			__asm__ volatile("" : : "r"(quotient));
		}
	}
}

/* In floating point, as the compiler divides the lanes of a vector. */
VECTORS(wide_divisions_8x32, AVX512, 8,
	USE(_mm512_cvttpd_epi32(_mm512_div_pd(
		_mm512_set1_pd(4e9),
		_mm512_cvtepi32_pd(_mm256_or_si256(INDICES256, _mm256_set1_epi32(1)))))))
VECTORS(wide_divisions_4x32, AVX2, 4,
	USE(_mm256_cvttpd_epi32(
		_mm256_div_pd(_mm256_set1_pd(4e9),
			      _mm256_cvtepi32_pd(_mm_or_si128(INDICES128, _mm_set1_epi32(1)))))))

/* By a divisor whose reciprocal is known. */
VECTORS(shared_divisions_8x32, AVX512, 8,
	USE(_mm512_cvttpd_epi32(_mm512_mul_pd(_mm512_set1_pd(1.0 / 7),
					      _mm512_cvtepi32_pd(INDICES256)))))
VECTORS(shared_divisions_4x32, AVX2, 4,
	USE(_mm256_cvttpd_epi32(_mm256_mul_pd(_mm256_set1_pd(1.0 / 7),
					      _mm256_cvtepi32_pd(INDICES128)))))

/* Of 16 bits and fewer, in floats. */
VECTORS(wide_divisions_16x16, AVX512, 16,
	USE(_mm512_cvtepi32_epi16(_mm512_cvttps_epi32(_mm512_div_ps(
		_mm512_set1_ps(6e4F),
		_mm512_cvtepi32_ps(_mm512_or_si512(INDICES512, _mm512_set1_epi32(1))))))))
VECTORS(wide_divisions_8x16, AVX2, 8,
	USE(_mm256_packus_epi32(_mm256_cvttps_epi32(_mm256_div_ps(
					_mm256_set1_ps(6e4F),
					_mm256_cvtepi32_ps(_mm256_or_si256(INDICES256,
									   _mm256_set1_epi32(1))))),
				_mm256_setzero_si256())))
VECTORS(shared_divisions_16x16, AVX512, 16,
	USE(_mm512_cvtepi32_epi16(_mm512_cvttps_epi32(
		_mm512_mul_ps(_mm512_set1_ps(1.0F / 7), _mm512_cvtepi32_ps(INDICES512))))))
VECTORS(shared_divisions_8x16, AVX2, 8,
	USE(_mm256_packus_epi32(_mm256_cvttps_epi32(_mm256_mul_ps(_mm256_set1_ps(1.0F / 7),
								  _mm256_cvtepi32_ps(INDICES256))),
				_mm256_setzero_si256())))

/* A part of the quotient, and what is left of the dividend. */
AVX512 static __m512i divide_part(__m512i *rest, __m512i divisors, __m512d reciprocals)
{
	__m512i part = _mm512_cvttpd_epu64(_mm512_mul_pd(_mm512_cvtepu64_pd(*rest), reciprocals));

	*rest = _mm512_sub_epi64(*rest, _mm512_mullo_epi64(part, divisors));
	return part;
}

/* By two parts and a last one that is 0 or 1, as the compiler does it (lane_code/float_division.h). */
AVX512 static __m512i divide_8x64(__m512i rest, __m512i divisors, __m512d reciprocals)
{
	__m512i quotients = divide_part(&rest, divisors, reciprocals);

	quotients = _mm512_add_epi64(quotients, divide_part(&rest, divisors, reciprocals));
	return _mm512_mask_add_epi64(quotients, _mm512_cmpge_epu64_mask(rest, divisors), quotients,
				     _mm512_set1_epi64(1));
}

#define DIVIDENDS _mm512_slli_epi64(_mm512_cvtepi32_epi64(INDICES256), 30)
#define DIVISORS _mm512_cvtepi32_epi64(_mm256_or_si256(INDICES256, _mm256_set1_epi32(1)))

VECTORS(wide_divisions_8x64, AVX512, 8,
	USE512(divide_8x64(DIVIDENDS, DIVISORS,
			   _mm512_div_pd(_mm512_set1_pd(1), _mm512_cvtepu64_pd(DIVISORS)))))
VECTORS(shared_divisions_8x64, AVX512, 8,
	USE512(divide_8x64(DIVIDENDS, _mm512_set1_epi64(7), _mm512_set1_pd(1.0 / 7))))

#define REALS512 _mm512_castsi512_ps(_mm512_or_si512(INDICES512, _mm512_set1_epi32(0x3f800000)))
#define REALS256 _mm256_castsi256_ps(_mm256_or_si256(INDICES256, _mm256_set1_epi32(0x3f800000)))
#define DOUBLES512                                                                                 \
	_mm512_castsi512_pd(_mm512_or_si512(_mm512_cvtepi32_epi64(INDICES256),                     \
					    _mm512_set1_epi64(INT64_C(0x3ff0000000000000))))
#define DOUBLES256                                                                                 \
	_mm256_castsi256_pd(_mm256_or_si256(_mm256_cvtepi32_epi64(INDICES128),                     \
					    _mm256_set1_epi64x(INT64_C(0x3ff0000000000000))))

VECTORS(quotients_16x32, AVX512, 16, USE512(_mm512_div_ps(_mm512_set1_ps(3), REALS512)))
VECTORS(quotients_8x32, AVX2, 8, USE(_mm256_div_ps(_mm256_set1_ps(3), REALS256)))
VECTORS(roots_16x32, AVX512, 16, USE512(_mm512_sqrt_ps(REALS512)))
VECTORS(roots_8x32, AVX2, 8, USE(_mm256_sqrt_ps(REALS256)))
VECTORS(quotients_8x64, AVX512, 8, USE512(_mm512_div_pd(_mm512_set1_pd(3), DOUBLES512)))
VECTORS(quotients_4x64, AVX2, 4, USE(_mm256_div_pd(_mm256_set1_pd(3), DOUBLES256)))
VECTORS(roots_8x64, AVX512, 8, USE512(_mm512_sqrt_pd(DOUBLES512)))
VECTORS(roots_4x64, AVX2, 4, USE(_mm256_sqrt_pd(DOUBLES256)))

#define SCALARS(name, type, expression)                                                            \
	AVX2 static void name(unsigned rounds)                                                     \
	{                                                                                          \
		for (unsigned round = 0; round < rounds; round++) {                                \
			for (unsigned i = 0; i < PLACES; i++) {                                    \
				type number = (type)places[i] + 1;                                 \
				type result = expression;                                          \
                                                                                                   \
				USE(result);                                                       \
			}                                                                          \
		}                                                                                  \
	}

SCALARS(quotients_32, float, 3 / number)
SCALARS(quotients_64, double, 3 / number)
SCALARS(roots_32, float, _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(number))))
SCALARS(roots_64, double, _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(number))))

AVX2 static void loads_8x32(unsigned rounds)
{
	for (unsigned round = 0; round < rounds; round++)
		for (unsigned i = 0; i < PLACES; i += 8)
			USE(_mm256_setr_epi32(table32[places[i]], table32[places[i + 1]],
					      table32[places[i + 2]], table32[places[i + 3]],
					      table32[places[i + 4]], table32[places[i + 5]],
					      table32[places[i + 6]], table32[places[i + 7]]));
}

/* Of branches that go either way at random, half are not foreseen; PLACES is too few for a random order to be learnt by heart, so
 * each round has another one. */
static void surprises(unsigned rounds)
{
	uint64_t state = 88172645463325252ULL;
	uint64_t sum = 0;

	for (unsigned i = 0; i < rounds * PLACES; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		if (state & 1)
			__asm__ volatile("add $3, %0" : "+r"(sum));
		__asm__ volatile("" : "+r"(sum));
	}
	sink = sum;
}

/* The same without the branch: what is left is to be taken off. */
static void random_numbers(unsigned rounds)
{
	uint64_t state = 88172645463325252ULL;

	for (unsigned i = 0; i < rounds * PLACES; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		__asm__ volatile("" : "+r"(state));
	}
	sink = state;
}

static const struct row rows[] = {
	{"gather of 16 x 32 bits", gather_16x32, 16, "avx512f"},
	{"the same, half of the lanes", gather_some_16x32, 16, "avx512f"},
	{"gather of 8 x 64 bits", gather_8x64, 8, "avx512f"},
	{"the same, half of the lanes", gather_some_8x64, 8, "avx512f"},
	{"gather of 8 x 32 bits", gather_8x32, 8, "avx2"},
	{"gather of 4 x 64 bits", gather_4x64, 4, "avx2"},
	{"16 loads of 32 bits and insertions", loads_16x32, 16, "avx512f"},
	{"8 loads of 32 bits and insertions", loads_8x32, 8, "avx2"},
	{"scatter of 16 x 32 bits", scatter_16x32, 16, "avx512f"},
	{"shuffle of two registers", shuffles_16x32, 16, "avx512f"},
	{"division of 32 bits", divisions_32, 1, NULL},
	{"division of 64 bits", divisions_64, 1, NULL},
	{"division of 8 x 32 bits in floating point", wide_divisions_8x32, 8, "avx512f"},
	{"division of 4 x 32 bits in floating point", wide_divisions_4x32, 4, "avx2"},
	{"the same by one divisor", shared_divisions_8x32, 8, "avx512f"},
	{"the same by one divisor", shared_divisions_4x32, 4, "avx2"},
	{"division of 16 x 16 bits in floating point", wide_divisions_16x16, 16, "avx512f"},
	{"division of 8 x 16 bits in floating point", wide_divisions_8x16, 8, "avx2"},
	{"the same by one divisor", shared_divisions_16x16, 16, "avx512f"},
	{"the same by one divisor", shared_divisions_8x16, 8, "avx2"},
	{"division of 8 x 64 bits in floating point", wide_divisions_8x64, 8, "avx512f"},
	{"the same by one divisor", shared_divisions_8x64, 8, "avx512f"},
	{"quotient of floats", quotients_32, 1, "avx2"},
	{"quotient of doubles", quotients_64, 1, "avx2"},
	{"square root of a float", roots_32, 1, "avx2"},
	{"square root of a double", roots_64, 1, "avx2"},
	{"quotients of 16 floats", quotients_16x32, 16, "avx512f"},
	{"quotients of 8 floats", quotients_8x32, 8, "avx2"},
	{"quotients of 8 doubles", quotients_8x64, 8, "avx512f"},
	{"quotients of 4 doubles", quotients_4x64, 4, "avx2"},
	{"square roots of 16 floats", roots_16x32, 16, "avx512f"},
	{"square roots of 8 floats", roots_8x32, 8, "avx2"},
	{"square roots of 8 doubles", roots_8x64, 8, "avx512f"},
	{"square roots of 4 doubles", roots_4x64, 4, "avx2"},
	{"random number", random_numbers, 1, NULL},
	{"random number and a branch by it", surprises, 1, NULL},
};

static double seconds_of(void (*run)(unsigned), unsigned rounds)
{
	double times[BATCHES];

	run(rounds / 8 + 1);
	for (unsigned i = 0; i < BATCHES; i++) {
		double start = seconds_now();

		run(rounds);
		times[i] = seconds_now() - start;
	}
	median(times, BATCHES); /* sorts: the least is what nothing else disturbed */
	return times[0];
}

static bool has(const char *feature)
{
	__builtin_cpu_init();
	if (!feature)
		return true;
	if (strcmp(feature, "avx2") == 0)
		return __builtin_cpu_supports("avx2");
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
	       __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
}

static void prepare(void)
{
	uint32_t state = 12345;

	for (unsigned i = 0; i < PLACES; i++) {
		state = state * 1664525 + 1013904223;
		places[i] = (int32_t)(state >> 8) % TABLE;
		masks[i] = (uint16_t)(i & 16 ? 0x5a5a : 0xa5a5);
	}
}

/* In cycles, for each element. */
static double cycles_of(void (*run)(unsigned), unsigned rounds, double cycle)
{
	return seconds_of(run, rounds) / ((double)rounds * PLACES) / cycle;
}

static void print_table(unsigned rounds, double cycle)
{
	printf("| operation | cycles | for each element |\n|---|---:|---:|\n");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!has(rows[i].feature))
			continue;
		double each = cycles_of(rows[i].run, rounds, cycle);
		printf("| %s | %.1f | %.2f |\n", rows[i].name, each * rows[i].elements, each);
	}
}

/* What struct CpuCosts has, in its order: with AVX-512, and without. NULL: such a CPU has no instruction for it. */
static void (*const columns[][2])(unsigned) = {
	{gather_16x32, gather_8x32},
	{gather_8x64, gather_4x64},
	{loads_16x32, loads_8x32},
	{scatter_16x32, NULL},
	{divisions_32, divisions_32},
	{divisions_64, divisions_64},
	{wide_divisions_16x16, wide_divisions_8x16},
	{shared_divisions_16x16, shared_divisions_8x16},
	{wide_divisions_8x32, wide_divisions_4x32},
	{shared_divisions_8x32, shared_divisions_4x32},
	{wide_divisions_8x64, NULL},
	{shared_divisions_8x64, NULL},
	{quotients_32, quotients_32},
	{quotients_64, quotients_64},
	{roots_32, roots_32},
	{roots_64, roots_64},
	{quotients_16x32, quotients_8x32},
	{quotients_8x64, quotients_4x64},
	{roots_16x32, roots_8x32},
	{roots_8x64, roots_4x64},
};

static void print_row(unsigned rounds, double cycle)
{
	const unsigned kind = has("avx512f") ? 0 : 1;

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		void (*const run)(unsigned) = columns[i][kind];

		printf("%.0f, ", run ? 10 * cycles_of(run, rounds, cycle) : 0.0);
	}
	/* One branch of two goes the other way. */
	printf("%.0f\n", 20 * (cycles_of(surprises, rounds, cycle) -
			       cycles_of(random_numbers, rounds, cycle)));
}

int main(int argc, char **argv)
{
	const char *option = argc > 1 ? argv[1] : "";
	const unsigned rounds = strcmp(option, "--short") == 0 ? 2 : ROUNDS;

	prepare();
	double cycle = seconds_of(run_additions, rounds) / ((double)rounds * PLACES);
	if (strcmp(option, "--row") != 0)
		print_table(rounds, cycle);
	else if (has("avx2"))
		print_row(rounds, cycle);
	return EXIT_SUCCESS;
}
