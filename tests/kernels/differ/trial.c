/* SPDX-License-Identifier: MIT
 *
 * Trials.
 */
#include "trial.h"

#include "interpret.h"
#include "memory.h"
#include "print.h"
#include "random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const way_names[NUM_WAYS] = {"directly", "basic", "pthread", "accel"};

void subject_make(struct subject *subject, const struct kernel *kernel)
{
	subject->kernel = kernel;
	subject->has_run = false;
	for (unsigned g = 0; g < kernel->num_geometries; g++) {
		image_make(&subject->before[g], kernel, &kernel->geometries[g]);
		image_copy(&subject->after[g], &subject->before[g]);
		interpret(kernel, &kernel->geometries[g], subject->after[g].bytes);
	}
}

void subject_destroy(struct subject *subject)
{
	for (unsigned g = 0; g < subject->kernel->num_geometries; g++) {
		image_destroy(&subject->before[g]);
		image_destroy(&subject->after[g]);
	}
}

char *program_source(const struct subject *subjects, size_t count)
{
	char *source = NULL;
	size_t size;
	FILE *out = open_memstream(&source, &size);

	if (!out)
		abort();
	print_prologue(out);
	for (size_t i = 0; i < count; i++)
		print_kernel(out, subjects[i].kernel, (unsigned)i);
	fclose(out);
	return source;
}

#define MAX_ARGS (2 * MAX_OBJECTS + MAX_SCALARS + 1)

/* In the order of print.c's parameters. `counts` lends memory. */
static size_t make_args(const struct kernel *kernel, const struct geometry *geometry,
			const struct image *image, struct runner_arg args[MAX_ARGS],
			int32_t counts[MAX_OBJECTS + 1])
{
	size_t used = 0;

	for (unsigned j = 0; j < kernel->num_objects; j++) {
		const struct object *o = &kernel->objects[j];
		if (o->dropped)
			continue;
		if (is_buffer(o))
			args[used++] =
				(struct runner_arg)RUNNER_BUFFER(image->bytes[j], image->sizes[j]);
		else if (o->argument)
			args[used++] = (struct runner_arg)RUNNER_LOCAL(
				object_count(o, kernel->most_local) * o->stride);
	}
	counts[MAX_OBJECTS] =
		(int32_t)(geometry->global[0] * geometry->global[1] * geometry->global[2]);
	args[used++] = (struct runner_arg)RUNNER_VALUE(counts[MAX_OBJECTS]);
	for (unsigned j = 0; j < kernel->num_objects; j++) {
		const struct object *o = &kernel->objects[j];
		if (!is_buffer(o) || o->dropped)
			continue;
		counts[j] = (int32_t)(image->sizes[j] / o->stride);
		args[used++] = (struct runner_arg)RUNNER_VALUE(counts[j]);
	}
	for (unsigned j = 0; j < kernel->num_scalars; j++)
		args[used++] = (struct runner_arg){&kernel->scalar_values[j],
						   type_size(kernel->scalars[j])};
	return used;
}

static void launch(const struct runner *runner, const struct kernel *kernel, unsigned number,
		   const struct geometry *geometry, const struct image *image, enum runner_way way)
{
	struct runner_arg args[MAX_ARGS];
	int32_t counts[MAX_OBJECTS + 1];
	size_t num_args = make_args(kernel, geometry, image, args, counts);
	struct runner_range range;
	char name[16];

	memcpy(range.global, geometry->global, sizeof(range.global));
	memcpy(range.local, geometry->local, sizeof(range.local));
	memcpy(range.offset, geometry->offset, sizeof(range.offset));
	snprintf(name, sizeof(name), "k%u", number);
	runner_launch(runner, name, &range, args, num_args, way);
}

static void report(const struct kernel *kernel, const struct geometry *geometry,
		   const struct image *expected, const struct image *actual,
		   const struct difference *at)
{
	struct value wanted = image_value(kernel, expected, at);
	struct value got = image_value(kernel, actual, at);
	struct type type = kernel->objects[at->object].fields[at->field];

	print_geometry(stdout, geometry);
	printf("\n  b%d[%zu], field %d, lane %u: ", at->object, at->element, at->field, at->lane);
	print_value(stdout, type, &got);
	printf(", not ");
	print_value(stdout, type, &wanted);
	printf("\n");
}

/* Takes for the kernel's results what this code gives, unless other code has run before. */
static void take_results(const struct runner *runner, struct subject *subject, unsigned number,
			 struct progress *progress)
{
	progress->seed = subject->kernel->seed;
	progress->way = RUNNER_DIRECT;
	for (unsigned g = 0; g < subject->kernel->num_geometries && !subject->has_run; g++) {
		progress->geometry = g;
		image_destroy(&subject->after[g]);
		image_copy_guarded(&subject->after[g], &subject->before[g], false);
		launch(runner, subject->kernel, number, &subject->kernel->geometries[g],
		       &subject->after[g], RUNNER_DIRECT);
	}
	subject->has_run = true;
}

static bool is_relaxed(const struct runner_target *target)
{
	return target->options && strstr(target->options, RELAXED_OPTIONS);
}

static bool check_way(const struct runner *runner, const struct subject *subject, unsigned number,
		      const struct progress *progress)
{
	const struct kernel *kernel = subject->kernel;
	const struct geometry *geometry = &kernel->geometries[progress->geometry];
	const struct image *after = &subject->after[progress->geometry];
	struct image actual;

	image_copy_guarded(&actual, &subject->before[progress->geometry],
			   (progress->geometry + progress->way + kernel->seed) % 2 == 0);
	launch(runner, kernel, number, geometry, &actual, progress->way);
	struct difference at = image_compare(kernel, after, &actual);
	if (at.object >= 0) {
		printf("seed %llu, width %u, %s: ", (unsigned long long)kernel->seed,
		       progress->width, way_names[progress->way]);
		report(kernel, geometry, after, &actual, &at);
	}
	image_destroy(&actual);
	return at.object < 0;
}

/* Of processor time, for what does not end: many times what any needs on a machine that is ten times as slow, or that takes
 * a halt of the whole machine for this process's time. */
#define MOST_SECONDS_TO_BUILD 300
#define MOST_SECONDS_TO_RUN 30

/* Whether every group has the geometry's local size, which a version for that size expects. */
static bool is_whole(const struct geometry *geometry)
{
	for (int d = 0; d < 3; d++) {
		if (geometry->global[d] % geometry->local[d] != 0)
			return false;
	}
	return true;
}

/* Every fourth kernel that gains by one also as a version for the size that it runs with. */
static bool check_version(const struct runner *runner, const struct subject *subject,
			  unsigned number, struct progress *progress)
{
	const struct geometry *geometry = &subject->kernel->geometries[0];
	char name[16];

	progress->geometry = 0;
	progress->way = RUNNER_DIRECT;
	if (subject->kernel->seed % 4 != 0 || !is_whole(geometry))
		return true;
	snprintf(name, sizeof(name), "k%u", number);
	progress->building = true;
	runner_allow(MOST_SECONDS_TO_BUILD);
	struct runner *version = runner_version(runner, name, geometry->local);
	progress->building = false;
	if (!version)
		return true;
	runner_allow(MOST_SECONDS_TO_RUN);
	bool right = check_way(version, subject, number, progress);
	if (!right)
		printf("as a version for its local size\n");
	runner_destroy(version);
	progress->versions++;
	return right;
}

/* The kernel's code was made quickly: its full code takes over while it runs. */
static bool check_replaced(const struct runner *runner, const struct runner *full,
			   const struct subject *subject, unsigned number,
			   struct progress *progress)
{
	static const enum runner_way ways[] = {RUNNER_DIRECT, RUNNER_PTHREAD};
	struct random random = {subject->kernel->seed};
	bool right = true;

	for (unsigned g = 0; g < subject->kernel->num_geometries && right; g++) {
		progress->geometry = g;
		for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]) && right; i++) {
			progress->way = ways[i];
			runner_replace_by(full, (uint32_t)below(&random, 256));
			right = check_way(runner, subject, number, progress);
		}
	}
	if (!right)
		printf("when full code takes over\n");
	runner_replace_by(NULL, 0);
	progress->replaced++;
	return right;
}

/* Every 23rd kernel: full code of it alone, as the runtime has it made. */
static bool check_full(const struct runner *runner, const struct subject *subject, unsigned number,
		       struct progress *progress)
{
	char name[16];

	if (subject->kernel->seed % 23 != 1)
		return true;
	snprintf(name, sizeof(name), "k%u", number);
	progress->building = true;
	runner_allow(MOST_SECONDS_TO_BUILD);
	struct runner *full = runner_full(runner, name);
	progress->building = false;
	if (!full)
		return true;
	runner_allow(MOST_SECONDS_TO_RUN);
	const bool right = check_replaced(runner, full, subject, number, progress);
	runner_destroy(full);
	return right;
}

static bool check_kernel(const struct runner *runner, const struct subject *subject,
			 unsigned number, struct progress *progress)
{
	char name[16];

	progress->seed = subject->kernel->seed;
	snprintf(name, sizeof(name), "k%u", number);
	const struct weft_kernel_desc *kernel = runner_kernel(runner, name);
	/* those that count cycles are an accelerator's, too */
	const int num_ways =
		kernel->flags & WEFT_KERNEL_COUNTS_CYCLES ? NUM_WAYS : RUNNER_PTHREAD + 1;
	progress->widened += kernel->vector_width > 1;
	for (unsigned g = 0; g < subject->kernel->num_geometries; g++) {
		progress->geometry = g;
		for (int way = 0; way < num_ways; way++) {
			progress->way = (enum runner_way)way;
			if (!check_way(runner, subject, number, progress))
				return false;
		}
	}
	return check_version(runner, subject, number, progress) &&
	       check_full(runner, subject, number, progress);
}

static void note_failure(struct progress *progress)
{
	progress->failed_seed = progress->seed;
	progress->failed_width = progress->width;
}

/* Full code of every kernel whose code was made quickly, alone and taking over. Returns how many are wrong. */
static int check_full_program(const struct runner *runner, struct subject *subjects, size_t count,
			      struct progress *progress)
{
	int failures = 0;

	progress->building = true;
	runner_allow(MOST_SECONDS_TO_BUILD);
	struct runner *full = runner_full_program(runner);
	progress->building = false;
	for (size_t i = 0; i < count; i++) {
		bool right = true;

		runner_allow(MOST_SECONDS_TO_RUN);
		progress->seed = subjects[i].kernel->seed;
		progress->way = RUNNER_BASIC;
		for (unsigned g = 0; g < subjects[i].kernel->num_geometries && right; g++) {
			progress->geometry = g;
			right = check_way(full, &subjects[i], (unsigned)i, progress);
		}
		if (right && check_replaced(runner, full, &subjects[i], (unsigned)i, progress))
			continue;
		failures++;
		note_failure(progress);
	}
	runner_destroy(full);
	return failures;
}

/* Every fifth program, which has each of the widths in turn; and a single kernel. */
static bool wants_full_program(const struct runner *runner, const struct subject *subjects,
			       size_t count)
{
	return runner_program(runner)->kernels[0].flags & WEFT_KERNEL_QUICK &&
	       (count == 1 || subjects[0].kernel->seed / KERNELS_PER_PROGRAM % 5 == 0);
}

/* NULL when it does not compile: the log is the caller's to free. */
static struct runner *build(const struct subject *subjects, size_t count,
			    const struct runner_target *target, struct progress *progress,
			    char **log)
{
	char *source = program_source(subjects, count);

	progress->width = target->vector_width;
	progress->seed = subjects[0].kernel->seed;
	progress->building = true;
	runner_allow(MOST_SECONDS_TO_BUILD);
	struct runner *runner = runner_try_build(source, target, log);
	progress->building = false;
	free(source);
	return runner;
}

/* A program does not compile: which of its kernels? */
static int try_each(struct subject *subjects, size_t count, const struct runner_target *target,
		    struct progress *progress)
{
	int failures = 0;

	for (size_t i = 0; i < count; i++) {
		int result = try_kernels(&subjects[i], 1, target, progress);
		failures += result < 0 ? 1 : result;
	}
	if (failures == 0)
		printf("seeds %llu to %llu, width %u: only together they do not compile\n",
		       (unsigned long long)subjects[0].kernel->seed,
		       (unsigned long long)subjects[count - 1].kernel->seed, target->vector_width);
	return failures > 0 ? failures : 1;
}

int try_kernels(struct subject *subjects, size_t count, const struct runner_target *target,
		struct progress *progress)
{
	char *log;
	int failures = 0;
	struct runner *runner = build(subjects, count, target, progress, &log);

	if (!runner) {
		if (count == 1)
			printf("seed %llu, width %u: %s\n",
			       (unsigned long long)subjects[0].kernel->seed, target->vector_width,
			       log);
		free(log);
		if (count > 1)
			return try_each(subjects, count, target, progress);
		note_failure(progress);
		return -1;
	}
	for (size_t i = 0; i < count; i++) {
		runner_allow(MOST_SECONDS_TO_RUN);
		if (is_relaxed(target))
			take_results(runner, &subjects[i], (unsigned)i, progress);
		if (check_kernel(runner, &subjects[i], (unsigned)i, progress))
			continue;
		failures++;
		note_failure(progress);
	}
	if (failures == 0 && wants_full_program(runner, subjects, count))
		failures += check_full_program(runner, subjects, count, progress);
	runner_allow(0);
	runner_destroy(runner);
	return failures;
}
