/* SPDX-License-Identifier: MIT
 *
 * The software cache of each cluster, for single accesses of global memory: sets of ways, in which the least recently used
 * line is replaced. Stores go to the cache, and to memory when the line is replaced. Only times and counts are simulated; no
 * data is kept here. One thread plays all clusters, and calls in the order of the program.
 */
#ifndef WEFT_ACCEL_SIMULATED_CACHE_H
#define WEFT_ACCEL_SIMULATED_CACHE_H

#include "simulation/description.h"

#include <stdatomic.h>
#include <stdbool.h>

struct accel_simulated_cache_line {
	uint64_t number; /* among the memory's lines, plus 1; 0: no line */
	uint64_t used;   /* the time of the last access */
	bool is_dirty;
};

/* Of a cluster; any thread may read them. */
struct accel_simulated_cache_counts {
	_Atomic uint64_t hits;
	_Atomic uint64_t misses;
	_Atomic uint64_t write_backs;
};

struct accel_simulated_cache {
	const struct accel_description *machine; /* borrowed */
	struct accel_simulated_cache_line
		*lines; /* owned: cluster by cluster, set by set; NULL: there is no cache */
	struct accel_simulated_cache_counts *counts; /* owned: one per cluster */
	uint64_t sets;
	uint64_t now; /* accesses so far */
};

/* Makes an empty cache. After WEFT_OUT_OF_MEMORY there is nothing to destroy. */
enum weft_status
accel_simulated_cache_init(struct accel_simulated_cache *cache,
			   const struct accel_description *machine) WEFT_MUST_CHECK;
void accel_simulated_cache_destroy(struct accel_simulated_cache *cache);
/* As after accel_simulated_cache_init. */
void accel_simulated_cache_reset(struct accel_simulated_cache *cache);

/* An element of the cluster accesses `size` bytes at that place in global memory. `kind` has bits of enum weft_access_kind: an
 * atomic access bypasses the cache; one that acquires or releases empties it. Returns the cycles. */
uint64_t accel_simulated_cache_access(struct accel_simulated_cache *cache, uint64_t cluster,
				      uint64_t place, uint64_t size, uint32_t kind);
/* A kernel ends: empties the caches of all clusters at the same time. Returns the cycles of the cache that takes longest. */
uint64_t accel_simulated_cache_flush(struct accel_simulated_cache *cache);

#endif
