// SPDX-License-Identifier: MIT
#define BLOCK 8
#define REACH 2

uint pixel(global const uchar *in, int2 p, int2 size)
{
	return in[clamp(p.y, 0, size.y - 1) * size.x + clamp(p.x, 0, size.x - 1)];
}

// How little the block at `from` differs from the one at `to`.
uint likeness(global const uchar *frame, global const uchar *before, int2 from, int2 to, int2 size)
{
	uint sum = 0;

	for (int y = 0; y < BLOCK; y++)
		for (int x = 0; x < BLOCK; x++)
			sum += abs_diff(pixel(frame, from + (int2)(x, y), size),
					pixel(before, to + (int2)(x, y), size));
	return 255 * BLOCK * BLOCK - sum;
}

// The field has the best likeness so far of each block, and where that is: this pass improves it.
kernel void image_match_buffer(global const uchar *frame, global const uchar *before,
			       global ushort4 *field, int width, int height)
{
	int2 block = (int2)(get_global_id(0), get_global_id(1));
	int2 size = (int2)(width, height);
	int at = block.y * (width / BLOCK) + block.x;
	uint4 best = convert_uint4(field[at]);

	for (int dy = -REACH; dy <= REACH; dy++) {
		for (int dx = -REACH; dx <= REACH; dx++) {
			int2 to = block * BLOCK + (int2)(dx, dy);
			uint found = likeness(frame, before, block * BLOCK, to, size);

			if (found > best.x)
				best = (uint4)(found, dx + REACH, dy + REACH, 1);
		}
	}
	field[at] = convert_ushort4_sat(best);
}
