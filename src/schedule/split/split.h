/* SPDX-License-Identifier: MIT
 *
 * How a kernel is split: into slabs, which are layers of work-groups along its last dimension, and which bytes of a buffer some
 * neighbouring slabs read and write.
 */
#ifndef WEFT_SCHEDULE_SPLIT_H
#define WEFT_SCHEDULE_SPLIT_H

#include "spec/spec.h"
#include "split/ranges.h"

/* What the compiler knows of a buffer: by slab, and empty where nothing is read or written. */
struct weft_known_slices {
	struct weft_range *reads; /* owned; NULL: not known */
	struct weft_range *
		writes; /* owned: in ascending order, without overlaps; NULL: not known, or there are overlaps */
	uint64_t
		end; /* the first byte behind all that is accessed, which may lie outside of the buffer */
	bool overlaps; /* slabs may write what others write: the file's "break" is not believed */
};

struct weft_split {
	unsigned dimension;
	size_t slabs;          /* 1: it runs as a whole */
	size_t items_per_slab; /* along the dimension */
	size_t local[WEFT_MOST_DIMENSIONS];
	struct weft_known_slices *known; /* owned: by buffer; NULL: of none */
};

struct weft_slabs {
	size_t first;
	size_t count;
};

struct weft_group_limits {
	size_t most;                           /* work-items of a group */
	size_t required[WEFT_MOST_DIMENSIONS]; /* by reqd_work_group_size; zeros: any */
};

/* Chooses the size of a work-group, if neither the kernel nor its file says it. It depends on nothing else, so results are the same on
 * all devices together. `text` is the program's source. */
void weft_split_kernel(const struct weft_spec_kernel *kernel, const char *text,
		       const struct weft_group_limits *limits, struct weft_split *split);

/* Room for what is known of the buffers, with nothing in it. False: out of memory. */
bool weft_split_make_room(struct weft_split *split, size_t num_buffers);
/* Keeps the ranges of a buffer in which it is written, if they suit. */
void weft_split_check_writes(const struct weft_split *split, struct weft_known_slices *slices);
void weft_split_destroy(struct weft_split *split, size_t num_buffers);

/* Whether each slab writes bytes of its own, which weft_slice_own tells; else any slab may write anywhere. */
bool weft_slice_is_known(const struct weft_spec_kernel *kernel, const struct weft_split *split,
			 const struct weft_spec_buffer *buffer);
struct weft_range weft_slice_own(const struct weft_spec_kernel *kernel,
				 const struct weft_split *split,
				 const struct weft_spec_buffer *buffer, struct weft_slabs slabs);
/* What must be in a device's memory before the slabs run on it. */
struct weft_range weft_slice_needed(const struct weft_spec_kernel *kernel,
				    const struct weft_split *split,
				    const struct weft_spec_buffer *buffer, struct weft_slabs slabs);

/* What stands before a source that asks for ids and sizes, so that a part of the kernel sees those of the whole: owned text; NULL:
 * out of memory. "": the source asks for nothing that a part would see differently. */
char *weft_split_preamble(const struct weft_spec_kernel *kernel, const char *text);

#endif
