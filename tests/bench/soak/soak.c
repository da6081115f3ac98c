/* SPDX-License-Identifier: MIT
 *
 * Mixed work for as long as one likes: whether results stay right and memory stays constant. Several threads share an
 * in-order and an out-of-order queue; there are kernels, transfers, maps, events, user events, errors, callbacks, queues
 * and sub-buffers released while they are in use, and programs that are built, used once and released.
 *
 *   soak [--seconds S] [--interval S] [--warm-up S] [--rounds N] [--threads N] [--growth MB] [VENDORS]
 *
 * Prints the resident memory and the rates of each interval. Fails when a result is wrong, or when the memory exceeds by
 * more than --growth what it was at most in the warm-up. The warm-up is over after so many seconds, and when each thread has
 * done --rounds rounds; the run, when each has done as many again.
 */
#include "soak.h"

#include "first_device.h"
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAX_THREADS 16

struct settings {
	double seconds;
	double interval;
	double warm_up;
	double growth; /* MB */
	double rounds; /* of each thread, in the warm-up and once more after it */
	double threads;
	int num_threads;
	const char *vendors;
};

static _Atomic bool over;

static void *work(void *argument)
{
	struct worker *worker = argument;

	while (!atomic_load(&over)) {
		if (!worker_round(worker)) {
			atomic_store(&worker->failed, true);
			atomic_store(&over, true);
		}
		atomic_fetch_add(&worker->rounds, 1);
	}
	return NULL;
}

/* ---- what is watched ------------------------------------------------------------------------- */

/* In MB: "VmRSS:" is what is resident, "VmHWM:" the most that has been. */
static double read_memory(const char *name)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[128];
	long kilobytes = 0;

	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, name, strlen(name)) == 0)
			kilobytes = strtol(line + strlen(name), NULL, 10);
	}
	if (file)
		fclose(file);
	return (double)kilobytes * 1024 / 1e6;
}

static uint64_t sum_commands(struct worker *workers, int threads, uint64_t *builds)
{
	uint64_t commands = 0;

	*builds = 0;
	for (int i = 0; i < threads; i++) {
		commands += atomic_load(&workers[i].commands);
		*builds += atomic_load(&workers[i].builds);
	}
	return commands;
}

static uint64_t least_rounds(struct worker *workers, int threads)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < threads; i++) {
		uint64_t rounds = atomic_load(&workers[i].rounds);
		least = rounds < least ? rounds : least;
	}
	return least;
}

/* Prints a line for each interval. False: memory has grown. */
static bool watch(const struct settings *settings, struct soak *soak, struct worker *workers)
{
	const double start = seconds_now();
	double most = 0; /* memory allowed, from the warm-up's end on */
	double wanted = settings->rounds;
	double time = 0;
	uint64_t before = 0;
	uint64_t builds;

	printf("%8s %10s %14s %14s %8s\n", "s", "MB", "commands/s", "callbacks", "builds");
	while (!atomic_load(&over)) {
		const struct timespec pause = {
			(time_t)settings->interval,
			(long)((settings->interval - (double)(time_t)settings->interval) * 1e9)};

		nanosleep(&pause, NULL);
		double now = seconds_now() - start;
		double memory = read_memory("VmRSS:");
		double rounds = (double)least_rounds(workers, settings->num_threads);
		uint64_t commands = sum_commands(workers, settings->num_threads, &builds);
		printf("%8.0f %10.1f %14.0f %14llu %8llu\n", now, memory,
		       (double)(commands - before) / (now - time),
		       (unsigned long long)atomic_load(&soak->callbacks),
		       (unsigned long long)builds);
		fflush(stdout);
		before = commands;
		time = now;
		if (most > 0 && memory > most) {
			printf("memory has grown by more than %.0f MB since the warm-up\n",
			       settings->growth);
			return false;
		}
		if (most > 0 && now >= settings->seconds && rounds >= wanted)
			return true;
		if (most == 0 && now >= settings->warm_up && rounds >= wanted) {
			most = read_memory("VmHWM:") + settings->growth;
			wanted = rounds + settings->rounds;
		}
	}
	return true;
}

/* ---- the run --------------------------------------------------------------------------------- */

static bool open_soak(struct soak *soak)
{
	const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
						  CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
	const char *source = soak_source;

	if (!first_device_open(&soak->device, &soak->context, &soak->in_order))
		return false;
	soak->out_of_order =
		clCreateCommandQueueWithProperties(soak->context, soak->device, properties, NULL);
	soak->program = clCreateProgramWithSource(soak->context, 1, &source, NULL, NULL);
	return soak->out_of_order && soak->program &&
	       clBuildProgram(soak->program, 0, NULL, "", NULL, NULL) == CL_SUCCESS;
}

static void close_soak(struct soak *soak)
{
	clReleaseProgram(soak->program);
	clReleaseCommandQueue(soak->in_order);
	clReleaseCommandQueue(soak->out_of_order);
	clReleaseContext(soak->context);
}

static bool run(const struct settings *settings)
{
	static struct worker workers[MAX_THREADS];
	struct soak soak = {0};
	int started = 0;

	if (!open_soak(&soak)) {
		fprintf(stderr, "soak: no device with a compiler\n");
		return false;
	}
	bool right = true;
	for (int i = 0; i < settings->num_threads && right; i++)
		right = worker_open(&workers[i], &soak, (uint64_t)i + 1);
	for (; started < settings->num_threads && right; started++)
		right = pthread_create(&workers[started].thread, NULL, work, &workers[started]) ==
			0;
	right = right && watch(settings, &soak, workers);
	atomic_store(&over, true);
	for (int i = 0; i < started; i++)
		pthread_join(workers[i].thread, NULL);
	for (int i = 0; i < settings->num_threads; i++) {
		right = right && !atomic_load(&workers[i].failed);
		worker_close(&workers[i]);
	}
	close_soak(&soak);
	return right;
}

/* False: there is no such setting, or this is no number. */
static bool set(struct settings *settings, const char *name, const char *value)
{
	const struct {
		const char *name;
		double *number;
	} all[] = {
		{"--seconds", &settings->seconds}, {"--interval", &settings->interval},
		{"--warm-up", &settings->warm_up}, {"--growth", &settings->growth},
		{"--rounds", &settings->rounds},   {"--threads", &settings->threads},
	};
	char *end;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (strcmp(all[i].name, name) != 0)
			continue;
		*all[i].number = strtod(value, &end);
		return end != value && *end == '\0';
	}
	return false;
}

static bool parse(int argc, char **argv, struct settings *settings)
{
	for (int i = 1; i < argc; i++) {
		if (argv[i][0] != '-')
			settings->vendors = argv[i];
		else if (i + 1 == argc || !set(settings, argv[i], argv[i + 1]))
			return false;
		else
			i++;
	}
	settings->num_threads = (int)settings->threads;
	return settings->seconds > 0 && settings->interval > 0 && settings->num_threads > 0 &&
	       settings->num_threads <= MAX_THREADS;
}

int main(int argc, char **argv)
{
	struct settings settings = {.seconds = 60,
				    .interval = 5,
				    .warm_up = 15,
				    .growth = 16,
				    .threads = 4,
				    .vendors = SOAK_VENDORS};

	if (!parse(argc, argv, &settings)) {
		fprintf(stderr, "usage: soak [--seconds S] [--interval S] [--warm-up S] "
				"[--rounds N] [--threads 1-16] [--growth MB] [VENDORS]\n");
		return 2;
	}
	/* every program is to be built: there is no cache */
	setenv("OCL_ICD_VENDORS", settings.vendors, 1);
	setenv("WEFT_CACHE", "0", 1);
	bool right = run(&settings);
	printf("%s\n", right ? "passed" : "FAILED");
	return right ? 0 : 1;
}
