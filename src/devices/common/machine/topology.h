/* SPDX-License-Identifier: MIT
 *
 * Which of the usable cores share memory nodes and caches, from /sys. Read only when it is asked for, as each core is a
 * few files.
 */
#ifndef WEFT_DEVICES_TOPOLOGY_H
#define WEFT_DEVICES_TOPOLOGY_H

#include "driver.h"

#include <sched.h>

/* A core, and the number of each domain that it belongs to; 0 where that is not known. */
struct weft_place {
	uint16_t core;
	uint16_t domains[WEFT_NUM_DOMAINS];
};

/* Cores by domain, the outermost first, so that the cores of each domain follow one another. */
struct weft_topology {
	uint32_t count;
	struct weft_place places[];
};

/* `root` is put before each path ("" for this machine; tests give a folder). Owned by the caller; NULL: out of memory. */
struct weft_topology *weft_topology_read(const char *root, const cpu_set_t *usable);

/* How many of the `count` places from `first` on each domain has, in their order. Returns the number of domains;
 * `counts` has room for `count`. */
uint32_t weft_topology_split(const struct weft_topology *topology, enum weft_domain domain,
			     uint32_t first, uint32_t count, uint32_t *counts);

/* Keeps `count` of the places: the first ones, or, with `spread`, places as far apart as possible. */
void weft_topology_thin(struct weft_topology *topology, uint32_t count, bool spread);

/* Linux's notation of sets, "0-3,8,10-11"; empty when `text` begins otherwise. */
void weft_topology_parse(const char *text, cpu_set_t *cores);

/* The cores of these places. */
void weft_topology_cores(const struct weft_topology *topology, uint32_t first, uint32_t count,
			 cpu_set_t *cores);

#endif
