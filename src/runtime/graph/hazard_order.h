/* SPDX-License-Identifier: MIT
 *
 * The order that follows from hazards: which commands the next one comes after, and what the table knows afterwards. The
 * operations of the table's user say what a command is, and how one comes after another. These functions are in a header
 * so that the operations, a constant, are inlined: a queue calls them for each access of each command.
 */
#ifndef WEFT_RUNTIME_HAZARD_ORDER_H
#define WEFT_RUNTIME_HAZARD_ORDER_H

#include "block_pool.h"
#include "graph/hazards.h"

#include <string.h>

/* Callbacks that return bool return false when out of memory; `is_over` is a question. */
struct weft_hazard_ops {
	/* Whether all that the hazard knows of has run. NULL: it never has. With it, a write takes the place of all hazards
	 * that it overlaps, and grows to their regions. */
	bool (*is_over)(const struct weft_hazard *hazard);
	/* The command comes after the hazard's writer, if there is one. */
	bool (*follow_writer)(struct weft_hazard *hazard, void *command);
	/* It comes after the readers since, which follow the writer; or if there are none, after the writer. */
	bool (*follow_all)(struct weft_hazard *hazard, void *command);
	/* It is the writer, of a new hazard. */
	void (*set_writer)(struct weft_hazard *hazard, void *command);
	/* It is one of the readers. */
	bool (*add_reader)(struct weft_hazard *hazard, void *command);
	/* The hazard goes. */
	void (*release)(struct weft_hazard *hazard);
};

static inline struct weft_hazard *weft_hazards_insert(struct weft_hazards *hazards, cl_mem buffer,
						      const struct weft_region *region)
{
	struct weft_hazard *hazard = weft_block_pool_take(WEFT_BLOCK_POOL_JOIN_COUNTERS);

	if (!hazard)
		return NULL;
	memset(hazard, 0, WEFT_BLOCK_POOL_JOIN_COUNTER_BYTES);
	hazard->buffer = buffer;
	hazard->region = *region;
	weft_hazards_enter(hazards, hazard);
	return hazard;
}

static inline void weft_hazards_remove(struct weft_hazards *hazards,
				       const struct weft_hazard_ops *ops,
				       struct weft_hazard *hazard)
{
	weft_hazards_leave(hazards, hazard);
	ops->release(hazard);
	weft_block_pool_return(WEFT_BLOCK_POOL_JOIN_COUNTERS, hazard);
}

/* Removes what is over of the hazards that the region overlaps, and widens a region that is written to all of the others. */
static inline void weft_hazards_tidy(struct weft_hazards *hazards,
				     const struct weft_hazard_ops *ops, cl_mem buffer,
				     struct weft_region *region, bool writes)
{
	struct weft_hazard *other = weft_hazards_overlapping(hazards, buffer, region, NULL);

	while (other) {
		struct weft_hazard *next = weft_hazards_overlapping(hazards, buffer, region, other);

		if (ops->is_over(other)) {
			weft_hazards_remove(hazards, ops, other);
		} else if (writes && weft_regions_overlap(&other->region, region) &&
			   !weft_region_contains(region, &other->region)) {
			weft_region_join(region, &other->region);
			next = weft_hazards_overlapping(hazards, buffer, region, NULL);
		}
		other = next;
	}
}

#define WEFT_HAZARDS_FEW 16u /* that may be over, and stay until a command overlaps them */
#define WEFT_HAZARDS_LOOKS 2

/* A few looks for each that is added keep the number of those that are over below that of the others. */
static inline void weft_hazards_sweep(struct weft_hazards *hazards,
				      const struct weft_hazard_ops *ops)
{
	for (int i = 0; i < WEFT_HAZARDS_LOOKS && hazards->count > WEFT_HAZARDS_FEW; i++) {
		struct weft_hazard *hazard = weft_hazards_step(hazards);

		if (ops->is_over(hazard))
			weft_hazards_remove(hazards, ops, hazard);
	}
}

/* The writer takes the place of hazards whose regions it has all of. */
static inline bool weft_hazards_add_write(struct weft_hazards *hazards,
					  const struct weft_hazard_ops *ops, cl_mem buffer,
					  const struct weft_region *region, void *command)
{
	struct weft_hazard *other = weft_hazards_overlapping(hazards, buffer, region, NULL);

	while (other) {
		struct weft_hazard *next = weft_hazards_overlapping(hazards, buffer, region, other);
		bool related = weft_regions_overlap(&other->region, region);

		if (related && !ops->follow_all(other, command))
			return false;
		if (related && weft_region_contains(region, &other->region))
			weft_hazards_remove(hazards, ops, other);
		other = next;
	}
	struct weft_hazard *own = weft_hazards_insert(hazards, buffer, region);
	if (own)
		ops->set_writer(own, command);
	return own != NULL;
}

static inline bool weft_hazards_add_read(struct weft_hazards *hazards,
					 const struct weft_hazard_ops *ops, cl_mem buffer,
					 const struct weft_region *region, void *command)
{
	struct weft_hazard *home = NULL;
	struct weft_hazard *other = NULL;

	while ((other = weft_hazards_overlapping(hazards, buffer, region, other))) {
		if (!weft_regions_overlap(&other->region, region))
			continue;
		if (!ops->follow_writer(other, command))
			return false;
		if (!home && weft_region_contains(&other->region, region))
			home = other;
	}
	if (!home)
		home = weft_hazards_insert(hazards, buffer, region);
	return home && ops->add_reader(home, command);
}

static inline bool weft_hazards_add_region(struct weft_hazards *hazards,
					   const struct weft_hazard_ops *ops, cl_mem buffer,
					   struct weft_region region, bool writes, void *command)
{
	if (ops->is_over) {
		weft_hazards_sweep(hazards, ops);
		weft_hazards_tidy(hazards, ops, buffer, &region, writes);
	}
	return writes ? weft_hazards_add_write(hazards, ops, buffer, &region, command)
		      : weft_hazards_add_read(hazards, ops, buffer, &region, command);
}

/* What the application can reach at the same time, by a mapping or because it is its own memory, is that memory, too: by
 * the mappings that there are now. */
static inline bool weft_hazards_host_memory(cl_mem buffer)
{
	return buffer && (buffer->host_ptr || weft_mem_has_mappings(buffer));
}

static inline bool weft_hazards_add_access(struct weft_hazards *hazards,
					   const struct weft_hazard_ops *ops,
					   const struct weft_access *access, void *command)
{
	const bool writes = access->kind & WEFT_ACCESS_WRITE;
	struct weft_region region = access->region;
	cl_mem buffer = access->buffer;

	while (weft_hazards_add_region(hazards, ops, buffer, region, writes, command)) {
		if (!weft_hazards_host_memory(buffer))
			return true;
		region = weft_region_moved(region, (uintptr_t)buffer->address);
		buffer = NULL;
	}
	return false;
}

/* Adds edges to all commands that it must follow (some may be redundant) and enters it into the table. False: out of
 * memory; then the caller orders it after everything before, and everything later after it. */
static inline bool weft_hazards_add(struct weft_hazards *hazards, const struct weft_hazard_ops *ops,
				    const struct weft_accesses *accesses, void *command)
{
	if (hazards->count >= hazards->num_buckets && !weft_hazards_grow(hazards))
		return false;
	/* A range that is written may grow, over what the command itself has read: its reads come last. */
	for (int reads = 0; reads <= 1; reads++) {
		for (uint32_t i = 0; i < accesses->count; i++) {
			const struct weft_access *access = &accesses->items[i];

			if ((access->kind == WEFT_ACCESS_READ) == reads &&
			    !weft_hazards_add_access(hazards, ops, access, command))
				return false;
		}
	}
	return true;
}

#endif
