// SPDX-License-Identifier: MIT
#define BINS 256

kernel void histogram(global const uchar *data, global uint *counts, int per_item)
{
	local uint bins[BINS];
	int t = get_local_id(0);
	int group = get_local_size(0);
	int first = get_group_id(0) * group * per_item;

	for (int i = t; i < BINS; i += group)
		bins[i] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int k = 0; k < per_item; k++)
		atomic_inc(&bins[data[first + k * group + t]]);
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = t; i < BINS; i += group)
		counts[get_group_id(0) * BINS + i] = bins[i];
}
