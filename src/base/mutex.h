/* SPDX-License-Identifier: MIT
 *
 * The only lock of the library. Locks have ranks; a thread takes them in rising order, which debug builds check at run
 * time and clang checks by -Wthread-safety. No lock is held across a host callback, a callback of the application or a
 * driver call, except for three driver calls that docs/runtime.md names.
 *
 * In the child of a fork every lock is free: only the forking thread is there. So the data that a lock guards must be
 * usable at any moment by a process in which no thread goes on changing it.
 */
#ifndef WEFT_BASE_MUTEX_H
#define WEFT_BASE_MUTEX_H

#include <pthread.h>
#include <stdint.h>

#if defined(__clang__)
#define WEFT_TSA(x) __attribute__((x))
#else
#define WEFT_TSA(x)
#endif
#define WEFT_CAPABILITY(name) WEFT_TSA(capability(name))
#define WEFT_GUARDED_BY(lock) WEFT_TSA(guarded_by(lock))
#define WEFT_REQUIRES(lock) WEFT_TSA(requires_capability(lock))
#define WEFT_ACQUIRE(lock) WEFT_TSA(acquire_capability(lock))
#define WEFT_RELEASE(lock) WEFT_TSA(release_capability(lock))

/* In the order in which a thread may take them. */
enum weft_lock_rank {
	WEFT_RANK_SCHEDULE = 1,
	WEFT_RANK_PLATFORM,
	WEFT_RANK_CONTEXT,
	WEFT_RANK_COMMAND_BUFFER,
	WEFT_RANK_PROGRAM,
	WEFT_RANK_KERNEL,
	WEFT_RANK_DEFERRED_CODEGEN,
	WEFT_RANK_SPECIALISATIONS,
	WEFT_RANK_WIDTH_TRIAL,
	WEFT_RANK_CACHE,
	WEFT_RANK_COMPILER,
	WEFT_RANK_MEM,
	WEFT_RANK_ADDRESS_MAP,
	WEFT_RANK_QUEUE,
	WEFT_RANK_EVENT,
	WEFT_RANK_SEMAPHORE,
	WEFT_RANK_FD_WATCH,
	WEFT_RANK_EXEC,
	WEFT_RANK_CALLBACKS,
	WEFT_RANK_BACKGROUND,
	WEFT_RANK_DEVICE,
	WEFT_RANK_WORKER,
	WEFT_RANK_INTERRUPT,
	WEFT_RANK_DEVICE_MEMORY,
	WEFT_RANK_POOL,
	WEFT_RANK_SLAB,
	WEFT_RANK_TRACE,
	WEFT_RANK_LOG,
};

struct WEFT_CAPABILITY("mutex") weft_mutex {
	pthread_mutex_t native;
	enum weft_lock_rank rank;
	_Atomic uint32_t generation; /* of the process for which `native` is made, or being made */
};

#define WEFT_MUTEX_INITIALIZER(rank_) {PTHREAD_MUTEX_INITIALIZER, (rank_), 0}

struct weft_condition {
	pthread_cond_t native;
};

#define WEFT_CONDITION_INITIALIZER {PTHREAD_COND_INITIALIZER}

void weft_mutex_init(struct weft_mutex *mutex, enum weft_lock_rank rank);
void weft_mutex_destroy(struct weft_mutex *mutex);
void weft_mutex_lock(struct weft_mutex *mutex) WEFT_ACQUIRE(mutex);
void weft_mutex_unlock(struct weft_mutex *mutex) WEFT_RELEASE(mutex);

void weft_condition_init(struct weft_condition *condition);
void weft_condition_destroy(struct weft_condition *condition);
/* May return without a signal: the caller checks again what it waits for. */
void weft_condition_wait(struct weft_condition *condition, struct weft_mutex *mutex)
	WEFT_REQUIRES(mutex);
void weft_condition_signal(struct weft_condition *condition);
void weft_condition_broadcast(struct weft_condition *condition);

#endif
