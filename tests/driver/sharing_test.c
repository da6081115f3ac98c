/* SPDX-License-Identifier: MIT
 *
 * Launches that follow each other, each too short to wake a thread for it: a second thread runs work-groups of most of them, and no thread
 * is woken where the launches are not shared.
 */
#include "host.h"

#include "clock.h"
#include "options.h"

#include <dirent.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define GROUPS 18
#define GROUP_NS 500
#define LAUNCHES 200
#define MOST_TRIES 500

extern const struct weft_driver weft_pthread_driver;

/* Who ran work-groups of a launch: the first thread, and whether another one did. */
struct runners {
	_Atomic uint64_t first; /* 0: none yet */
	_Atomic bool several;
};

static struct runners launches[LAUNCHES];

static void spin(const struct weft_ndrange *range, const void *args,
		 struct weft_work_context *context, uint64_t first, uint64_t end)
{
	struct runners *runners = &launches[*(const uint32_t *)args];
	const uint64_t begin = weft_clock_now();
	const uint64_t self = (uint64_t)pthread_self();
	uint64_t other = 0;

	(void)range;
	(void)context;
	if (!atomic_compare_exchange_strong(&runners->first, &other, self) && other != self)
		atomic_store(&runners->several, true);
	while (weft_clock_now() - begin < (end - first) * GROUP_NS)
		;
}

static const struct weft_kernel_desc kernel = {.name = "kernel", .entry = spin};

static struct node *new_launch(struct weft_device *device, const uint32_t *number, bool throttled)
{
	struct node *node = node_new(device, WEFT_OP_NDRANGE);

	node->command.throttled = throttled;
	node->command.launch = (struct weft_launch){
		.kernel = &kernel,
		.range = {.global_size = {GROUPS, 1, 1},
			  .local_size = {1, 1, 1},
			  .num_groups = {GROUPS, 1, 1},
			  .work_dim = 1},
		.args = number,
	};
	return node;
}

/* Of a chain of launches, how many are run by several threads. They begin when all have been submitted. */
static uint32_t count_shared(struct weft_device *device, bool throttled)
{
	struct node *nodes[LAUNCHES];
	uint32_t numbers[LAUNCHES];
	uint32_t shared = 0;

	for (uint32_t i = 0; i < LAUNCHES; i++) {
		atomic_store(&launches[i].first, 0);
		atomic_store(&launches[i].several, false);
		numbers[i] = i;
		nodes[i] = new_launch(device, &numbers[i], throttled);
		if (i > 0)
			node_depend(nodes[i], nodes[i - 1]);
	}
	for (uint32_t i = LAUNCHES; i-- > 0;)
		node_submit(nodes[i]);
	assert_int_equal(node_wait(nodes[LAUNCHES - 1]), WEFT_OK);
	for (uint32_t i = 0; i < LAUNCHES; i++) {
		shared += atomic_load(&launches[i].several);
		node_free(nodes[i]);
	}
	return shared;
}

/* Other processes may take the second core for any time. */
static void test_chain_is_shared(void **state)
{
	struct weft_device *device;
	uint32_t shared = 0;
	cpu_set_t cores;

	(void)state;
	if (sched_getaffinity(0, sizeof(cores), &cores) != 0 || CPU_COUNT(&cores) < 2)
		skip();
	setenv("WEFT_THREADS", "2", 1);
	weft_options_reset();
	assert_int_equal(weft_pthread_driver.device->open(0, &test_host, &device), WEFT_OK);
	for (uint32_t i = 0; i < MOST_TRIES && shared < LAUNCHES / 2; i++)
		shared = count_shared(device, false);
	assert_in_range(shared, LAUNCHES / 2, LAUNCHES);
	weft_pthread_driver.device->close(device);
	assert_int_equal(host_mistakes(), 0);
}

static size_t count_threads(void)
{
	size_t count = 0;
	DIR *threads = opendir("/proc/self/task");

	assert_non_null(threads);
	while (readdir(threads))
		count++;
	closedir(threads);
	return count - 2; /* . and .. */
}

/* No thread is woken or started for launches that are not shared: beside this thread there is the worker for which the first one was. */
static void test_throttled_chain_wakes_none(void **state)
{
	struct weft_device *device;

	(void)state;
	setenv("WEFT_THREADS", "8", 1);
	weft_options_reset();
	const size_t before = count_threads();
	assert_int_equal(weft_pthread_driver.device->open(0, &test_host, &device), WEFT_OK);
	(void)count_shared(device, true);
	assert_in_range(count_threads(), before, before + 1);
	weft_pthread_driver.device->close(device);
	assert_int_equal(host_mistakes(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chain_is_shared),
		cmocka_unit_test(test_throttled_chain_wakes_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
