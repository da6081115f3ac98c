/* SPDX-License-Identifier: MIT
 *
 * Memory next to a page that nothing may touch: an access out of bounds ends the process.
 */
#ifndef WEFT_TESTS_GUARDED_H
#define WEFT_TESTS_GUARDED_H

#include <stdbool.h>
#include <stddef.h>

struct guarded {
	unsigned char *bytes;
	void *map;
	size_t map_size; /* bytes */
};

/* `size` bytes; the one before the first is inaccessible, or, if at_end, the one behind the last. Ends the
 * process when there is no memory. */
struct guarded guarded_new(size_t size, bool at_end);
void guarded_free(const struct guarded *guarded);

#endif
