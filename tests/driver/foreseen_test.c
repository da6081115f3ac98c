/* SPDX-License-Identifier: MIT
 *
 * Launches that are foreseen to be long, and so shared before anything of them has run, but are not.
 */
#include "host.h"
#include "runner.h"
#include "scheduler.h"

#include "options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define GROUPS 16
#define TRIES 20
#define LONG_TIME 1000000

extern const struct weft_driver weft_pthread_driver;

static _Atomic(struct kernel_history *) history;

static void run(const struct weft_ndrange *range, const void *args,
		struct weft_work_context *context, uint64_t first, uint64_t end)
{
	(void)range;
	(void)args;
	(void)context;
	(void)first;
	(void)end;
	atomic_store(&history, &runner_self()->scheduler->history);
}

static struct weft_launch launch_of(const struct weft_kernel_desc *kernel)
{
	return (struct weft_launch){
		.kernel = kernel,
		.range = {.global_size = {GROUPS, 1, 1},
			  .local_size = {1, 1, 1},
			  .num_groups = {GROUPS, 1, 1},
			  .work_dim = 1},
	};
}

static void run_kernel(struct weft_device *device, const struct weft_kernel_desc *kernel)
{
	struct node *node = node_new(device, WEFT_OP_NDRANGE);

	node->command.launch = launch_of(kernel);
	assert_int_equal(node_run(node), WEFT_OK);
}

/* Whether it is still after a launch that was over soon. The device has no other thread yet, so one that is asked for comes too late to run a
 * work-group. */
static bool stays_long(void)
{
	static const struct weft_kernel_desc first = {.name = "first", .entry = run};
	static const struct weft_kernel_desc second = {.name = "second", .entry = run};
	const struct weft_launch launch = launch_of(&second);
	struct weft_device *device;

	assert_int_equal(weft_pthread_driver.device->open(0, &test_host, &device), WEFT_OK);
	run_kernel(device, &first);
	kernel_history_add_group(history, &launch, LONG_TIME);
	run_kernel(device, &second);
	const bool is_long = kernel_history_is_long(history, &launch);
	weft_pthread_driver.device->close(device);
	return is_long;
}

/* A kernel of which a work-group once took long is not thought to be long for ever. The thread may be interrupted in a try. */
static void test_short_again(void **state)
{
	size_t still = 0;

	(void)state;
	setenv("WEFT_THREADS", "2", 1);
	weft_options_reset();
	for (size_t i = 0; i < TRIES; i++)
		still += stays_long();
	assert_in_range(still, 0, TRIES / 2);
	assert_int_equal(host_mistakes(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_short_again)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
