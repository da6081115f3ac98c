/* SPDX-License-Identifier: MIT
 *
 * MD5 and SHA-256 of one block.
 */
#include "digests.h"

#include <stddef.h>
#include <string.h>

/* ---- MD5 -------------------------------------------------------------------------------------- */

/* The sines of 1 to 64. */
static const uint32_t sines[64] = {
	0xd76aa478U, 0xe8c7b756U, 0x242070dbU, 0xc1bdceeeU, 0xf57c0fafU, 0x4787c62aU, 0xa8304613U,
	0xfd469501U, 0x698098d8U, 0x8b44f7afU, 0xffff5bb1U, 0x895cd7beU, 0x6b901122U, 0xfd987193U,
	0xa679438eU, 0x49b40821U, 0xf61e2562U, 0xc040b340U, 0x265e5a51U, 0xe9b6c7aaU, 0xd62f105dU,
	0x02441453U, 0xd8a1e681U, 0xe7d3fbc8U, 0x21e1cde6U, 0xc33707d6U, 0xf4d50d87U, 0x455a14edU,
	0xa9e3e905U, 0xfcefa3f8U, 0x676f02d9U, 0x8d2a4c8aU, 0xfffa3942U, 0x8771f681U, 0x6d9d6122U,
	0xfde5380cU, 0xa4beea44U, 0x4bdecfa9U, 0xf6bb4b60U, 0xbebfbc70U, 0x289b7ec6U, 0xeaa127faU,
	0xd4ef3085U, 0x04881d05U, 0xd9d4d039U, 0xe6db99e5U, 0x1fa27cf8U, 0xc4ac5665U, 0xf4292244U,
	0x432aff97U, 0xab9423a7U, 0xfc93a039U, 0x655b59c3U, 0x8f0ccc92U, 0xffeff47dU, 0x85845dd1U,
	0x6fa87e4fU, 0xfe2ce6e0U, 0xa3014314U, 0x4e0811a1U, 0xf7537e82U, 0xbd3af235U, 0x2ad7d2bbU,
	0xeb86d391U,
};

void digest_md5(const uint32_t block[16], uint32_t digest[4])
{
	static const uint8_t turns[4][4] = {
		{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
	static const uint32_t start[4] = {0x67452301U, 0xefcdab89U, 0x98badcfeU, 0x10325476U};
	static const uint8_t first[4] = {0, 1, 5, 0}, step[4] = {1, 5, 3, 7};
	uint32_t a = start[0], b = start[1], c = start[2], d = start[3];

	for (size_t k = 0; k < 64; k++) {
		const size_t round = k / 16;
		const uint32_t mixed[4] = {d ^ (b & (c ^ d)), c ^ (d & (b ^ c)), b ^ c ^ d,
					   c ^ (b | ~d)};
		uint32_t sum =
			a + mixed[round] + sines[k] + block[(first[round] + step[round] * k) & 15];

		a = d;
		d = c;
		c = b;
		b += rotate(sum, turns[round][k & 3]);
	}
	digest[0] = a + start[0];
	digest[1] = b + start[1];
	digest[2] = c + start[2];
	digest[3] = d + start[3];
}

/* ---- SHA-256 ---------------------------------------------------------------------------------- */

static const uint32_t constants[64] = {
	0x428a2f98U, 0x71374491U, 0xb5c0fbcfU, 0xe9b5dba5U, 0x3956c25bU, 0x59f111f1U, 0x923f82a4U,
	0xab1c5ed5U, 0xd807aa98U, 0x12835b01U, 0x243185beU, 0x550c7dc3U, 0x72be5d74U, 0x80deb1feU,
	0x9bdc06a7U, 0xc19bf174U, 0xe49b69c1U, 0xefbe4786U, 0x0fc19dc6U, 0x240ca1ccU, 0x2de92c6fU,
	0x4a7484aaU, 0x5cb0a9dcU, 0x76f988daU, 0x983e5152U, 0xa831c66dU, 0xb00327c8U, 0xbf597fc7U,
	0xc6e00bf3U, 0xd5a79147U, 0x06ca6351U, 0x14292967U, 0x27b70a85U, 0x2e1b2138U, 0x4d2c6dfcU,
	0x53380d13U, 0x650a7354U, 0x766a0abbU, 0x81c2c92eU, 0x92722c85U, 0xa2bfe8a1U, 0xa81a664bU,
	0xc24b8b70U, 0xc76c51a3U, 0xd192e819U, 0xd6990624U, 0xf40e3585U, 0x106aa070U, 0x19a4c116U,
	0x1e376c08U, 0x2748774cU, 0x34b0bcb5U, 0x391c0cb3U, 0x4ed8aa4aU, 0x5b9cca4fU, 0x682e6ff3U,
	0x748f82eeU, 0x78a5636fU, 0x84c87814U, 0x8cc70208U, 0x90befffaU, 0xa4506cebU, 0xbef9a3f7U,
	0xc67178f2U,
};

static const uint32_t initial[8] = {
	0x6a09e667U, 0xbb67ae85U, 0x3c6ef372U, 0xa54ff53aU,
	0x510e527fU, 0x9b05688cU, 0x1f83d9abU, 0x5be0cd19U,
};

static inline uint32_t next_word(uint32_t w[16], size_t k)
{
	uint32_t w2 = w[(k + 14) & 15];
	uint32_t w15 = w[(k + 1) & 15];

	w[k & 15] += (rotate(w15, 25) ^ rotate(w15, 14) ^ (w15 >> 3)) + w[(k + 9) & 15] +
		     (rotate(w2, 15) ^ rotate(w2, 13) ^ (w2 >> 10));
	return w[k & 15];
}

void digest_sha256(const uint32_t block[16], uint32_t digest[8])
{
	uint32_t w[16];
	uint32_t s[8];

	memcpy(w, block, sizeof(w));
	memcpy(s, initial, sizeof(s));
	for (size_t k = 0; k < 64; k++) {
		uint32_t word = k < 16 ? w[k] : next_word(w, k);
		uint32_t t1 = s[7] + (rotate(s[4], 26) ^ rotate(s[4], 21) ^ rotate(s[4], 7)) +
			      (s[6] ^ (s[4] & (s[5] ^ s[6]))) + constants[k] + word;
		uint32_t t2 = (rotate(s[0], 30) ^ rotate(s[0], 19) ^ rotate(s[0], 10)) +
			      ((s[0] & s[1]) | (s[2] & (s[0] | s[1])));

		s[7] = s[6];
		s[6] = s[5];
		s[5] = s[4];
		s[4] = s[3] + t1;
		s[3] = s[2];
		s[2] = s[1];
		s[1] = s[0];
		s[0] = t1 + t2;
	}
	for (size_t k = 0; k < 8; k++)
		digest[k] = s[k] + initial[k];
}
