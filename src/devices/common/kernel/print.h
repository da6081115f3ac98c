/* SPDX-License-Identifier: MIT
 *
 * What one command prints. Each range of work-groups collects its calls of printf in a separate piece, without a lock.
 * When the command ends, the pieces are put in the order of the groups, formatted, and written to standard output at
 * once.
 */
#ifndef WEFT_DEVICES_PRINT_H
#define WEFT_DEVICES_PRINT_H

#include "kernel_abi.h"
#include "status.h"
#include "strbuf.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* The output of one range of work-groups. Used by one thread at a time. */
struct weft_print_piece {
	struct weft_print_piece *next;
	uint64_t first_group;
	struct weft_strbuf calls; /* each: the site's address, then its packed arguments */
};

/* The output of one command. All zeros: nothing was printed. */
struct weft_print {
	_Atomic(struct weft_print_piece *) pieces; /* owned, newest first */
};

/* Appends one call to *piece, which is made when it is NULL. Returns what printf returns: 0, or -1
 * when out of memory. */
int32_t weft_print_call(struct weft_print_piece **piece, uint64_t first_group,
			const struct weft_printf_site *site, const void *args);

/* Gives a finished piece (or NULL) to the command. */
void weft_print_add(struct weft_print *print, struct weft_print_piece *piece);

/* Whether there is something to finish. No other thread adds to `print` any more. */
static inline bool weft_print_has_output(const struct weft_print *print)
{
	return atomic_load_explicit(&((struct weft_print *)(uintptr_t)print)->pieces,
				    memory_order_relaxed) != NULL;
}

/* Writes everything to standard output, flushes it, and frees what was kept. No other thread uses
 * `print` any more; the kernel's module is still loaded. */
void weft_print_finish(struct weft_print *print);

#endif
