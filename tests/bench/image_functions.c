/* SPDX-License-Identifier: MIT
 *
 * What the functions that access images of any format take, for each kind of CPU that this machine is: nanoseconds of
 * processor time per texel, 16 at once, the best of repeated measurements. "row" are neighbours in a row of the image, "apart" are texels
 * here and there.
 */
#include "images/images.h"

#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SIZE 256
#define LANES 16
#define CALLS 4000
#define REPEATS 9
#define ACCESS (WEFT_IMAGE_2D | WEFT_IMAGE_BASE_LEVEL)

enum access { READ, NEAREST, LINEAR, WRITE, NUM_ACCESSES };

static const char *const names[NUM_ACCESSES] = {"read", "nearest", "linear", "write"};

static const struct format {
	const char *name;
	uint32_t order, type, bytes;
} formats[] = {
	{"RGBA unorm8", CL_RGBA, CL_UNORM_INT8, 4},
	{"R float", CL_R, CL_FLOAT, 4},
	{"RGBA half", CL_RGBA, CL_HALF_FLOAT, 8},
};

/* The coordinates of both kinds: integers, and floats in the texels' middle. */
struct coordinates {
	int32_t integers[4 * LANES];
	float floats[4 * LANES];
};

static struct coordinates coordinates_of(int apart)
{
	struct coordinates result = {0};

	for (int i = 0; i < 2 * LANES; i++) {
		int x = apart ? i * 37 % SIZE : i % LANES, y = apart ? i * 11 % SIZE : 5;

		result.integers[i] = i < LANES ? x : y;
		result.floats[i] = (float)result.integers[i] + 0.25f;
	}
	return result;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double measure(const struct weft_image_functions *functions, const struct weft_image *image,
		      enum access access, const struct coordinates *at)
{
	const uint64_t sampler = WEFT_SAMPLER_CLAMP_TO_EDGE |
				 (access == LINEAR ? WEFT_SAMPLER_LINEAR : WEFT_SAMPLER_NEAREST);
	float texels[4 * LANES] = {0};
	double best = 1e30;

	for (int repeat = 0; repeat < REPEATS; repeat++) {
		double start = now();

		for (int i = 0; i < CALLS; i++) {
			if (access == WRITE)
				functions->write(image, ACCESS, LANES, at->integers, texels);
			else if (access == READ)
				functions->read(image, sampler, ACCESS, LANES, at->integers,
						texels);
			else
				functions->sample(image, sampler, ACCESS, LANES, at->floats,
						  texels);
		}
		double time = (now() - start) / CALLS / LANES;
		best = time < best ? time : best;
	}
	return best;
}

static void report(const char *cpu, const struct weft_image_functions *functions, void *data)
{
	for (size_t f = 0; f < sizeof(formats) / sizeof(formats[0]); f++) {
		const uint32_t pitch = SIZE * formats[f].bytes;
		const struct weft_image image = {
			.data = data,
			.format = weft_image_format(formats[f].order, formats[f].type,
						    formats[f].bytes, 1),
			.width = SIZE,
			.height = SIZE,
			.depth = 1,
			.layers = 1,
			.row_pitch = pitch,
			.slice_pitch = (uint64_t)pitch * SIZE,
		};

		printf("%-10s %-12s", cpu, formats[f].name);
		for (enum access access = 0; access < NUM_ACCESSES; access++) {
			const struct coordinates row = coordinates_of(0), apart = coordinates_of(1);

			printf("  %s: row %5.2f, apart %5.2f", names[access],
			       measure(functions, &image, access, &row),
			       measure(functions, &image, access, &apart));
		}
		printf("\n");
	}
}

int main(void)
{
	void *data = calloc((size_t)SIZE * SIZE, 8);

	if (!data)
		return 1;
	report("base", &weft_image_functions_base, data);
#ifdef __x86_64__
	if (__builtin_cpu_supports("x86-64-v3"))
		report("x86-64-v3", &weft_image_functions_v3, data);
	if (__builtin_cpu_supports("x86-64-v4"))
		report("x86-64-v4", &weft_image_functions_v4, data);
#endif
	free(data);
	return 0;
}
