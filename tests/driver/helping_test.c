/* SPDX-License-Identifier: MIT
 *
 * What a thread that waits for one command runs of another: no work-groups that take long, and few at once of those that do not.
 */
#include "host.h"

#include "clock.h"
#include "futex.h"
#include "kernel/work.h"
#include "options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define LONG_NS 300000
#define SHORT_NS 5000
#define MOST_SHORT (1 + 50000 / SHORT_NS) /* that a helper claims */

extern const struct weft_driver weft_pthread_driver;

static _Atomic uint64_t group_ns;
static _Atomic uint64_t groups_run;
static _Atomic uint64_t most_here; /* in one call by the thread that waits */
static pthread_t waiting;

static void spin(const struct weft_ndrange *range, const void *args,
		 struct weft_work_context *context, uint64_t first, uint64_t end)
{
	const uint64_t begin = weft_clock_now();

	(void)range;
	(void)args;
	(void)context;
	if (pthread_equal(pthread_self(), waiting) && end - first > atomic_load(&most_here))
		atomic_store(&most_here, end - first);
	while (weft_clock_now() - begin < (end - first) * atomic_load(&group_ns))
		;
	atomic_fetch_add(&groups_run, end - first);
}

static const struct weft_kernel_desc kernels[] = {{.name = "long", .entry = spin},
						  {.name = "short", .entry = spin},
						  {.name = "one", .entry = spin}};

static struct node *new_launch(struct weft_device *device, const struct weft_kernel_desc *kernel,
			       uint64_t groups)
{
	struct node *node = node_new(device, WEFT_OP_NDRANGE);

	node->command.launch = (struct weft_launch){
		.kernel = kernel,
		.range = {.global_size = {groups, 1, 1},
			  .local_size = {1, 1, 1},
			  .num_groups = {groups, 1, 1},
			  .work_dim = 1},
	};
	return node;
}

/* What this thread runs at most at once of a kernel that has run before, while it waits for what comes after that, as for anything else. */
static uint64_t help(const struct weft_kernel_desc *kernel, uint64_t groups, uint64_t ns)
{
	struct weft_device *device;

	setenv("WEFT_THREADS", "2", 1);
	weft_options_reset();
	assert_int_equal(weft_pthread_driver.device->open(0, &test_host, &device), WEFT_OK);
	atomic_store(&group_ns, ns);
	waiting = pthread_self();
	assert_int_equal(node_run(new_launch(device, kernel, groups)), WEFT_OK);
	atomic_store(&groups_run, 0);
	atomic_store(&most_here, 0);
	struct node *other = new_launch(device, kernel, groups);
	struct node *last = node_new(device, WEFT_OP_NOTHING);
	node_depend(last, other);
	last->wait.command = &last->command;
	node_submit(other);
	node_submit(last);
	assert_int_equal(node_wait(last), WEFT_OK);
	assert_int_equal(atomic_load(&groups_run), groups);
	node_free(other);
	node_free(last);
	weft_pthread_driver.device->close(device);
	assert_int_equal(host_mistakes(), 0);
	return atomic_load(&most_here);
}

static void test_long_groups(void **state)
{
	(void)state;
	assert_int_equal(help(&kernels[0], 16, LONG_NS), 0);
}

static void test_short_groups(void **state)
{
	(void)state;
	assert_in_range(help(&kernels[1], 4000, SHORT_NS), 0, MOST_SHORT);
}

static void test_one_group(void **state)
{
	(void)state;
	assert_int_equal(help(&kernels[2], 1, LONG_NS), 0);
}

static _Atomic int32_t begun;
static _Atomic bool may_end;

static void wait_for_end(const struct weft_ndrange *range, const void *args,
			 struct weft_work_context *context, uint64_t first, uint64_t end)
{
	(void)range;
	(void)args;
	(void)context;
	(void)first;
	(void)end;
	atomic_store(&begun, 1);
	weft_futex_wake_all(&begun);
	while (!atomic_load(&may_end))
		;
}

static void do_nothing(const struct weft_ndrange *range, const void *args,
		       struct weft_work_context *context, uint64_t first, uint64_t end)
{
	(void)range;
	(void)args;
	(void)context;
	(void)first;
	(void)end;
}

/* Whether the driver, too, sees now and then that the launch is over within microseconds: with a sanitizer it may not be. */
static bool is_short(const struct weft_launch *launch)
{
	struct weft_arena arena = {0};
	int fast = 0;

	for (int i = 0; i < 1000; i++) {
		const uint64_t start = weft_clock_now();

		assert_int_equal(weft_work_run_alone(launch, &arena, NULL, 0, NULL), WEFT_OK);
		fast += weft_clock_now() - start < 1500;
	}
	weft_arena_destroy(&arena);
	return fast >= 100;
}

/* All cores run something else: a launch that is known to be short does not wait for one. */
static void test_short_without_core(void **state)
{
	static const struct weft_kernel_desc endless = {.name = "endless", .entry = wait_for_end};
	static const struct weft_kernel_desc nothing = {.name = "nothing", .entry = do_nothing};
	struct weft_device *device;
	(void)state;

	setenv("WEFT_THREADS", "1", 1);
	weft_options_reset();
	assert_int_equal(weft_pthread_driver.device->open(0, &test_host, &device), WEFT_OK);
	for (int i = 0; i < 1000; i++) /* one of these is not interrupted */
		assert_int_equal(node_run(new_launch(device, &nothing, 1)), WEFT_OK);
	struct node *other = new_launch(device, &endless, 1);
	node_submit(other);
	device->driver->queue->flush(device);
	wait_for_word(&begun, 1);
	struct node *node = new_launch(device, &nothing, 1);
	node->command.caller_waits = true;
	node_submit(node);
	device->driver->queue->join(device, &node->wait);
	const bool has_ended = atomic_load(&node->ended);
	atomic_store(&may_end, true);
	assert_int_equal(node_sleep(node), WEFT_OK);
	assert_true(has_ended || !is_short(&node->command.launch));
	node_free(node);
	assert_int_equal(node_wait(other), WEFT_OK);
	node_free(other);
	weft_pthread_driver.device->close(device);
	assert_int_equal(host_mistakes(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_long_groups),
		cmocka_unit_test(test_short_groups),
		cmocka_unit_test(test_one_group),
		cmocka_unit_test(test_short_without_core),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
