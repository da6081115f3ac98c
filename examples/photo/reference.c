/* SPDX-License-Identifier: MIT
 *
 * The kernels of photo.cl in plain C, in double precision, on squares of the picture: each is cut
 * out with a margin as wide as all filters reach together, so nothing outside of it matters.
 */
#include "photo.h"

#include <math.h>
#include <stdlib.h>

#define SQUARE 40
#define MARGIN (BLUR_RADIUS + 3)
#define SIDE (SQUARE + 2 * MARGIN)

struct pixel {
	double c[3];
};

/* A square's pixels, its margin included. Positions are the picture's. */
struct square {
	int left, top;
	int width, height; /* of the picture */
	struct pixel pixels[SIDE][SIDE];
};

/* The pixel at a position of the picture, or the nearest that the picture has. */
static const struct pixel *at(const struct square *square, int x, int y)
{
	x = x < 0 ? 0 : x >= square->width ? square->width - 1 : x;
	y = y < 0 ? 0 : y >= square->height ? square->height - 1 : y;
	return &square->pixels[y - square->top][x - square->left];
}

static double luminance(const struct pixel *pixel)
{
	return 0.2126 * pixel->c[0] + 0.7152 * pixel->c[1] + 0.0722 * pixel->c[2];
}

static struct pixel tone_map(const uint16_t source[4], double exposure)
{
	struct pixel pixel;

	for (int i = 0; i < 3; i++) {
		double x = source[i] * exposure;
		double mapped = x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14);
		pixel.c[i] = fmin(fmax(mapped, 0.0), 1.0);
	}
	return pixel;
}

static struct pixel denoise(const struct square *from, int px, int py, double strength)
{
	const struct pixel *centre = at(from, px, py);
	struct pixel sum = {{0.0, 0.0, 0.0}};
	double total = 0.0;

	for (int y = -2; y <= 2; y++) {
		for (int x = -2; x <= 2; x++) {
			const struct pixel *pixel = at(from, px + x, py + y);
			double squared = 0.0;
			for (int i = 0; i < 3; i++)
				squared += pow(pixel->c[i] - centre->c[i], 2.0);
			double weight = exp(-0.22 * (x * x + y * y) - strength * squared);
			for (int i = 0; i < 3; i++)
				sum.c[i] += weight * pixel->c[i];
			total += weight;
		}
	}
	for (int i = 0; i < 3; i++)
		sum.c[i] /= total;
	return sum;
}

static struct pixel blur(const struct square *from, int x, int y, const struct settings *settings)
{
	struct pixel sum = {{0.0, 0.0, 0.0}};

	for (int v = -BLUR_RADIUS; v <= BLUR_RADIUS; v++) {
		for (int u = -BLUR_RADIUS; u <= BLUR_RADIUS; u++) {
			const struct pixel *pixel = at(from, x + u, y + v);
			double weight = (double)settings->weights[u + BLUR_RADIUS] *
					(double)settings->weights[v + BLUR_RADIUS];
			for (int i = 0; i < 3; i++)
				sum.c[i] += weight * pixel->c[i];
		}
	}
	return sum;
}

static double edge(const struct square *from, int x, int y)
{
	double l[3][3];

	for (int v = 0; v < 3; v++) {
		for (int u = 0; u < 3; u++)
			l[v][u] = luminance(at(from, x + u - 1, y + v - 1));
	}
	double horizontal = l[0][2] + 2 * l[1][2] + l[2][2] - l[0][0] - 2 * l[1][0] - l[2][0];
	double vertical = l[2][0] + 2 * l[2][1] + l[2][2] - l[0][0] - 2 * l[0][1] - l[0][2];
	double t = (hypot(horizontal, vertical) - 0.02) / (0.5 - 0.02);
	t = fmin(fmax(t, 0.0), 1.0);
	return t * t * (3.0 - 2.0 * t);
}

/* A pixel's final values, 0 to 255. */
static struct pixel finish(const struct square *from, int x, int y, const struct settings *settings)
{
	const struct pixel *pixel = at(from, x, y);
	struct pixel blurred = blur(from, x, y, settings);
	double strength = (double)settings->sharpen * (0.4 + edge(from, x, y));
	struct pixel result;

	for (int i = 0; i < 3; i++) {
		double value = pixel->c[i] + strength * (pixel->c[i] - blurred.c[i]);
		value = fmin(fmax(value, 0.0), 1.0);
		value = value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1.0 / 2.4) - 0.055;
		result.c[i] = 255.0 * value;
	}
	return result;
}

static int clamp_to(int value, int most)
{
	return value < 0 ? 0 : value > most ? most : value;
}

/* Fills the square from the picture, tone mapped; then into `clean`, without noise. */
static void prepare(const struct picture *picture, const struct settings *settings,
		    struct square *mapped, struct square *clean)
{
	for (int y = 0; y < SIDE; y++) {
		for (int x = 0; x < SIDE; x++) {
			size_t row = (size_t)clamp_to(mapped->top + y, picture->height - 1);
			size_t column = (size_t)clamp_to(mapped->left + x, picture->width - 1);
			mapped->pixels[y][x] =
				tone_map(picture->pixels[row * (size_t)picture->width + column],
					 (double)settings->exposure);
		}
	}
	for (int y = 2; y < SIDE - 2; y++) {
		for (int x = 2; x < SIDE - 2; x++)
			clean->pixels[y][x] = denoise(mapped, clean->left + x, clean->top + y,
						      (double)settings->denoise);
	}
}

/* Compares one square's inside; returns how many pixels differ. */
static size_t compare(const struct square *clean, const struct settings *settings,
		      const uint8_t (*result)[4], size_t *checked)
{
	size_t differences = 0;

	for (int y = clean->top + MARGIN; y < clean->top + MARGIN + SQUARE; y++) {
		for (int x = clean->left + MARGIN; x < clean->left + MARGIN + SQUARE; x++) {
			if (x < 0 || y < 0 || x >= clean->width || y >= clean->height)
				continue;
			struct pixel expected = finish(clean, x, y, settings);
			const uint8_t *got = result[(size_t)y * (size_t)clean->width + (size_t)x];
			bool same = got[3] == 255;
			for (int i = 0; i < 3; i++)
				same = same && fabs(expected.c[i] - got[i]) <= 2.0;
			differences += !same;
			++*checked;
		}
	}
	return differences;
}

size_t count_differences(const struct picture *picture, const struct settings *settings,
			 const uint8_t (*result)[4], size_t *checked)
{
	struct square *mapped = allocate(1, sizeof(*mapped));
	struct square *clean = allocate(1, sizeof(*clean));
	size_t differences = 0;

	*checked = 0;
	for (int i = 0; i < 16; i++) { /* from corner to corner: edges are where filters go wrong */
		int x = (picture->width - SQUARE) * (i % 4) / 3 - MARGIN;
		int y = (picture->height - SQUARE) * (i / 4) / 3 - MARGIN;
		*mapped = (struct square){x, y, picture->width, picture->height, {{{{0.0}}}}};
		*clean = *mapped;
		prepare(picture, settings, mapped, clean);
		differences += compare(clean, settings, result, checked);
	}
	free(mapped);
	free(clean);
	return differences;
}
