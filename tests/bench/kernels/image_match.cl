// SPDX-License-Identifier: MIT
#define BLOCK 8
#define REACH 2

constant sampler_t edge =
	CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

// How little the block at `from` differs from the one at `to`.
uint likeness(read_only image2d_t frame, read_only image2d_t before, int2 from, int2 to)
{
	uint sum = 0;

	for (int y = 0; y < BLOCK; y++)
		for (int x = 0; x < BLOCK; x++)
			sum += abs_diff(read_imageui(frame, edge, from + (int2)(x, y)).x,
					read_imageui(before, edge, to + (int2)(x, y)).x);
	return 255 * BLOCK * BLOCK - sum;
}

// The field has the best likeness so far of each block, and where that is: this pass improves it.
kernel void image_match(read_only image2d_t frame, read_only image2d_t before,
			read_write image2d_t field)
{
	int2 block = (int2)(get_global_id(0), get_global_id(1));
	uint4 best = read_imageui(field, block);

	for (int dy = -REACH; dy <= REACH; dy++) {
		for (int dx = -REACH; dx <= REACH; dx++) {
			int2 to = block * BLOCK + (int2)(dx, dy);
			uint found = likeness(frame, before, block * BLOCK, to);

			if (found > best.x)
				best = (uint4)(found, dx + REACH, dy + REACH, 1);
		}
	}
	write_imageui(field, block, best);
}
