/* SPDX-License-Identifier: MIT
 *
 * Says whether this thread is ending a command or an event, perhaps deep in a driver's thread. Such a thread must not
 * wait for that driver, nor call the application, which might: objects that go meanwhile leave that to the thread of the
 * callbacks (callbacks.h).
 */
#ifndef WEFT_RUNTIME_COMPLETION_H
#define WEFT_RUNTIME_COMPLETION_H

#include "thread_local.h"

#include <stdbool.h>

/* How often this thread has entered and not left. */
extern WEFT_THREAD_LOCAL unsigned weft_completion_depth;

/* Around what ends something. */
static inline void weft_completion_enter(void)
{
	weft_completion_depth++;
}

static inline void weft_completion_leave(void)
{
	weft_completion_depth--;
}

static inline bool weft_completion_is_under_way(void)
{
	return weft_completion_depth > 0;
}

#endif
