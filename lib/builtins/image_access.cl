/* SPDX-License-Identifier: MIT
 *
 * The code of accesses of images (weft_internal.h) in specialisations. A function is linked where the function without _code is
 * called; inline-image-accesses makes copies of it for the format, the sampler and the access of each call. Its helpers stay functions
 * until then, so that a copy gets only those which it needs.
 */
#define TEXEL_FUNCTION static
#include "image_texels.h"

static float4 floats_of(struct texel texel)
{
	return (float4)(texel_float(texel.r), texel_float(texel.g), texel_float(texel.b),
			texel_float(texel.a));
}

static int4 integers_of(struct texel texel)
{
	return (int4)((int)texel.r, (int)texel.g, (int)texel.b, (int)texel.a);
}

float4 __weft_image_sample_float_code(IMAGE_POINTER image, ulong sampler, uint access, float x,
				      float y, float z, float lod)
{
	struct texel_position position = {x, y, z, lod};

	return floats_of(texel_sample(image, sampler, access, position));
}

int4 __weft_image_sample_int_code(IMAGE_POINTER image, ulong sampler, uint access, float x, float y,
				  float z, float lod)
{
	struct texel_position position = {x, y, z, lod};

	return integers_of(texel_sample(image, sampler, access, position));
}

float4 __weft_image_read_float_code(IMAGE_POINTER image, ulong sampler, uint access, int x, int y,
				    int z, int lod)
{
	struct texel_place coordinate = {x, y, z};

	return floats_of(texel_read(image, sampler, access, coordinate, lod));
}

int4 __weft_image_read_int_code(IMAGE_POINTER image, ulong sampler, uint access, int x, int y,
				int z, int lod)
{
	struct texel_place coordinate = {x, y, z};

	return integers_of(texel_read(image, sampler, access, coordinate, lod));
}

void __weft_image_write_float_code(IMAGE_POINTER image, uint access, int x, int y, int z, int lod,
				   float4 color)
{
	struct texel_place coordinate = {x, y, z};
	struct texel texel = {texel_bits(color.x), texel_bits(color.y), texel_bits(color.z),
			      texel_bits(color.w)};

	texel_write(image, access, coordinate, lod, texel);
}

void __weft_image_write_int_code(IMAGE_POINTER image, uint access, int x, int y, int z, int lod,
				 int4 color)
{
	struct texel_place coordinate = {x, y, z};
	struct texel texel = {(uint)color.x, (uint)color.y, (uint)color.z, (uint)color.w};

	texel_write(image, access, coordinate, lod, texel);
}
