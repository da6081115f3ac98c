/* SPDX-License-Identifier: MIT
 *
 * Kernels compiled, run and compared with their plain evaluation.
 */
#ifndef WEFT_DIFFER_TRIAL_H
#define WEFT_DIFFER_TRIAL_H

#include "kernel_runner.h"
#include "memory.h"
#include "tree.h"

#define KERNELS_PER_PROGRAM 16 /* but the last one */
#define NUM_WAYS (RUNNER_ACCEL + 1)
extern const char *const way_names[NUM_WAYS];

/* What runs at this moment: shared with the parent, which says so when the process dies. */
struct progress {
	uint64_t seed;
	uint32_t width;
	enum runner_way way;
	unsigned geometry;
	bool building;
	size_t batch;    /* to go on with */
	size_t done;     /* kernels */
	size_t widened;  /* of the runs' kernels, those with more than one lane */
	size_t versions; /* for one local size, made and run */
	size_t replaced; /* by full code, while they ran */
	size_t failures;
	uint64_t failed_seed; /* of the last failure */
	uint32_t failed_width;
};

/* A kernel, and for each of its NDRanges the memory before and, by plain evaluation, after it. */
struct subject {
	const struct kernel *kernel;
	struct image before[MAX_GEOMETRIES];
	struct image after[MAX_GEOMETRIES];
	/* With RELAXED_OPTIONS: `after` is what the first code left. */
	bool has_run;
};

/* Build options under which no plain evaluation gives the kernels' results: all code gives those of the first. */
#define RELAXED_OPTIONS "-cl-unsafe-math-optimizations -D RELAXED"

/* Borrows the kernel. */
void subject_make(struct subject *subject, const struct kernel *kernel);
void subject_destroy(struct subject *subject);

/* The source of one program. Owned by the caller: free. */
char *program_source(const struct subject *subjects, size_t count);

/* Compiles the kernels as one program for the target and runs each in all its NDRanges, directly and on
 * every driver. Prints what differs and returns the number of kernels that do; -1 for a single one that
 * does not compile. */
int try_kernels(struct subject *subjects, size_t count, const struct runner_target *target,
		struct progress *progress);

#endif
