/* SPDX-License-Identifier: MIT
 *
 * The short benchmark: what it measures, on which devices, and the results.
 */
#ifndef WEFT_TOOLS_BENCH_H
#define WEFT_TOOLS_BENCH_H

#include "object/opencl_headers.h"

#include <stdbool.h>
#include <stddef.h>

enum weft_measure_kind {
	WEFT_MEASURE_FIRST, /* ms from the source to the first results of all kernels, with nothing in a cache */
	WEFT_MEASURE_LAUNCH, /* us to launch an empty kernel and wait for it */
	WEFT_MEASURE_QUEUE,  /* us for each of many empty kernels that are enqueued at once */
	WEFT_MEASURE_KERNEL, /* work by second */
};

/* All kernels take three buffers of floats, of which the third is for results, and a number. */
struct weft_measure {
	enum weft_measure_kind kind;
	const char *name;
	const char *unit;
	const char *what; /* in a few words */
	/* Of WEFT_MEASURE_KERNEL. */
	const char *kernel;
	size_t dimensions;
	size_t global[2];
	size_t local[2]; /* zeros: the driver chooses */
	size_t results;  /* floats that it writes; checked are some of them */
	bool counts;     /* results are integers */
	int number;      /* the kernel's last argument */
	double work;     /* of one launch, in the unit times a second */
	double (*expected)(const float *a, const float *b, size_t index, int number);
};

#define WEFT_NUM_MEASURES 10
#define WEFT_BENCH_MOST_PLATFORMS 4         /* of a driver; further ones are left out */
#define WEFT_BENCH_MOST_DEVICES 4           /* of a platform */
#define WEFT_BENCH_FLOATS ((size_t)8 << 20) /* of each buffer */

extern const struct weft_measure weft_measures[WEFT_NUM_MEASURES];
extern const char *const weft_bench_source;

/* Less is better: it is a time. */
static inline bool weft_measure_is_time(size_t measure)
{
	return weft_measures[measure].kind != WEFT_MEASURE_KERNEL;
}

/* A device and what it has reached. */
struct weft_bench_device {
	char platform[96];
	char name[96];
	char version[96];
	double values[WEFT_NUM_MEASURES]; /* 0: not measured, or the results were wrong */
	char problem[160];                /* the first one; "": none */
	bool is_weft;
};

struct weft_bench_results {
	struct weft_bench_device *devices; /* owned */
	size_t count;
	size_t room;
};

struct weft_bench_task {
	const char *library; /* the driver's */
	bool is_weft;
	double seconds; /* for each measure */
	/* Called after each one. */
	void (*step)(void *data);
	void *data;
};

/* Adds the devices of the driver, measured in a child process. False: the driver does not start, or has no devices, and `problem`
 * says so. */
bool weft_bench_driver(const struct weft_bench_task *task, struct weft_bench_results *results,
		       char problem[160]);

/* In the child: measures all devices of the driver, and prints lines for weft_bench_driver. */
int weft_bench_child(const struct weft_bench_task *task);

/* The value in five characters or so; "failed" for 0. */
void weft_bench_format(double value, char text[16]);

/* The results as a picture: bars for each measure, relative to the best. False: the file cannot be written, errno says why. */
bool weft_bench_write_svg(const char *path, const struct weft_bench_results *results);

#endif
