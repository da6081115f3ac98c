/* SPDX-License-Identifier: MIT
 *
 * The map of addresses. An entry is 0, the address of an object, or the address of a table with its lowest bit set. Invariant:
 * an entry that has become a table stays that table, so the table that a reader has found stays valid.
 */
#include "memory/address_map.h"

#include "alloc.h"

#include <stdatomic.h>

#define TABLE ((uintptr_t)1)
#define ADDRESS_BITS 48

/* Bytes that an entry of a table stands for are 1 << shift: 512 GiB, 1 GiB, 2 MiB, a page, a granule. */
static const struct {
	unsigned shift;
	unsigned entries;
} levels[WEFT_ADDRESS_LEVELS] = {{39, 512}, {30, 512}, {21, 512}, {12, 512}, {7, 32}};

typedef _Atomic uintptr_t entry;

static entry *table_of(uintptr_t value)
{
	return (entry *)(value & ~TABLE);
}

static size_t index_at(unsigned level, uintptr_t address)
{
	return (address >> levels[level].shift) & (levels[level].entries - 1);
}

void *weft_address_map_find(struct weft_address_map *map, uintptr_t address)
{
	uintptr_t value = atomic_load_explicit(&map->root, memory_order_acquire);

	if (address >> ADDRESS_BITS)
		return NULL;
	for (unsigned level = 0; value & TABLE; level++)
		value = atomic_load_explicit(&table_of(value)[index_at(level, address)],
					     memory_order_acquire);
	return (void *)value;
}

/* ---- changes --------------------------------------------------------------------------------- */

/* The table that the place leads to, of a level; it is made if the place is empty. NULL: out of memory. */
static entry *table_at(entry *place, unsigned level)
{
	uintptr_t value = atomic_load_explicit(place, memory_order_relaxed);

	if (value & TABLE)
		return table_of(value);
	entry *table = weft_calloc(levels[level].entries, sizeof(*table));
	if (table)
		atomic_store_explicit(place, (uintptr_t)table | TABLE, memory_order_release);
	return table;
}

/* Addresses of one entry of the table above, and what they become. */
struct change {
	uintptr_t begin; /* multiples of the granule */
	uintptr_t last;  /* of the last granule */
	uintptr_t value; /* an object, or 0 */
};

/* Sets all entries of the range. An entry that is a table already keeps it, and the entries of that are set. False: out of
 * memory, with a part of the range set. */
static bool set_range(entry *table, unsigned level, const struct change *change)
{
	const uintptr_t bytes = (uintptr_t)1 << levels[level].shift;

	for (uintptr_t at = change->begin & ~(bytes - 1); at <= change->last; at += bytes) {
		const uintptr_t end = at + bytes - WEFT_ADDRESS_GRANULE;
		const struct change part = {
			at > change->begin ? at : change->begin,
			end < change->last ? end : change->last,
			change->value,
		};
		const bool whole = part.begin == at && part.last == end;
		entry *place = &table[index_at(level, at)];
		const bool is_table = atomic_load_explicit(place, memory_order_relaxed) & TABLE;

		if (whole && !is_table) {
			atomic_store_explicit(place, change->value, memory_order_release);
			continue;
		}
		if (!is_table && !change->value)
			continue; /* of a range that was entered in part */
		entry *parts = table_at(place, level + 1);
		if (!parts || !set_range(parts, level + 1, &part))
			return false;
	}
	return true;
}

static struct change change_of(uintptr_t begin, size_t size, uintptr_t value)
{
	const uintptr_t mask = ~(uintptr_t)(WEFT_ADDRESS_GRANULE - 1);

	return (struct change){begin & mask, (begin + size - 1) & mask, value};
}

bool weft_address_map_add(struct weft_address_map *map, uintptr_t begin, size_t size, void *object)
{
	const struct change change = change_of(begin, size, (uintptr_t)object);
	const struct change undo = change_of(begin, size, 0);

	if (size == 0 || change.last < change.begin || change.last >> ADDRESS_BITS)
		return false;
	weft_mutex_lock(&map->lock);
	entry *table = table_at(&map->root, 0);
	bool added = table && set_range(table, 0, &change);
	if (table && !added)
		(void)set_range(table, 0, &undo);
	weft_mutex_unlock(&map->lock);
	return added;
}

bool weft_address_map_remove(struct weft_address_map *map, uintptr_t begin, size_t size,
			     void *object)
{
	const struct change change = change_of(begin, size, 0);

	weft_mutex_lock(&map->lock);
	bool found = weft_address_map_find(map, begin) == object;
	if (found)
		(void)set_range(table_of(atomic_load_explicit(&map->root, memory_order_relaxed)), 0,
				&change);
	weft_mutex_unlock(&map->lock);
	return found;
}
