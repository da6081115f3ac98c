/* SPDX-License-Identifier: MIT
 *
 * Scheduling classes of background threads, on one core, where the application's threads are in a real-time class, if this process may have
 * one: what no thread waits for leaves it, and what need not be done has little priority, too.
 */
#include "threads/background.h"

#include "latch.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <cmocka.h>

static struct latch done = LATCH_INITIALIZER;
static int noted_policy;
static int noted_nice;

static void note_priority(struct weft_task *task)
{
	(void)task;
	noted_policy = sched_getscheduler(0);
	noted_nice = getpriority(PRIO_PROCESS, 0);
	latch_raise(&done);
}

/* By a thread in a real-time class, if this process may have one. True: it has. */
static bool post_in_real_time(struct weft_task *task, enum weft_task_kind kind)
{
	const struct sched_param least = {.sched_priority = sched_get_priority_min(SCHED_RR)};
	const struct sched_param none = {0};

	const bool may = pthread_setschedparam(pthread_self(), SCHED_RR, &least) == 0;
	const bool posted = weft_background_post(task, kind);
	(void)pthread_setschedparam(pthread_self(), SCHED_OTHER, &none);
	assert_true(posted);
	return may;
}

static void spare_tasks_have_little_priority(void **state)
{
	static struct weft_task task = {.run = note_priority};
	const int usual = getpriority(PRIO_PROCESS, 0);

	(void)state;
	latch_reset(&done);
	(void)post_in_real_time(&task, WEFT_TASK_SPARE);
	assert_int_equal(latch_wait(&done, 1), 1);
	assert_int_equal(noted_policy, SCHED_OTHER);
	assert_true(noted_nice > usual || noted_nice == 19);
}

static struct latch begun = LATCH_INITIALIZER;
static struct latch proceed = LATCH_INITIALIZER;
static int policy_before;

static void note_before(struct weft_task *task)
{
	(void)task;
	policy_before = sched_getscheduler(0);
	latch_raise(&begun);
	(void)latch_wait(&proceed, 1);
	latch_raise(&done);
}

/* Whether a thread of its own or one that has run something else does them. What a thread may wait for has the application's class. */
static void tasks_at_leisure_have_no_real_time(void **state)
{
	static struct weft_task tasks[2] = {{.run = note_before}, {.run = note_priority}};
	const int usual = getpriority(PRIO_PROCESS, 0);

	(void)state;
	for (int before = 0; before < 2; before++) {
		latch_reset(&done);
		latch_reset(&begun);
		latch_reset(&proceed);
		if (before) {
			const bool may = post_in_real_time(&tasks[0], WEFT_TASK_SOON);

			(void)latch_wait(&begun, 1);
			assert_int_equal(policy_before, may ? SCHED_RR : SCHED_OTHER);
		}
		(void)post_in_real_time(&tasks[1], WEFT_TASK_LEISURE);
		latch_raise(&proceed);
		assert_int_equal(latch_wait(&done, 1 + before), 1 + before);
		assert_int_equal(noted_policy, SCHED_OTHER);
		assert_int_equal(noted_nice, usual);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spare_tasks_have_little_priority),
		cmocka_unit_test(tasks_at_leisure_have_no_real_time),
	};

	setenv("WEFT_THREADS", "1", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
