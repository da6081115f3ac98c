/* SPDX-License-Identifier: MIT
 *
 * The kernel benchmark: each case on each driver of the command line and in OpenMP C, side by side.
 *
 *   kernels [options] [NAME=VENDORS[,-OPTION][,VARIABLE=VALUE]...]...
 *
 * VENDORS is a folder of .icd files or one of them; -OPTION goes to that driver's compiler, VARIABLE into its
 * environment. Weft's own build comes first unless a driver is called weft. Every driver runs each case in a process
 * of its own, with an empty cache folder; the processes take turns, and those whose turn it is not are stopped: threads
 * may spin for work for a while. README.md has more.
 */
#define _GNU_SOURCE
#include "bench.h"
#include "processes.h"

#include <fcntl.h>
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_CASES 128
#define MAX_TURNS 101

static const struct bench_case *const tables[] = {
	streaming_cases, linear_algebra_cases, simulation_cases, image_cases,   collective_cases,
	integer_cases,   password_cases,       math_cases,       nearest_cases, linear_cases};

const struct bench_case *bench_case_at(unsigned index)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		for (const struct bench_case *bench = tables[i]; bench->name; bench++) {
			if (index-- == 0)
				return bench;
		}
	}
	return NULL;
}

const struct bench_case *bench_case_find(const char *name)
{
	const struct bench_case *bench;

	for (unsigned i = 0; (bench = bench_case_at(i)); i++) {
		if (strcmp(bench->name, name) == 0)
			return bench;
	}
	return NULL;
}

struct options {
	bool chosen[MAX_CASES]; /* by index */
	bool any_chosen;
	bool small;
	bool least; /* instead of medians */
	bool markdown;
	unsigned turns;
	struct driver drivers[MAX_DRIVERS];
	unsigned num_drivers;
};

/* ---- one measured process -------------------------------------------------------------------- */

struct child {
	pid_t process;
	int turns;       /* a byte for each */
	int answers;     /* the measurements */
	char folder[32]; /* its caches, "" if there are none */
};

/* This program again, so that variables that the dynamic loader reads count too. */
static void become_measured(const struct bench_case *bench, const struct driver *driver,
			    const char *folder, bool small)
{
	if (driver)
		driver_choose(driver, folder);
	execl("/proc/self/exe", "kernels", "--measured", bench->name,
	      driver ? driver->options : "openmp", small ? "small" : "full", (char *)NULL);
	_exit(127);
}

static bool child_start(struct child *child, const struct bench_case *bench,
			const struct driver *driver, bool small)
{
	int input[2];
	int output[2]; /* no child keeps another's ends open */

	strcpy(child->folder, driver ? "/tmp/kernels-XXXXXX" : "");
	if (driver && !mkdtemp(child->folder))
		return false;
	if (pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0)
		return false;
	child->process = fork();
	if (child->process == 0) {
		dup2(input[0], STDIN_FILENO);
		dup2(output[1], STDOUT_FILENO);
		become_measured(bench, driver, child->folder, small);
	}
	close(input[0]);
	close(output[1]);
	child->turns = input[1];
	child->answers = output[0];
	return child->process > 0;
}

static enum failed_step child_answer(const struct child *child, double *seconds)
{
	struct measurement measurement;

	if (read(child->answers, &measurement, sizeof(measurement)) != (ssize_t)sizeof(measurement))
		return FAILED_PROCESS;
	if (measurement.failed == 0)
		*seconds = measurement.seconds;
	return (enum failed_step)measurement.failed;
}

static enum failed_step child_take_turn(const struct child *child, double *seconds)
{
	kill(child->process, SIGCONT);
	enum failed_step failed =
		write(child->turns, "", 1) == 1 ? child_answer(child, seconds) : FAILED_PROCESS;
	kill(child->process, SIGSTOP);
	return failed;
}

/* What it still has to say, and its end. */
static enum failed_step child_end(struct child *child, enum failed_step failed)
{
	double nothing;

	close(child->turns);
	kill(child->process, SIGCONT);
	if (failed == FAILED_NOTHING)
		failed = child_answer(child, &nothing);
	close(child->answers);
	waitpid(child->process, NULL, 0);
	if (child->folder[0])
		(void)remove_folder(child->folder);
	return failed;
}

/* ---- a row of the table ---------------------------------------------------------------------- */

struct contest {
	struct child children[MAX_DRIVERS + 1];
	double times[MAX_DRIVERS + 1][MAX_TURNS];
	unsigned num_children;
};

/* One after the other: a driver's compiler may use every core. */
static void start_all(struct contest *contest, struct row *row, const struct options *options)
{
	contest->num_children = options->num_drivers + 1;
	for (unsigned i = 0; i < contest->num_children; i++) {
		const struct driver *driver =
			i < options->num_drivers ? &options->drivers[i] : NULL;

		row->run[i] = NAN;
		row->build[i] = NAN;
		if (!child_start(&contest->children[i], row->bench, driver, options->small)) {
			perror("kernels");
			exit(1);
		}
		row->failed[i] = child_answer(&contest->children[i], &row->build[i]);
		kill(contest->children[i].process, SIGSTOP);
	}
}

/* The first turn of each is not counted. */
static void take_turns(struct contest *contest, struct row *row, unsigned turns)
{
	for (unsigned turn = 0; turn <= turns; turn++) {
		for (unsigned i = 0; i < contest->num_children; i++) {
			double seconds = NAN;

			if (row->failed[i] != FAILED_NOTHING)
				continue;
			row->failed[i] = child_take_turn(&contest->children[i], &seconds);
			contest->times[i][turn > 0 ? turn - 1 : 0] = seconds;
		}
	}
}

static bool measure(struct row *row, const struct options *options)
{
	static struct contest contest;
	bool good = true;

	start_all(&contest, row, options);
	take_turns(&contest, row, options->turns);
	for (unsigned i = 0; i < contest.num_children; i++) {
		row->failed[i] = child_end(&contest.children[i], row->failed[i]);
		good = good &&
		       (row->failed[i] == FAILED_NOTHING || row->failed[i] == FAILED_UNOFFERED);
		if (row->failed[i] != FAILED_NOTHING)
			continue;
		row->run[i] = median(contest.times[i], options->turns);
		if (options->least)
			row->run[i] = contest.times[i][0];
		row->build[i] -= fmin(row->run[i], row->build[i]);
	}
	return good;
}

static bool measure_all(const struct options *options)
{
	static struct row rows[MAX_CASES];
	const struct table table = {options->drivers, options->num_drivers, options->markdown};
	const struct bench_case *bench;
	unsigned num_rows = 0;
	bool good = true;

	report_head(&table);
	for (unsigned i = 0; i < MAX_CASES && (bench = bench_case_at(i)); i++) {
		if (options->any_chosen && !options->chosen[i])
			continue;
		rows[num_rows].bench = bench;
		good = measure(&rows[num_rows], options) && good;
		report_row(&table, &rows[num_rows++]);
	}
	report_summary(&table, rows, num_rows);
	report_forms(&table, rows, num_rows, "nearest", nearest_cases);
	report_forms(&table, rows, num_rows, "linear", linear_cases);
	return good;
}

/* ---- the command line ------------------------------------------------------------------------ */

/* A case's name, or the beginning of several. */
static bool choose(struct options *options, const char *name)
{
	const struct bench_case *bench;
	bool found = false;

	for (unsigned i = 0; i < MAX_CASES && (bench = bench_case_at(i)); i++) {
		if (strncmp(bench->name, name, strlen(name)) == 0) {
			options->chosen[i] = true;
			found = true;
		}
	}
	options->any_chosen = true;
	if (!found)
		fprintf(stderr, "no kernel %s\n", name);
	return found;
}

/* Name, kernel, local size and options of each case, as tests/kernel_compiler/firing reads them. */
static void list(void)
{
	const struct bench_case *bench;

	for (unsigned i = 0; (bench = bench_case_at(i)); i++) {
		struct work work;

		work_prepare(&work, bench, true);
		printf("%-24s %-24s %zux%zux%zu %s\n", bench->name, bench->kernel, work.local[0],
		       work.dimensions > 1 ? work.local[1] : 1,
		       work.dimensions > 2 ? work.local[2] : 1, bench->options);
		work_release(&work);
	}
}

static void write_specs(const char *folder, bool small)
{
	const struct bench_case *bench;

	for (unsigned i = 0; (bench = bench_case_at(i)); i++) {
		if (spec_write(bench, small, folder))
			printf("%s\n", bench->name);
	}
}

static bool parse(struct options *options, int argc, char **argv)
{
	static const struct option known[] = {{"kernels", required_argument, NULL, 'k'},
					      {"repetitions", required_argument, NULL, 'n'},
					      {"small", no_argument, NULL, 's'},
					      {"least", no_argument, NULL, 'l'},
					      {"markdown", no_argument, NULL, 'm'},
					      {0}};
	char *name;
	bool good = true;
	int letter;

	while ((letter = getopt_long(argc, argv, "k:n:slm", known, NULL)) != -1) {
		switch (letter) {
		case 'k':
			while ((name = strsep(&optarg, ",")))
				good = choose(options, name) && good;
			break;
		case 'n':
			options->turns = (unsigned)strtoul(optarg, NULL, 10);
			break;
		case 's':
			options->small = true;
			break;
		case 'l':
			options->least = true;
			break;
		case 'm':
			options->markdown = true;
			break;
		default:
			good = false;
		}
	}
	if (!good || options->turns < 1 || options->turns > MAX_TURNS)
		return false;
	if (optind == argc || strncmp(argv[optind], "weft=", 5) != 0)
		options->drivers[options->num_drivers++] =
			(struct driver){.name = "weft", .vendors = BENCH_VENDORS, .options = ""};
	for (int i = optind; i < argc && good; i++) {
		good = options->num_drivers < MAX_DRIVERS &&
		       driver_parse(argv[i], &options->drivers[options->num_drivers]);
		options->num_drivers++;
	}
	return good;
}

static int measured_process(char **argv)
{
	const struct bench_case *bench = bench_case_find(argv[2]);
	bool small = strcmp(argv[4], "small") == 0;

	if (!bench)
		return 1;
	if (strcmp(argv[3], "openmp") == 0)
		return measured_openmp(bench, small) ? 0 : 1;
	return measured_opencl(bench, argv[3], small) ? 0 : 1;
}

int main(int argc, char **argv)
{
	static struct options options = {.turns = 9};

	if (argc == 5 && strcmp(argv[1], "--measured") == 0)
		return measured_process(argv);
	if (argc == 2 && strcmp(argv[1], "--list") == 0) {
		list();
		return 0;
	}
	if (argc >= 3 && strcmp(argv[1], "--specs") == 0) {
		write_specs(argv[2], argc > 3 && strcmp(argv[3], "--small") == 0);
		return 0;
	}
	if (!parse(&options, argc, argv)) {
		fprintf(stderr,
			"usage: %s [--list] [--specs FOLDER [--small]] [-k KERNEL,...] [-n "
			"REPETITIONS] [--small] "
			"[--markdown]\n"
			"       [NAME=VENDORS[,-OPTION][,VARIABLE=VALUE]...]...\n",
			argv[0]);
		return 2;
	}
	return measure_all(&options) ? 0 : 1;
}
