/* SPDX-License-Identifier: MIT
 *
 * Threads that the library starts. They do not run signal handlers of the application; signals of faults are not
 * blocked.
 */
#ifndef WEFT_BASE_THREAD_H
#define WEFT_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Starts a detached thread; `name` has at most 15 characters. False: the system has no thread left. */
bool weft_thread_start(const char *name, void *(*run)(void *data), void *data);
/* Starts a thread with a stack of `stack_bytes`, which the caller joins. False: the system has no thread left. */
bool weft_thread_start_joinable(const char *name, void *(*run)(void *data), void *data,
				size_t stack_bytes, pthread_t *thread);

/* Between two looks of a thread that spins. */
static inline void weft_pause(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#endif
}

#endif
