/* SPDX-License-Identifier: MIT
 *
 * Mutexes, their ranks, conditions and futexes.
 */
#include "common.h"

#include "child.h"
#include "futex.h"
#include "mutex.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 4
#define ROUNDS 20000

static struct weft_mutex counter_lock = WEFT_MUTEX_INITIALIZER(WEFT_RANK_QUEUE);
static long counter WEFT_GUARDED_BY(&counter_lock);

static void *count(void *argument)
{
	(void)argument;
	for (int i = 0; i < ROUNDS; i++) {
		weft_mutex_lock(&counter_lock);
		counter++;
		weft_mutex_unlock(&counter_lock);
	}
	return NULL;
}

static void exclusion(void **state)
{
	pthread_t threads[THREADS];

	(void)state;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, count, NULL), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	weft_mutex_lock(&counter_lock);
	long total = counter;
	weft_mutex_unlock(&counter_lock);
	assert_int_equal(total, THREADS * ROUNDS);
}

/* ---- ranks ----------------------------------------------------------------------------------- */

static struct weft_mutex low = WEFT_MUTEX_INITIALIZER(WEFT_RANK_CONTEXT);
static struct weft_mutex high = WEFT_MUTEX_INITIALIZER(WEFT_RANK_EVENT);
static struct weft_mutex peer = WEFT_MUTEX_INITIALIZER(WEFT_RANK_EVENT);

static void rising(void) WEFT_TSA(no_thread_safety_analysis)
{
	weft_mutex_lock(&low);
	weft_mutex_lock(&high);
	weft_mutex_unlock(&low); /* in any order */
	weft_mutex_unlock(&high);
	weft_mutex_lock(&low);
	weft_mutex_unlock(&low);
}

static void falling(void) WEFT_TSA(no_thread_safety_analysis)
{
	weft_mutex_lock(&high);
	weft_mutex_lock(&low);
}

static void equal(void) WEFT_TSA(no_thread_safety_analysis)
{
	weft_mutex_lock(&high);
	weft_mutex_lock(&peer);
}

/* The signal that ends a child which runs `body`, or 0. */
static int signal_of(void (*body)(void))
{
	int status = 0;
	pid_t child = fork_limited();

	if (child == 0) {
		const struct rlimit none = {0, 0};
		setrlimit(RLIMIT_CORE, &none);
		signal(SIGABRT, SIG_DFL);
		if (!freopen("/dev/null", "w", stderr))
			_exit(1);
		body();
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void ranks(void **state)
{
	(void)state;
	assert_int_equal(signal_of(rising), 0);
#ifndef NDEBUG
	assert_int_equal(signal_of(falling), SIGABRT);
	assert_int_equal(signal_of(equal), SIGABRT);
#else
	assert_int_equal(signal_of(falling), 0); /* not checked, and no deadlock by itself */
	assert_int_equal(signal_of(equal), 0);
#endif
}

/* ---- forks ----------------------------------------------------------------------------------- */

/* ThreadSanitizer supports no threads in the child of a process with threads. */
#if defined(__SANITIZE_THREAD__)
#define CAN_FORK 0
#else
#define CAN_FORK 1
#endif

static struct weft_mutex kept = WEFT_MUTEX_INITIALIZER(WEFT_RANK_QUEUE);
static int kept_pipe[2];

/* Holds the lock while the other thread forks. */
static void *keep(void *argument)
{
	char byte = 0;

	(void)argument;
	weft_mutex_lock(&kept);
	assert_int_equal(write(kept_pipe[1], &byte, 1), 1);
	for (;;)
		pause();
	return NULL;
}

static void *count_kept(void *argument)
{
	for (int i = 0; i < ROUNDS; i++) {
		weft_mutex_lock(&kept);
		++*(long *)argument;
		weft_mutex_unlock(&kept);
	}
	return NULL;
}

/* Several of the child's threads come at once to the lock that it has to make anew. */
static bool count_in_threads(void)
{
	pthread_t threads[THREADS];
	long total = 0;

	for (int i = 0; i < THREADS; i++) {
		if (pthread_create(&threads[i], NULL, count_kept, &total) != 0)
			return false;
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return total == THREADS * ROUNDS;
}

/* How a child that counts ends: 7, if all went well. */
static int count_in_child(bool again)
{
	int status = -1;
	pid_t child = fork_limited();

	if (child == 0) {
		bool counted = count_in_threads();
		weft_mutex_lock(&kept);
		_exit(counted && (!again || count_in_child(false) == 7) ? 7 : 1);
	}
	return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void children_find_locks_free(void **state)
{
	pthread_t keeper;
	char byte;

	(void)state;
	if (!CAN_FORK)
		skip();
	assert_int_equal(pipe(kept_pipe), 0);
	assert_int_equal(pthread_create(&keeper, NULL, keep, NULL), 0);
	assert_int_equal(read(kept_pipe[0], &byte, 1), 1);
	assert_int_equal(count_in_child(true), 7);
}

/* ---- conditions and futexes ------------------------------------------------------------------ */

static struct weft_mutex turn_lock = WEFT_MUTEX_INITIALIZER(WEFT_RANK_WORKER);
static struct weft_condition turn_changed = WEFT_CONDITION_INITIALIZER;
static int turn WEFT_GUARDED_BY(&turn_lock);

static void *take_turns(void *argument)
{
	int mine = *(int *)argument;

	for (int i = 0; i < 500; i++) {
		weft_mutex_lock(&turn_lock);
		while (turn % THREADS != mine)
			weft_condition_wait(&turn_changed, &turn_lock);
		turn++;
		weft_condition_broadcast(&turn_changed);
		weft_mutex_unlock(&turn_lock);
	}
	return NULL;
}

static void conditions(void **state)
{
	pthread_t threads[THREADS];
	int numbers[THREADS];

	(void)state;
	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		assert_int_equal(pthread_create(&threads[i], NULL, take_turns, &numbers[i]), 0);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	weft_mutex_lock(&turn_lock);
	int turns = turn;
	weft_mutex_unlock(&turn_lock);
	assert_int_equal(turns, THREADS * 500);
}

static _Atomic int32_t ball;

static void *play(void *argument)
{
	int32_t mine = *(int32_t *)argument;

	for (int i = 0; i < 5000; i++) {
		int32_t seen;
		while ((seen = atomic_load(&ball)) % 2 != mine)
			weft_futex_wait(&ball, seen);
		atomic_store(&ball, seen + 1);
		if (i % 2)
			weft_futex_wake_one(&ball);
		else
			weft_futex_wake_all(&ball);
	}
	return NULL;
}

static void futexes(void **state)
{
	pthread_t threads[2];
	int32_t numbers[2] = {0, 1};

	(void)state;
	weft_futex_wait(&ball, 1); /* it is not 1: returns at once */
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, play, &numbers[i]), 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(atomic_load(&ball), 10000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exclusion),
		cmocka_unit_test(ranks),
		cmocka_unit_test(children_find_locks_free),
		cmocka_unit_test(conditions),
		cmocka_unit_test(futexes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
