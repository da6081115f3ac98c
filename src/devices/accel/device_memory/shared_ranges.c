/* SPDX-License-Identifier: MIT
 *
 * The list of shared ranges. Invariant: begins never decrease; ranges that have been removed are in it until the next one is
 * added.
 */
#include "device_memory/shared_ranges.h"

#include "alloc.h"

struct accel_shared_ranges {
	size_t count;
	struct accel_shared_range items[];
};

static size_t count_of(const struct accel_shared_ranges *ranges)
{
	return ranges ? ranges->count : 0;
}

enum weft_status accel_shared_ranges_add(struct accel_shared_ranges **ranges,
					 const struct accel_shared_range *range)
{
	struct accel_shared_ranges *old = *ranges;
	const size_t count = count_of(old);
	struct accel_shared_ranges *fresh =
		weft_zalloc(sizeof(*fresh) + (count + 1) * sizeof(fresh->items[0]));
	size_t i = 0;

	if (!fresh)
		return WEFT_OUT_OF_MEMORY;
	for (; i < count && old->items[i].begin < range->begin; i++) {
		if (old->items[i].size)
			fresh->items[fresh->count++] = old->items[i];
	}
	fresh->items[fresh->count++] = *range;
	for (; i < count; i++) {
		if (old->items[i].size)
			fresh->items[fresh->count++] = old->items[i];
	}
	*ranges = fresh;
	weft_free(old);
	return WEFT_OK;
}

/* How many items of the list begin at or before the address. */
static size_t count_before(const struct accel_shared_ranges *ranges, uintptr_t address)
{
	size_t low = 0, high = count_of(ranges);

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (ranges->items[middle].begin <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The index of the last range that begins at or before the address, plus 1; 0: there is none. */
static size_t last_before(const struct accel_shared_ranges *ranges, uintptr_t address)
{
	size_t end = count_before(ranges, address);

	while (end > 0 && !ranges->items[end - 1].size)
		end--;
	return end;
}

bool accel_shared_ranges_remove(struct accel_shared_ranges *ranges, uintptr_t begin,
				size_t *granule)
{
	const size_t end = last_before(ranges, begin);

	if (end == 0 || ranges->items[end - 1].begin != begin)
		return false;
	*granule = ranges->items[end - 1].granule;
	ranges->items[end - 1].size = 0;
	return true;
}

const struct accel_shared_range *accel_shared_ranges_find(const struct accel_shared_ranges *ranges,
							  uintptr_t address)
{
	const size_t end = last_before(ranges, address);

	return end > 0 && address - ranges->items[end - 1].begin < ranges->items[end - 1].size
		       ? &ranges->items[end - 1]
		       : NULL;
}
