/* SPDX-License-Identifier: MIT
 *
 * Digests of one block in plain C, for the cases that hash. Words are as the digest takes them.
 */
#ifndef WEFT_BENCH_DIGESTS_H
#define WEFT_BENCH_DIGESTS_H

#include <stdint.h>

static inline uint32_t rotate(uint32_t x, unsigned by)
{
	return x << by | x >> (32 - by);
}

/* RFC 1321. */
void digest_md5(const uint32_t block[16], uint32_t digest[4]);
/* FIPS 180-4. */
void digest_sha256(const uint32_t block[16], uint32_t digest[8]);

#endif
