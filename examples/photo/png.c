/* SPDX-License-Identifier: MIT
 *
 * PNG files in and out, by libpng's simplified interface, which converts any PNG to linear light.
 */
#include "photo.h"

#include <png.h>
#include <string.h>

struct picture read_png(const char *path)
{
	png_image image = {.version = PNG_IMAGE_VERSION};

	if (!png_image_begin_read_from_file(&image, path))
		fail("cannot read %s: %s", path, image.message);
	image.format = PNG_FORMAT_LINEAR_RGB_ALPHA;
	if (image.width > 30000 || image.height > 30000)
		fail("%s: %u x %u pixels are too many", path, image.width, image.height);
	struct picture picture = {(int)image.width, (int)image.height, NULL};
	picture.pixels = allocate((size_t)image.width * image.height, sizeof(*picture.pixels));
	if (!png_image_finish_read(&image, NULL, picture.pixels, 0, NULL))
		fail("cannot read %s: %s", path, image.message);
	return picture;
}

void write_png(const char *path, int width, int height, const uint8_t (*pixels)[4])
{
	png_image image = {.version = PNG_IMAGE_VERSION,
			   .width = (png_uint_32)width,
			   .height = (png_uint_32)height,
			   .format = PNG_FORMAT_RGBA,
			   .flags = PNG_IMAGE_FLAG_FAST};

	if (!png_image_write_to_file(&image, path, 0, pixels, 0, NULL))
		fail("cannot write %s: %s", path, image.message);
}
