/* SPDX-License-Identifier: MIT
 *
 * A build runs in a forked child, whose processor time and peak memory the kernel reports. The compiler has been used once
 * before the fork, so that a child does not pay for its start.
 */
#include "measure.h"

#include "compile.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const char empty_kernel[] = "kernel void k(global int *p) { p[get_global_id(0)] = 1; }\n";

static bool builds(const char *source, const char *options)
{
	struct weft_output output;

	enum weft_status status = test_build(source, options, &output);
	weft_compiler.release(&output);
	return status == WEFT_OK;
}

static double seconds_of(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static struct growth_cost measure(const char *source, const struct growth_limits *limits)
{
	struct growth_cost cost = {false, limits->seconds, 0};
	struct rusage usage;
	int status = 0;

	pid_t child = fork();
	if (child == 0) {
		const rlim_t most = (rlim_t)limits->seconds + 1;

		setrlimit(RLIMIT_CPU, &(struct rlimit){most, most});
		_exit(builds(source, limits->options) ? EXIT_SUCCESS : EXIT_FAILURE);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) != child)
		return cost;
	cost.built = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
	cost.seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
	cost.bytes = (double)usage.ru_maxrss * 1024;
	return cost;
}

struct growth_cost growth_measure(const struct growth_shape *shape, unsigned parts,
				  const struct growth_limits *limits)
{
	static struct growth_cost empty;
	char *source = growth_source(shape, parts);

	if (!source)
		return (struct growth_cost){0};
	if (!empty.built && builds(empty_kernel, limits->options))
		empty = measure(empty_kernel, limits);
	struct growth_cost cost = measure(source, limits);
	cost.seconds -= empty.seconds;
	cost.bytes -= empty.bytes;
	free(source);
	return cost;
}
