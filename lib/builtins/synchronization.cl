/* SPDX-License-Identifier: MIT
 *
 * Barriers and fences: specification 6.15.8 and 6.15.12.5. Work-items of a group run in one thread, region
 * by region, so within the group a barrier orders memory as it is; a fence inside the loop over
 * work-items would only hold the optimiser up. Wider scopes get their fences. x86 keeps local and global
 * memory in one order, so a fence of any kind is a fence of all memory.
 */
WEFT_CONVERGENT void barrier(cl_mem_fence_flags flags)
{
	__weft_barrier();
}

WEFT_CONVERGENT void work_group_barrier(cl_mem_fence_flags flags)
{
	__weft_barrier();
}

WEFT_CONVERGENT void work_group_barrier(cl_mem_fence_flags flags, memory_scope scope)
{
	bool wide = scope != memory_scope_work_item && scope != memory_scope_work_group;
	if (wide)
		__atomic_thread_fence(__ATOMIC_RELEASE);
	__weft_barrier();
	if (wide)
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
}

/* cl_intel_split_work_group_barrier: all work-items have arrived before all have come to the wait, which is the barrier. */
WEFT_CONVERGENT void intel_work_group_barrier_arrive(cl_mem_fence_flags flags)
{
}

WEFT_CONVERGENT void intel_work_group_barrier_wait(cl_mem_fence_flags flags)
{
	__weft_barrier();
}

WEFT_CONVERGENT void intel_work_group_barrier_arrive(cl_mem_fence_flags flags, memory_scope scope)
{
}

WEFT_CONVERGENT void intel_work_group_barrier_wait(cl_mem_fence_flags flags, memory_scope scope)
{
	work_group_barrier(flags, scope);
}

WEFT void mem_fence(cl_mem_fence_flags flags)
{
	__atomic_thread_fence(__ATOMIC_ACQ_REL);
}

WEFT void read_mem_fence(cl_mem_fence_flags flags)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
}

WEFT void write_mem_fence(cl_mem_fence_flags flags)
{
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

WEFT void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope)
{
	__atomic_thread_fence(order);
}
