/* SPDX-License-Identifier: MIT
 *
 * A build runs in a forked child. The child builds an empty kernel first, so that the compiler's own start is not counted,
 * and gives all free memory back. Then it asks the kernel to count its peak of resident memory anew.
 */
#include "measure.h"

#include "compile.h"

#include <float.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char empty_kernel[] = "kernel void k(global int *p) { p[get_global_id(0)] = 1; }\n";

static bool builds(const char *source, const struct growth_limits *limits)
{
	struct weft_target target = test_target;
	const struct weft_compile_desc desc = {
		.source = source,
		.source_size = strlen(source),
		.options = limits->options,
		.target = &target,
	};
	struct weft_output output = {0};

	target.quick = limits->quick;
	enum weft_status status = weft_compiler.build(&desc, &output);
	weft_compiler.release(&output);
	return status == WEFT_OK;
}

static double processor_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* VmRSS or VmHWM of this process, in bytes. 0: not to be had. */
static double resident_bytes(const char *name)
{
	const size_t length = strlen(name);
	char line[128];
	double kilobytes = 0;
	FILE *status = fopen("/proc/self/status", "r");

	while (status && fgets(line, sizeof(line), status))
		if (strncmp(line, name, length) == 0)
			kilobytes = strtod(line + length + 1, NULL);
	if (status)
		fclose(status);
	return kilobytes * 1024;
}

static void reset_peak(void)
{
	FILE *file = fopen("/proc/self/clear_refs", "w");

	if (file) {
		fputs("5", file);
		fclose(file);
	}
}

static struct growth_cost measure_here(const char *source, const struct growth_limits *limits)
{
	struct growth_cost cost = {0};

	if (!builds(empty_kernel, limits))
		return cost;
	malloc_trim(0);
	reset_peak();
	const double before = resident_bytes("VmRSS"), start = processor_seconds();
	cost.built = builds(source, limits);
	cost.seconds = processor_seconds() - start;
	cost.bytes = resident_bytes("VmHWM") - before;
	return cost;
}

static struct growth_cost measure(const char *source, const struct growth_limits *limits)
{
	struct growth_cost cost = {false, limits->seconds, 0};
	int ends[2];

	if (pipe(ends) != 0)
		return cost;
	pid_t child = fork();
	if (child == 0) {
		const rlim_t most = (rlim_t)limits->seconds + 1;

		setrlimit(RLIMIT_CPU, &(struct rlimit){most, most});
		cost = measure_here(source, limits);
		_exit(write(ends[1], &cost, sizeof(cost)) != sizeof(cost));
	}
	close(ends[1]);
	/* A child that was stopped has written nothing. */
	if (read(ends[0], &cost, sizeof(cost)) != sizeof(cost))
		cost = (struct growth_cost){false, limits->seconds, 0};
	close(ends[0]);
	if (child > 0)
		waitpid(child, NULL, 0);
	return cost;
}

struct growth_cost growth_measure(const struct growth_shape *shape, unsigned parts,
				  const struct growth_limits *limits)
{
	static double empty_seconds = DBL_MAX;
	static unsigned calls;
	char *source = growth_source(shape, parts);

	if (!source)
		return (struct growth_cost){0};
	if (empty_seconds == DBL_MAX)
		builds(empty_kernel, limits); /* starts the compiler, which the children inherit */
	/* Only the least of many: one that was measured while the machine was busy would make shapes cost less than nothing. */
	if (calls++ % 4 == 0) {
		const double empty_now = measure(empty_kernel, limits).seconds;

		empty_seconds = empty_now < empty_seconds ? empty_now : empty_seconds;
	}
	struct growth_cost cost = measure(source, limits);
	cost.seconds -= empty_seconds;
	free(source);
	return cost;
}
