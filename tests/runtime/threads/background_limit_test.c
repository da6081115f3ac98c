/* SPDX-License-Identifier: MIT
 *
 * Devices with one compute unit, on a machine with more cores: in a container with a quota, for one. One thread does
 * everything that is urgent.
 */
#include "threads/background.h"

#include "latch.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define LOOKS 1000

static struct latch standing = LATCH_INITIALIZER;
static struct latch walk = LATCH_INITIALIZER;
static struct latch done = LATCH_INITIALIZER;
static _Atomic int running;

static void run(struct weft_task *task)
{
	(void)task;
	atomic_fetch_add(&running, 1);
	latch_raise(&standing);
	(void)latch_wait(&walk, 1);
	atomic_fetch_sub(&running, 1);
	latch_raise(&done);
}

static void units_limit_threads(void **state)
{
	static struct weft_task tasks[4];

	(void)state;
	weft_background_limit(1);
	for (int i = 0; i < 4; i++) {
		tasks[i].run = run;
		assert_true(weft_background_post(&tasks[i], WEFT_TASK_URGENT));
	}
	(void)latch_wait(&standing, 1);
	for (int i = 0; i < LOOKS; i++) {
		assert_int_equal(atomic_load(&running), 1);
		sched_yield();
	}
	latch_raise(&walk);
	assert_int_equal(latch_wait(&done, 4), 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_limit_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
