/* SPDX-License-Identifier: MIT
 *
 * Kernels in what OpenCL C and C have in common: Weft compiles them for every vector width, and widen_reference.c
 * includes them as plain C. The buffers have: a, f, idx, bout, fout n elements; big, out 4 n; bytes 3 n. idx is
 * a permutation. t: a local int for each work-item, twice. widen_shapes.def says in what NDRanges they run.
 * SHAPES_WANTED: the sum of the numbers of the parts that are wanted; all by default.
 */
#define KERNEL(name)                                                                                                   \
	kernel void name(global const int *a, global const float *f, global const int *big, global const uint *idx,    \
			 global const uchar *bytes, global int *out, global float *fout, global uchar *bout,           \
			 local int *t, int n)

#define FLAT                                                                                                           \
	int i = get_global_linear_id(), l = get_local_linear_id();                                                     \
	int L = (int)(get_local_size(0) * get_local_size(1) * get_local_size(2));

#define VECTORS(type, buffer) ((global const type *)buffer)
#define TO_VECTORS(type, buffer) ((global type *)buffer)

struct record {
	int key;
	float weight;
	short low, high;
	uchar bytes[4];
};

#ifndef SHAPES_WANTED
#define SHAPES_WANTED 63
#endif
#if SHAPES_WANTED & 1
#include "shapes/control_flow.cl"
#include "shapes/divisions.cl"
#include "shapes/functions.cl"
#endif
#if SHAPES_WANTED & 2
#include "shapes/memory.cl"
#include "shapes/clamps.cl"
#include "shapes/vectors.cl"
#include "shapes/transposed_loads.cl"
#endif
#if SHAPES_WANTED & 4
#include "shapes/structures.cl"
#endif
#if SHAPES_WANTED & 8
#include "shapes/dimensions.cl"
#endif
#if SHAPES_WANTED & 16
#include "shapes/address_spaces.cl"
#include "shapes/collectives.cl"
#include "shapes/atomics.cl"
#endif
#if SHAPES_WANTED & 32
#include "shapes/barriers.cl"
#endif
