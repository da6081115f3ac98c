/* SPDX-License-Identifier: MIT
 *
 * What a command costs in the drivers, without a runtime above them: medians of repeated measurements.
 * Usage: driver_latency [driver]
 */
#include "host.h"
#include "test_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define REPEATS 1001
#define CHAIN 1000

static struct weft_device *device;
static struct weft_module *module;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	const double *x = a;
	const double *y = b;

	return (*x > *y) - (*x < *y);
}

/* Calls `measure`, which returns nanoseconds, and prints the median and the 95th percentile. */
static void report(const char *what, int repeats, double (*measure)(void))
{
	double *times = calloc((size_t)repeats, sizeof(double));

	if (!times)
		exit(1);
	for (int i = 0; i < repeats; i++)
		times[i] = measure();
	qsort(times, (size_t)repeats, sizeof(double), compare);
	printf("  %-52s %10.2f us  (95%%: %.2f)\n", what, times[repeats / 2] / 1e3,
	       times[repeats * 95 / 100] / 1e3);
	free(times);
}

static struct node *new_empty(uint64_t groups)
{
	struct node *node = node_new(device, WEFT_OP_NDRANGE);
	struct weft_launch *launch = &node->command.launch;

	launch->module = module;
	launch->kernel = &device->driver->program->describe(module)->kernels[KERNEL_EMPTY];
	launch->range = (struct weft_ndrange){
		.global_size = {groups, 1, 1},
		.local_size = {1, 1, 1},
		.num_groups = {groups, 1, 1},
		.work_dim = 1,
	};
	return node;
}

static double submit_and_wait(struct node *node)
{
	double start = now();

	node_submit(node);
	if (node_wait(node) != WEFT_OK)
		exit(1);
	double end = now();
	node_free(node);
	return end - start;
}

static double empty_command(void)
{
	return submit_and_wait(node_new(device, WEFT_OP_NOTHING));
}

static double one_group(void)
{
	return submit_and_wait(new_empty(1));
}

static double one_group_after_rest(void)
{
	usleep(2000);
	return submit_and_wait(new_empty(1));
}

/* As a program that polls does: the workers do it alone. */
static double one_group_by_a_worker(void)
{
	struct node *node = new_empty(1);

	usleep(2000);
	double start = now();
	node_submit(node);
	while (!atomic_load(&node->ended))
		__asm__ volatile("" : : : "memory");
	double end = now();
	node_wait(node);
	node_free(node);
	return end - start;
}

static double enqueue_only(void)
{
	struct node *node = new_empty(1);

	usleep(2000);
	double start = now();
	node_submit(node);
	double end = now();
	node_wait(node);
	node_free(node);
	return end - start;
}

static double million_groups(void)
{
	return submit_and_wait(new_empty(1000000));
}

static double thousand_groups(void)
{
	return submit_and_wait(new_empty(1000));
}

/* From the start of the first to the end of the last, per command. */
static double per_command(bool chained)
{
	struct node *nodes[CHAIN + 2];

	nodes[0] = new_empty(1);
	nodes[CHAIN + 1] = node_new(device, WEFT_OP_NOTHING);
	for (int i = 1; i <= CHAIN; i++) {
		nodes[i] = new_empty(1);
		node_depend(nodes[i], nodes[chained ? i - 1 : 0]);
		node_depend(nodes[CHAIN + 1], nodes[i]);
		node_submit(nodes[i]);
	}
	node_submit(nodes[CHAIN + 1]);
	double start = now();
	node_submit(nodes[0]);
	if (node_wait(nodes[CHAIN + 1]) != WEFT_OK)
		exit(1);
	double end = now();
	for (int i = 0; i < CHAIN + 2; i++)
		node_free(nodes[i]);
	return (end - start) / CHAIN;
}

static double in_a_chain(void)
{
	return per_command(true);
}

static double in_a_fan(void)
{
	return per_command(false);
}

static char bytes[2][64 << 20];

static double copy_of(size_t size)
{
	struct node *node = node_new(device, WEFT_OP_COPY);

	node->command.copy = (struct weft_copy){
		.source = bytes[0], .destination = bytes[1], .region = {size, 1, 1}};
	return submit_and_wait(node);
}

static double small_copy(void)
{
	return copy_of(256);
}

static double big_copy(void)
{
	return copy_of(sizeof(bytes[0]));
}

static int load(const struct weft_driver *driver)
{
	static char image[1 << 20];
	FILE *file = fopen(TEST_MODULE, "rb");

	if (!file)
		return -1;
	size_t size = fread(image, 1, sizeof(image), file);
	fclose(file);
	double start = now();
	if (driver->device->open(0, &test_host, &device) != WEFT_OK)
		return -1;
	double opened = now();
	if (driver->program->load(device, image, size, &module) != WEFT_OK)
		return -1;
	printf("%s: %u compute units\n  %-52s %10.2f us\n  %-52s %10.2f us\n", driver->name,
	       device->properties.compute_units, "open the device (once)", (opened - start) / 1e3,
	       "load a module (once)", (now() - opened) / 1e3);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct weft_driver *const drivers[] = {&weft_basic_driver,
							    &weft_pthread_driver};

	memset(bytes, 1, sizeof(bytes));
	for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++) {
		if (argc > 1 && strcmp(argv[1], drivers[i]->name) != 0)
			continue;
		if (load(drivers[i]) != 0)
			return 1;
		report("empty command, enqueue to end", REPEATS, empty_command);
		report("one group, enqueue to end", REPEATS, one_group);
		report("one group after 2 ms of rest", 201, one_group_after_rest);
		report("one group after 2 ms of rest, by a worker", 201, one_group_by_a_worker);
		report("its enqueue alone", 201, enqueue_only);
		report("1000 groups", REPEATS, thousand_groups);
		report("10^6 groups", 101, million_groups);
		report("per command in a chain of 1000", 101, in_a_chain);
		report("per command in a fan of 1000", 101, in_a_fan);
		report("copy of 256 bytes", REPEATS, small_copy);
		report("copy of 64 MiB", 21, big_copy);
		drivers[i]->program->unload(device, module);
		drivers[i]->device->close(device);
	}
	return host_mistakes() != 0;
}
