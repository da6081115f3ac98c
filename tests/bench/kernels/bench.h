/* SPDX-License-Identifier: MIT
 *
 * The kernel benchmark's vocabulary. A case is an OpenCL kernel, the data and the range that it runs on, and the same
 * work in OpenMP C; a work is a case's data at one size, in the order of the kernel's arguments.
 *
 * A case on images has a second form on buffers, with the same name and BUFFER_FORM behind it: the same data, the same
 * work, but addressing, conversions and filters are written by hand. Both have one function that prepares the data and
 * one in OpenMP C.
 */
#ifndef WEFT_BENCH_H
#define WEFT_BENCH_H

#define CL_TARGET_OPENCL_VERSION 210

#include "drivers.h"
#include "measure.h"

#include <CL/cl.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_ARGUMENTS 10
#define BUFFER_FORM "_buffer"

/* How two results are compared: bit for bit, or within the case's tolerance as numbers; bytes of ELEMENT_UNORM are
 * numbers from 0 to 1. */
enum element { ELEMENT_EXACT, ELEMENT_FLOAT, ELEMENT_DOUBLE, ELEMENT_HALF, ELEMENT_UNORM };

enum argument_kind {
	ARGUMENT_INPUT,
	ARGUMENT_OUTPUT,
	ARGUMENT_SCALAR,
	ARGUMENT_LOCAL,
	ARGUMENT_SAMPLER
};

/* An image, 3D if it has a depth. Its data have no gaps, and the mip levels follow each other, the largest first. */
struct picture {
	cl_channel_order order; /* 0: the argument is a buffer */
	cl_channel_type type;
	size_t width, height;
	size_t depth;    /* 0: a 2D image */
	cl_uint levels;  /* 0: no mip levels */
	bool read_write; /* the kernel does both */
};

struct sampling {
	cl_bool normalized;
	cl_addressing_mode addressing;
	cl_filter_mode filter;
	cl_filter_mode mip_filter; /* 0: the image has no mip levels */
};

struct argument {
	enum argument_kind kind;
	enum element element;
	size_t size; /* in bytes */
	void *data;  /* owned by the work; local memory and samplers have none */
	struct picture picture;
	struct sampling sampling;
};

struct work {
	size_t size;     /* what the case means by it: items, rows, … */
	bool on_buffers; /* this is the form on buffers of a case on images */
	struct argument arguments[MAX_ARGUMENTS];
	unsigned num_arguments;
	unsigned dimensions;
	size_t global[3];
	size_t local[3]; /* local[0] == 0: the driver chooses */
};

struct bench_case {
	const char *name;
	const char *kernel;  /* in the file of this name, with .cl */
	const char *options; /* of the build, "" for none */
	size_t size;
	size_t small; /* size for a test of the results alone */
	void (*prepare)(struct work *work);
	/* Reads the inputs, writes the outputs: the kernel's work, as OpenMP C would do it. */
	void (*openmp)(const struct work *work);
	double tolerance; /* |got - expected| <= tolerance * max(1, |expected|) */
	/* Whether `got`, what the kernel left in each output (NULL for other arguments), is right, if it is not to be
	 * compared with each element of the OpenMP code's. */
	bool (*check)(const struct work *expected, void *const *got);
};

/* A file's cases, ended by one without a name. */
extern const struct bench_case streaming_cases[];
extern const struct bench_case linear_algebra_cases[];
extern const struct bench_case simulation_cases[];
extern const struct bench_case image_cases[];
extern const struct bench_case collective_cases[];
extern const struct bench_case integer_cases[];
extern const struct bench_case password_cases[];
extern const struct bench_case math_cases[];
extern const struct bench_case nearest_cases[]; /* on images, without filters */
extern const struct bench_case linear_cases[];  /* on images, with linear filters */

/* The table's i-th case, NULL behind the last one. */
const struct bench_case *bench_case_at(unsigned index);
const struct bench_case *bench_case_find(const char *name);

/* ---- work.c: each call adds the kernel's next argument; memory that can't be had ends the program ---- */

void *work_input(struct work *work, size_t bytes); /* zeros, for the caller to fill */
float *work_floats(struct work *work, size_t count, float low, float high); /* random */
uint32_t *work_integers(struct work *work, size_t count,
			uint32_t bound); /* random, below bound; 0: any */
void work_output(struct work *work, enum element element, size_t bytes);
void *work_values(struct work *work, size_t bytes); /* zeros, for the caller to fill */
void work_int(struct work *work, int value);
void work_float(struct work *work, float value);
void work_local(struct work *work, size_t bytes);
/* A local size of 0: the driver chooses. */
void work_range(struct work *work, size_t global, size_t local);
void work_range_2d(struct work *work, size_t width, size_t height, size_t local_width,
		   size_t local_height);
void work_range_3d(struct work *work, const size_t global[3], const size_t local[3]);

/* An image, or in the form on buffers a buffer of the same bytes: zeros. */
void *work_image_input(struct work *work, const struct picture *picture);
void work_image_output(struct work *work, enum element element, const struct picture *picture);
/* In the form on images only. */
void work_sampler(struct work *work, const struct sampling *sampling);
/* In the form on buffers only. */
void work_buffer_int(struct work *work, int value);

void work_prepare(struct work *work, const struct bench_case *bench, bool small);
void work_release(struct work *work);
/* Prints to standard error what differs first. */
bool work_check(const struct work *expected, const struct bench_case *bench, void *const *got);
bool work_near(double got, double expected, double tolerance);
/* The next number of the generator that fills inputs. */
uint32_t work_random(void);

static inline void *work_data(const struct work *work, unsigned index)
{
	return work->arguments[index].data;
}

/* specs.c: writes the case as FOLDER/NAME.json for `weft schedule`, with its data beside it. False: it has images, or options that such a file
 * cannot have, or nothing can be written. */
bool spec_write(const struct bench_case *bench, bool small, const char *folder);

/* ---- measured.c: the measured process ---- */

/* What the process writes first, then after each turn, then after its input has ended. */
struct measurement {
	int failed;     /* 0, or the step below */
	double seconds; /* first: source to the first result's end; then the median run of a turn */
};

enum failed_step {
	FAILED_NOTHING,
	FAILED_DEVICE,
	FAILED_UNOFFERED, /* the device lacks what the arguments need; not counted as a fault */
	FAILED_BUILD,
	FAILED_RUN,
	FAILED_RESULT,
	FAILED_PROCESS
};

/* Measures a case in this process, a turn for each byte of standard input, until that ends; true when nothing failed.
 * `options` are added to the build's. */
bool measured_opencl(const struct bench_case *bench, const char *options, bool small);
bool measured_openmp(const struct bench_case *bench, bool small);

#define BUILD_SPIRV "KERNELS_SPIRV"

/* ---- opencl.c: a case's kernel on the first device of the first platform ---- */

struct session;

/* NULL, and `*failed` is FAILED_DEVICE or FAILED_UNOFFERED. */
struct session *session_open(const struct work *work, enum failed_step *failed);
void session_close(struct session *session);
/* Reads the case's source, and makes SPIR-V of it if BUILD_SPIRV is in the environment. False: that failed, which is not the driver's fault;
 * why is on standard error. */
bool session_read_source(struct session *session, const struct bench_case *bench);
/* False: the build log's first lines are on standard error. */
bool session_build(struct session *session, const struct bench_case *bench, const char *options);
/* Runs the kernel once, from the enqueue to its end. */
bool session_run(struct session *session);
/* Fills outputs with zeros. */
bool session_clear(struct session *session);
/* Reads the outputs: got[i] for the argument i, for the caller to free. */
bool session_read(struct session *session, void **got);

/* ---- images.c: what a session does with the arguments that are images or samplers ---- */

/* Whether the device has what all arguments need. */
bool images_offered(cl_device_id device, const struct work *work);
/* With the argument's data; NULL, and `*error` is OpenCL's, when that fails. */
cl_mem image_create(cl_context context, cl_command_queue queue, const struct argument *argument,
		    cl_int *error);
bool image_clear(cl_command_queue queue, cl_mem image, const struct picture *picture);
bool image_read(cl_command_queue queue, cl_mem image, const struct picture *picture, void *data);
cl_sampler image_sampler(cl_context context, const struct sampling *sampling);
/* Bytes of all levels. */
size_t image_bytes(const struct picture *picture);

/* ---- report.c ---- */

/* A case's figures, in seconds; NAN where it failed. The last driver is OpenMP. */
struct row {
	const struct bench_case *bench;
	double run[MAX_DRIVERS + 1];
	double build[MAX_DRIVERS + 1];
	enum failed_step failed[MAX_DRIVERS + 1];
};

struct table {
	const struct driver *
		drivers; /* the first is what the others are compared with; behind the last, OpenMP */
	unsigned num_drivers; /* without OpenMP */
	bool markdown;
};

void report_head(const struct table *table);
void report_row(const struct table *table, const struct row *row);
void report_summary(const struct table *table, const struct row *rows, unsigned num_rows);
/* For each of the cases on images that has rows in both forms, how long the form on images takes beside the one on
 * buffers on each driver. */
void report_forms(const struct table *table, const struct row *rows, unsigned num_rows,
		  const char *title, const struct bench_case *cases);

#endif
