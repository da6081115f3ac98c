// SPDX-License-Identifier: MIT
#define TILE 16

kernel void transpose_local(global const float *in, global float *out, int width, int height)
{
	local float tile[TILE][TILE + 1];
	int x = get_group_id(0) * TILE + get_local_id(0);
	int y = get_group_id(1) * TILE + get_local_id(1);

	tile[get_local_id(1)][get_local_id(0)] = in[y * width + x];
	barrier(CLK_LOCAL_MEM_FENCE);
	x = get_group_id(1) * TILE + get_local_id(0);
	y = get_group_id(0) * TILE + get_local_id(1);
	out[y * height + x] = tile[get_local_id(0)][get_local_id(1)];
}
