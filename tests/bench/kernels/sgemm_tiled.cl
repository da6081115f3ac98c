// SPDX-License-Identifier: MIT
#define TILE 16

kernel void sgemm_tiled(global const float *a, global const float *b, global float *c, int n)
{
	local float tile_a[TILE][TILE];
	local float tile_b[TILE][TILE];
	int x = get_local_id(0);
	int y = get_local_id(1);
	int column = get_group_id(0) * TILE + x;
	int row = get_group_id(1) * TILE + y;
	float sum = 0.0f;

	for (int t = 0; t < n / TILE; t++) {
		tile_a[y][x] = a[row * n + t * TILE + x];
		tile_b[y][x] = b[(t * TILE + y) * n + column];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = 0; k < TILE; k++)
			sum += tile_a[y][k] * tile_b[k][x];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	c[row * n + column] = sum;
}
