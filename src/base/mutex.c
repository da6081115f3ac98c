/* SPDX-License-Identifier: MIT
 *
 * Mutexes and condition variables over pthreads, and the rank check of debug builds.
 * Invariant: bit r of `held` is set while this thread holds a lock of rank r.
 */
#include "mutex.h"

#include <assert.h>
#include <stdint.h>

#ifndef NDEBUG
static _Thread_local uint64_t held;

static void note_lock(const struct weft_mutex *mutex)
{
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
}

void weft_mutex_destroy(struct weft_mutex *mutex)
{
	pthread_mutex_destroy(&mutex->native);
}

void weft_mutex_lock(struct weft_mutex *mutex) WEFT_TSA(no_thread_safety_analysis)
{
	note_lock(mutex);
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
