/* SPDX-License-Identifier: MIT
 *
 * Cases that look for passwords: by a hash that is quick, of which each work-item makes many, and by one that is slow.
 */
#include "bench.h"
#include "digests.h"

#include <string.h>

/* ---- masks: all first words, for each rest of a message -------------------------------------- */

#define NUM_FIRSTS 1024
#define SEARCH_GROUP 64

typedef void block_digest(const uint32_t *block, uint32_t *digest);

static void make_block(uint32_t block[16], uint32_t first, uint32_t rest, bool big_endian)
{
	memset(block, 0, 16 * sizeof(*block));
	block[0] = first;
	block[1] = rest;
	block[2] = big_endian ? 0x80000000U : 0x80U;
	block[big_endian ? 15 : 14] = 64;
}

static void md5_of(const uint32_t *words, uint32_t *digest)
{
	uint32_t block[16];

	make_block(block, words[0], words[1], false);
	digest_md5(block, digest);
}

static void sha256_of(const uint32_t *words, uint32_t *digest)
{
	uint32_t block[16];

	make_block(block, words[0], words[1], true);
	digest_sha256(block, digest);
}

/* The message that is looked for is one of the last. */
static void prepare_mask(struct work *work, block_digest *hash)
{
	const uint32_t *rests = work_integers(work, work->size, 0);
	const uint32_t *firsts = work_integers(work, NUM_FIRSTS, 0);

	work_int(work, NUM_FIRSTS / 16);
	uint32_t *digest = work_input(work, 8 * sizeof(uint32_t));
	const uint32_t wanted[2] = {firsts[NUM_FIRSTS - 7], rests[work->size - 3]};

	hash(wanted, digest);
	work_output(work, ELEMENT_EXACT, 2 * sizeof(uint32_t));
	work_range(work, work->size, work->size < SEARCH_GROUP ? work->size : SEARCH_GROUP);
}

static void openmp_mask(const struct work *work, block_digest *hash)
{
	const uint32_t *rests = work_data(work, 0);
	const uint32_t *firsts = work_data(work, 1);
	const uint32_t *wanted = work_data(work, 3);
	uint32_t *found = work_data(work, 4);

#pragma omp parallel for
	for (size_t i = 0; i < work->size; i++) {
		for (uint32_t k = 0; k < NUM_FIRSTS; k++) {
			const uint32_t words[2] = {firsts[k], rests[i]};
			uint32_t digest[8];

			hash(words, digest);
			if (memcmp(digest, wanted, 4 * sizeof(uint32_t)) == 0) {
				found[0] = (uint32_t)i;
				found[1] = k;
			}
		}
	}
}

static void prepare_md5_mask(struct work *work)
{
	prepare_mask(work, md5_of);
}

static void openmp_md5_mask(const struct work *work)
{
	openmp_mask(work, md5_of);
}

static void prepare_sha256_mask(struct work *work)
{
	prepare_mask(work, sha256_of);
}

static void openmp_sha256_mask(const struct work *work)
{
	openmp_mask(work, sha256_of);
}

/* ---- Blowfish -------------------------------------------------------------------------------- */

#define ROUNDS 4

static const uint32_t salt[4] = {0x243f6a88U, 0x85a308d3U, 0x13198a2eU, 0x03707344U};

struct blowfish {
	uint32_t keys[18];
	uint32_t boxes[1024];
};

/* Keys and boxes begin with random numbers, where Blowfish has digits of pi. */
static void prepare_blowfish(struct work *work)
{
	work_integers(work, 4 * work->size, 0);
	work_integers(work, sizeof(struct blowfish) / sizeof(uint32_t), 0);
	work_output(work, ELEMENT_EXACT, 2 * work->size * sizeof(uint32_t));
	memcpy(work_values(work, sizeof(salt)), salt, sizeof(salt));
	work_int(work, ROUNDS);
	work_range(work, work->size, 1);
}

static uint32_t mix(const struct blowfish *state, uint32_t x)
{
	const uint32_t *boxes = state->boxes;

	return ((boxes[x >> 24] + boxes[256 + (x >> 16 & 255)]) ^ boxes[512 + (x >> 8 & 255)]) +
	       boxes[768 + (x & 255)];
}

static void encrypt_pair(const struct blowfish *state, uint32_t pair[2])
{
	uint32_t left = pair[0] ^ state->keys[0];
	uint32_t right = pair[1];

	for (size_t k = 1; k < 17; k += 2) {
		right ^= mix(state, left) ^ state->keys[k];
		left ^= mix(state, right) ^ state->keys[k + 1];
	}
	pair[0] = right ^ state->keys[17];
	pair[1] = left;
}

static void expand(struct blowfish *state, const uint32_t password[4])
{
	uint32_t pair[2] = {0, 0};

	for (size_t k = 0; k < 18; k++)
		state->keys[k] ^= password[k & 3];
	for (size_t k = 0; k < 18; k += 2) {
		encrypt_pair(state, pair);
		memcpy(&state->keys[k], pair, sizeof(pair));
	}
	for (size_t k = 0; k < 1024; k += 2) {
		encrypt_pair(state, pair);
		memcpy(&state->boxes[k], pair, sizeof(pair));
	}
}

static void openmp_blowfish(const struct work *work)
{
	const uint32_t *passwords = work_data(work, 0);
	const struct blowfish *start = work_data(work, 1);
	uint32_t *digests = work_data(work, 2);

#pragma omp parallel for
	for (size_t i = 0; i < work->size; i++) {
		struct blowfish state = *start;
		uint32_t pair[2] = {0x4f727068U, 0x65616e42U};

		for (int k = 0; k < ROUNDS; k++) {
			expand(&state, &passwords[4 * i]);
			expand(&state, salt);
		}
		for (int k = 0; k < 64; k++)
			encrypt_pair(&state, pair);
		memcpy(&digests[2 * i], pair, sizeof(pair));
	}
}

const struct bench_case password_cases[] = {
	{"md5_mask", "md5_mask", "", 512, 16, prepare_md5_mask, openmp_md5_mask, 0, NULL},
	{"sha256_mask", "sha256_mask", "", 128, 16, prepare_sha256_mask, openmp_sha256_mask, 0,
	 NULL},
	{"blowfish", "blowfish", "", 32, 4, prepare_blowfish, openmp_blowfish, 0, NULL},
	{0},
};
