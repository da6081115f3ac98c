/* SPDX-License-Identifier: MIT
 *
 * Keys of specialisations: made for each launch of a kernel that gains by one, so they cost little.
 */
#include "program/specialisation_key.h"

#include <stddef.h>
#include <string.h>

uint32_t weft_specialisation_constants(const struct weft_kernel_desc *kernel)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < kernel->num_args; i++)
		count += kernel->args[i].kind == WEFT_ARG_IMAGE ||
			 kernel->args[i].kind == WEFT_ARG_SAMPLER;
	return count;
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

uint64_t weft_specialisation_pack_size(const struct weft_ndrange *range)
{
	uint64_t packed = 0;

	for (int d = 2; d >= 0; d--) {
		const uint64_t local = range->local_size[d];

		if (local > UINT16_MAX || range->num_groups[d] * local != range->global_size[d])
			return 0;
		packed = packed << 16 | local;
	}
	return packed;
}

void weft_specialisation_key_set_size(struct weft_specialisation_key *key, uint64_t packed_size)
{
	const uint64_t hash = mix(key->constants_hash, packed_size);

	key->words[0] = packed_size;
	key->hash = hash ? hash : 1;
}

/* A format is in the structure, a sampler is the argument itself. False: the argument is neither. */
static bool read_constant(const struct weft_arg_desc *arg, const unsigned char *place,
			  uint64_t *word)
{
	uint32_t format;

	if (arg->kind == WEFT_ARG_IMAGE) {
		memcpy(&format, place + offsetof(struct weft_image, format), sizeof(format));
		*word = format;
		return true;
	}
	if (arg->kind != WEFT_ARG_SAMPLER)
		return false;
	memcpy(word, place, sizeof(*word));
	return true;
}

void weft_specialisation_key_init(struct weft_specialisation_key *key, uint64_t packed_size,
				  const struct weft_kernel_desc *kernel, const unsigned char *args)
{
	uint32_t count = 1;
	uint64_t hash = 1;

	for (uint32_t i = 0; kernel && i < kernel->num_args; i++) {
		const struct weft_arg_desc *arg = &kernel->args[i];

		if (!read_constant(arg, args + arg->offset, &key->words[count]))
			continue;
		hash = mix(hash, key->words[count]);
		count++;
	}
	key->num_words = count;
	key->constants_hash = hash;
	weft_specialisation_key_set_size(key, packed_size);
}

void weft_specialisation_words_describe(const uint64_t *words, uint32_t num_words,
					struct weft_specialise_desc *desc)
{
	for (int d = 0; d < 3; d++)
		desc->local_size[d] = words[0] >> 16 * d & UINT16_MAX;
	desc->image_constants = words + 1;
	desc->num_image_constants = num_words - 1;
}
