/* SPDX-License-Identifier: MIT
 *
 * Work-group collectives: specification 6.15.16 and 6.15.17. One cell of the group's memory collects the values by
 * atomic operations between two barriers; a third barrier frees it for the next call. Work-items of a
 * group run in one thread, in the order of their linear ids between two barriers, and a widened region
 * runs atomics lane by lane in that order; so what an atomic operation returns is the exclusive scan.
 */
HELPER bool first_of_group(void)
{
	return (__weft_local_id(0) | __weft_local_id(1) | __weft_local_id(2)) == 0;
}

#define COMBINE_add(x, a) ((x) + (a))
#define COMBINE_min(x, a) ((a) < (x) ? (a) : (x))
#define COMBINE_max(x, a) ((x) < (a) ? (a) : (x))
#define COMBINE_mul(x, a) ((x) * (a))
#define COMBINE_and(x, a) ((x) & (a))
#define COMBINE_or(x, a) ((x) | (a))
#define COMBINE_xor(x, a) ((x) ^ (a))

#define BITS_int uint
#define BITS_uint uint
#define BITS_long ulong
#define BITS_ulong ulong
#define BITS_half ushort
#define BITS_float uint
#define BITS_double ulong
#define AS(type, x) __builtin_astype((x), type)

/* Puts `value` into the cell, from the first work-item. */
#define OPEN_CELL(type, value)                                                                     \
	__local type *cell = (__local type *)__weft_group_memory(sizeof(type), sizeof(type));      \
	if (first_of_group())                                                                      \
		*cell = (value);                                                                   \
	__weft_barrier();

#define COLLECT(type, bits, operation, identity, before)                                           \
	OPEN_CELL(type, identity)                                                                  \
	bits seen = __atomic_load_n((__local bits *)cell, __ATOMIC_RELAXED), wanted;               \
	do                                                                                         \
		wanted = AS(bits, (type)COMBINE_##operation(AS(type, seen), a));                   \
	while (!__atomic_compare_exchange_n((__local bits *)cell, &seen, wanted, false,            \
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED));                  \
	type before = AS(type, seen);                                                              \
	__weft_barrier();

#define COLLECTIVES(type, operation, identity) COLLECTIVES_(type, BITS_##type, operation, identity)
#define COLLECTIVES_(type, bits, operation, identity)                                              \
	WEFT_CONVERGENT type work_group_reduce_##operation(type a)                                 \
	{                                                                                          \
		COLLECT(type, bits, operation, identity, before)                                   \
		type r = *cell;                                                                    \
		__weft_barrier();                                                                  \
		return r;                                                                          \
	}                                                                                          \
	WEFT_CONVERGENT type work_group_scan_exclusive_##operation(type a)                         \
	{                                                                                          \
		COLLECT(type, bits, operation, identity, before)                                   \
		return before;                                                                     \
	}                                                                                          \
	WEFT_CONVERGENT type work_group_scan_inclusive_##operation(type a)                         \
	{                                                                                          \
		COLLECT(type, bits, operation, identity, before)                                   \
		return COMBINE_##operation(before, a);                                             \
	}

/* Of truth values as 0 and 1; the identity of `and`, ~0, is true as well. */
#define LOGICAL(operation)                                                                         \
	LOGICAL_OF(reduce, operation)                                                              \
	LOGICAL_OF(scan_exclusive, operation)                                                      \
	LOGICAL_OF(scan_inclusive, operation)
#define LOGICAL_OF(kind, operation)                                                                \
	WEFT_CONVERGENT int work_group_##kind##_logical_##operation(int predicate)                 \
	{                                                                                          \
		return work_group_##kind##_##operation((int)(predicate != 0));                     \
	}

#define BROADCASTS(type)                                                                           \
	HELPER type broadcast(type a, bool mine)                                                   \
	{                                                                                          \
		__local type *cell =                                                               \
			(__local type *)__weft_group_memory(sizeof(type), sizeof(type));           \
		if (mine)                                                                          \
			*cell = a;                                                                 \
		__weft_barrier();                                                                  \
		type r = *cell;                                                                    \
		__weft_barrier();                                                                  \
		return r;                                                                          \
	}                                                                                          \
	WEFT_CONVERGENT type work_group_broadcast(type a, size_t x)                                \
	{                                                                                          \
		return broadcast(a, __weft_local_id(0) == x);                                      \
	}                                                                                          \
	WEFT_CONVERGENT type work_group_broadcast(type a, size_t x, size_t y)                      \
	{                                                                                          \
		return broadcast(a, (__weft_local_id(0) == x) & (__weft_local_id(1) == y));        \
	}                                                                                          \
	WEFT_CONVERGENT type work_group_broadcast(type a, size_t x, size_t y, size_t z)            \
	{                                                                                          \
		return broadcast(a, (__weft_local_id(0) == x) & (__weft_local_id(1) == y) &        \
					    (__weft_local_id(2) == z));                            \
	}

#define PREDICATE(name, operation, start)                                                          \
	WEFT_CONVERGENT int work_group_##name(int predicate)                                       \
	{                                                                                          \
		OPEN_CELL(int, start)                                                              \
		__atomic_fetch_##operation(cell, predicate != 0, __ATOMIC_RELAXED);                \
		__weft_barrier();                                                                  \
		int r = *cell;                                                                     \
		__weft_barrier();                                                                  \
		return r;                                                                          \
	}

PREDICATE(all, and, 1)
PREDICATE(any, or, 0)
