/* SPDX-License-Identifier: MIT
 *
 * Mutexes and condition variables over pthreads, and the rank check of debug builds. Invariants: bit r of `held` is set
 * while this thread holds a lock of rank r; the native mutex of a lock was made in this process, or in a process before
 * it, and then no thread holds it.
 */
#include "mutex.h"

#include "fork_generation.h"

#include <assert.h>
#include <sched.h>

#ifndef NDEBUG
static _Thread_local uint64_t held;
static _Thread_local uint32_t held_in; /* the process, by weft_fork_generation() */

/* In the child, the thread that forked holds no lock. */
static void note_lock(const struct weft_mutex *mutex)
{
	if (held_in != weft_fork_generation())
		held = 0;
	held_in = weft_fork_generation();
	assert((held >> mutex->rank) == 0 && "locks taken out of order");
	held |= UINT64_C(1) << mutex->rank;
}

static void note_unlock(const struct weft_mutex *mutex)
{
	held &= ~(UINT64_C(1) << mutex->rank);
}
#else
static void note_lock(const struct weft_mutex *mutex)
{
	(void)mutex;
}

static void note_unlock(const struct weft_mutex *mutex)
{
	(void)mutex;
}
#endif

void weft_mutex_init(struct weft_mutex *mutex, enum weft_lock_rank rank)
{
	pthread_mutex_init(&mutex->native, NULL);
	mutex->rank = rank;
	atomic_init(&mutex->generation, weft_fork_generation());
}

/* Set in a lock's generation while a thread of that process makes the native mutex. */
#define RENEWING (UINT32_C(1) << 31)

/* The first of the child's threads that comes here makes the native mutex, the others wait for it. */
static void renew(struct weft_mutex *mutex)
{
	const uint32_t now = weft_fork_generation();
	uint32_t then = atomic_load_explicit(&mutex->generation, memory_order_acquire);

	while (then != now) {
		if (then == (now | RENEWING)) {
			sched_yield();
			then = atomic_load_explicit(&mutex->generation, memory_order_acquire);
		} else if (atomic_compare_exchange_weak_explicit(
				   &mutex->generation, &then, now | RENEWING, memory_order_acquire,
				   memory_order_acquire)) {
			pthread_mutex_init(&mutex->native, NULL);
			atomic_store_explicit(&mutex->generation, now, memory_order_release);
			return;
		}
	}
}

void weft_mutex_destroy(struct weft_mutex *mutex)
{
	pthread_mutex_destroy(&mutex->native);
}

void weft_mutex_lock(struct weft_mutex *mutex) WEFT_TSA(no_thread_safety_analysis)
{
	note_lock(mutex);
	if (atomic_load_explicit(&mutex->generation, memory_order_acquire) !=
	    weft_fork_generation())
		renew(mutex);
	pthread_mutex_lock(&mutex->native);
}

void weft_mutex_unlock(struct weft_mutex *mutex) WEFT_TSA(no_thread_safety_analysis)
{
	pthread_mutex_unlock(&mutex->native);
	note_unlock(mutex);
}

void weft_condition_init(struct weft_condition *condition)
{
	pthread_cond_init(&condition->native, NULL);
}

void weft_condition_destroy(struct weft_condition *condition)
{
	pthread_cond_destroy(&condition->native);
}

void weft_condition_wait(struct weft_condition *condition, struct weft_mutex *mutex)
{
	pthread_cond_wait(&condition->native, &mutex->native);
}

void weft_condition_signal(struct weft_condition *condition)
{
	pthread_cond_signal(&condition->native);
}

void weft_condition_broadcast(struct weft_condition *condition)
{
	pthread_cond_broadcast(&condition->native);
}
