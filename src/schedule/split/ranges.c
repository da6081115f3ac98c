/* SPDX-License-Identifier: MIT */
#include "split/ranges.h"

#include <stdlib.h>
#include <string.h>

static bool reserve(struct weft_ranges *ranges, size_t count)
{
	if (count <= ranges->room)
		return true;
	struct weft_range *items =
		(struct weft_range *)realloc(ranges->items, 2 * count * sizeof(*items));
	if (!items)
		return false;
	ranges->items = items;
	ranges->room = 2 * count;
	return true;
}

/* Puts `count` intervals in the place of those from `first` up to `last`. */
static void replace(struct weft_ranges *ranges, size_t first, size_t last,
		    const struct weft_range *items, size_t count)
{
	memmove(&ranges->items[first + count], &ranges->items[last],
		(ranges->count - last) * sizeof(*items));
	for (size_t i = 0; i < count; i++)
		ranges->items[first + i] = items[i];
	ranges->count = ranges->count - (last - first) + count;
}

bool weft_ranges_add(struct weft_ranges *ranges, struct weft_range added)
{
	size_t first = 0;

	if (added.begin >= added.end)
		return true;
	if (!reserve(ranges, ranges->count + 1))
		return false;
	while (first < ranges->count && ranges->items[first].end < added.begin)
		first++;
	size_t last = first;
	for (; last < ranges->count && ranges->items[last].begin <= added.end; last++) {
		if (ranges->items[last].begin < added.begin)
			added.begin = ranges->items[last].begin;
		if (ranges->items[last].end > added.end)
			added.end = ranges->items[last].end;
	}
	replace(ranges, first, last, &added, 1);
	return true;
}

bool weft_ranges_remove(struct weft_ranges *ranges, struct weft_range removed)
{
	struct weft_range left[2];
	size_t count = 0;
	size_t first = 0;

	if (removed.begin >= removed.end)
		return true;
	if (!reserve(ranges, ranges->count + 1))
		return false;
	while (first < ranges->count && ranges->items[first].end <= removed.begin)
		first++;
	size_t last = first;
	while (last < ranges->count && ranges->items[last].begin < removed.end)
		last++;
	if (first == last)
		return true;
	if (ranges->items[first].begin < removed.begin)
		left[count++] = (struct weft_range){ranges->items[first].begin, removed.begin};
	if (ranges->items[last - 1].end > removed.end)
		left[count++] = (struct weft_range){removed.end, ranges->items[last - 1].end};
	replace(ranges, first, last, left, count);
	return true;
}

size_t weft_ranges_prefix(const struct weft_ranges *ranges, struct weft_range part)
{
	for (size_t i = 0; i < ranges->count; i++) {
		const struct weft_range *has = &ranges->items[i];

		if (has->begin <= part.begin && has->end > part.begin)
			return has->end < part.end ? has->end : part.end;
	}
	return part.begin;
}

bool weft_ranges_missing(const struct weft_ranges *ranges, struct weft_range part,
			 struct weft_range *missing)
{
	missing->begin = weft_ranges_prefix(ranges, part);
	missing->end = part.end;
	for (size_t i = 0; i < ranges->count; i++) {
		const struct weft_range *has = &ranges->items[i];

		if (has->begin > missing->begin && has->begin < missing->end) {
			missing->end = has->begin;
			break;
		}
	}
	return missing->begin < missing->end;
}

bool weft_ranges_contain(const struct weft_ranges *ranges, struct weft_range part)
{
	struct weft_range missing;

	return !weft_ranges_missing(ranges, part, &missing);
}

void weft_ranges_destroy(struct weft_ranges *ranges)
{
	free(ranges->items);
	*ranges = (struct weft_ranges){0};
}
