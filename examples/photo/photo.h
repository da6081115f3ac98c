/* SPDX-License-Identifier: MIT
 *
 * What the files of the photo example share. A picture is `width` times `height` pixels of four
 * 16-bit numbers of linear light: red, green, blue, alpha.
 */
#ifndef PHOTO_H
#define PHOTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct picture {
	int width;
	int height;
	uint16_t (*pixels)[4]; /* owned: free() */
};

/* How the kernels and the reference develop a picture. */
#define BLUR_RADIUS 6
#define WHITE 65535.0f
struct settings {
	float exposure; /* what a pixel's 0..65535 is multiplied with */
	float denoise;
	float sharpen;
	float weights[2 * BLUR_RADIUS + 1]; /* of the Gaussian; their sum is 1 */
};

/* Prints "photo: …" and ends the program with code 1. */
void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
void *allocate(size_t count, size_t size);

/* png.c: both end the program when the file cannot be read or written. */
struct picture read_png(const char *path);
void write_png(const char *path, int width, int height, const uint8_t (*pixels)[4]);

/* scene.c: a landscape at dusk, as a camera would see it: too dark, and with noise. */
struct picture make_scene(int width, int height);

/* reference.c: develops squares of the picture on the host and counts the pixels of `result` (8-bit
 * sRGB) that differ by more than 2 of 255. *checked is how many were compared. */
size_t count_differences(const struct picture *picture, const struct settings *settings,
			 const uint8_t (*result)[4], size_t *checked);

#endif
