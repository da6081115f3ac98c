/* SPDX-License-Identifier: MIT
 *
 * The kernels of barrier_shapes.c.
 */
#ifndef WEFT_TESTS_BARRIER_SHAPES_H
#define WEFT_TESTS_BARRIER_SHAPES_H

#include <stddef.h>

struct shape {
	const char *name;
	const char *body; /* OpenCL C */
	/* What one group of `size` work-items makes of a. */
	void (*reference)(const int *a, int *out, int size, int n);
};

extern const struct shape shapes[];
extern const size_t num_shapes;

#endif
