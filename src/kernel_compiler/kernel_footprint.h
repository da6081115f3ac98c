/* SPDX-License-Identifier: MIT
 *
 * Which bytes a kernel accesses through its arguments, as the compiler knows it: a footprint. Each access has a distance from its
 * argument, a formula over ids, sizes, scalar arguments and iterations of loops, and conditions that hold where it runs. The
 * runtime computes bounds of the distance for an NDRange (program/access_ranges.h). It also has what a work-item runs in each block of
 * the kernel's code, and in which loops (program/kernel_features.h). A footprint is a header and, right behind it, its nodes,
 * accesses, conditions and blocks.
 */
#ifndef WEFT_KERNEL_FOOTPRINT_H
#define WEFT_KERNEL_FOOTPRINT_H

#include <stdint.h>

#define WEFT_FOOTPRINT_MOST_NODES 4096
#define WEFT_FOOTPRINT_MOST_ACCESSES 1024
#define WEFT_FOOTPRINT_NO_NODE UINT16_MAX

/* A node is a number of `width` bits. Sums and products wrap. Operands stand before the nodes that have them. */
enum weft_footprint_operation {
	WEFT_FOOTPRINT_CONSTANT = 1, /* value */
	WEFT_FOOTPRINT_ARGUMENT,     /* at byte `value` of the packed block of arguments */
	WEFT_FOOTPRINT_QUERY, /* a: enum weft_footprint_query; b: the dimension, in the source's order */
	WEFT_FOOTPRINT_ITERATION, /* of a loop, from 0 on; a: the last one, WEFT_FOOTPRINT_NO_NODE: not known */
	WEFT_FOOTPRINT_UNKNOWN,         /* from 0 to value; value 0: any number */
	WEFT_FOOTPRINT_SUM,             /* a + b */
	WEFT_FOOTPRINT_PRODUCT,         /* a * b */
	WEFT_FOOTPRINT_QUOTIENT,        /* a / b, without sign */
	WEFT_FOOTPRINT_SIGNED_QUOTIENT, /* a / b, towards zero */
	WEFT_FOOTPRINT_TRUNCATED,       /* a */
	WEFT_FOOTPRINT_ZERO_EXTENDED,   /* a */
	WEFT_FOOTPRINT_SIGN_EXTENDED,   /* a */
	WEFT_FOOTPRINT_MIN,             /* of a and b, without sign */
	WEFT_FOOTPRINT_MAX,
	WEFT_FOOTPRINT_SIGNED_MIN,
	WEFT_FOOTPRINT_SIGNED_MAX,
	WEFT_FOOTPRINT_EITHER, /* a or b */
};

enum weft_footprint_query {
	WEFT_FOOTPRINT_GLOBAL_ID,
	WEFT_FOOTPRINT_LOCAL_ID,
	WEFT_FOOTPRINT_GROUP_ID,
	WEFT_FOOTPRINT_NUM_GROUPS,
	WEFT_FOOTPRINT_GLOBAL_SIZE,
	WEFT_FOOTPRINT_GLOBAL_OFFSET,
	WEFT_FOOTPRINT_LOCAL_SIZE,
	WEFT_FOOTPRINT_ENQUEUED_LOCAL_SIZE,
	WEFT_FOOTPRINT_WORK_DIM,
};

struct weft_footprint_node {
	uint16_t operation; /* enum weft_footprint_operation */
	uint16_t width;     /* bits; more than 64: nothing is known of it */
	uint16_t a;         /* a node, if the operation does not say something else */
	uint16_t b;
	int64_t value;
};

enum weft_footprint_relation {
	WEFT_FOOTPRINT_EQUAL = 1,
	WEFT_FOOTPRINT_NOT_EQUAL,
	WEFT_FOOTPRINT_LESS, /* left < right, without sign */
	WEFT_FOOTPRINT_NOT_GREATER,
	WEFT_FOOTPRINT_SIGNED_LESS,
	WEFT_FOOTPRINT_SIGNED_NOT_GREATER,
};

struct weft_footprint_condition {
	uint16_t relation; /* enum weft_footprint_relation */
	uint16_t left;     /* nodes */
	uint16_t right;
};

enum weft_footprint_flag {
	WEFT_FOOTPRINT_READS = 1,
	WEFT_FOOTPRINT_WRITES = 2,
};

struct weft_footprint_access {
	uint16_t argument;
	uint16_t flags; /* enum weft_footprint_flag bits */
	uint16_t
		distance; /* a node: bytes from the argument's address; WEFT_FOOTPRINT_NO_NODE: anywhere */
	uint16_t num_conditions;
	uint32_t first_condition;
	uint32_t bytes;
	uint32_t block;
};

#define WEFT_FOOTPRINT_MOST_BLOCKS 4096
#define WEFT_FOOTPRINT_MOST_LOOPS 6

/* Kinds of instructions. One with vectors counts once for each element. */
enum weft_footprint_work {
	WEFT_FOOTPRINT_INTEGER,
	WEFT_FOOTPRINT_FLOATING, /* of up to 32 bits */
	WEFT_FOOTPRINT_DOUBLE,
	WEFT_FOOTPRINT_SPECIAL, /* divisions, roots, functions of mathematics */
	WEFT_FOOTPRINT_LOCAL,   /* accesses of local and private memory */
	WEFT_FOOTPRINT_BRANCH,
	WEFT_FOOTPRINT_BARRIER,
	WEFT_FOOTPRINT_ATOMIC,
	WEFT_FOOTPRINT_NUM_WORK,
};

/* A block of code, each time that a work-item runs it. */
struct weft_footprint_block {
	uint16_t counts[WEFT_FOOTPRINT_NUM_WORK];
	/* Nodes, iterations of the loops around it, the innermost one first; WEFT_FOOTPRINT_NO_NODE: there is none. */
	uint16_t loops[WEFT_FOOTPRINT_MOST_LOOPS];
	uint16_t
		branches; /* that lead there, or elsewhere by what data are; without those of loops */
	uint16_t unused;
};

struct weft_footprint {
	uint32_t num_nodes;
	uint32_t num_accesses;
	uint32_t num_conditions;
	uint32_t reaches_all; /* 1: any argument, anywhere; it has no accesses and no blocks */
	uint32_t num_blocks;
	uint32_t unused;
};

#endif
