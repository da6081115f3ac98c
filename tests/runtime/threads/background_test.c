/* SPDX-License-Identifier: MIT
 *
 * Background threads: everything that is posted runs, what no thread waits for one at a time, and where no thread can be had the
 * caller is told and the next one may be luckier.
 */
#include "threads/background.h"

#include "alloc.h"
#include "child.h"
#include "latch.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define TASKS 200
#define THREADS 65 /* whatever this machine has */
#define TEXT_OF(number) TEXT(number)
#define TEXT(number) #number

static struct latch done = LATCH_INITIALIZER;
static _Atomic int running;
static _Atomic int most_running;

static void run(struct weft_task *task)
{
	(void)task;
	latch_raise(&done);
}

static void run_counted(struct weft_task *task)
{
	int now = atomic_fetch_add(&running, 1) + 1;

	if (now > atomic_load(&most_running))
		atomic_store(&most_running, now);
	sched_yield();
	atomic_fetch_sub(&running, 1);
	run(task);
}

static void everything_runs(void **state)
{
	static struct weft_task tasks[TASKS];

	(void)state;
	latch_reset(&done);
	for (int i = 0; i < TASKS; i++) {
		tasks[i].run = run;
		assert_true(weft_background_post(&tasks[i],
						 i % 3 ? WEFT_TASK_URGENT : WEFT_TASK_LEISURE));
	}
	assert_int_equal(latch_wait(&done, TASKS), TASKS);
}

static void leisure_is_one_at_a_time(void **state)
{
	static struct weft_task tasks[TASKS];

	(void)state;
	latch_reset(&done);
	for (int i = 0; i < TASKS; i++) {
		tasks[i].run = run_counted;
		assert_true(weft_background_post(&tasks[i], WEFT_TASK_LEISURE));
	}
	assert_int_equal(latch_wait(&done, TASKS), TASKS);
	assert_int_equal(atomic_load(&most_running), 1);
}

/* Threads of the tests before may be about to end, and may take the task. */
static void without_a_thread_nothing_is_posted(void **state)
{
	static struct weft_task refused = {.run = run};
	static struct weft_task task = {.run = run};

	(void)state;
	latch_reset(&done);
	int expected = 1;
	weft_alloc_fail_after(0);
	bool posted = weft_background_post(&refused, WEFT_TASK_LEISURE);
	weft_alloc_fail_after(-1);
	expected += posted;
	assert_true(weft_background_post(&task, WEFT_TASK_LEISURE));
	assert_int_equal(latch_wait(&done, expected), expected);
}

static struct latch standing = LATCH_INITIALIZER;
static struct latch walk = LATCH_INITIALIZER;

static void stand(struct weft_task *task)
{
	latch_raise(&standing);
	(void)latch_wait(&walk, 1);
	run(task);
}

/* Threads of the tests before may be about to end, and need not. */
static void there_are_as_many_threads_as_cores(void **state)
{
	static struct weft_task tasks[70];

	(void)state;
	for (int kind = WEFT_TASK_URGENT; kind <= WEFT_TASK_SOON; kind++) {
		latch_reset(&done);
		latch_reset(&standing);
		latch_reset(&walk);
		for (int i = 0; i < 70; i++) {
			tasks[i].run = stand;
			assert_true(weft_background_post(&tasks[i], (enum weft_task_kind)kind));
		}
		int most = kind == WEFT_TASK_URGENT ? THREADS : (THREADS + 1) / 2;
		assert_int_equal(latch_wait(&standing, most), most);
		latch_raise(&walk);
		assert_int_equal(latch_wait(&done, 70), 70);
	}
}

/* While a thread waits, all cores are used, also for what was posted before; afterwards, as many threads as are too many
 * end. */
static void waits_need_all_cores(void **state)
{
	static struct weft_task tasks[200];

	(void)state;
	for (int round = 0; round < 2; round++) {
		latch_reset(&done);
		latch_reset(&standing);
		latch_reset(&walk);
		for (int i = 0; i < 200; i++) {
			tasks[i].run = stand;
			assert_true(weft_background_post(&tasks[i], WEFT_TASK_SOON));
		}
		assert_int_equal(latch_wait(&standing, (THREADS + 1) / 2), (THREADS + 1) / 2);
		weft_background_wait(true);
		assert_int_equal(latch_wait(&standing, THREADS), THREADS);
		weft_background_wait(false);
		latch_raise(&walk);
		assert_int_equal(latch_wait(&done, 200), 200);
	}
}

/* ThreadSanitizer supports no threads in the child of a process with threads. */
#if defined(__SANITIZE_THREAD__)
#define CAN_FORK 0
#else
#define CAN_FORK 1
#endif

static struct latch entered = LATCH_INITIALIZER;
static struct latch leave = LATCH_INITIALIZER;

static void stay(struct weft_task *task)
{
	latch_raise(&entered);
	(void)latch_wait(&leave, 1);
	run(task);
}

/* In a child no thread of the parent's is counted, and what no thread was started for is refused. */
static int in_child(void)
{
	static struct weft_task tasks[2] = {{.run = run}, {.run = run}};

	latch_reset(&done);
	weft_alloc_fail_after(0);
	if (weft_background_post(&tasks[0], WEFT_TASK_LEISURE))
		return 1;
	weft_alloc_fail_after(-1);
	for (int i = 0; i < 2; i++) {
		if (!weft_background_post(&tasks[i], i ? WEFT_TASK_URGENT : WEFT_TASK_LEISURE))
			return 2;
	}
	return latch_wait(&done, 2) == 2 ? 7 : 3;
}

static void children_have_threads_of_their_own(void **state)
{
	static struct weft_task task = {.run = stay};
	int status = -1;

	(void)state;
	if (!CAN_FORK)
		skip();
	latch_reset(&done);
	assert_true(weft_background_post(&task, WEFT_TASK_LEISURE));
	(void)latch_wait(&entered, 1);
	pid_t child = fork_limited();
	if (child == 0)
		_exit(in_child());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
	latch_raise(&leave);
	assert_int_equal(latch_wait(&done, 1), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_runs),
		cmocka_unit_test(leisure_is_one_at_a_time),
		cmocka_unit_test(without_a_thread_nothing_is_posted),
		cmocka_unit_test(there_are_as_many_threads_as_cores),
		cmocka_unit_test(waits_need_all_cores),
		cmocka_unit_test(children_have_threads_of_their_own),
	};
	setenv("WEFT_THREADS", TEXT_OF(THREADS), 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
