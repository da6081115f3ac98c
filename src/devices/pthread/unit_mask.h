/* SPDX-License-Identifier: MIT
 *
 * Sets of compute units, which many threads change at once. All operations are sequentially consistent: one thread adds a
 * unit and then looks elsewhere, another thread changes something there and then looks for units; at least one of the two
 * sees what the other did.
 */
#ifndef WEFT_PTHREAD_UNIT_MASK_H
#define WEFT_PTHREAD_UNIT_MASK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define MOST_UNITS 4096
#define NO_UNIT UINT32_MAX

struct unit_mask {
	_Atomic uint64_t words[MOST_UNITS / 64];
};

/* Some units that next_local one another. */
struct unit_range {
	uint32_t first;
	uint32_t count;
};

static inline bool unit_range_has(struct unit_range range, uint32_t unit)
{
	return unit - range.first < range.count;
}

/* The units in both ranges. */
static inline struct unit_range unit_range_both(struct unit_range a, struct unit_range b)
{
	uint32_t first = a.first > b.first ? a.first : b.first;
	uint32_t end =
		a.first + a.count < b.first + b.count ? a.first + a.count : b.first + b.count;

	return (struct unit_range){first, end > first ? end - first : 0};
}

static inline uint64_t unit_bit(uint32_t unit)
{
	return UINT64_C(1) << unit % 64;
}

static inline void unit_mask_add(struct unit_mask *mask, uint32_t unit)
{
	atomic_fetch_or(&mask->words[unit / 64], unit_bit(unit));
}

/* Returns whether the unit was in the mask. */
static inline bool unit_mask_remove(struct unit_mask *mask, uint32_t unit)
{
	return atomic_fetch_and(&mask->words[unit / 64], ~unit_bit(unit)) & unit_bit(unit);
}

static inline void unit_mask_clear(struct unit_mask *mask)
{
	for (uint32_t i = 0; i < MOST_UNITS / 64; i++)
		atomic_store(&mask->words[i], 0);
}

/* The units of word `index` that are in the mask and the range, a bit each. */
static inline uint64_t unit_mask_word(struct unit_mask *mask, struct unit_range range,
				      uint32_t index)
{
	uint64_t word = atomic_load(&mask->words[index]);
	uint32_t start = index * 64;

	if (range.first > start)
		word &= ~UINT64_C(0) << (range.first - start);
	if (range.first + range.count < start + 64)
		word &= unit_bit(range.first + range.count) - 1;
	return word;
}

/* The number of the word after the last word with a unit of the range. */
static inline uint32_t unit_range_words_end(struct unit_range range)
{
	return (range.first + range.count + 63) / 64;
}

static inline uint32_t unit_mask_count(struct unit_mask *mask, struct unit_range range)
{
	uint32_t count = 0;

	for (uint32_t i = range.first / 64; i < unit_range_words_end(range); i++)
		count += (uint32_t)__builtin_popcountll(unit_mask_word(mask, range, i));
	return count;
}

/* Removes a unit of the range from the mask and returns it; NO_UNIT when there is none. */
static inline uint32_t unit_mask_claim(struct unit_mask *mask, struct unit_range range)
{
	for (uint32_t i = range.first / 64; i < unit_range_words_end(range); i++) {
		uint64_t word;

		while ((word = unit_mask_word(mask, range, i))) {
			uint32_t unit = i * 64 + (uint32_t)__builtin_ctzll(word);

			if (unit_mask_remove(mask, unit))
				return unit;
		}
	}
	return NO_UNIT;
}

#endif
