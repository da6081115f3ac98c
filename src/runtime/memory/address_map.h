/* SPDX-License-Identifier: MIT
 *
 * What lies at an address of the process: a map from ranges of addresses to objects, which threads read without a lock. It is
 * a tree of tables like those that a processor translates addresses by. An entry of a table stands for an aligned range of
 * addresses, and is empty, an object that has all of that range, or a table of its parts. So a look-up takes at most one step
 * for each of WEFT_ADDRESS_LEVELS levels, however many ranges there are.
 *
 * A table is never freed, since other threads may be reading it. A later range in the same place uses it again.
 */
#ifndef WEFT_RUNTIME_ADDRESS_MAP_H
#define WEFT_RUNTIME_ADDRESS_MAP_H

#include "mutex.h"
#include "status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Two ranges of the map never share an aligned block of this many bytes. */
#define WEFT_ADDRESS_GRANULE 128
#define WEFT_ADDRESS_LEVELS 5

struct weft_address_map {
	_Atomic uintptr_t root; /* a table; 0: there has been no range yet */
	struct weft_mutex lock; /* WEFT_RANK_ADDRESS_MAP; for changes */
};

#define WEFT_ADDRESS_MAP_INITIALIZER {0, WEFT_MUTEX_INITIALIZER(WEFT_RANK_ADDRESS_MAP)}

/* The object whose granules have the address; or NULL. */
void *weft_address_map_find(struct weft_address_map *map, uintptr_t address);

/* Enters an object, whose address is even. The granules of the range are in no other range. False: out of memory, or the
 * range is not in the address space of a process; then the map has nothing of it. */
bool weft_address_map_add(struct weft_address_map *map, uintptr_t begin, size_t size,
			  void *object) WEFT_MUST_CHECK;
/* Takes the object out again; false: it is not there, and nothing changes. Of several threads that take it out, one gets
 * true. */
bool weft_address_map_remove(struct weft_address_map *map, uintptr_t begin, size_t size,
			     void *object);

#endif
