/* SPDX-License-Identifier: MIT
 *
 * Accesses of images by one work-item after the other: the scalar functions.
 */
#define TEXEL_FUNCTION static inline

#include "images/image_each.h"

#include "image_texels.h"

static void put(const struct rows *rows, uint32_t lane, struct texel texel)
{
	rows->n[lane] = texel.r;
	rows->n[rows->stride + lane] = texel.g;
	rows->n[2 * rows->stride + lane] = texel.b;
	rows->n[3 * rows->stride + lane] = texel.a;
}

void weft_image_sample_each(const struct call *call, const float *coordinates, size_t stride,
			    const struct rows *rows)
{
	for (uint32_t i = 0; i < rows->count; i++) {
		struct texel_position position = {coordinates[i], coordinates[stride + i],
						  coordinates[2 * stride + i],
						  coordinates[3 * stride + i]};

		put(rows, i, texel_sample(call->image, call->sampler, call->access, position));
	}
}

void weft_image_read_each(const struct call *call, const int32_t *coordinates, size_t stride,
			  const struct rows *rows)
{
	for (uint32_t i = 0; i < rows->count; i++) {
		struct texel_place place = {coordinates[i], coordinates[stride + i],
					    coordinates[2 * stride + i]};

		put(rows, i,
		    texel_read(call->image, call->sampler, call->access, place,
			       coordinates[3 * stride + i]));
	}
}

void weft_image_write_each(const struct call *call, const int32_t *coordinates, size_t stride,
			   const struct rows *rows)
{
	for (uint32_t i = 0; i < rows->count; i++) {
		struct texel_place place = {coordinates[i], coordinates[stride + i],
					    coordinates[2 * stride + i]};
		struct texel texel = {rows->n[i], rows->n[rows->stride + i],
				      rows->n[2 * rows->stride + i], rows->n[3 * rows->stride + i]};

		texel_write(call->image, call->access, place, coordinates[3 * stride + i], texel);
	}
}
