// SPDX-License-Identifier: MIT
// The kernels of the task benchmark, but for the image pipeline's.

kernel void increment(global int *counter)
{
	counter[0] += 1;
}

kernel void store_group(global uint *groups)
{
	groups[get_group_id(0)] = (uint)get_group_id(0);
}

kernel void store_group_barrier(global uint *groups)
{
	local uint group;

	if (get_local_id(0) == 0)
		group = (uint)get_group_id(0);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (get_local_id(0) == get_local_size(0) - 1)
		groups[group] = group;
}

// Xorshift steps; the k-th of n groups makes (k + 1) / n of them, when the work is uneven. Groups cannot run together,
// as they have a barrier.
kernel void spin(global const uint *seed, global uint *results, uint steps, int uneven)
{
	size_t group = get_group_id(0);
	uint x = seed[0] + (uint)get_local_id(0);

	if (uneven)
		steps = (uint)((ulong)steps * (group + 1) / get_num_groups(0));
	for (uint i = 0; i < steps; i++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	results[get_global_id(0)] = x;
}
