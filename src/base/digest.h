/* SPDX-License-Identifier: MIT
 *
 * A 128-bit digest (XXH3) for cache keys and to find damage. It is no protection against an attacker: it guards files
 * in folders that only the user can write.
 */
#ifndef WEFT_BASE_DIGEST_H
#define WEFT_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

struct weft_digest {
	uint64_t low;
	uint64_t high;
};

struct weft_digest weft_digest_bytes(const void *bytes, size_t size);

/* Mixes one length-prefixed field into a digest, so that ("ab", "c") differs from ("a", "bc"). */
struct weft_digest weft_digest_field(struct weft_digest seed, const void *bytes, size_t size);

#endif
