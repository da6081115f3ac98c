/* SPDX-License-Identifier: MIT
 *
 * Threads of the library's own. The application's signal handlers are not run in them; faults stay what they are.
 */
#ifndef WEFT_BASE_THREAD_H
#define WEFT_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Starts a detached thread; `name` has at most 15 characters. False: the system has no thread left. */
bool weft_thread_start(const char *name, void *(*run)(void *data), void *data);
/* The same with a stack of so many bytes, for who joins it. */
bool weft_thread_start_joinable(const char *name, void *(*run)(void *data), void *data,
				size_t stack_bytes, pthread_t *thread);

#endif
