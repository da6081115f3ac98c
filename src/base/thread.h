/* SPDX-License-Identifier: MIT
 *
 * Threads of the library's own that nobody waits for. The application's signal handlers are not run in them; faults
 * stay what they are.
 */
#ifndef WEFT_BASE_THREAD_H
#define WEFT_BASE_THREAD_H

#include <stdbool.h>

/* Starts a detached thread; `name` has at most 15 characters. False: the system has no thread left. */
bool weft_thread_start(const char *name, void *(*run)(void *data), void *data);

#endif
