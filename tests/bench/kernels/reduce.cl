// SPDX-License-Identifier: MIT
#define GROUP 256

kernel void reduce(global const float *in, global float *sums)
{
	local float part[GROUP];
	int t = get_local_id(0);
	int i = get_group_id(0) * 2 * GROUP + t;

	part[t] = in[i] + in[i + GROUP];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int s = GROUP / 2; s > 0; s >>= 1) {
		if (t < s)
			part[t] += part[t + s];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (t == 0)
		sums[get_group_id(0)] = part[0];
}
