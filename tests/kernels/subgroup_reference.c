/* SPDX-License-Identifier: MIT
 *
 * Values are 64-bit integers, cut to their type after each step; floating-point ones are whole and small.
 */
#include "subgroup_reference.h"

#include <math.h>

#define ARITHMETIC(name, op, operand, types)                                                       \
	{"sub_group_non_uniform_reduce_" name "(" operand ")",                                     \
	 SUBGROUP_REDUCE,                                                                          \
	 op,                                                                                       \
	 0,                                                                                        \
	 types,                                                                                    \
	 false},                                                                                   \
		{"sub_group_non_uniform_scan_inclusive_" name "(" operand ")",                     \
		 SUBGROUP_INCLUSIVE,                                                               \
		 op,                                                                               \
		 0,                                                                                \
		 types,                                                                            \
		 false},                                                                           \
		{"sub_group_non_uniform_scan_exclusive_" name "(" operand ")",                     \
		 SUBGROUP_EXCLUSIVE,                                                               \
		 op,                                                                               \
		 0,                                                                                \
		 types,                                                                            \
		 false},                                                                           \
		{"sub_group_clustered_reduce_" name "(" operand ", 2u)",                           \
		 SUBGROUP_CLUSTERED,                                                               \
		 op,                                                                               \
		 2,                                                                                \
		 types,                                                                            \
		 false},                                                                           \
	{                                                                                          \
		"sub_group_clustered_reduce_" name "(" operand ", 4u)", SUBGROUP_CLUSTERED, op, 4, \
			types, false                                                               \
	}
#define TOGETHER(prefix, name, op, types)                                                          \
	{prefix "sub_group_reduce_" name "(x)", SUBGROUP_REDUCE, op, 0, types, true},              \
		{prefix "sub_group_scan_inclusive_" name "(x)",                                    \
		 SUBGROUP_INCLUSIVE,                                                               \
		 op,                                                                               \
		 0,                                                                                \
		 types,                                                                            \
		 true},                                                                            \
	{                                                                                          \
		prefix "sub_group_scan_exclusive_" name "(x)", SUBGROUP_EXCLUSIVE, op, 0, types,   \
			true                                                                       \
	}
#define MOVE(call, kind, number) {call, kind, SUBGROUP_ADD, number, SUBGROUP_ANY, false}
/* Intel's shuffles of vectors. */
#define SHUFFLE(call, kind, number) {call, kind, SUBGROUP_ADD, number, SUBGROUP_VECTORS, false}
#define BROADCAST(n, last)                                                                         \
	{"sub_group_broadcast((T" n ")(x), 0u).s" last,                                            \
	 SUBGROUP_FROM,                                                                            \
	 SUBGROUP_ADD,                                                                             \
	 0,                                                                                        \
	 SUBGROUP_ANY,                                                                             \
	 true},                                                                                    \
	{                                                                                          \
		"sub_group_non_uniform_broadcast((T" n ")(x), 1u).s" last, SUBGROUP_FROM,          \
			SUBGROUP_ADD, 1, SUBGROUP_ANY, false                                       \
	}

const struct subgroup_row subgroup_rows[] = {
	TOGETHER("", "add", SUBGROUP_ADD, SUBGROUP_ANY),
	TOGETHER("intel_", "add", SUBGROUP_ADD, SUBGROUP_SMALL),
	TOGETHER("", "min", SUBGROUP_MIN, SUBGROUP_ANY),
	TOGETHER("intel_", "min", SUBGROUP_MIN, SUBGROUP_SMALL),
	TOGETHER("", "max", SUBGROUP_MAX, SUBGROUP_ANY),
	TOGETHER("intel_", "max", SUBGROUP_MAX, SUBGROUP_SMALL),
	ARITHMETIC("add", SUBGROUP_ADD, "x", SUBGROUP_ANY),
	ARITHMETIC("mul", SUBGROUP_MUL, "m", SUBGROUP_ANY),
	ARITHMETIC("min", SUBGROUP_MIN, "x", SUBGROUP_ANY),
	ARITHMETIC("max", SUBGROUP_MAX, "x", SUBGROUP_ANY),
	ARITHMETIC("and", SUBGROUP_AND, "x", SUBGROUP_INTEGERS),
	ARITHMETIC("or", SUBGROUP_OR, "x", SUBGROUP_INTEGERS),
	ARITHMETIC("xor", SUBGROUP_LOGIC_XOR, "x", SUBGROUP_INTEGERS),
	{"sub_group_broadcast(x, 0u)", SUBGROUP_FROM, SUBGROUP_ADD, 0, SUBGROUP_ANY, true},
	{"intel_sub_group_broadcast(x, 0u)", SUBGROUP_FROM, SUBGROUP_ADD, 0, SUBGROUP_SMALL, true},
	{"intel_sub_group_broadcast((T8)(x), 0u).s7", SUBGROUP_FROM, SUBGROUP_ADD, 0,
	 SUBGROUP_SMALL, true},
	MOVE("sub_group_non_uniform_broadcast(x, 2u)", SUBGROUP_FROM, 2),
	MOVE("sub_group_broadcast_first(x)", SUBGROUP_FROM_FIRST, 0),
	MOVE("sub_group_shuffle(x, k)", SUBGROUP_FROM_K, 0),
	MOVE("sub_group_shuffle(x, 1u)", SUBGROUP_FROM, 1),
	MOVE("sub_group_shuffle_xor(x, 1u)", SUBGROUP_XOR, 1),
	MOVE("sub_group_shuffle_xor(x, k & 3u)", SUBGROUP_XOR_K, 3),
	MOVE("sub_group_shuffle_up(x, 1u)", SUBGROUP_SHIFT, -1),
	MOVE("sub_group_shuffle_down(x, 2u)", SUBGROUP_SHIFT, 2),
	MOVE("sub_group_rotate(x, 1)", SUBGROUP_ROTATE, 1),
	MOVE("sub_group_rotate(x, -3)", SUBGROUP_ROTATE, -3),
	MOVE("sub_group_clustered_rotate(x, 1, 2u)", SUBGROUP_ROTATE_CLUSTER, 2),
	MOVE("sub_group_clustered_rotate(x, 1, 4u)", SUBGROUP_ROTATE_CLUSTER, 4),
	MOVE("sub_group_non_uniform_all_equal(x)", SUBGROUP_ALL_EQUAL, 0),
	MOVE("sub_group_non_uniform_all_equal((T)(x > 100))", SUBGROUP_ALL_EQUAL, 1),
	BROADCAST("2", "1"),
	BROADCAST("3", "2"),
	BROADCAST("4", "3"),
	BROADCAST("8", "7"),
	BROADCAST("16", "f"),
	MOVE("intel_sub_group_shuffle(x, k)", SUBGROUP_FROM_K, 0),
	MOVE("intel_sub_group_shuffle(x, 1u)", SUBGROUP_FROM, 1),
	MOVE("intel_sub_group_shuffle_xor(x, 1u)", SUBGROUP_XOR, 1),
	MOVE("intel_sub_group_shuffle_xor(x, k & 3u)", SUBGROUP_XOR_K, 3),
	MOVE("intel_sub_group_shuffle_down(x, m, 3u)", SUBGROUP_DOWN, 3),
	MOVE("intel_sub_group_shuffle_down(x, m, k & 7u)", SUBGROUP_DOWN_K, 7),
	MOVE("intel_sub_group_shuffle_up(x, m, 1u)", SUBGROUP_UP, 1),
	MOVE("intel_sub_group_shuffle_up(x, m, k & 7u)", SUBGROUP_UP_K, 7),
	SHUFFLE("intel_sub_group_shuffle_up((T2)(m, x), (T2)(x, m), 1u).s1", SUBGROUP_UP, 1),
	SHUFFLE("intel_sub_group_shuffle((T3)(m, m, x), k).s2", SUBGROUP_FROM_K, 0),
	SHUFFLE("intel_sub_group_shuffle_xor((T4)(x, m, m, m), 1u).s0", SUBGROUP_XOR, 1),
	SHUFFLE("intel_sub_group_shuffle_down((T8)(x), (T8)(m), 3u).s7", SUBGROUP_DOWN, 3),
	SHUFFLE("intel_sub_group_shuffle_up((T16)(x), (T16)(m), k & 3u).sf", SUBGROUP_UP_K, 3),
};
const size_t subgroup_num_rows = sizeof(subgroup_rows) / sizeof(subgroup_rows[0]);

bool subgroup_has_type(const struct subgroup_row *row, const struct subgroup_type *type)
{
	switch (row->types) {
	case SUBGROUP_INTEGERS:
		return !type->is_float;
	case SUBGROUP_SMALL:
		return !type->is_float && type->bits <= 16;
	case SUBGROUP_VECTORS:
		return type->bits == 32 || (!type->is_float && type->bits <= 16);
	case SUBGROUP_ANY:
		break;
	}
	return true;
}

int64_t subgroup_factor(uint32_t k)
{
	return k % 7 == 0 ? 2 : 1;
}

static int64_t cut(const struct subgroup_type *type, int64_t value)
{
	if (type->is_float || type->bits == 64)
		return value;
	uint64_t low = (uint64_t)value & ((UINT64_C(1) << type->bits) - 1);
	if (type->is_signed && low >> (type->bits - 1))
		return (int64_t)(low | ~((UINT64_C(1) << type->bits) - 1));
	return (int64_t)low;
}

static bool is_less(const struct subgroup_type *type, int64_t a, int64_t b)
{
	return type->is_signed || type->is_float ? a < b : (uint64_t)a < (uint64_t)b;
}

static int64_t combine(const struct subgroup_type *type, enum subgroup_operation operation,
		       int64_t a, int64_t b)
{
	switch (operation) {
	case SUBGROUP_ADD:
		return cut(type, (int64_t)((uint64_t)a + (uint64_t)b));
	case SUBGROUP_MUL:
		return cut(type, (int64_t)((uint64_t)a * (uint64_t)b));
	case SUBGROUP_MIN:
		return is_less(type, a, b) ? a : b;
	case SUBGROUP_MAX:
		return is_less(type, a, b) ? b : a;
	case SUBGROUP_AND:
		return a & b;
	case SUBGROUP_OR:
		return a | b;
	case SUBGROUP_LOGIC_XOR:
		return a ^ b;
	}
	return 0;
}

/* The least of the type when `low`, else the greatest; infinities are as large as a long can be. */
static int64_t extreme(const struct subgroup_type *type, bool low)
{
	if (type->is_float)
		return low ? INT64_MIN : INT64_MAX;
	if (!type->is_signed)
		return low ? 0 : cut(type, -1);
	int64_t least = -(int64_t)((UINT64_C(1) << (type->bits - 1)) - 1) - 1;
	return low ? least : -(least + 1);
}

static int64_t identity(const struct subgroup_type *type, enum subgroup_operation operation)
{
	switch (operation) {
	case SUBGROUP_MUL:
		return 1;
	case SUBGROUP_MIN:
		return extreme(type, false);
	case SUBGROUP_MAX:
		return extreme(type, true);
	case SUBGROUP_AND:
		return cut(type, -1);
	case SUBGROUP_ADD:
	case SUBGROUP_OR:
	case SUBGROUP_LOGIC_XOR:
		break;
	}
	return 0;
}

static bool is_active(const struct subgroup_lanes *lanes, int64_t lane)
{
	return lane >= 0 && lane < (int64_t)lanes->size && (lanes->active >> lane & 1);
}

/* Over the active lanes from one number up to, not including, another. */
static int64_t over(const struct subgroup_row *row, const struct subgroup_lanes *lanes,
		    unsigned begin, unsigned end)
{
	int64_t result = identity(lanes->type, row->operation);

	for (unsigned lane = begin; lane < end; lane++) {
		if (is_active(lanes, lane))
			result = combine(lanes->type, row->operation, result,
					 row->operation == SUBGROUP_MUL
						 ? subgroup_factor(lanes->k[lane])
						 : lanes->x[lane]);
	}
	return result;
}

static unsigned first_active(const struct subgroup_lanes *lanes)
{
	unsigned lane = 0;

	while (!(lanes->active >> lane & 1))
		lane++;
	return lane;
}

static int64_t all_equal(const struct subgroup_lanes *lanes, bool compared)
{
	int64_t value = lanes->x[first_active(lanes)];

	for (unsigned lane = 0; lane < lanes->size; lane++) {
		if (is_active(lanes, lane) &&
		    (compared ? (lanes->x[lane] > 100) != (value > 100) : lanes->x[lane] != value))
			return 0;
	}
	return 1;
}

/* The lane that a function takes its value from. */
static int64_t source_of(const struct subgroup_row *row, const struct subgroup_lanes *lanes,
			 unsigned lane)
{
	unsigned number = (unsigned)row->number;

	switch (row->kind) {
	case SUBGROUP_FROM_FIRST:
		return first_active(lanes);
	case SUBGROUP_FROM_K:
		return lanes->k[lane];
	case SUBGROUP_XOR:
		return lane ^ number;
	case SUBGROUP_XOR_K:
		return lane ^ (lanes->k[lane] & number);
	case SUBGROUP_SHIFT:
		return (int64_t)lane + row->number;
	case SUBGROUP_ROTATE:
		return (lane + number) & (lanes->size - 1);
	case SUBGROUP_ROTATE_CLUSTER:
		if (number > lanes->size)
			return -1;
		return (lane & ~(number - 1)) | ((lane + 1) & (number - 1));
	case SUBGROUP_DOWN:
		return lane + number;
	case SUBGROUP_UP:
		return (int64_t)lanes->size + lane - row->number;
	case SUBGROUP_DOWN_K:
		return lane + (lanes->k[lane] & number);
	case SUBGROUP_UP_K:
		return (int64_t)lanes->size + lane - (lanes->k[lane] & number);
	case SUBGROUP_FROM:
	case SUBGROUP_REDUCE:
	case SUBGROUP_INCLUSIVE:
	case SUBGROUP_EXCLUSIVE:
	case SUBGROUP_CLUSTERED:
	case SUBGROUP_ALL_EQUAL:
		break;
	}
	return row->number;
}

/* Of the lanes before this one, and of those of a cluster. */
static bool expect_combined(const struct subgroup_row *row, const struct subgroup_lanes *lanes,
			    unsigned lane, int64_t *result)
{
	unsigned begin = 0, end = lanes->size, cluster = (unsigned)row->number;

	if (row->kind == SUBGROUP_CLUSTERED) {
		if (cluster > lanes->size)
			return false;
		begin = lane & ~(cluster - 1);
		end = begin + cluster;
	} else if (row->kind == SUBGROUP_INCLUSIVE) {
		end = lane + 1;
	} else if (row->kind == SUBGROUP_EXCLUSIVE) {
		end = lane;
	}
	*result = over(row, lanes, begin, end);
	return true;
}

bool subgroup_expect(const struct subgroup_row *row, const struct subgroup_lanes *lanes,
		     unsigned lane, int64_t *result)
{
	if (row->kind <= SUBGROUP_CLUSTERED) {
		if (!expect_combined(row, lanes, lane, result))
			return false;
	} else if (row->kind == SUBGROUP_ALL_EQUAL) {
		*result = all_equal(lanes, row->number);
	} else {
		int64_t source = source_of(row, lanes, lane);
		bool second = row->kind >= SUBGROUP_DOWN && source >= lanes->size;
		if (second)
			source -= lanes->size;
		if (!is_active(lanes, source))
			return false;
		*result = second ? subgroup_factor(lanes->k[source]) : lanes->x[source];
	}
	/* convert_long_sat of an ulong */
	if (!lanes->type->is_signed && !lanes->type->is_float && *result < 0)
		*result = INT64_MAX;
	return true;
}
