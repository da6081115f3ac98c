/* SPDX-License-Identifier: MIT
 *
 * Cases on integers: hashes, a cipher, searching, sorting in private arrays.
 */
#include "bench.h"
#include "digests.h"

#include <string.h>

#define HASH_ROUNDS 16

static void prepare_hash(struct work *work)
{
	work_integers(work, work->size, 0);
	work_output(work, ELEMENT_EXACT, work->size * sizeof(uint32_t));
	work_int(work, HASH_ROUNDS);
	work_range(work, work->size, 256);
}

static void openmp_hash(const struct work *work)
{
	const uint32_t *in = work_data(work, 0);
	uint32_t *out = work_data(work, 1);

#pragma omp parallel for simd
	for (size_t i = 0; i < work->size; i++) {
		uint32_t h = in[i];

		for (uint32_t k = 0; k < HASH_ROUNDS; k++) {
			h ^= h >> 16;
			h *= 0x85ebca6bU;
			h ^= h >> 13;
			h *= 0xc2b2ae35U;
			h ^= h >> 16;
			h = (h << 5 | h >> 27) + k;
		}
		out[i] = h;
	}
}

/* Sixteen numbers for each work-item. */
static void prepare_hash_vector(struct work *work)
{
	prepare_hash(work);
	work_range(work, work->size / 16, 64);
}

/* ---- SHA-256 --------------------------------------------------------------------------------- */

static void prepare_sha256(struct work *work)
{
	work_integers(work, 16 * work->size, 0);
	work_output(work, ELEMENT_EXACT, 8 * work->size * sizeof(uint32_t));
	work_range(work, work->size, 64);
}

static void openmp_sha256(const struct work *work)
{
	const uint32_t *blocks = work_data(work, 0);
	uint32_t *digests = work_data(work, 1);

#pragma omp parallel for
	for (size_t i = 0; i < work->size; i++)
		digest_sha256(&blocks[16 * i], &digests[8 * i]);
}

/* ---- AES-128 --------------------------------------------------------------------------------- */

static unsigned times_two(unsigned x)
{
	return (x << 1 ^ (x & 0x80U ? 0x1bU : 0)) & 0xffU;
}

/* FIPS 197, 5.1.1: inverses by the powers of 3, then the affine map. */
static void fill_box(uint32_t box[256])
{
	unsigned power = 1;
	unsigned inverse = 1;

	do {
		power = power ^ times_two(power);
		inverse ^= inverse << 1;
		inverse ^= inverse << 2;
		inverse ^= inverse << 4;
		inverse &= 0xffU;
		inverse ^= inverse & 0x80U ? 0x09U : 0;
		unsigned twice = inverse | inverse << 8;
		box[power] =
			(twice ^ twice >> 7 ^ twice >> 6 ^ twice >> 5 ^ twice >> 4 ^ 0x63U) & 0xffU;
	} while (power != 1);
	box[0] = 0x63;
}

/* SubBytes and MixColumns of a column's first byte; the other tables are turned by bytes. */
static void fill_tables(uint32_t tables[1024], const uint32_t box[256])
{
	for (size_t i = 0; i < 256; i++) {
		uint32_t s = box[i];
		uint32_t column = times_two(s) << 24 | s << 16 | s << 8 | (times_two(s) ^ s);

		for (size_t k = 0; k < 4; k++)
			tables[256 * k + i] = k ? rotate(column, (unsigned)(32 - 8 * k)) : column;
	}
}

/* The round keys of the key 0, 1, … 15. */
static void fill_keys(uint32_t keys[44], const uint32_t box[256])
{
	unsigned round = 1;

	for (uint32_t i = 0; i < 4; i++)
		keys[i] = 0x00010203U + i * 0x04040404U;
	for (size_t i = 4; i < 44; i++) {
		uint32_t word = keys[i - 1];

		if (i % 4 == 0) {
			word = box[word >> 16 & 255] << 24 | box[word >> 8 & 255] << 16 |
			       box[word & 255] << 8 | box[word >> 24];
			word ^= round << 24;
			round = times_two(round);
		}
		keys[i] = keys[i - 4] ^ word;
	}
}

static void prepare_aes(struct work *work)
{
	work_integers(work, 4 * work->size, 0);
	work_output(work, ELEMENT_EXACT, 4 * work->size * sizeof(uint32_t));
	uint32_t *tables = work_input(work, 1024 * sizeof(uint32_t));
	uint32_t *box = work_input(work, 256 * sizeof(uint32_t));
	uint32_t *keys = work_input(work, 44 * sizeof(uint32_t));

	fill_box(box);
	fill_tables(tables, box);
	fill_keys(keys, box);
	work_range(work, work->size, 64);
}

static void encrypt(const uint32_t *in, uint32_t *out, const struct work *work)
{
	const uint32_t *t = work_data(work, 2);
	const uint32_t *box = work_data(work, 3);
	const uint32_t *keys = work_data(work, 4);
	uint32_t state[4];
	uint32_t next[4];

	for (size_t k = 0; k < 4; k++)
		state[k] = in[k] ^ keys[k];
	for (size_t round = 1; round < 10; round++) {
		for (size_t k = 0; k < 4; k++)
			next[k] = t[state[k] >> 24] ^ t[256 + (state[(k + 1) & 3] >> 16 & 255)] ^
				  t[512 + (state[(k + 2) & 3] >> 8 & 255)] ^
				  t[768 + (state[(k + 3) & 3] & 255)] ^ keys[4 * round + k];
		memcpy(state, next, sizeof(state));
	}
	for (size_t k = 0; k < 4; k++)
		out[k] = (box[state[k] >> 24] << 24 | box[state[(k + 1) & 3] >> 16 & 255] << 16 |
			  box[state[(k + 2) & 3] >> 8 & 255] << 8 | box[state[(k + 3) & 3] & 255]) ^
			 keys[40 + k];
}

static void openmp_aes(const struct work *work)
{
	const uint32_t *in = work_data(work, 0);
	uint32_t *out = work_data(work, 1);

#pragma omp parallel for
	for (size_t i = 0; i < work->size; i++)
		encrypt(&in[4 * i], &out[4 * i], work);
}

/* ---- searching and sorting ------------------------------------------------------------------- */

#define TABLE_SIZE (1U << 16)

static void prepare_binary_search(struct work *work)
{
	uint32_t *sorted = work_input(work, TABLE_SIZE * sizeof(uint32_t));

	for (uint32_t i = 0; i < TABLE_SIZE; i++)
		sorted[i] = i * 65000 + work_random() % 65000;
	work_integers(work, work->size, 0);
	work_output(work, ELEMENT_EXACT, work->size * sizeof(int));
	work_int(work, TABLE_SIZE);
	work_range(work, work->size, 256);
}

static int position_of(const uint32_t *sorted, uint32_t key)
{
	int low = 0;
	int high = TABLE_SIZE;

	while (low < high) {
		int middle = (low + high) / 2;

		if (sorted[middle] < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void openmp_binary_search(const struct work *work)
{
	const uint32_t *sorted = work_data(work, 0);
	const uint32_t *keys = work_data(work, 1);
	int *positions = work_data(work, 2);

#pragma omp parallel for
	for (size_t i = 0; i < work->size; i++)
		positions[i] = position_of(sorted, keys[i]);
}

#define COUNT 16

static void prepare_private_sort(struct work *work)
{
	work_integers(work, COUNT * work->size, 0);
	work_output(work, ELEMENT_EXACT, COUNT * work->size * sizeof(uint32_t));
	work_range(work, work->size, 64);
}

static void sort(uint32_t numbers[COUNT])
{
	for (int k = 1; k < COUNT; k++) {
		uint32_t number = numbers[k];
		int at = k - 1;

		while (at >= 0 && numbers[at] > number) {
			numbers[at + 1] = numbers[at];
			at--;
		}
		numbers[at + 1] = number;
	}
}

static void openmp_private_sort(const struct work *work)
{
	const uint32_t *in = work_data(work, 0);
	uint32_t *out = work_data(work, 1);

#pragma omp parallel for
	for (size_t i = 0; i < work->size; i++) {
		uint32_t numbers[COUNT];

		for (size_t k = 0; k < COUNT; k++)
			numbers[k] = in[k * work->size + i];
		sort(numbers);
		for (size_t k = 0; k < COUNT; k++)
			out[k * work->size + i] = numbers[k];
	}
}

/* ---- prime factors --------------------------------------------------------------------------- */

static void prepare_prime_factors(struct work *work)
{
	work_integers(work, work->size, 1U << 20);
	work_output(work, ELEMENT_EXACT, work->size * sizeof(int));
	work_range(work, work->size, 64);
}

static int count_factors(uint32_t n)
{
	int count = 0;

	for (uint32_t d = 2; d * d <= n; d++) {
		while (n % d == 0) {
			n /= d;
			count++;
		}
	}
	return count + (n > 1);
}

static void openmp_prime_factors(const struct work *work)
{
	const uint32_t *numbers = work_data(work, 0);
	int *counts = work_data(work, 1);

#pragma omp parallel for
	for (size_t i = 0; i < work->size; i++)
		counts[i] = count_factors(numbers[i]);
}

const struct bench_case integer_cases[] = {
	{"hash", "hash", "", 1U << 20, 1U << 12, prepare_hash, openmp_hash, 0, NULL},
	{"hash_vector", "hash_vector", "", 1U << 20, 1U << 12, prepare_hash_vector, openmp_hash, 0,
	 NULL},
	{"prime_factors", "prime_factors", "", 1U << 14, 1U << 8, prepare_prime_factors,
	 openmp_prime_factors, 0, NULL},
	{"sha256", "sha256", "", 1U << 15, 1U << 10, prepare_sha256, openmp_sha256, 0, NULL},
	{"aes", "aes", "", 1U << 17, 1U << 10, prepare_aes, openmp_aes, 0, NULL},
	{"binary_search", "binary_search", "", 1U << 18, 1U << 12, prepare_binary_search,
	 openmp_binary_search, 0, NULL},
	{"private_sort", "private_sort", "", 1U << 16, 1U << 10, prepare_private_sort,
	 openmp_private_sort, 0, NULL},
	{0},
};
