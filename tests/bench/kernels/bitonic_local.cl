// SPDX-License-Identifier: MIT
#define GROUP 256

// Each work-group sorts twice as many numbers as it has work-items.
kernel void bitonic_local(global const uint *in, global uint *out)
{
	local uint keys[2 * GROUP];
	int t = get_local_id(0);
	int first = get_group_id(0) * 2 * GROUP;

	keys[t] = in[first + t];
	keys[t + GROUP] = in[first + t + GROUP];
	for (int size = 2; size <= 2 * GROUP; size <<= 1) {
		bool up = (t & (size / 2)) == 0;

		for (int stride = size / 2; stride > 0; stride >>= 1) {
			barrier(CLK_LOCAL_MEM_FENCE);
			int i = 2 * t - (t & (stride - 1));
			uint a = keys[i];
			uint b = keys[i + stride];

			if ((a > b) == up) {
				keys[i] = b;
				keys[i + stride] = a;
			}
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	out[first + t] = keys[t];
	out[first + t + GROUP] = keys[t + GROUP];
}
