/* SPDX-License-Identifier: MIT
 *
 * Finds kernels by their ids, each of which is one of its file's.
 */
#ifndef WEFT_SCHEDULE_IDS_H
#define WEFT_SCHEDULE_IDS_H

#include "spec/spec.h"

struct weft_ids {
	const struct weft_spec_kernel *
		*sorted; /* owned; borrowed kernels: those that have an id, by file and id */
	size_t count;
};

/* False: out of memory. Kernels keep their ids until weft_ids_destroy. */
bool weft_ids_sort(const struct weft_spec *spec, struct weft_ids *ids);
void weft_ids_destroy(struct weft_ids *ids);
/* The first kernel of the specification with that id; WEFT_NO_KERNEL. */
size_t weft_ids_find(const struct weft_ids *ids, const struct weft_spec *spec, size_t graph,
		     const char *id);

#endif
