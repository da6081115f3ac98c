/* SPDX-License-Identifier: MIT
 *
 * The kernels of widen_shapes.cl, for Weft and as plain C.
 */
#ifndef WEFT_TESTS_WIDEN_SHAPES_H
#define WEFT_TESTS_WIDEN_SHAPES_H

#include "kernel_runner.h"

#include <stdint.h>

enum shape_range { WHOLE, OVER, PLANE, ANY };

/* The kernels' parameters, by name. */
struct shape_buffers {
	const int32_t *a;
	const float *f;
	const int32_t *big;
	const uint32_t *idx;
	const uint8_t *bytes;
	int32_t *out;
	float *fout;
	uint8_t *bout;
	int32_t n;
};

struct widen_shape {
	const char *name;
	enum shape_range range;
	void (*plain)(const int32_t *a, const float *f, const int32_t *big, const uint32_t *idx,
		      const uint8_t *bytes, int32_t *out, float *fout, uint8_t *bout, int32_t *t,
		      int32_t n);
};

enum {
#define SHAPE(name, range) SHAPE_##name,
#include "widen_shapes.def"
#undef SHAPE
	NUM_SHAPES
};

extern const struct widen_shape widen_shapes[NUM_SHAPES];

#define MOST_ITEMS 256 /* of a group */

/* Runs the shape as plain C: each work-item on its own stack, from barrier to barrier, in order. */
void reference_run(const struct widen_shape *shape, const struct runner_range *range,
		   const struct shape_buffers *buffers);

#endif
