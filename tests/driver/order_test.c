/* SPDX-License-Identifier: MIT
 *
 * Work-groups that wait for those before them: whatever core a launch begins on, each range of groups begins after those before it.
 */
#include "host.h"

#include "clock.h"
#include "kernel_waits.h"
#include "options.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define GROUPS 100
#define GROUP_NS 20000
#define PATIENCE_NS 2000000000u

extern const struct weft_driver weft_pthread_driver;

static _Atomic uint64_t turn; /* groups that have run */
static _Atomic bool gave_up;

static void run_in_turn(const struct weft_ndrange *range, const void *args,
			struct weft_work_context *context, uint64_t first, uint64_t end)
{
	const uint64_t begin = weft_clock_now();

	(void)range;
	(void)args;
	(void)context;
	while (atomic_load(&turn) != first && !atomic_load(&gave_up)) {
		if (weft_clock_now() - begin > PATIENCE_NS)
			atomic_store(&gave_up, true);
		sched_yield();
	}
	const uint64_t start = weft_clock_now();
	while (weft_clock_now() - start < (end - first) * GROUP_NS)
		;
	atomic_fetch_add(&turn, end - first);
}

static const struct weft_kernel_desc in_turn = {
	.name = "in_turn", .entry = run_in_turn, .flags = WEFT_KERNEL_MAY_WAIT};

/* The last core that this process may use: segments of a command's parts begin at the first one. */
static void stay_on_last_core(void)
{
	cpu_set_t cores;
	size_t last = 0;

	assert_int_equal(sched_getaffinity(0, sizeof(cores), &cores), 0);
	for (size_t core = 0; core < CPU_SETSIZE; core++) {
		if (CPU_ISSET(core, &cores))
			last = core;
	}
	CPU_ZERO(&cores);
	CPU_SET(last, &cores);
	assert_int_equal(sched_setaffinity(0, sizeof(cores), &cores), 0);
}

static void ranges_begin_in_order(void **state)
{
	struct weft_device *device;

	(void)state;
	stay_on_last_core();
	setenv("WEFT_THREADS", "2", 1);
	weft_options_reset();
	assert_int_equal(weft_pthread_driver.device->open(0, &test_host, &device), WEFT_OK);
	struct node *node = node_new(device, WEFT_OP_NDRANGE);
	node->command.launch = (struct weft_launch){
		.kernel = &in_turn,
		.range = {.global_size = {GROUPS, 1, 1},
			  .local_size = {1, 1, 1},
			  .num_groups = {GROUPS, 1, 1},
			  .work_dim = 1},
	};
	assert_int_equal(node_run(node), WEFT_OK);
	assert_false(atomic_load(&gave_up));
	assert_int_equal(atomic_load(&turn), GROUPS);
	weft_pthread_driver.device->close(device);
	assert_int_equal(host_mistakes(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_begin_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
