/* SPDX-License-Identifier: MIT
 *
 * A kernel's buffers: their first contents, copies between pages that nothing may touch, comparison.
 */
#ifndef WEFT_DIFFER_MEMORY_H
#define WEFT_DIFFER_MEMORY_H

#include "guarded.h"
#include "tree.h"

struct image {
	unsigned char *bytes[MAX_OBJECTS];   /* of each buffer */
	size_t sizes[MAX_OBJECTS];           /* bytes */
	struct guarded guarded[MAX_OBJECTS]; /* a guarded copy's */
};

struct difference {
	int object; /* -1: none */
	size_t element;
	int field;
	unsigned lane;
};

/* Random contents, always the same; destroyed with image_destroy. */
void image_make(struct image *image, const struct kernel *kernel, const struct geometry *geometry);
void image_copy(struct image *copy, const struct image *image);
/* The byte before the first is inaccessible, or the byte behind the last if at_end. */
void image_copy_guarded(struct image *copy, const struct image *image, bool at_end);
void image_destroy(struct image *image);
/* The first. A NaN is like every other, and what lies between the fields of a struct is ignored. */
struct difference image_compare(const struct kernel *kernel, const struct image *a,
				const struct image *b);
struct value image_value(const struct kernel *kernel, const struct image *image,
			 const struct difference *at);

#endif
