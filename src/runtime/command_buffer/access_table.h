/* SPDX-License-Identifier: MIT
 *
 * Which commands, of a sequence, have done what to memory: from it the next one learns whom it comes after. What
 * dependencies.h is for commands in flight, for commands that are only numbers.
 */
#ifndef WEFT_RUNTIME_ACCESS_TABLE_H
#define WEFT_RUNTIME_ACCESS_TABLE_H

#include "memory/footprint.h"

struct weft_access;

/* All zeros is an empty one. */
struct weft_access_table {
	struct weft_access **buckets; /* owned; by space; or NULL */
};

/* The command with that number, the highest so far, does this to the range: `after` is called for each that it comes
 * after, perhaps more than once. False: out of memory, or `after` said false. */
bool weft_access_table_add(struct weft_access_table *table, const struct weft_range *range,
			   uint32_t command, bool (*after)(void *data, uint32_t command),
			   void *data) WEFT_MUST_CHECK;
void weft_access_table_clear(struct weft_access_table *table);

#endif
