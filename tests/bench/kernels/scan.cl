// SPDX-License-Identifier: MIT
// Hillis and Steele's inclusive scan of each work-group's numbers.
kernel void scan(global const int *in, global int *out, local int *buffer)
{
	int t = get_local_id(0);
	int size = get_local_size(0);
	int from = 0;

	buffer[t] = in[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int distance = 1; distance < size; distance *= 2) {
		int to = size - from;

		buffer[to + t] = buffer[from + t] + (t >= distance ? buffer[from + t - distance] : 0);
		from = to;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[get_global_id(0)] = buffer[from + t];
}
