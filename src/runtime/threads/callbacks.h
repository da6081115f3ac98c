/* SPDX-License-Identifier: MIT
 *
 * One thread that runs the application's asynchronous callbacks (events, builds), in the order in which
 * they fell due. A callback may enqueue, wait and release: no worker is held up by it. The thread is
 * started by the first callback and restarts in a forked child.
 */
#ifndef WEFT_RUNTIME_CALLBACKS_H
#define WEFT_RUNTIME_CALLBACKS_H

#include "list.h"
#include "status.h"

struct weft_callback {
	struct weft_list link;
	/* Calls the application, then frees what belongs to the callback, itself included. */
	void (*run)(struct weft_callback *callback);
};

/* Owned by the callee from now on. When no thread can be started, runs it in the calling thread. */
void weft_callbacks_post(struct weft_callback *callback);

#endif
