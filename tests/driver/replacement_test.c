/* SPDX-License-Identifier: MIT
 *
 * A launch that runs for long says so while it runs, and its later work-groups run the code that comes of that.
 */
#include "host.h"

#include "clock.h"
#include "options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define GROUPS 100000
#define GROUP_NS 20000

extern const struct weft_driver weft_pthread_driver;

static _Atomic uint8_t runs[GROUPS];
static _Atomic uint64_t by_better;
static _Atomic uint64_t noted; /* ns */

static void run_groups(uint64_t first, uint64_t end)
{
	for (uint64_t group = first; group < end; group++)
		atomic_fetch_add(&runs[group], 1);
}

static void run_slowly(const struct weft_ndrange *range, const void *args,
		       struct weft_work_context *context, uint64_t first, uint64_t end)
{
	const uint64_t begin = weft_clock_now();

	(void)range;
	(void)args;
	(void)context;
	run_groups(first, end);
	while (weft_clock_now() - begin < (end - first) * GROUP_NS)
		;
}

static void run_better(const struct weft_ndrange *range, const void *args,
		       struct weft_work_context *context, uint64_t first, uint64_t end)
{
	(void)range;
	(void)args;
	(void)context;
	run_groups(first, end);
	atomic_fetch_add(&by_better, end - first);
}

static const struct weft_kernel_desc slow = {.name = "kernel", .entry = run_slowly};
static const struct weft_kernel_desc better = {.name = "kernel", .entry = run_better};

/* As the runtime does: the code is there some milliseconds of work later. */
static void note(struct weft_replacement *replacement, uint64_t time)
{
	assert_true(
		time >
		0); /* of the processor's; a thread may have waited for most of the millisecond */
	if (atomic_fetch_add(&noted, time) + time > 5000000)
		atomic_store(&replacement->kernel, &better);
}

static void check_launch(const char *threads)
{
	struct weft_replacement replacement = {.kernel = NULL, .ran = note};
	struct weft_device *device;

	atomic_store(&by_better, 0);
	atomic_store(&noted, 0);
	for (size_t group = 0; group < GROUPS; group++)
		atomic_store(&runs[group], 0);
	setenv("WEFT_THREADS", threads, 1);
	weft_options_reset();
	assert_int_equal(weft_pthread_driver.device->open(0, &test_host, &device), WEFT_OK);
	struct node *node = node_new(device, WEFT_OP_NDRANGE);
	node->command.launch = (struct weft_launch){
		.kernel = &slow,
		.range = {.global_size = {GROUPS, 1, 1},
			  .local_size = {1, 1, 1},
			  .num_groups = {GROUPS, 1, 1},
			  .work_dim = 1},
		.replacement = &replacement,
	};
	assert_int_equal(node_run(node), WEFT_OK);
	assert_ptr_equal(atomic_load(&replacement.kernel), &better);
	assert_true(atomic_load(&by_better) > GROUPS / 2);
	for (size_t group = 0; group < GROUPS; group++)
		assert_int_equal(atomic_load(&runs[group]), 1);
	weft_pthread_driver.device->close(device);
	assert_int_equal(host_mistakes(), 0);
}

static void test_one_thread(void **state)
{
	(void)state;
	check_launch("1");
}

static void test_threads(void **state)
{
	(void)state;
	check_launch("4");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_thread),
		cmocka_unit_test(test_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
