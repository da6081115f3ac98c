/* SPDX-License-Identifier: MIT
 *
 * Random kernels, at every vector width, directly and on both drivers, against their plain evaluation.
 *
 * usage: kernels_differ [--count N] [--seed N] [--widths 1,2,…] [--options TEXT] [--cpu NAME] [--jobs N]
 *                       [--slow-gathers] [--rotate] [--turns] [--counting] [--relaxed] [--minimise] [--print]
 * Kernel number i has the seed N + i. --rotate: each program for one of the widths only, in turn. --turns: WEFT_TEST_TURN (turns.h)
 * says which of TURNS ranges of seeds from N on. --counting: kernels count cycles, and run on the accelerator that WEFT_ACCEL
 * describes, too. --relaxed: with options for which all code is compared with the first that ran. A failure is told with the seed
 * and the width, and `--seed S --count 1 --widths W --minimise` shows it as small as it gets.
 */
#include "grow.h"
#include "minimise.h"
#include "print.h"
#include "trial.h"
#include "turns.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_WIDTHS 8
#define TURNS 256
#define MOST_FAILURES 8 /* shown by a job */

struct settings {
	uint64_t seed;
	size_t count;
	size_t jobs;
	uint32_t widths[MAX_WIDTHS];
	size_t num_widths;
	const char *options;
	const char *cpu;
	bool rotate;
	bool turns;
	bool counting;
	bool slow_gathers;
	bool minimise;
	bool print;
};

#define ALWAYS "-cl-std=CL3.0 -w -cl-fp32-correctly-rounded-divide-sqrt "

static struct runner_target target_of(const struct settings *settings, uint32_t width)
{
	return (struct runner_target){settings->options, settings->cpu, width,
				      settings->counting ? &runner_costs : NULL,
				      settings->slow_gathers};
}

static void print_source(struct kernel *kernel)
{
	print_prologue(stdout);
	print_kernel(stdout, kernel, 0);
}

/* A kernel that fails, once more: made small if so wished. */
static void show(const struct settings *settings, uint64_t seed, uint32_t width)
{
	struct kernel *kernel = grow_kernel(seed);
	const struct runner_target target = target_of(settings, width);

	if (settings->minimise) {
		if (!minimise(kernel, &target))
			printf("alone it does not fail\n");
		struct subject subject;
		struct progress progress = {0};
		fflush(NULL);
		pid_t child = fork();
		if (child == 0) {
			subject_make(&subject, kernel);
			try_kernels(&subject, 1, &target, &progress);
			fflush(NULL);
			_exit(0);
		}
		int status = 0;
		waitpid(child, &status, 0);
		if (WIFSIGNALED(status)) {
			printf("%s: ", strsignal(WTERMSIG(status)));
			print_geometry(stdout, &kernel->geometries[0]);
			printf("\n");
		}
	}
	print_source(kernel);
	kernel_destroy(kernel);
	fflush(stdout);
}

/* One program's kernels at every width. */
static void run_batch(const struct settings *settings, size_t batch, struct progress *progress)
{
	size_t first = batch * KERNELS_PER_PROGRAM;
	size_t count = settings->count - first < KERNELS_PER_PROGRAM ? settings->count - first
								     : KERNELS_PER_PROGRAM;
	struct kernel *kernels[KERNELS_PER_PROGRAM];
	struct subject subjects[KERNELS_PER_PROGRAM];

	for (size_t i = 0; i < count; i++) {
		kernels[i] = grow_kernel(settings->seed + first + i);
		progress->seed = kernels[i]->seed;
		subject_make(&subjects[i], kernels[i]);
	}
	for (size_t w = 0; w < settings->num_widths; w++) {
		if (settings->rotate && w != batch % settings->num_widths)
			continue;
		const struct runner_target target = target_of(settings, settings->widths[w]);
		int failures = try_kernels(subjects, count, &target, progress);
		progress->failures += (size_t)(failures < 0 ? 1 : failures);
	}
	progress->done += count;
	for (size_t i = 0; i < count; i++) {
		subject_destroy(&subjects[i]);
		kernel_destroy(kernels[i]);
	}
}

/* Every jobs-th batch from where the job stands. */
static void run_job(const struct settings *settings, struct progress *progress)
{
	struct rlimit no_core = {0, 0};

	setrlimit(RLIMIT_CORE, &no_core);
	while (progress->batch * KERNELS_PER_PROGRAM < settings->count) {
		size_t batch = progress->batch;
		run_batch(settings, batch, progress);
		fflush(stdout);
		progress->batch = batch + settings->jobs;
	}
	runner_close_devices();
}

static pid_t start_job(const struct settings *settings, struct progress *progress)
{
	fflush(NULL);
	pid_t child = fork();
	if (child == 0) {
		run_job(settings, progress);
		exit(0);
	}
	return child;
}

/* A job's process died: says of what, and lets the job go on behind that batch. */
static bool mourn(const struct settings *settings, struct progress *progress, int status)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return false;
	printf("seed %llu, width %u, %s, NDRange %u: the process died (%s)\n",
	       (unsigned long long)progress->seed, progress->width,
	       progress->building ? "compiling" : way_names[progress->way], progress->geometry,
	       WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "exit");
	progress->failures++;
	progress->failed_seed = progress->seed;
	progress->failed_width = progress->width;
	progress->batch += settings->jobs;
	return true;
}

static size_t run_jobs(const struct settings *settings, struct progress *progress)
{
	pid_t children[64];
	size_t running = settings->jobs, done = 0, widened = 0, versions = 0, replaced = 0,
	       failures = 0;

	for (size_t j = 0; j < settings->jobs; j++) {
		progress[j].batch = j;
		children[j] = start_job(settings, &progress[j]);
	}
	while (running > 0) {
		int status;
		pid_t child = wait(&status);
		if (child < 0)
			break;
		for (size_t j = 0; j < settings->jobs; j++) {
			if (children[j] != child)
				continue;
			if (mourn(settings, &progress[j], status) &&
			    progress[j].failures < MOST_FAILURES)
				children[j] = start_job(settings, &progress[j]);
			else
				running--;
		}
	}
	for (size_t j = 0; j < settings->jobs; j++) {
		done += progress[j].done;
		widened += progress[j].widened;
		versions += progress[j].versions;
		replaced += progress[j].replaced;
		failures += progress[j].failures;
	}
	printf("%zu kernels, %zu times widened, %zu versions for a size, %zu replaced, %zu "
	       "failures\n",
	       done, widened, versions, replaced, failures);
	return failures;
}

static void parse_widths(struct settings *settings, const char *text)
{
	char *end = NULL;

	settings->num_widths = 0;
	for (; *text && settings->num_widths < MAX_WIDTHS; text = *end ? end + 1 : end)
		settings->widths[settings->num_widths++] = (uint32_t)strtoul(text, &end, 10);
}

static const char *join_options(const char *more)
{
	static char text[1024];

	snprintf(text, sizeof(text), ALWAYS "%s", more);
	return text;
}

static void parse(struct settings *settings, int argc, char **argv)
{
	static const struct option options[] = {
		{"count", required_argument, NULL, 'n'},  {"seed", required_argument, NULL, 's'},
		{"widths", required_argument, NULL, 'w'}, {"options", required_argument, NULL, 'o'},
		{"cpu", required_argument, NULL, 'c'},    {"jobs", required_argument, NULL, 'j'},
		{"rotate", no_argument, NULL, 'r'},       {"turns", no_argument, NULL, 't'},
		{"minimise", no_argument, NULL, 'm'},     {"counting", no_argument, NULL, 'y'},
		{"slow-gathers", no_argument, NULL, 'g'}, {"print", no_argument, NULL, 'p'},
		{"relaxed", no_argument, NULL, 'x'},      {NULL, 0, NULL, 0},
	};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'n')
			settings->count = strtoull(optarg, NULL, 0);
		else if (option == 's')
			settings->seed = strtoull(optarg, NULL, 0);
		else if (option == 'w')
			parse_widths(settings, optarg);
		else if (option == 'o')
			settings->options = join_options(optarg);
		else if (option == 'c')
			settings->cpu = optarg;
		else if (option == 'j')
			settings->jobs = strtoull(optarg, NULL, 0);
		else if (option == 'r')
			settings->rotate = true;
		else if (option == 't')
			settings->turns = true;
		else if (option == 'y')
			settings->counting = true;
		else if (option == 'g')
			settings->slow_gathers = true;
		else if (option == 'x')
			settings->options = join_options(RELAXED_OPTIONS);
		else if (option == 'm')
			settings->minimise = true;
		else if (option == 'p')
			settings->print = true;
		else
			exit(2);
	}
	if (settings->turns)
		settings->seed += test_turn() % TURNS * settings->count;
	if (settings->jobs < 1 || settings->jobs > 64)
		settings->jobs = 1;
}

int main(int argc, char **argv)
{
	struct settings settings = {
		.seed = 1,
		.count = 100,
		.jobs = (size_t)sysconf(_SC_NPROCESSORS_ONLN),
		.widths = {1, 2, 4, 8, 16, 32, 0},
		.num_widths = 7,
		.options = ALWAYS,
	};

	parse(&settings, argc, argv);
	if (settings.print) {
		for (size_t i = 0; i < settings.count; i++)
			show(&(struct settings){0}, settings.seed + i, 0);
		return 0;
	}
	struct progress *progress = mmap(NULL, settings.jobs * sizeof(*progress),
					 PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (progress == MAP_FAILED)
		return 1;
	size_t failures = run_jobs(&settings, progress);
	for (size_t j = 0; settings.minimise && j < settings.jobs; j++) {
		if (progress[j].failures > 0)
			show(&settings, progress[j].failed_seed, progress[j].failed_width);
	}
	return failures ? 1 : 0;
}
