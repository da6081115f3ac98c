/* SPDX-License-Identifier: MIT
 *
 * Blocks of images (cl_intel_subgroups and its kin): of each row from the first lane's coordinates on, a lane has the element of its
 * number. They are the bytes of the image, at any place.
 */
#include "image_types.h"
#include "sub_groups.cl"

/* The rows from y on, of which this lane has the bytes from x on. */
struct image_block {
	__global uchar *texels;
	ulong pitch;
	long x, y, bytes, rows;
	bool isWithin; /* all lanes' bytes are in their rows */
};

HELPER struct image_block block_at(WEFT_IMAGE_POINTER address, int2 place, uint size)
{
	IMAGE_POINTER image = (IMAGE_POINTER)address;
	long x = take(place.x, 0);
	long bytes = (long)image->width * texel_bytes(image->format);
	bool isWithin = x >= 0 && x + (long)__weft_sub_size() * size <= bytes;
	struct image_block block = {(__global uchar *)image->data,
				    image->row_pitch,
				    x + (long)__weft_sub_lane() * size,
				    take(place.y, 0),
				    bytes,
				    image->height,
				    isWithin};

	return block;
}

HELPER bool has_row(struct image_block block, int number)
{
	return block.y + number >= 0 && block.y + number < block.rows;
}

HELPER bool has_bytes(struct image_block block, long x, uint size)
{
	return x >= 0 && x + size <= block.bytes;
}

/* Where a row has bytes for those that are asked for: behind its edges the last uint is repeated. */
HELPER long nearest_bytes(struct image_block block, long x, uint size)
{
	long within = x & 3 & -(long)size;

	if (!has_bytes(block, x, size))
		x = x < 0 ? within : max(block.bytes - 4, 0l) + within;
	return min(x, block.bytes - size);
}

/* A row that is shorter than an element is read as 0. */
#define IMAGE_BLOCKS(type)                                                                         \
	typedef type bytes_of_##type __attribute__((aligned(1)));                                  \
	HELPER type nearest_##type(struct image_block block, __global uchar *row, long x)          \
	{                                                                                          \
		long place = nearest_bytes(block, x, sizeof(type));                                \
                                                                                                   \
		return block.bytes < (long)sizeof(type)                                            \
			       ? (type)0                                                           \
			       : *(__global bytes_of_##type *)(row + place);                       \
	}                                                                                          \
	HELPER void store_within(struct image_block block, __global uchar *row, long x,            \
				 type value)                                                       \
	{                                                                                          \
		if (has_bytes(block, x, sizeof(type)))                                             \
			*(__global bytes_of_##type *)(row + x) = value;                            \
	}

IMAGE_BLOCKS(uchar)
IMAGE_BLOCKS(ushort)
IMAGE_BLOCKS(uint)

/* Its halves may lie in two texels, one of them outside. */
HELPER ulong nearest_ulong(struct image_block block, __global uchar *row, long x)
{
	return nearest_uint(block, row, x) | (ulong)nearest_uint(block, row, x + 4) << 32;
}

typedef ulong bytes_of_ulong __attribute__((aligned(1)));
HELPER void store_within(struct image_block block, __global uchar *row, long x, ulong value)
{
	if (has_bytes(block, x, sizeof(value))) {
		*(__global bytes_of_ulong *)(row + x) = value;
	} else {
		store_within(block, row, x, (uint)value);
		store_within(block, row, x + 4, (uint)(value >> 32));
	}
}

/* The element of a row, which is counted from the block's first one. */
#define IMAGE_BLOCK_ROWS(type)                                                                     \
	HELPER type read_row_##type(struct image_block block, int number)                          \
	{                                                                                          \
		long y = clamp(block.y + number, 0l, block.rows - 1);                              \
		__global uchar *row = block.texels + (ulong)y * block.pitch;                       \
                                                                                                   \
		return block.isWithin ? *(__global bytes_of_##type *)(row + block.x)               \
				      : nearest_##type(block, row, block.x);                       \
	}                                                                                          \
	HELPER void write_row(struct image_block block, int number, type value)                    \
	{                                                                                          \
		if (has_row(block, number))                                                        \
			store_within(block,                                                        \
				     block.texels + (ulong)(block.y + number) * block.pitch,       \
				     block.x, value);                                              \
	}

IMAGE_BLOCK_ROWS(uchar)
IMAGE_BLOCK_ROWS(ushort)
IMAGE_BLOCK_ROWS(uint)
IMAGE_BLOCK_ROWS(ulong)
