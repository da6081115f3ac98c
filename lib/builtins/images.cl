/* SPDX-License-Identifier: MIT
 *
 * What the functions of images (image_functions.py) have in common: fields of an image, and the level of detail that gradients give.
 */
#include "image_types.h"

#define FIELD(image, name)                                                                         \
	__weft_image_field(__weft_image_address(image), __builtin_offsetof(struct weft_image, name))
#define WIDTH(image) FIELD(image, width)
#define HEIGHT(image) FIELD(image, height)
#define DEPTH(image) FIELD(image, depth)
#define LAYERS(image) FIELD(image, layers)
#define LEVELS(image) texel_levels(FIELD(image, format))
/* The numbers of cl.h and of OpenCL C are the same. */
#define CHANNEL_ORDER(image) (texel_order(FIELD(image, format)) + CLK_R)
#define CHANNEL_TYPE(image) (texel_type(FIELD(image, format)) + CLK_SNORM_INT8)

/* The scale factor of OpenGL, to which the specification of mipmapped images refers: how many texels of level 0 the gradients
 * cover, in the direction in which they cover more. */
HELPER float level_of_squares(float x, float y)
{
	return 0.5f * log2(fmax(x, y));
}

HELPER float squares(float x, float y)
{
	return x * x + y * y;
}

HELPER float squares(float x, float y, float z)
{
	return x * x + y * y + z * z;
}

#define LEVEL_1D(image, dx, dy)                                                                    \
	log2(fmax(fabs(dx *(float)WIDTH(image)), fabs(dy *(float)WIDTH(image))))
#define LEVEL_2D(image, dx, dy)                                                                    \
	level_of_squares(squares(dx.x *(float)WIDTH(image), dx.y *(float)HEIGHT(image)),           \
			 squares(dy.x *(float)WIDTH(image), dy.y *(float)HEIGHT(image)))
#define LEVEL_3D(image, dx, dy)                                                                    \
	level_of_squares(squares(dx.x *(float)WIDTH(image), dx.y *(float)HEIGHT(image),            \
				 dx.z *(float)DEPTH(image)),                                       \
			 squares(dy.x *(float)WIDTH(image), dy.y *(float)HEIGHT(image),            \
				 dy.z *(float)DEPTH(image)))
