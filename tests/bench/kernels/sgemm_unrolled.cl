// SPDX-License-Identifier: MIT
// sgemm_strips with the loop over the depth written out: 256 numbers of a tile are for all work-items of one region.
#define DEPTH 16
#define ROWS 16
#define ITEMS 4

#define STEP(k)                                                                                    \
	{                                                                                          \
		float factor = b[(k) * n];                                                         \
		for (int i = 0; i < ROWS; i++)                                                     \
			sums[i] += tile[k][i] * factor;                                            \
	}

kernel void sgemm_unrolled(global const float *a, global const float *b, global float *c, int n)
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
		STEP(0)
		STEP(1)
		STEP(2)
		STEP(3)
		STEP(4)
		STEP(5)
		STEP(6)
		STEP(7)
		STEP(8)
		STEP(9)
		STEP(10)
		STEP(11)
		STEP(12)
		STEP(13)
		STEP(14)
		STEP(15)
		barrier(CLK_LOCAL_MEM_FENCE);
		a += DEPTH;
		b += DEPTH * n;
	}
	for (int i = 0; i < ROWS; i++)
		c[i * n] = sums[i];
}
