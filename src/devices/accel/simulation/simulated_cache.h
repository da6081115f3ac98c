/* SPDX-License-Identifier: MIT
 *
 * The software cache of each cluster, for single accesses of global memory: sets of ways, the least recently used one goes
 * first; stores go into the cache, and to memory when the line goes. Only times and counts are simulated, nothing is kept
 * here. Calls come in one order, which is the program's: one thread plays all clusters.
 */
#ifndef WEFT_ACCEL_CACHE_H
#define WEFT_ACCEL_CACHE_H

#include "simulation/description.h"

#include <stdatomic.h>
#include <stdbool.h>

struct accel_cache_line {
	uint64_t number; /* of the memory's lines, and 1; 0: none */
	uint64_t used;   /* when last */
	bool is_dirty;
};

/* Of a cluster; anybody may look. */
struct accel_cache_counts {
	_Atomic uint64_t hits;
	_Atomic uint64_t misses;
	_Atomic uint64_t write_backs;
};

struct accel_cache {
	const struct accel_description *machine; /* borrowed */
	struct accel_cache_line *lines; /* owned: cluster by cluster, set by set; NULL: it is off */
	struct accel_cache_counts *counts; /* owned: of the clusters */
	uint64_t sets;
	uint64_t now; /* accesses */
};

/* It is empty. WEFT_OUT_OF_MEMORY, and nothing to destroy. */
enum weft_status accel_cache_init(struct accel_cache *cache,
				  const struct accel_description *machine) WEFT_MUST_CHECK;
void accel_cache_destroy(struct accel_cache *cache);
/* As after accel_cache_init. */
void accel_cache_reset(struct accel_cache *cache);

/* An element of the cluster accesses `size` bytes at that place in global memory. `kind` is enum weft_global_access bits: what
 * is atomic goes past the cache, and what acquires or releases empties it. Returns the cycles. */
uint64_t accel_cache_access(struct accel_cache *cache, uint64_t cluster, uint64_t place,
			    uint64_t size, uint32_t kind);
/* Empties all of them, at the same time: a kernel ends. Returns the cycles of the one that takes longest. */
uint64_t accel_cache_flush(struct accel_cache *cache);

#endif
