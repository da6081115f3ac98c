/* SPDX-License-Identifier: MIT
 *
 * What sub-group functions give, one lane at a time: the reference of subgroup_test.c.
 */
#ifndef WEFT_TESTS_SUBGROUP_REFERENCE_H
#define WEFT_TESTS_SUBGROUP_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A scalar type of OpenCL C. */
struct subgroup_type {
	const char *name;
	unsigned bits;
	bool is_signed, is_float;
};

enum subgroup_kind {
	SUBGROUP_REDUCE,
	SUBGROUP_INCLUSIVE,
	SUBGROUP_EXCLUSIVE,
	SUBGROUP_CLUSTERED, /* `number`: of lanes */
	SUBGROUP_FROM,      /* the value of lane `number` */
	SUBGROUP_FROM_FIRST,
	SUBGROUP_FROM_K, /* of the lane that k says */
	SUBGROUP_XOR,
	SUBGROUP_XOR_K,
	SUBGROUP_SHIFT, /* of the lane `number` away */
	SUBGROUP_ROTATE,
	SUBGROUP_ROTATE_CLUSTER, /* by one, in clusters of `number` */
	SUBGROUP_ALL_EQUAL,
	/* Of x of all lanes with m of all lanes behind them, what lies `number` places behind this lane's x; the same before its m. */
	SUBGROUP_DOWN,
	SUBGROUP_UP,
	SUBGROUP_DOWN_K, /* as many as k says, cut by `number` */
	SUBGROUP_UP_K,
};

enum subgroup_types {
	SUBGROUP_ANY,
	SUBGROUP_INTEGERS,
	SUBGROUP_SMALL,   /* integers of 8 and 16 bits */
	SUBGROUP_VECTORS, /* those, and the other ones of 32 bits: whose vectors are shuffled */
};

enum subgroup_operation {
	SUBGROUP_ADD,
	SUBGROUP_MUL,
	SUBGROUP_MIN,
	SUBGROUP_MAX,
	SUBGROUP_AND,
	SUBGROUP_OR,
	SUBGROUP_LOGIC_XOR,
};

/* One function, as a test calls it. `call` is about x, or about m (from k) for products, whose values are small. */
struct subgroup_row {
	const char *call;
	enum subgroup_kind kind;
	enum subgroup_operation operation;
	int number;
	enum subgroup_types types;
	bool together; /* only where all lanes are active */
};

extern const struct subgroup_row subgroup_rows[];
extern const size_t subgroup_num_rows;

/* The lanes of one sub-group. */
struct subgroup_lanes {
	const struct subgroup_type *type;
	unsigned size;   /* of a full sub-group */
	uint32_t active; /* bits */
	int64_t x[32];   /* of the lanes that there are */
	uint32_t k[32];
};

bool subgroup_has_type(const struct subgroup_row *row, const struct subgroup_type *type);

/* m, of which products are made. */
int64_t subgroup_factor(uint32_t k);

/* What `lane` gets, as convert_long_sat makes it a long. False: undefined. */
bool subgroup_expect(const struct subgroup_row *row, const struct subgroup_lanes *lanes,
		     unsigned lane, int64_t *result);

#endif
