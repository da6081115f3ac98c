/* SPDX-License-Identifier: MIT
 *
 * Work-group collectives: specification 6.15.16 and 6.15.17. Each work-item leaves its value in a variable that lives
 * across a barrier, so that the values of all work-items lie side by side, in the order of their linear ids. After the
 * barrier, a function that runs once for the group (weft_internal.h) goes through them sixteen at a time, whatever
 * width the kernel runs at. So floats are added in one order at every width.
 */
#define COMBINE_add(x, a) ((x) + (a))
#define COMBINE_min(x, a) ((a) < (x) ? (a) : (x))
#define COMBINE_max(x, a) ((x) < (a) ? (a) : (x))
#define COMBINE_mul(x, a) ((x) * (a))
#define COMBINE_and(x, a) ((x) & (a))
#define COMBINE_or(x, a) ((x) | (a))
#define COMBINE_xor(x, a) ((x) ^ (a))

HELPER ulong group_items(void)
{
	return __weft_local_size(0) * __weft_local_size(1) * __weft_local_size(2);
}

/* Sixteen values, the last of them perhaps missing. */
#define VALUES(type)                                                                               \
	typedef type##16 __attribute__((aligned(sizeof(type)))) near_##type;                       \
	HELPER type##16 load(const __private type * values)                                        \
	{                                                                                          \
		return *(const __private near_##type *)values;                                     \
	}                                                                                          \
	HELPER void store(__private type *values, type##16 x)                                      \
	{                                                                                          \
		*(__private near_##type *)values = x;                                              \
	}                                                                                          \
	HELPER type##16 load_some(const __private type * values, ulong count, type missing)        \
	{                                                                                          \
		type##16 x = missing;                                                              \
		for (ulong i = 0; i < count; i++)                                                  \
			((__private type *)&x)[i] = values[i];                                     \
		return x;                                                                          \
	}                                                                                          \
	HELPER void store_some(__private type *values, ulong count, type##16 x)                    \
	{                                                                                          \
		for (ulong i = 0; i < count; i++)                                                  \
			values[i] = ((const __private type *)&x)[i];                               \
	}

#define SHIFTED(x, first, ...) __builtin_shufflevector((first), (x), __VA_ARGS__)
#define SHIFTED1(x, first) SHIFTED(x, first, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)
#define SHIFTED2(x, first) SHIFTED(x, first, 0, 1, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29)
#define SHIFTED4(x, first) SHIFTED(x, first, 0, 1, 2, 3, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27)
#define SHIFTED8(x, first) SHIFTED(x, first, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23)

/* Sixty-four sums side by side, then a tree. */
#define REDUCE(type, operation)                                                                    \
	ONCE type __weft_once_reduce_##operation##_##type(const __private type *values, ulong count,    \
						     type identity)                                \
	{                                                                                          \
		type##16 a = identity, b = identity, c = identity, d = identity;                   \
		ulong i = 0;                                                                       \
		for (; i + 64 <= count; i += 64) {                                                 \
			a = COMBINE_##operation(a, load(values + i));                              \
			b = COMBINE_##operation(b, load(values + i + 16));                         \
			c = COMBINE_##operation(c, load(values + i + 32));                         \
			d = COMBINE_##operation(d, load(values + i + 48));                         \
		}                                                                                  \
		for (; i + 16 <= count; i += 16)                                                   \
			a = COMBINE_##operation(a, load(values + i));                              \
		if (i < count)                                                                     \
			b = COMBINE_##operation(b, load_some(values + i, count - i, identity));    \
		a = COMBINE_##operation(a, b);                                                     \
		c = COMBINE_##operation(c, d);                                                     \
		a = COMBINE_##operation(a, c);                                                     \
		type##8 e = COMBINE_##operation(a.lo, a.hi);                                       \
		type##4 f = COMBINE_##operation(e.lo, e.hi);                                       \
		type##2 g = COMBINE_##operation(f.lo, f.hi);                                       \
		return COMBINE_##operation(g.x, g.y);                                              \
	}

/* Each sixteen values by doubling distances, then the sum of those before them. */
#define SCAN_VECTOR(type, operation)                                                               \
	HELPER type##16 scan_##operation(type##16 x, type##16 first)                               \
	{                                                                                          \
		x = COMBINE_##operation(SHIFTED1(x, first), x);                                    \
		x = COMBINE_##operation(SHIFTED2(x, first), x);                                    \
		x = COMBINE_##operation(SHIFTED4(x, first), x);                                    \
		return COMBINE_##operation(SHIFTED8(x, first), x);                                 \
	}

#define SCAN(type, operation, kind, PLACE)                                                         \
	ONCE void __weft_once_##kind##_##operation##_##type(__private type *values, ulong count,        \
						       type identity)                              \
	{                                                                                          \
		type##16 first = identity, before = identity;                                      \
		ulong i = 0;                                                                       \
		for (; i + 16 <= count; i += 16) {                                                 \
			type##16 x = scan_##operation(load(values + i), first);                    \
			store(values + i, COMBINE_##operation(before, PLACE(x, first)));           \
			before = COMBINE_##operation(before, (type##16)x.sf);                      \
		}                                                                                  \
		if (i == count)                                                                    \
			return;                                                                    \
		type##16 x =                                                                       \
			scan_##operation(load_some(values + i, count - i, identity), first);       \
		store_some(values + i, count - i, COMBINE_##operation(before, PLACE(x, first)));   \
	}
#define SAME_PLACE(x, first) (x)

#define COLLECTIVES(type, operation, identity)                                                     \
	REDUCE(type, operation)                                                                    \
	SCAN_VECTOR(type, operation)                                                               \
	SCAN(type, operation, inclusive, SAME_PLACE)                                               \
	SCAN(type, operation, exclusive, SHIFTED1)                                                 \
	WEFT_CONVERGENT type work_group_reduce_##operation(type a)                                 \
	{                                                                                          \
		__weft_barrier();                                                                  \
		return __weft_once_reduce_##operation##_##type(&a, group_items(), identity);       \
	}                                                                                          \
	WEFT_CONVERGENT type work_group_scan_exclusive_##operation(type a)                         \
	{                                                                                          \
		__weft_barrier();                                                                  \
		__weft_once_exclusive_##operation##_##type(&a, group_items(), identity);           \
		return a;                                                                          \
	}                                                                                          \
	WEFT_CONVERGENT type work_group_scan_inclusive_##operation(type a)                         \
	{                                                                                          \
		__weft_barrier();                                                                  \
		__weft_once_inclusive_##operation##_##type(&a, group_items(), identity);           \
		return a;                                                                          \
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

/* One work-item writes what all of them read. */
#define BROADCASTS(type)                                                                           \
	ONCE type __weft_once_read_##type(const __private type *value)                                  \
	{                                                                                          \
		return *value;                                                                     \
	}                                                                                          \
	HELPER type broadcast(type a, bool mine)                                                   \
	{                                                                                          \
		type value;                                                                        \
		if (mine)                                                                          \
			value = a;                                                                 \
		__weft_barrier();                                                                  \
		return __weft_once_read_##type(&value);                                            \
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

#define PREDICATE(name, operation, identity)                                                       \
	WEFT_CONVERGENT int work_group_##name(int predicate)                                       \
	{                                                                                          \
		uchar is_set = predicate != 0;                                                     \
		__weft_barrier();                                                                  \
		return __weft_once_reduce_##operation##_uchar(&is_set, group_items(), identity);   \
	}

VALUES(uchar)
REDUCE(uchar, min)
REDUCE(uchar, max)
PREDICATE(all, min, 1)
PREDICATE(any, max, 0)
