/* SPDX-License-Identifier: MIT
 *
 * Accesses of images for several work-items at once. Invariant: each has the results of the scalar functions of
 * image_texels.h, to the bit.
 */
#include "kernel/images.h"

#include "image_texels.h"

static void put(uint32_t *texels, uint32_t count, uint32_t lane, struct texel texel)
{
	texels[lane] = texel.r;
	texels[count + lane] = texel.g;
	texels[2 * count + lane] = texel.b;
	texels[3 * count + lane] = texel.a;
}

static void sample(const struct weft_image *image, weft_sampler sampler, uint32_t access,
		   uint32_t count, const float *coordinates, void *texels)
{
	for (uint32_t lane = 0; lane < count; lane++) {
		struct texel_position position = {
			coordinates[lane],
			coordinates[count + lane],
			coordinates[2 * count + lane],
			coordinates[3 * count + lane],
		};

		put(texels, count, lane, texel_sample(image, sampler, access, position));
	}
}

static void read(const struct weft_image *image, weft_sampler sampler, uint32_t access,
		 uint32_t count, const int32_t *coordinates, void *texels)
{
	for (uint32_t lane = 0; lane < count; lane++) {
		struct texel_place place = {
			coordinates[lane],
			coordinates[count + lane],
			coordinates[2 * count + lane],
		};

		put(texels, count, lane,
		    texel_read(image, sampler, access, place, coordinates[3 * count + lane]));
	}
}

static void write(const struct weft_image *image, uint32_t access, uint32_t count,
		  const int32_t *coordinates, const void *texels)
{
	const uint32_t *channels = texels;

	for (uint32_t lane = 0; lane < count; lane++) {
		struct texel_place place = {
			coordinates[lane],
			coordinates[count + lane],
			coordinates[2 * count + lane],
		};
		struct texel texel = {
			channels[lane],
			channels[count + lane],
			channels[2 * count + lane],
			channels[3 * count + lane],
		};

		texel_write(image, access, place, coordinates[3 * count + lane], texel);
	}
}

const struct weft_image_functions weft_image_functions = {sample, read, write};
