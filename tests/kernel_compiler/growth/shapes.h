/* SPDX-License-Identifier: MIT
 *
 * Generated kernels whose size is a parameter, one shape for each thing that a source may have many of.
 */
#ifndef WEFT_TEST_GROWTH_SHAPES_H
#define WEFT_TEST_GROWTH_SHAPES_H

#include <stddef.h>

/* A program that grows by parts that are like each other. */
struct growth_shape {
	const char *name;
	/* The text of `parts` parts: `before`, each `part` once, `after`. In `before` and `after` %1$u is the number of
	 * parts, in `part` it is the part's number, and %2$u the number of the part before. NULL: `print` writes it all. */
	const char *before, *part, *after;
	/* What it does where the parts do not simply follow each other. Owned by the caller. */
	char *(*print)(unsigned parts);
	double instructions; /* LLVM instructions of one part after the front end, once SSA form is made */
};

extern const struct growth_shape growth_shapes[];
extern const size_t growth_num_shapes;

/* The source of a shape with so many parts. Owned by the caller, to be freed. NULL: out of memory. */
char *growth_source(const struct growth_shape *shape, unsigned parts);

#endif
