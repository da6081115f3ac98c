/* SPDX-License-Identifier: MIT
 *
 * Sub-group functions: specification 6.15.19 and the extensions cl_khr_subgroup_*. Ballots are words of 32 bits:
 * the other 96 of a uint4 are zero, and are not looked at.
 */
HELPER ulong group_items(void)
{
	return __weft_local_size(0) * __weft_local_size(1) * __weft_local_size(2);
}

HELPER ulong linear_id(void)
{
	return (__weft_local_id(2) * __weft_local_size(1) + __weft_local_id(1)) *
		       __weft_local_size(0) +
	       __weft_local_id(0);
}

/* The value of the first lane, so that the compiler knows it to be uniform. */
HELPER uint first_id(void)
{
	return __weft_sub_shuffle_uint((uint)linear_id(), 0);
}

/* The bits of as many lanes as a full sub-group has. */
HELPER uint all_bits(void)
{
	return ~0u >> (32 - __weft_sub_size());
}

HELPER uint bits_below(void)
{
	return (1u << __weft_sub_lane()) - 1;
}

HELPER uint first_active(void)
{
	return __builtin_ctz(__weft_sub_ballot(1));
}

#define AS(x, type) __builtin_astype((x), type)

#define TAKE(type, bits, word)                                                                     \
	HELPER type take(type a, uint lane)                                                        \
	{                                                                                          \
		return AS((bits)__weft_sub_shuffle_##word((word)AS(a, bits), lane), type);         \
	}                                                                                          \
	HELPER type take_two(type low, type high, uint lane)                                       \
	{                                                                                          \
		return AS((bits)__weft_sub_shuffle2_##word((word)AS(low, bits),                    \
							   (word)AS(high, bits), lane),            \
			  type);                                                                   \
	}

TAKE(char, uchar, uint)
TAKE(uchar, uchar, uint)
TAKE(short, ushort, uint)
TAKE(ushort, ushort, uint)
TAKE(int, uint, uint)
TAKE(uint, uint, uint)
TAKE(long, ulong, ulong)
TAKE(ulong, ulong, ulong)
TAKE(half, ushort, uint)
TAKE(float, uint, uint)
TAKE(double, ulong, ulong)

#define MOVES(type)                                                                                \
	WEFT_CONVERGENT type sub_group_broadcast_first(type a)                                     \
	{                                                                                          \
		return take(a, first_active());                                                    \
	}                                                                                          \
	WEFT_CONVERGENT type sub_group_shuffle(type a, uint lane)                                  \
	{                                                                                          \
		return take(a, lane);                                                              \
	}                                                                                          \
	WEFT_CONVERGENT type sub_group_shuffle_xor(type a, uint mask)                              \
	{                                                                                          \
		return take(a, __weft_sub_lane() ^ mask);                                          \
	}                                                                                          \
	WEFT_CONVERGENT type sub_group_shuffle_up(type a, uint delta)                              \
	{                                                                                          \
		return take(a, __weft_sub_lane() - delta);                                         \
	}                                                                                          \
	WEFT_CONVERGENT type sub_group_shuffle_down(type a, uint delta)                            \
	{                                                                                          \
		return take(a, __weft_sub_lane() + delta);                                         \
	}                                                                                          \
	WEFT_CONVERGENT type sub_group_rotate(type a, int delta)                                   \
	{                                                                                          \
		return take(a, __weft_sub_lane() + (uint)delta);                                   \
	}                                                                                          \
	WEFT_CONVERGENT type sub_group_clustered_rotate(type a, int delta, uint size)              \
	{                                                                                          \
		uint lane = __weft_sub_lane();                                                     \
		return take(a, (lane & ~(size - 1)) | ((lane + (uint)delta) & (size - 1)));        \
	}                                                                                          \
	WEFT_CONVERGENT int sub_group_non_uniform_all_equal(type a)                                \
	{                                                                                          \
		return __weft_sub_ballot(a != take(a, first_active())) == 0;                       \
	}

#define REDUCTION(prefix, operation, type)                                                         \
	WEFT_CONVERGENT type sub_group_##prefix##reduce_##operation(type a)                        \
	{                                                                                          \
		return __weft_sub_reduce_##operation##_##type(a, 0);                               \
	}                                                                                          \
	WEFT_CONVERGENT type sub_group_##prefix##scan_inclusive_##operation(type a)                \
	{                                                                                          \
		return __weft_sub_inclusive_##operation##_##type(a);                               \
	}                                                                                          \
	WEFT_CONVERGENT type sub_group_##prefix##scan_exclusive_##operation(type a)                \
	{                                                                                          \
		return __weft_sub_exclusive_##operation##_##type(a);                               \
	}

#define CLUSTERED(operation, type)                                                                 \
	WEFT_CONVERGENT type sub_group_clustered_reduce_##operation(type a, uint size)             \
	{                                                                                          \
		return __weft_sub_reduce_##operation##_##type(a, size);                            \
	}

/* Truth values are combined as the numbers 0 and 1; what nothing comes before has all bits set. */
#define LOGICAL(operation)                                                                         \
	WEFT_CONVERGENT int sub_group_non_uniform_reduce_logical_##operation(int predicate)        \
	{                                                                                          \
		return __weft_sub_reduce_##operation##_int(predicate != 0, 0);                     \
	}                                                                                          \
	WEFT_CONVERGENT int sub_group_non_uniform_scan_inclusive_logical_##operation(              \
		int predicate)                                                                     \
	{                                                                                          \
		return __weft_sub_inclusive_##operation##_int(predicate != 0);                     \
	}                                                                                          \
	WEFT_CONVERGENT int sub_group_non_uniform_scan_exclusive_logical_##operation(              \
		int predicate)                                                                     \
	{                                                                                          \
		return __weft_sub_exclusive_##operation##_int(predicate != 0) & 1;                 \
	}                                                                                          \
	WEFT_CONVERGENT int sub_group_clustered_reduce_logical_##operation(int predicate,          \
									   uint size)              \
	{                                                                                          \
		return __weft_sub_reduce_##operation##_int(predicate != 0, size);                  \
	}
