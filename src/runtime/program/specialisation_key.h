/* SPDX-License-Identifier: MIT
 *
 * The key of a specialisation: the local size, the formats of images and the samplers that it is for.
 */
#ifndef WEFT_RUNTIME_SPECIALISATION_KEY_H
#define WEFT_RUNTIME_SPECIALISATION_KEY_H

#include "compiler.h"
#include "kernel_abi.h"

#include <stdbool.h>

/* Image and sampler arguments of a kernel that has specialisations, at most. */
#define WEFT_SPECIALISATION_CONSTANTS 32

struct weft_specialisation_key {
	uint64_t hash; /* of all words; not 0 */
	uint64_t constants_hash;
	uint32_t num_words; /* at least 1 */
	/* The local size, packed, or 0 for any size; then weft_specialise_desc.image_constants. */
	uint64_t words[1 + WEFT_SPECIALISATION_CONSTANTS];
};

/* Image and sampler arguments. */
uint32_t weft_specialisation_constants(const struct weft_kernel_desc *kernel);

/* The range's local size as one number; 0: it is too large, or the range has a group that is not whole. */
uint64_t weft_specialisation_pack_size(const struct weft_ndrange *range);

/* For a packed local size, or 0 for any size, and for the images and samplers in the packed arguments of a kernel, which has not
 * too many of them. The addresses of images need not be there. `kernel` NULL: for any formats and samplers. */
void weft_specialisation_key_init(struct weft_specialisation_key *key, uint64_t packed_size,
				  const struct weft_kernel_desc *kernel, const unsigned char *args);
void weft_specialisation_key_set_size(struct weft_specialisation_key *key, uint64_t packed_size);

/* What the compiler is told of a key's words: local size and constants. The constants are borrowed. */
void weft_specialisation_words_describe(const uint64_t *words, uint32_t num_words,
					struct weft_specialise_desc *desc);

#endif
