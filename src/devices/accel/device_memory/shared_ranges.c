/* SPDX-License-Identifier: MIT
 *
 * The list of shared ranges: a sorted part, and behind it the newest ones, which are few and in no order. When there are too many of
 * these, a new list takes the place of the old one, all of it sorted. Invariants: in the sorted part begins never decrease; what has
 * been removed is in the list until the next new list. Until an item is whole, `count` does not say that it is there.
 */
#include "device_memory/shared_ranges.h"

#include "alloc.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Of them every look-up sees each. With 100,000 ranges an addition costs as much as moving 800 of them. */
#define MOST_UNSORTED 128

struct accel_shared_ranges {
	size_t sorted;        /* items of the sorted part */
	_Atomic size_t count; /* items, MOST_UNSORTED more at most */
	size_t removed;       /* of these */
	struct accel_shared_range items[];
};

static size_t count_of(const struct accel_shared_ranges *ranges)
{
	return ranges ? atomic_load_explicit(&ranges->count, memory_order_relaxed) : 0;
}

static int compare(const void *a, const void *b)
{
	const struct accel_shared_range *first = a;
	const struct accel_shared_range *second = b;

	return (first->begin > second->begin) - (first->begin < second->begin);
}

/* Appends the items of both in their order, without what has been removed. */
static void merge(struct accel_shared_ranges *fresh, const struct accel_shared_ranges *old,
		  const struct accel_shared_range *newest, size_t num_newest)
{
	size_t next = 0;

	for (size_t i = 0; i <= old->sorted; i++) {
		for (; next < num_newest &&
		       (i == old->sorted || newest[next].begin < old->items[i].begin);
		     next++)
			fresh->items[fresh->sorted++] = newest[next];
		if (i < old->sorted && old->items[i].size)
			fresh->items[fresh->sorted++] = old->items[i];
	}
}

/* Takes the place of a list with a sorted one, without what has been removed, and with room for more. */
static enum weft_status renew(struct accel_shared_ranges **ranges)
{
	struct accel_shared_ranges *old = *ranges;
	const size_t count = count_of(old);
	struct accel_shared_range newest[MOST_UNSORTED];
	size_t num_newest = 0;
	struct accel_shared_ranges *fresh =
		weft_zalloc(sizeof(*fresh) + (count + MOST_UNSORTED) * sizeof(fresh->items[0]));

	if (!fresh)
		return WEFT_OUT_OF_MEMORY;
	if (old) {
		for (size_t i = old->sorted; i < count; i++) {
			if (old->items[i].size)
				newest[num_newest++] = old->items[i];
		}
		qsort(newest, num_newest, sizeof(newest[0]), compare);
		merge(fresh, old, newest, num_newest);
	}
	atomic_init(&fresh->count, fresh->sorted);
	*ranges = fresh;
	weft_free(old);
	return WEFT_OK;
}

enum weft_status accel_shared_ranges_add(struct accel_shared_ranges **ranges,
					 const struct accel_shared_range *range)
{
	if (!*ranges || count_of(*ranges) == (*ranges)->sorted + MOST_UNSORTED) {
		enum weft_status status = renew(ranges);
		if (status != WEFT_OK)
			return status;
	}
	const size_t count = count_of(*ranges);

	(*ranges)->items[count] = *range;
	atomic_store_explicit(&(*ranges)->count, count + 1, memory_order_release);
	return WEFT_OK;
}

/* How many items of the sorted part begin at or before the address. */
static size_t count_before(const struct accel_shared_ranges *ranges, uintptr_t address)
{
	size_t low = 0, high = ranges->sorted;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (ranges->items[middle].begin <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* One that has the address; NULL: there is none. */
static struct accel_shared_range *look_up(struct accel_shared_ranges *ranges, uintptr_t address)
{
	const size_t count = count_of(ranges);

	if (count == 0)
		return NULL;
	size_t end = count_before(ranges, address);
	while (end > 0 && !ranges->items[end - 1].size)
		end--;
	if (end > 0 && address - ranges->items[end - 1].begin < ranges->items[end - 1].size)
		return &ranges->items[end - 1];
	for (size_t i = ranges->sorted; i < count; i++) {
		if (address - ranges->items[i].begin < ranges->items[i].size)
			return &ranges->items[i];
	}
	return NULL;
}

bool accel_shared_ranges_remove(struct accel_shared_ranges **ranges, uintptr_t begin,
				size_t *granule)
{
	struct accel_shared_range *range = look_up(*ranges, begin);

	if (!range || range->begin != begin)
		return false;
	*granule = range->granule;
	range->size = 0;
	/* look-ups pass by what has been removed; without memory for a new list, they go on doing so */
	(*ranges)->removed++;
	if ((*ranges)->removed > MOST_UNSORTED && (*ranges)->removed > count_of(*ranges) / 2 &&
	    renew(ranges) != WEFT_OK)
		(*ranges)->removed = 0;
	return true;
}

const struct accel_shared_range *accel_shared_ranges_find(struct accel_shared_ranges *ranges,
							  uintptr_t address)
{
	return look_up(ranges, address);
}
