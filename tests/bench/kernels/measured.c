/* SPDX-License-Identifier: MIT
 *
 * The measured process: it prepares one case on one driver, or in OpenMP C, and then runs it whenever the measuring
 * process says so. Before the first turn it runs for half a second, and until the process has had a second of the
 * processors' time, unless the case is small. A turn is a run that is not measured, which brings data and threads back,
 * and then runs for a few milliseconds, of which the median is reported.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TURN_SECONDS 0.02
#define SETTLE_SECONDS 0.5
#define SETTLE_OWN_SECONDS 1.0
#define SETTLE_MOST_SECONDS 8.0
#define MOST_RUNS 64

/* What a turn runs: a kernel, or OpenMP C. */
struct runner {
	const struct bench_case *bench;
	struct work work;
	struct session *session; /* NULL: OpenMP */
};

/* Drivers may print: what they print goes to standard error, and the answers where standard output was. */
static int answers = STDOUT_FILENO;

static void keep_answers_apart(void)
{
	answers = dup(STDOUT_FILENO);
	dup2(STDERR_FILENO, STDOUT_FILENO);
}

static bool answer(enum failed_step failed, double seconds)
{
	const struct measurement measurement = {.failed = (int)failed, .seconds = seconds};

	return write(answers, &measurement, sizeof(measurement)) == (ssize_t)sizeof(measurement) &&
	       failed == FAILED_NOTHING;
}

static bool run(struct runner *runner)
{
	if (runner->session)
		return session_run(runner->session);
	runner->bench->openmp(&runner->work);
	return true;
}

/* The processors' time that this process has had. */
static double own_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What a run takes is told by the clock, or, with KERNELS_OWN_TIME=1, in the processors' time of all threads. */
static double (*run_clock(void))(void)
{
	const char *own = getenv("KERNELS_OWN_TIME");

	return own && strcmp(own, "1") == 0 ? own_seconds : seconds_now;
}

static bool turn(struct runner *runner, double *seconds)
{
	double (*const clock_now)(void) = run_clock();
	double times[MOST_RUNS];
	double sum = 0;
	size_t count = 0;

	if (!run(runner))
		return false;
	while (count < MOST_RUNS && sum < TURN_SECONDS) {
		double start = clock_now();

		if (!run(runner))
			return false;
		times[count] = clock_now() - start;
		sum += times[count++];
	}
	*seconds = median(times, count);
	return true;
}

/* Till what a driver makes of a kernel in the background, while it runs, is there, also beside other work of the machine. */
static bool settle(struct runner *runner)
{
	double start = seconds_now();
	double lasted;

	while ((lasted = seconds_now() - start) < SETTLE_SECONDS ||
	       (own_seconds() < SETTLE_OWN_SECONDS && lasted < SETTLE_MOST_SECONDS)) {
		if (!run(runner))
			return false;
	}
	return true;
}

static bool turns(struct runner *runner)
{
	double seconds = 0;
	char byte;

	while (read(STDIN_FILENO, &byte, 1) == 1) {
		if (!turn(runner, &seconds))
			return answer(FAILED_RUN, 0);
		if (!answer(FAILED_NOTHING, seconds))
			return false;
	}
	return true;
}

/* The kernel's results against the OpenMP code's, which are in the work. */
static bool right(struct runner *runner)
{
	void *got[MAX_ARGUMENTS] = {NULL};
	bool good =
		session_read(runner->session, got) && work_check(&runner->work, runner->bench, got);

	for (unsigned i = 0; i < MAX_ARGUMENTS; i++)
		free(got[i]);
	return good;
}

/* Also after the turns: what ran last need not be the code that ran first. */
static bool still_right(struct runner *runner)
{
	return session_clear(runner->session) && session_run(runner->session) && right(runner);
}

static bool measure_kernel(struct runner *runner, const char *options, bool small)
{
	if (!session_read_source(runner->session, runner->bench))
		return answer(FAILED_BUILD, 0);
	double start = seconds_now();
	if (!session_build(runner->session, runner->bench, options))
		return answer(FAILED_BUILD, 0);
	if (!session_run(runner->session))
		return answer(FAILED_RUN, 0);
	double first = seconds_now() - start;
	runner->bench->openmp(&runner->work);
	if (!right(runner))
		return answer(FAILED_RESULT, 0);
	if (!small && !settle(runner))
		return answer(FAILED_RUN, 0);
	if (!answer(FAILED_NOTHING, first) || !turns(runner))
		return false;
	return answer(still_right(runner) ? FAILED_NOTHING : FAILED_RESULT, 0);
}

bool measured_opencl(const struct bench_case *bench, const char *options, bool small)
{
	struct runner runner = {.bench = bench};
	enum failed_step failed;

	keep_answers_apart();
	work_prepare(&runner.work, bench, small);
	runner.session = session_open(&runner.work, &failed);
	bool good = runner.session ? measure_kernel(&runner, options, small) : answer(failed, 0);
	if (runner.session)
		session_close(runner.session);
	work_release(&runner.work);
	return good;
}

bool measured_openmp(const struct bench_case *bench, bool small)
{
	struct runner runner = {.bench = bench};

	keep_answers_apart();
	work_prepare(&runner.work, bench, small);
	bench->openmp(&runner.work);
	bool good = (small || settle(&runner)) && answer(FAILED_NOTHING, 0) && turns(&runner) &&
		    answer(FAILED_NOTHING, 0);
	work_release(&runner.work);
	return good;
}
