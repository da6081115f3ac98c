/* SPDX-License-Identifier: MIT
 *
 * What a work-item may ask about its sub-group, votes, ballots and the barrier, over sub_groups.cl.
 */
#include "sub_groups.cl"

WEFT uint get_max_sub_group_size(void)
{
	return __weft_sub_size();
}

WEFT uint get_sub_group_local_id(void)
{
	return __weft_sub_lane();
}

WEFT_CONVERGENT uint get_sub_group_id(void)
{
	return first_id() / __weft_sub_size();
}

WEFT_CONVERGENT uint get_sub_group_size(void)
{
	uint left = (uint)group_items() - first_id();
	return left < __weft_sub_size() ? left : __weft_sub_size();
}

HELPER uint sub_groups_of(ulong items)
{
	return (uint)((items + __weft_sub_size() - 1) / __weft_sub_size());
}

WEFT uint get_num_sub_groups(void)
{
	return sub_groups_of(group_items());
}

WEFT uint get_enqueued_num_sub_groups(void)
{
	return sub_groups_of(__weft_enqueued_local_size(0) * __weft_enqueued_local_size(1) *
			     __weft_enqueued_local_size(2));
}

/* As for a work-group's barrier: only wider scopes need a fence. */
WEFT_CONVERGENT void sub_group_barrier(cl_mem_fence_flags flags)
{
	__weft_sub_barrier();
}

WEFT_CONVERGENT void sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope)
{
	bool wide = scope == memory_scope_device || scope == memory_scope_all_svm_devices;
	if (wide)
		__atomic_thread_fence(__ATOMIC_RELEASE);
	__weft_sub_barrier();
	if (wide)
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
}

#define VOTES(prefix)                                                                              \
	WEFT_CONVERGENT int sub_group_##prefix##all(int predicate)                                 \
	{                                                                                          \
		return __weft_sub_ballot(!predicate) == 0;                                         \
	}                                                                                          \
	WEFT_CONVERGENT int sub_group_##prefix##any(int predicate)                                 \
	{                                                                                          \
		return __weft_sub_ballot(predicate) != 0;                                          \
	}

VOTES()
VOTES(non_uniform_)

WEFT_CONVERGENT int sub_group_elect(void)
{
	return __weft_sub_lane() == first_active();
}

WEFT_CONVERGENT uint4 sub_group_ballot(int predicate)
{
	return (uint4)(__weft_sub_ballot(predicate), 0, 0, 0);
}

WEFT_CONVERGENT int sub_group_inverse_ballot(uint4 ballot)
{
	return (int)(ballot.x >> __weft_sub_lane() & 1);
}

WEFT int sub_group_ballot_bit_extract(uint4 ballot, uint index)
{
	uint word = index < 32 ? ballot.x : index < 64 ? ballot.y : index < 96 ? ballot.z : ballot.w;
	return (int)(word >> (index & 31) & 1);
}

WEFT uint sub_group_ballot_bit_count(uint4 ballot)
{
	return (uint)__builtin_popcount(ballot.x & all_bits());
}

WEFT uint sub_group_ballot_inclusive_scan(uint4 ballot)
{
	return (uint)__builtin_popcount(ballot.x & (bits_below() << 1 | 1));
}

WEFT uint sub_group_ballot_exclusive_scan(uint4 ballot)
{
	return (uint)__builtin_popcount(ballot.x & bits_below());
}

/* One bit more than there are lanes: zero has a value too. */
WEFT uint sub_group_ballot_find_lsb(uint4 ballot)
{
	return (uint)__builtin_ctzl((ballot.x & all_bits()) | 1ul << 32);
}

WEFT uint sub_group_ballot_find_msb(uint4 ballot)
{
	return 31 - (uint)__builtin_clz((ballot.x & all_bits()) | 1);
}

WEFT uint4 get_sub_group_eq_mask(void)
{
	return (uint4)(1u << __weft_sub_lane(), 0, 0, 0);
}

WEFT uint4 get_sub_group_ge_mask(void)
{
	return (uint4)(all_bits() & ~bits_below(), 0, 0, 0);
}

WEFT uint4 get_sub_group_gt_mask(void)
{
	return (uint4)(all_bits() & ~(bits_below() << 1 | 1), 0, 0, 0);
}

WEFT uint4 get_sub_group_le_mask(void)
{
	return (uint4)(bits_below() << 1 | 1, 0, 0, 0);
}

WEFT uint4 get_sub_group_lt_mask(void)
{
	return (uint4)(bits_below(), 0, 0, 0);
}
