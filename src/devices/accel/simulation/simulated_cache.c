/* SPDX-License-Identifier: MIT
 *
 * Lines that are fetched and replaced. A line moves as a DMA request does, and never waits for a channel.
 */
#include "simulation/simulated_cache.h"

#include "alloc.h"
#include "kernel_abi.h"
#include "simulation/cycles.h"

#include <string.h>

#define WORD_BYTES 8u /* at most, of one access */

enum weft_status accel_simulated_cache_init(struct accel_simulated_cache *cache,
					    const struct accel_description *machine)
{
	*cache = (struct accel_simulated_cache){.machine = machine};
	if (machine->cache_bytes == 0)
		return WEFT_OK;
	const uint64_t lines = machine->cache_bytes / machine->cache_line;
	cache->sets = lines / machine->cache_ways;
	cache->lines = weft_calloc(machine->clusters * lines, sizeof(*cache->lines));
	cache->counts = weft_calloc(machine->clusters, sizeof(*cache->counts));
	if (cache->lines && cache->counts)
		return WEFT_OK;
	accel_simulated_cache_destroy(cache);
	return WEFT_OUT_OF_MEMORY;
}

void accel_simulated_cache_destroy(struct accel_simulated_cache *cache)
{
	weft_free(cache->lines);
	weft_free((void *)cache->counts);
	*cache = (struct accel_simulated_cache){0};
}

void accel_simulated_cache_reset(struct accel_simulated_cache *cache)
{
	if (!cache->lines)
		return;
	memset(cache->lines, 0,
	       cache->machine->clusters * cache->sets * cache->machine->cache_ways *
		       sizeof(*cache->lines));
	memset((void *)cache->counts, 0, cache->machine->clusters * sizeof(*cache->counts));
	cache->now = 0;
}

static struct accel_simulated_cache_line *set_of(const struct accel_simulated_cache *cache,
						 uint64_t cluster, uint64_t number)
{
	return cache->lines +
	       (cluster * cache->sets + number % cache->sets) * cache->machine->cache_ways;
}

static uint64_t line_cycles(const struct accel_simulated_cache *cache)
{
	return accel_moving_cycles(cache->machine, cache->machine->cache_line);
}

/* Returns the cycles for writing the line back, if it has been written to. */
static uint64_t drop(struct accel_simulated_cache *cache, uint64_t cluster,
		     struct accel_simulated_cache_line *line)
{
	const bool is_dirty = line->number != 0 && line->is_dirty;

	*line = (struct accel_simulated_cache_line){0};
	if (!is_dirty)
		return 0;
	accel_add(&cache->counts[cluster].write_backs, 1);
	return line_cycles(cache);
}

/* The way that has the line; if none has, the way that was used longest ago, which is a free one if there is one. */
static struct accel_simulated_cache_line *find(const struct accel_simulated_cache *cache,
					       uint64_t cluster, uint64_t number)
{
	struct accel_simulated_cache_line *set = set_of(cache, cluster, number);
	struct accel_simulated_cache_line *oldest = set;

	for (uint64_t i = 0; i < cache->machine->cache_ways; i++) {
		if (set[i].number == number + 1)
			return &set[i];
		if (set[i].used < oldest->used)
			oldest = &set[i];
	}
	return oldest;
}

static uint64_t touch(struct accel_simulated_cache *cache, uint64_t cluster, uint64_t number,
		      bool stores)
{
	struct accel_simulated_cache_line *line = find(cache, cluster, number);
	uint64_t cycles = cache->machine->cache_latency;

	if (line->number == number + 1) {
		accel_add(&cache->counts[cluster].hits, 1);
	} else {
		accel_add(&cache->counts[cluster].misses, 1);
		cycles += drop(cache, cluster, line);
		cycles += cache->machine->dma_latency + line_cycles(cache);
		line->number = number + 1;
	}
	line->is_dirty = line->is_dirty || stores;
	line->used = ++cache->now;
	return cycles;
}

/* Empties a cluster's cache, by one request. */
static uint64_t empty(struct accel_simulated_cache *cache, uint64_t cluster)
{
	const uint64_t lines = cache->sets * cache->machine->cache_ways;
	uint64_t cycles = 0;

	for (uint64_t i = 0; i < lines; i++)
		cycles += drop(cache, cluster, &cache->lines[cluster * lines + i]);
	return cycles > 0 ? cache->machine->dma_latency + cycles : 0;
}

/* An atomic access costs two accesses, as without a cache. The line leaves the cache before. */
static uint64_t bypass(struct accel_simulated_cache *cache, uint64_t cluster, uint64_t number)
{
	struct accel_simulated_cache_line *line = find(cache, cluster, number);
	uint64_t cycles = 2 * cache->machine->global_latency;

	if (line->number == number + 1)
		cycles += drop(cache, cluster, line);
	return cycles;
}

uint64_t accel_simulated_cache_access(struct accel_simulated_cache *cache, uint64_t cluster,
				      uint64_t place, uint64_t size, uint32_t kind)
{
	const uint64_t line_bytes = cache->machine->cache_line;
	uint64_t cycles = kind & WEFT_GLOBAL_ORDERED ? empty(cache, cluster) : 0;

	if (kind & WEFT_GLOBAL_ATOMIC)
		return cycles + bypass(cache, cluster, place / line_bytes);
	/* by aligned words, none of which is in two lines */
	for (uint64_t end = place + size; place < end; place += WORD_BYTES - place % WORD_BYTES)
		cycles += touch(cache, cluster, place / line_bytes, kind & WEFT_GLOBAL_STORES);
	return cycles;
}

uint64_t accel_simulated_cache_flush(struct accel_simulated_cache *cache)
{
	uint64_t longest = 0;

	if (!cache->lines)
		return 0;
	for (uint64_t i = 0; i < cache->machine->clusters; i++)
		longest = accel_later(longest, empty(cache, i));
	return longest;
}
