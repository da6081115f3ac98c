/* SPDX-License-Identifier: MIT
 *
 * Sub-devices: they share the workers of their parent, each restricted to its own of them, and none is left behind;
 * and workers are bound to cores.
 */
#include "suite.h"

#include "futex.h"
#include "options.h"
#include "threads.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* A device of so many units, made for the test. */
static struct weft_device *open_units(const char *units)
{
	struct weft_device *device;
	char description[32];

	snprintf(description, sizeof(description), "clusters=%s", units);
	setenv("WEFT_THREADS", units, 1);
	setenv("WEFT_ACCEL", description, 1);
	weft_options_reset();
	assert_int_equal(suite.driver->device->open(0, &test_host, &device), WEFT_OK);
	unsetenv("WEFT_THREADS");
	unsetenv("WEFT_ACCEL");
	weft_options_reset();
	return device;
}

static struct weft_device *part_of(struct weft_device *device, uint32_t first, uint32_t count)
{
	struct weft_device *part;

	assert_int_equal(suite.driver->device->partition(device, first, count, &part), WEFT_OK);
	return part;
}

static void run_on(struct weft_device *device)
{
	_Atomic uint64_t sum = 0;
	struct slow_args args = {2000, &sum};

	for (int i = 0; i < 20; i++) {
		struct node *node = new_simple_launch(KERNEL_SLOW, &args, 100);
		node->command.device = device;
		assert_int_equal(node_run(node), WEFT_OK);
	}
	assert_int_equal(atomic_load(&sum), 2000);
}

static void partition(void **state)
{
	struct weft_device *parts[2];
	const struct weft_driver_device_ops *ops = suite.driver->device;

	(void)state;
	if (!ops->partition)
		return;
	struct weft_device *device = open_units("5");
	assert_int_equal(device->properties.compute_units, 5);
	assert_int_equal(ops->partition(device, 3, 3, parts), WEFT_UNSUPPORTED);
	assert_int_equal(ops->partition(device, 0, 0, parts), WEFT_UNSUPPORTED);
	assert_int_equal(ops->partition(device, 0, 2, &parts[0]), WEFT_OK);
	assert_int_equal(ops->partition(device, 2, 3, &parts[1]), WEFT_OK);
	assert_int_equal(parts[0]->properties.compute_units, 2);
	assert_int_equal(parts[1]->properties.compute_units, 3);
	assert_true(parts[0]->driver == suite.driver && parts[0]->host == &test_host);
	run_on(parts[0]);
	run_on(device);
	run_on(parts[1]);
	struct weft_device *part;
	assert_int_equal(ops->partition(parts[1], 1, 1, &part), WEFT_OK);
	run_on(part);
	ops->close(part);
	ops->close(parts[0]);
	ops->close(parts[1]);
	ops->close(device);
}

/* One core of this machine: the sub-device's workers stay on it. */
static void native_core(void *args)
{
	cpu_set_t *set = *(cpu_set_t **)args;

	sched_getaffinity(0, sizeof(*set), set);
}

static void partition_is_pinned(void **state)
{
	const struct weft_driver_device_ops *ops = suite.driver->device;
	struct weft_device *part;
	cpu_set_t set;
	cpu_set_t *pointer = &set;

	(void)state;
	if (!ops->partition || !runs_native() || suite.device->properties.compute_units < 2)
		return;
	assert_int_equal(ops->partition(suite.device, 1, 1, &part), WEFT_OK);
	struct node *node = new_native(native_core, &pointer);
	node->command.device = part;
	node_submit(node);
	assert_int_equal(node_sleep(node), WEFT_OK); /* without helping */
	node_free(node);
	assert_int_equal(CPU_COUNT(&set), 1);
	ops->close(part);
}

/* ---- sharing workers ------------------------------------------------------------------------- */

static bool count_worker(pid_t thread, void *count)
{
	char path[64];
	char name[32] = "";

	snprintf(path, sizeof(path), "/proc/self/task/%d/comm", (int)thread);
	FILE *file = fopen(path, "r");
	if (file) {
		if (fgets(name, sizeof(name), file) && strcmp(name, "weft-worker\n") == 0)
			++*(int *)count;
		fclose(file);
	}
	return true;
}

static int count_workers(void)
{
	int count = 0;

	assert_true(for_each_thread(count_worker, &count));
	return count;
}

/* Native functions that wait for each other, and leave their threads. */
struct gathering {
	_Atomic int32_t arrived;
	int32_t expected;
	pid_t threads[8];
};

static void arrive(void *args)
{
	struct gathering *gathering = *(struct gathering **)args;
	int32_t place = atomic_fetch_add(&gathering->arrived, 1);

	gathering->threads[place] = gettid();
	weft_futex_wake_all(&gathering->arrived);
	wait_for_word(&gathering->arrived, gathering->expected);
}

/* One function for each unit of each device. */
static void gather(struct weft_device *const *devices, int count, struct gathering *gathering)
{
	struct gathering *pointer = gathering;
	struct node *nodes[8];
	int made = 0;

	*gathering = (struct gathering){.arrived = 0};
	for (int i = 0; i < count; i++)
		gathering->expected += (int32_t)devices[i]->properties.compute_units;
	assert_true(gathering->expected <= 8);
	for (int i = 0; i < count; i++) {
		for (uint32_t unit = 0; unit < devices[i]->properties.compute_units; unit++) {
			nodes[made] = new_native(arrive, &pointer);
			nodes[made]->command.device = devices[i];
			node_submit(nodes[made++]);
		}
	}
	for (int i = 0; i < made; i++) {
		assert_int_equal(node_sleep(nodes[i]), WEFT_OK);
		node_free(nodes[i]);
	}
}

static bool is_among(pid_t thread, const struct gathering *gathering)
{
	for (int i = 0; i < gathering->expected; i++) {
		if (gathering->threads[i] == thread)
			return true;
	}
	return false;
}

/* However many sub-devices work at once, there are no more workers than units, and each sub-device has the same ones
 * all the time. */
static void sub_devices_share_workers(void **state)
{
	struct gathering all;
	struct gathering two;
	struct gathering both;

	(void)state;
	if (!suite.driver->device->partition || !runs_native())
		return;
	struct weft_device *device = open_units("5");
	struct weft_device *parts[] = {part_of(device, 0, 2), part_of(device, 2, 3)};
	const int others = count_workers(); /* of earlier tests: they may still be listed */
	gather(&device, 1, &all);
	const int workers = count_workers();
	assert_true(workers - 5 <= others);
	for (int i = 0; i < 20; i++) {
		gather(&parts[0], 1, &two);
		for (int k = 0; k < 2; k++)
			assert_true(is_among(two.threads[k], &all));
		gather(parts, 2, &both);
		for (int k = 0; k < 2; k++)
			assert_true(is_among(two.threads[k], &both));
		struct weft_device *part = part_of(parts[1], (uint32_t)i % 3, 1);
		gather(&part, 1, &both);
		assert_true(is_among(both.threads[0], &all) && !is_among(both.threads[0], &two));
		suite.driver->device->close(part);
		run_on(device);
		assert_true(count_workers() <= workers);
	}
	suite.driver->device->close(parts[0]);
	suite.driver->device->close(parts[1]);
	suite.driver->device->close(device);
}

static _Atomic bool stop;

static void raise_stop(struct node *node)
{
	(void)node;
	atomic_store(&stop, true);
}

static struct node *new_link(struct weft_device *device);

/* Each submits the next, until the test stops it. */
static void go_on(struct node *node)
{
	if (atomic_load(&stop))
		return;
	node->user = new_link(node->command.device);
	node_submit(node->user);
}

static struct node *new_link(struct weft_device *device)
{
	struct node *node = new_simple_launch(KERNEL_EMPTY, NULL, 1);

	node->command.device = device;
	node->on_end = go_on;
	return node;
}

/* A chain that goes on until a command of another device has run, on the same worker. */
static void devices_get_their_turn(void **state)
{
	(void)state;
	if (!suite.driver->device->partition)
		return;
	struct weft_device *device = open_units("1");
	struct weft_device *part = part_of(device, 0, 1);

	for (int i = 0; i < 2; i++) {
		struct node *first = new_link(i == 0 ? device : part);
		struct node *other = new_simple_launch(KERNEL_EMPTY, NULL, 1);

		atomic_store(&stop, false);
		other->command.device = i == 0 ? part : device;
		other->on_end = raise_stop;
		node_submit(first);
		node_submit(other);
		assert_int_equal(node_sleep(other), WEFT_OK);
		node_free(other);
		while (first) {
			assert_int_equal(node_sleep(first), WEFT_OK);
			struct node *next = first->user;
			node_free(first);
			first = next;
		}
	}
	suite.driver->device->close(part);
	suite.driver->device->close(device);
}

/* ---- binding workers ------------------------------------------------------------------------- */

struct bound {
	_Atomic int32_t arrived;
	int32_t expected;
	cpu_set_t cores[8];
};

static void note_cores(void *args)
{
	struct bound *bound = *(struct bound **)args;
	int32_t place = atomic_fetch_add(&bound->arrived, 1);

	sched_getaffinity(0, sizeof(bound->cores[place]), &bound->cores[place]);
	weft_futex_wake_all(&bound->arrived);
	wait_for_word(&bound->arrived, bound->expected);
}

/* Where the workers of a device run, each of which gets a function. */
static void note_all_cores(struct weft_device *device, struct bound *bound)
{
	struct bound *pointer = bound;
	struct node *nodes[8];

	*bound = (struct bound){.expected = (int32_t)device->properties.compute_units};
	if (bound->expected > 8)
		bound->expected = 8;
	for (int i = 0; i < bound->expected; i++) {
		nodes[i] = new_native(note_cores, &pointer);
		nodes[i]->command.device = device;
		node_submit(nodes[i]);
	}
	for (int i = 0; i < bound->expected; i++) {
		assert_int_equal(node_sleep(nodes[i]), WEFT_OK);
		node_free(nodes[i]);
	}
}

/* Of a device that is opened with this WEFT_AFFINITY. */
static void find_cores(const char *affinity, struct bound *bound)
{
	struct weft_device *device;

	setenv("WEFT_AFFINITY", affinity, 1);
	weft_options_reset();
	assert_int_equal(suite.driver->device->open(0, &test_host, &device), WEFT_OK);
	unsetenv("WEFT_AFFINITY");
	weft_options_reset();
	note_all_cores(device, bound);
	suite.driver->device->close(device);
}

/* Workers that have been a sub-device's, and no other device's since then, are pinned to the cores of the next one. */
static void pins_follow_the_sub_device(void **state)
{
	const uint32_t counts[] = {2, 1, 2};
	struct bound bound;

	(void)state;
	if (!suite.driver->device->partition || !runs_native() ||
	    suite.device->properties.compute_units < 2)
		return;
	for (int i = 0; i < 3; i++) {
		struct weft_device *part = part_of(suite.device, 0, counts[i]);

		note_all_cores(part, &bound);
		for (int k = 0; k < bound.expected; k++)
			assert_int_equal(CPU_COUNT(&bound.cores[k]), counts[i]);
		suite.driver->device->close(part);
	}
}

/* A core each, if there are as many. */
static void workers_are_bound(void **state)
{
	static const char *const spellings[] = {"compact", "spread"};
	struct bound bound;
	cpu_set_t usable;
	char core[16];
	size_t first = 0;

	(void)state;
	if (!suite.driver->device->partition || !runs_native())
		return;
	assert_int_equal(sched_getaffinity(0, sizeof(usable), &usable), 0);
	for (int i = 0; i < 2; i++) {
		cpu_set_t all;

		CPU_ZERO(&all);
		find_cores(spellings[i], &bound);
		for (int k = 0; k < bound.expected; k++) {
			assert_int_equal(CPU_COUNT(&bound.cores[k]), 1);
			CPU_OR(&all, &all, &bound.cores[k]);
		}
		assert_int_equal(CPU_COUNT(&all), bound.expected);
	}
	while (!CPU_ISSET(first, &usable))
		first++;
	snprintf(core, sizeof(core), "%zu", first);
	find_cores(core, &bound);
	assert_int_equal(bound.expected, 1);
	assert_true(CPU_COUNT(&bound.cores[0]) == 1 && CPU_ISSET(first, &bound.cores[0]));
	find_cores("none", &bound);
	assert_true(CPU_EQUAL(&bound.cores[0], &usable));
	find_cores("nonsense", &bound);
	assert_true(CPU_EQUAL(&bound.cores[0], &usable));
}

int run_partition_tests(void)
{
	const struct CMUnitTest tests[] = {
		SUITE_TEST(partition),
		SUITE_TEST(partition_is_pinned),
		SUITE_TEST(sub_devices_share_workers),
		SUITE_TEST(devices_get_their_turn),
		SUITE_TEST(workers_are_bound),
		SUITE_TEST(pins_follow_the_sub_device),
	};

	return cmocka_run_group_tests_name("partition", tests, NULL, NULL);
}
