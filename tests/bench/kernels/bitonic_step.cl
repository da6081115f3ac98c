// SPDX-License-Identifier: MIT
kernel void bitonic_step(global const uint *in, global uint *out, int size, int stride)
{
	int i = get_global_id(0);
	int partner = i ^ stride;
	uint a = in[i];
	uint b = in[partner];
	bool least = ((i & size) == 0) == (i < partner);

	out[i] = least ? min(a, b) : max(a, b);
}
