// SPDX-License-Identifier: MIT
#define SIZE 16

// Needleman and Wunsch's scores: a 16x16 tile for each work-group, which walks its diagonals.
kernel void needle(global const int *reference, global const int *borders, global int *out, int penalty)
{
	local int score[SIZE + 1][SIZE + 1];
	local int similar[SIZE][SIZE];
	int t = get_local_id(0);
	int first = get_group_id(0) * SIZE * SIZE;
	int border = get_group_id(0) * (2 * SIZE + 1);

	if (t == 0)
		score[0][0] = borders[border];
	score[0][t + 1] = borders[border + 1 + t];
	score[t + 1][0] = borders[border + 1 + SIZE + t];
	for (int k = 0; k < SIZE; k++)
		similar[k][t] = reference[first + k * SIZE + t];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int m = 0; m < SIZE; m++) {
		if (t <= m) {
			int x = t + 1;
			int y = m - t + 1;

			score[y][x] = max(score[y - 1][x - 1] + similar[y - 1][x - 1],
					  max(score[y][x - 1], score[y - 1][x]) - penalty);
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	for (int m = SIZE - 2; m >= 0; m--) {
		if (t <= m) {
			int x = t + SIZE - m;
			int y = SIZE - t;

			score[y][x] = max(score[y - 1][x - 1] + similar[y - 1][x - 1],
					  max(score[y][x - 1], score[y - 1][x]) - penalty);
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	for (int k = 0; k < SIZE; k++)
		out[first + k * SIZE + t] = score[k + 1][t + 1];
}
