/* SPDX-License-Identifier: MIT
 *
 * The task benchmark: what commands cost, and how well they are spread over the compute units, on Weft, on Weft with
 * one worker, and on each driver of the command line.
 *
 *   tasks [-k CASE,...] [-n TURNS] [--small] [--markdown] [NAME=VENDORS[,VARIABLE=VALUE]...]...
 *
 * Every turn runs each case on each driver in its own process, one after the other. What is printed are the
 * turns' medians.
 */
#include "tasks.h"

#include "drivers.h"
#include "processes.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_CASES 32
#define MAX_TURNS 101

static const struct task_case *const tables[] = {
	chain_cases,  balance_cases, pipeline_cases,       latency_cases,
	replay_cases, shared_cases,  device_enqueue_cases, pipe_cases};

static const struct task_case *case_at(unsigned index)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		for (const struct task_case *task = tables[i]; task->name; task++) {
			if (index-- == 0)
				return task;
		}
	}
	return NULL;
}

static unsigned num_values(const struct task_case *task)
{
	unsigned count = 0;

	while (count < MAX_VALUES && task->values[count].name)
		count++;
	return count;
}

struct options {
	struct driver drivers[MAX_DRIVERS];
	unsigned num_drivers;
	const char *chosen; /* names, or how they begin, between commas; NULL: all */
	unsigned turns;
	bool small;
	bool markdown;
};

/* ---- the measured process -------------------------------------------------------------------- */

/* Drivers may print: what they print goes to standard error, and the numbers where standard output was. */
static int measured_process(unsigned index, bool small)
{
	const struct task_case *task = case_at(index);
	double numbers[MAX_VALUES] = {0};
	int answers = dup(STDOUT_FILENO);
	struct device device;

	dup2(STDERR_FILENO, STDOUT_FILENO);
	device_open(&device, small);
	task->measure(&device, numbers);
	device_close(&device);
	return write(answers, numbers, sizeof(numbers)) == (ssize_t)sizeof(numbers) ? 0 : 1;
}

/* This program again, so that variables that the dynamic loader reads count too. False: it failed. */
static bool measure_once(unsigned index, const struct driver *driver, const char *folder,
			 bool small, double *numbers)
{
	char argument[16];
	int ends[2];
	int status;

	snprintf(argument, sizeof(argument), "%u", index);
	if (pipe(ends) != 0)
		return false;
	pid_t child = fork();
	if (child == 0) {
		driver_choose(driver, folder);
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		execl("/proc/self/exe", "tasks", "--measured", argument, small ? "small" : "full",
		      (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	size_t size = MAX_VALUES * sizeof(double);
	bool good = child > 0 && read(ends[0], numbers, size) == (ssize_t)size;
	close(ends[0]);
	return child > 0 && waitpid(child, &status, 0) == child && status == 0 && good;
}

/* ---- the table ------------------------------------------------------------------------------- */

static void print_head(const struct options *options)
{
	printf(options->markdown ? "| case | | wanted |" : "%-64s %10s", "", "wanted");
	for (unsigned i = 0; i < options->num_drivers; i++)
		printf(options->markdown ? " %s |" : " %10s", options->drivers[i].name);
	printf(options->markdown ? "\n|---|---|---:|" : "\n");
	for (unsigned i = 0; i < options->num_drivers && options->markdown; i++)
		printf("---:|");
	printf(options->markdown ? "\n" : "");
}

static void print_number(const struct options *options, double number)
{
	const char *format = fabs(number) < 10 ? "%.2f" : "%.1f";
	char text[32];

	snprintf(text, sizeof(text), format, number);
	if (isnan(number))
		strcpy(text, "failed");
	if (number == NOT_OFFERED)
		strcpy(text, "none");
	printf(options->markdown ? " %s |" : " %10s", text);
}

static void print_row(const struct options *options, const struct task_case *task,
		      const struct value *value, const double *numbers)
{
	char title[80];

	snprintf(title, sizeof(title), "%s%s%s%s", value->name, value->unit[0] ? " (" : "",
		 value->unit, value->unit[0] ? ")" : "");
	printf(options->markdown ? "| %s | %s |" : "%-36s %-27s", task->name, title);
	if (value->wanted > 0)
		print_number(options, value->wanted);
	else
		printf(options->markdown ? " |" : " %10s", "");
	for (unsigned i = 0; i < options->num_drivers; i++)
		print_number(options, numbers[i]);
	puts("");
	(void)fflush(stdout);
}

/* Each driver's turns of a case, and what they gave. */
static bool measure_case(const struct options *options, unsigned index, const char *const *folders)
{
	static double samples[MAX_DRIVERS][MAX_VALUES][MAX_TURNS];
	const struct task_case *task = case_at(index);
	bool good[MAX_DRIVERS];
	bool all_good = true;
	double numbers[MAX_VALUES];
	double row[MAX_DRIVERS];

	memset(good, true, sizeof(good));
	for (unsigned turn = 0; turn < options->turns; turn++) {
		for (unsigned i = 0; i < options->num_drivers; i++) {
			good[i] = good[i] && measure_once(index, &options->drivers[i], folders[i],
							  options->small, numbers);
			for (unsigned value = 0; value < num_values(task); value++)
				samples[i][value][turn] = numbers[value];
		}
	}
	for (unsigned value = 0; value < num_values(task); value++) {
		for (unsigned i = 0; i < options->num_drivers; i++) {
			row[i] = good[i] ? median(samples[i][value], options->turns) : NAN;
			all_good = all_good && good[i];
		}
		print_row(options, task, &task->values[value], row);
	}
	return all_good;
}

static bool is_chosen(const struct options *options, const struct task_case *task)
{
	const char *name = options->chosen;

	for (; name; name = strchr(name, ','), name = name ? name + 1 : NULL) {
		if (strncmp(task->name, name, strcspn(name, ",")) == 0)
			return true;
	}
	return !options->chosen;
}

static bool measure_all(const struct options *options)
{
	char folder[] = "/tmp/tasks-XXXXXX";
	char names[MAX_DRIVERS][64];
	const char *folders[MAX_DRIVERS];
	bool good = true;

	if (!mkdtemp(folder))
		return false;
	for (unsigned i = 0; i < options->num_drivers; i++) {
		snprintf(names[i], sizeof(names[i]), "%s/%u", folder, i);
		folders[i] = names[i];
		good = mkdir(names[i], 0700) == 0 && good;
	}
	print_head(options);
	for (unsigned i = 0; i < MAX_CASES && case_at(i); i++) {
		if (is_chosen(options, case_at(i)))
			good = measure_case(options, i, folders) && good;
	}
	return remove_folder(folder) && good;
}

/* ---- the command line ------------------------------------------------------------------------ */

static bool parse(struct options *options, int argc, char **argv)
{
	static const struct option known[] = {{"cases", required_argument, NULL, 'k'},
					      {"turns", required_argument, NULL, 'n'},
					      {"small", no_argument, NULL, 's'},
					      {"markdown", no_argument, NULL, 'm'},
					      {0}};
	bool good = true;
	int letter;

	while ((letter = getopt_long(argc, argv, "k:n:sm", known, NULL)) != -1) {
		if (letter == 'k')
			options->chosen = optarg;
		else if (letter == 'n')
			options->turns = (unsigned)strtoul(optarg, NULL, 10);
		else if (letter == 's')
			options->small = true;
		else if (letter == 'm')
			options->markdown = true;
		else
			good = false;
	}
	for (int i = optind; i < argc && good; i++) {
		good = options->num_drivers < MAX_DRIVERS &&
		       driver_parse(argv[i], &options->drivers[options->num_drivers]);
		options->num_drivers++;
	}
	return good && options->turns >= 1 && options->turns <= MAX_TURNS;
}

int main(int argc, char **argv)
{
	static struct options options = {
		.turns = 3,
		.drivers = {{.name = "weft", .vendors = TASKS_VENDORS, .options = ""},
			    {.name = "one worker",
			     .vendors = TASKS_VENDORS,
			     .options = "",
			     .settings = {"WEFT_THREADS=1"},
			     .num_settings = 1}},
		.num_drivers = 2};

	if (argc == 4 && strcmp(argv[1], "--measured") == 0)
		return measured_process((unsigned)strtoul(argv[2], NULL, 10),
					strcmp(argv[3], "small") == 0);
	if (!parse(&options, argc, argv)) {
		fprintf(stderr,
			"usage: %s [-k CASE,...] [-n TURNS] [--small] [--markdown]\n"
			"       [NAME=VENDORS[,VARIABLE=VALUE]...]...\n",
			argv[0]);
		return 2;
	}
	return measure_all(&options) ? 0 : 1;
}
