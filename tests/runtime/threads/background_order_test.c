/* SPDX-License-Identifier: MIT
 *
 * The order in which tasks are taken on one core: what is urgent, what may be soon, what no thread waits for; and what
 * becomes urgent while it lies there.
 */
#include "threads/background.h"

#include "latch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define MANY 8

static struct latch entered = LATCH_INITIALIZER;
static struct latch leave = LATCH_INITIALIZER;
static struct latch done = LATCH_INITIALIZER;
static const struct weft_task *order[MANY];
static _Atomic int count;

static void run(struct weft_task *task)
{
	order[atomic_fetch_add(&count, 1)] = task;
	latch_raise(&done);
}

static void block(struct weft_task *task)
{
	latch_raise(&entered);
	(void)latch_wait(&leave, 1);
	run(task);
}

/* A thread works on something that no other waits for: what becomes urgent does not wait for it. */
static void need_makes_the_order(void **state)
{
	static struct weft_task blocker = {.run = block};
	static struct weft_task tasks[4];
	static const enum weft_task_kind kinds[4] = {WEFT_TASK_LEISURE, WEFT_TASK_SOON,
						     WEFT_TASK_SOON, WEFT_TASK_SOON};
	static const int expected[4] = {2, 1, 3, 0};

	(void)state;
	weft_background_hurry(&tasks[0]); /* is posted later */
	assert_true(weft_background_post(&blocker, WEFT_TASK_SOON));
	(void)latch_wait(&entered, 1);
	for (int i = 0; i < 4; i++) {
		tasks[i].run = run;
		assert_true(weft_background_post(&tasks[i], kinds[i]));
	}
	weft_background_hurry(&blocker); /* runs already */
	weft_background_hurry(&tasks[2]);
	assert_int_equal(latch_wait(&done, 1), 1);
	latch_raise(&leave);
	assert_int_equal(latch_wait(&done, 5), 5);
	assert_ptr_equal(order[0], &tasks[expected[0]]);
	assert_ptr_equal(order[1], &blocker);
	for (int i = 1; i < 4; i++)
		assert_ptr_equal(order[i + 1], &tasks[expected[i]]);
	weft_background_hurry(&tasks[1]); /* is over */
}

/* Among what is urgent, the first comes first, and no second thread helps. */
static void urgent_tasks_keep_their_order(void **state)
{
	static struct weft_task blocker = {.run = block};
	static struct weft_task tasks[4];

	(void)state;
	latch_reset(&entered);
	latch_reset(&leave);
	latch_reset(&done);
	atomic_store(&count, 0);
	assert_true(weft_background_post(&blocker, WEFT_TASK_URGENT));
	(void)latch_wait(&entered, 1);
	for (int i = 0; i < 4; i++) {
		tasks[i].run = run;
		assert_true(weft_background_post(&tasks[i], WEFT_TASK_URGENT));
	}
	latch_raise(&leave);
	assert_int_equal(latch_wait(&done, 5), 5);
	assert_ptr_equal(order[0], &blocker);
	for (int i = 0; i < 4; i++)
		assert_ptr_equal(order[i + 1], &tasks[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(need_makes_the_order),
		cmocka_unit_test(urgent_tasks_keep_their_order),
	};

	setenv("WEFT_THREADS", "1", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
