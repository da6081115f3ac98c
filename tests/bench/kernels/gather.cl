// SPDX-License-Identifier: MIT
kernel void gather(global const float *table, global const int *index, global float *out)
{
	int i = get_global_id(0);

	out[i] = 2.0f * table[index[i]];
}
