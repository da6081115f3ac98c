// SPDX-License-Identifier: MIT
// Groups of 16x4 for 64 columns and 16 rows, after Volkov: each work-item has a column, in a private array. Pointers move along.
#define DEPTH 16
#define ROWS 16
#define ITEMS 4

kernel void sgemm_strips(global const float *a, global const float *b, global float *c, int n)
{
	local float tile[DEPTH][ROWS + 1];
	int x = get_local_id(0);
	int y = get_local_id(1);
	int column = get_group_id(0) * DEPTH * ITEMS + y * DEPTH + x;
	int row = get_group_id(1) * ROWS;
	float sums[ROWS];

	for (int i = 0; i < ROWS; i++)
		sums[i] = 0.0f;
	a += (row + y) * n + x;
	b += column;
	c += row * n + column;
	for (int t = 0; t < n; t += DEPTH) {
		for (int i = 0; i < ROWS; i += ITEMS)
			tile[x][y + i] = a[i * n];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = 0; k < DEPTH; k++) {
			for (int i = 0; i < ROWS; i++)
				sums[i] += tile[k][i] * b[k * n];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		a += DEPTH;
		b += DEPTH * n;
	}
	for (int i = 0; i < ROWS; i++)
		c[i * n] = sums[i];
}
