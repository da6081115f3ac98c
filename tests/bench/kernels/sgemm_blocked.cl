// SPDX-License-Identifier: MIT
// A tile of 64x64 for a group of 16x16: each work-item has 4x4 sums in a private array.
#define TILE 64
#define DEPTH 16
#define ITEMS 16
#define EACH (TILE / ITEMS)

kernel void sgemm_blocked(global const float *a, global const float *b, global float *c, int n)
{
	local float tile_a[TILE][DEPTH];
	local float tile_b[DEPTH][TILE];
	int x = get_local_id(0);
	int y = get_local_id(1);
	int column = get_group_id(0) * TILE + x;
	int row = get_group_id(1) * TILE + y;
	float sums[EACH][EACH];

	for (int i = 0; i < EACH; i++) {
		for (int j = 0; j < EACH; j++)
			sums[i][j] = 0.0f;
	}
	for (int t = 0; t < n; t += DEPTH) {
		for (int i = 0; i < EACH; i++) {
			tile_a[y + i * ITEMS][x] = a[(row + i * ITEMS) * n + t + x];
			tile_b[y][x + i * ITEMS] = b[(t + y) * n + column + i * ITEMS];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = 0; k < DEPTH; k++) {
			for (int i = 0; i < EACH; i++) {
				for (int j = 0; j < EACH; j++)
					sums[i][j] += tile_a[y + i * ITEMS][k] * tile_b[k][x + j * ITEMS];
			}
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	for (int i = 0; i < EACH; i++) {
		for (int j = 0; j < EACH; j++)
			c[(row + i * ITEMS) * n + column + j * ITEMS] = sums[i][j];
	}
}
