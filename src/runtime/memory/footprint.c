/* SPDX-License-Identifier: MIT
 *
 * Footprints: ranges that overlap become one.
 */
#include "memory/footprint.h"

/* A union may overlap what its parts did not. */
static void add(struct weft_footprint *footprint, struct weft_range range)
{
	for (unsigned i = 0; i < footprint->count;) {
		const struct weft_range *other = &footprint->ranges[i];

		if (!weft_range_overlaps(&range, other)) {
			i++;
			continue;
		}
		weft_range_join(&range, other);
		range.writes = range.writes || other->writes;
		footprint->ranges[i] = footprint->ranges[--footprint->count];
		i = 0;
	}
	if (footprint->count == WEFT_FOOTPRINT_MOST)
		footprint->unknown = true;
	else if (range.begin < range.end)
		footprint->ranges[footprint->count++] = range;
}

void weft_footprint_add(struct weft_footprint *footprint, cl_mem mem, size_t begin, size_t end,
			bool writes)
{
	uintptr_t address = (uintptr_t)mem->address;
	const struct weft_range range = {weft_mem_root(mem), address + begin, address + end,
					 writes};

	weft_footprint_add_range(footprint, &range);
}

void weft_footprint_add_range(struct weft_footprint *footprint, const struct weft_range *range)
{
	cl_mem root = (cl_mem)(uintptr_t)range->space;
	struct weft_range mapped = *range;

	if (footprint->unknown)
		return;
	add(footprint, *range);
	if (!root->host_ptr && !weft_mem_has_mappings(root))
		return;
	mapped.space = NULL;
	add(footprint, mapped);
}

void weft_footprint_add_host(struct weft_footprint *footprint, const void *memory, size_t size,
			     bool writes)
{
	uintptr_t begin = (uintptr_t)memory;

	if (!footprint->unknown)
		add(footprint, (struct weft_range){NULL, begin, begin + size, writes});
}
