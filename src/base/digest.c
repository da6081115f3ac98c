/* SPDX-License-Identifier: MIT
 *
 * XXH3-128 of libxxhash, compiled in: no library to load.
 */
#include "digest.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

struct weft_digest weft_digest_bytes(const void *bytes, size_t size)
{
	XXH128_hash_t hash = XXH3_128bits(bytes, size);

	return (struct weft_digest){hash.low64, hash.high64};
}

struct weft_digest weft_digest_field(struct weft_digest seed, const void *bytes, size_t size)
{
	struct weft_digest field = weft_digest_bytes(bytes, size);
	const uint64_t words[5] = {seed.low, seed.high, size, field.low, field.high};

	return weft_digest_bytes(words, sizeof(words));
}
