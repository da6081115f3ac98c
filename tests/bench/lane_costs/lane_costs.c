/* SPDX-License-Identifier: MIT
 *
 * What operations cost on this CPU that decide whether lanes pay: in cycles, by which the constants of lane_cost.cpp,
 * scattered_costs.cpp and keep_source_vectors.cpp can be judged. A cycle is the time of an addition in a chain of them.
 *
 * usage: lane_costs [--short]
 */
#define _GNU_SOURCE
#include "measure.h"

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define TABLE 4096 /* numbers that loads pick from: they fit the first cache */
#define PLACES 1024
#define BATCHES 5

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
	const char *assumed; /* by the compiler */
};

static void run_additions(unsigned rounds)
{
	uint64_t number = 1;

	for (unsigned i = 0; i < rounds * PLACES / 16; i++)
		__asm__ volatile(".rept 16\n\tadd $1, %0\n\t.endr" : "+r"(number));
	sink = number;
}

#define GATHERS(name, target, elements, body)                                                      \
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

GATHERS(gather_16x32, AVX512, 16, USE512(_mm512_i32gather_epi32(INDICES512, table32, 4)))
GATHERS(gather_some_16x32, AVX512, 16,
	USE512(_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), masks[i], INDICES512, table32,
					   4)))
GATHERS(gather_8x64, AVX512, 8, USE512(_mm512_i32gather_epi64(INDICES256, table64, 8)))
GATHERS(gather_some_8x64, AVX512, 8,
	USE512(_mm512_mask_i32gather_epi64(_mm512_setzero_si512(), (__mmask8)masks[i], INDICES256,
					   table64, 8)))
GATHERS(scatter_16x32, AVX512, 16,
	_mm512_i32scatter_epi32(table32, INDICES512, _mm512_set1_epi32((int)i), 4))
GATHERS(gather_8x32, AVX2, 8, USE(_mm256_i32gather_epi32(table32, INDICES256, 4)))
GATHERS(gather_4x64, AVX2, 4,
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

static void divisions_32(unsigned rounds)
{
	uint32_t sum = 0;

	for (unsigned round = 0; round < rounds; round++)
		for (unsigned i = 0; i < PLACES; i++)
			sum += UINT32_C(4000000000) / ((uint32_t)places[i] + 1);
	sink = sum;
}

static void divisions_64(unsigned rounds)
{
	uint64_t sum = 0;

	for (unsigned round = 0; round < rounds; round++)
		for (unsigned i = 0; i < PLACES; i++)
			sum += (UINT64_C(1) << 60) / ((uint64_t)places[i] + 1);
	sink = sum;
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
	{"gather of 16 x 32 bits", gather_16x32, 16, "avx512f", "8, or 24 where gathers are slow"},
	{"the same, half of the lanes", gather_some_16x32, 16, "avx512f", "the same"},
	{"gather of 8 x 64 bits", gather_8x64, 8, "avx512f", "4, or 12"},
	{"the same, half of the lanes", gather_some_8x64, 8, "avx512f", "the same"},
	{"gather of 8 x 32 bits", gather_8x32, 8, "avx2", "4, or 12"},
	{"gather of 4 x 64 bits", gather_4x64, 4, "avx2", "2, or 6"},
	{"16 loads of 32 bits and insertions", loads_16x32, 16, "avx512f", "24"},
	{"scatter of 16 x 32 bits", scatter_16x32, 16, "avx512f", "16"},
	{"shuffle of two registers", shuffles_16x32, 16, "avx512f", "0.5 to 1"},
	{"division of 32 bits", divisions_32, 1, NULL, "6"},
	{"division of 64 bits", divisions_64, 1, NULL, "6"},
	{"random number", random_numbers, 1, NULL, ""},
	{"random number and a branch by it", surprises, 1, NULL,
	 "15 for each that is not foreseen"},
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

int main(int argc, char **argv)
{
	const bool is_short = argc > 1 && strcmp(argv[1], "--short") == 0;
	const unsigned rounds = is_short ? 2 : 4000;

	prepare();
	double cycle = seconds_of(run_additions, rounds) / ((double)rounds * PLACES);
	printf("| operation | cycles | for each element | the compiler's |\n|---|---:|---:|---|\n");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!has(rows[i].feature))
			continue;
		double each = seconds_of(rows[i].run, rounds) / ((double)rounds * PLACES) / cycle;
		printf("| %s | %.1f | %.2f | %s |\n", rows[i].name, each * rows[i].elements, each,
		       rows[i].assumed);
	}
	return 0;
}
