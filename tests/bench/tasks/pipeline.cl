// SPDX-License-Identifier: MIT
// Removes noise from a frame in the manner of BM3D: for each of a grid of blocks the most similar ones nearby form a
// stack, which is transformed (Walsh-Hadamard, in three dimensions), loses its small coefficients, is transformed back,
// and goes into the frame with a weight. In integers, so that a result is right or wrong. pipeline.c has the same in C.

#define SIDE 128 // of a frame, pixels
#define BLOCK 8
#define STACK 8 // blocks
#define STEP 4  // between blocks of the grid
#define GRID ((SIDE - BLOCK) / STEP + 1)
#define REACH 8 // of the search, pixels, every second one
#define THRESHOLD 1200
#define WEIGHT 1024

static uint distance_of(global const uchar *frame, int a, int b)
{
	uint sum = 0;

	for (int y = 0; y < BLOCK; y++) {
		for (int x = 0; x < BLOCK; x++) {
			int difference = frame[a + y * SIDE + x] - frame[b + y * SIDE + x];

			sum += (uint)(difference * difference);
		}
	}
	return sum;
}

// A work-item per block of the grid: where the blocks of its stack begin.
kernel void match_blocks(global const uchar *frame, global int *places)
{
	int x = (int)get_global_id(0) * STEP;
	int y = (int)get_global_id(1) * STEP;
	uint distances[STACK];
	int found[STACK];

	for (int i = 0; i < STACK; i++) {
		distances[i] = UINT_MAX;
		found[i] = y * SIDE + x;
	}
	for (int dy = max(y - REACH, 0); dy <= min(y + REACH, SIDE - BLOCK); dy += 2) {
		for (int dx = max(x - REACH, 0); dx <= min(x + REACH, SIDE - BLOCK); dx += 2) {
			uint distance = distance_of(frame, y * SIDE + x, dy * SIDE + dx);
			int place = dy * SIDE + dx;
			bool placed = false;

			for (int i = 0; i < STACK; i++) {
				placed = placed || distance < distances[i];
				uint next_distance = placed ? distances[i] : distance;
				int next_place = placed ? found[i] : place;

				distances[i] = placed ? distance : distances[i];
				found[i] = placed ? place : found[i];
				distance = next_distance;
				place = next_place;
			}
		}
	}
	for (int i = 0; i < STACK; i++)
		places[(get_global_id(1) * GRID + get_global_id(0)) * STACK + i] = found[i];
}

// A work-item per pixel of each block of each stack.
kernel void gather_blocks(global const uchar *frame, global const int *places, global int *stacks)
{
	int pixel = (int)get_global_id(0);
	int block = (int)get_global_id(1);

	stacks[block * BLOCK * BLOCK + pixel] =
		frame[places[block] + pixel / BLOCK * SIDE + pixel % BLOCK];
}

static void transform(local int *values, int stride)
{
	for (int reach = 1; reach < 8; reach *= 2) {
		for (int i = 0; i < 8; i++) {
			if (i & reach)
				continue;
			int a = values[i * stride];
			int b = values[(i + reach) * stride];

			values[i * stride] = a + b;
			values[(i + reach) * stride] = a - b;
		}
	}
}

// A work-group of 64 per stack.
kernel void filter_stacks(global int *stacks, global int *weights)
{
	local int cube[STACK * BLOCK * BLOCK];
	local int kept;
	int item = (int)get_local_id(0);
	global int *stack = stacks + get_group_id(0) * STACK * BLOCK * BLOCK;
	local int *row = cube + item * BLOCK;
	local int *column = cube + item / BLOCK * BLOCK * BLOCK + item % BLOCK;
	int count = 0;

	for (int i = 0; i < STACK; i++)
		cube[i * 64 + item] = stack[i * 64 + item];
	if (item == 0)
		kept = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	transform(row, 1);
	barrier(CLK_LOCAL_MEM_FENCE);
	transform(column, BLOCK);
	barrier(CLK_LOCAL_MEM_FENCE);
	transform(cube + item, 64);
	for (int i = 0; i < STACK; i++) {
		if (abs(cube[i * 64 + item]) < THRESHOLD)
			cube[i * 64 + item] = 0;
		else
			count++;
	}
	transform(cube + item, 64);
	atomic_add(&kept, count);
	barrier(CLK_LOCAL_MEM_FENCE);
	transform(column, BLOCK);
	barrier(CLK_LOCAL_MEM_FENCE);
	transform(row, 1);
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = 0; i < STACK; i++)
		stack[i * 64 + item] = cube[i * 64 + item] / 512;
	if (item == 0)
		weights[get_group_id(0)] = WEIGHT / max(kept, 1);
}

// A work-item per pixel of each block of each stack.
kernel void aggregate_blocks(global const int *stacks, global const int *places,
			     global const int *weights, global int *sums, global int *norms)
{
	int pixel = (int)get_global_id(0);
	int block = (int)get_global_id(1);
	int weight = weights[block / STACK];
	int place = places[block] + pixel / BLOCK * SIDE + pixel % BLOCK;

	atomic_add(&sums[place], weight * stacks[block * BLOCK * BLOCK + pixel]);
	atomic_add(&norms[place], weight);
}

kernel void divide_sums(global const int *sums, global const int *norms, global uchar *frame)
{
	size_t pixel = get_global_id(0);

	frame[pixel] = (uchar)clamp((sums[pixel] + norms[pixel] / 2) / norms[pixel], 0, 255);
}
