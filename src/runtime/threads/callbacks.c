/* SPDX-License-Identifier: MIT
 *
 * The callbacks thread. Invariant: `pending` holds what has been posted and not yet begun, oldest
 * first; `running` says that a thread will look at it.
 */
#include "threads/callbacks.h"

#include "mutex.h"
#include "thread.h"

#include <pthread.h>
#include <stdbool.h>

static struct weft_mutex lock = WEFT_MUTEX_INITIALIZER(WEFT_RANK_CALLBACKS);
static struct weft_condition posted = WEFT_CONDITION_INITIALIZER;
static struct weft_list pending WEFT_GUARDED_BY(&lock) = {&pending, &pending};
static bool running WEFT_GUARDED_BY(&lock);
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

/* The child has no callbacks thread, and the parent's callbacks are not its own. */
static void forget_in_child(void) WEFT_TSA(no_thread_safety_analysis)
{
	weft_condition_init(&posted);
	weft_list_init(&pending);
	running = false;
}

static void register_fork(void)
{
	pthread_atfork(NULL, NULL, forget_in_child);
}

static struct weft_callback *next_callback(void)
{
	weft_mutex_lock(&lock);
	while (weft_list_empty(&pending))
		weft_condition_wait(&posted, &lock);
	struct weft_list *node = weft_list_pop(&pending);
	weft_mutex_unlock(&lock);
	return WEFT_CONTAINER_OF(node, struct weft_callback, link);
}

static void *run_callbacks(void *unused)
{
	(void)unused;
	for (;;) {
		struct weft_callback *callback = next_callback();

		callback->run(callback);
	}
	return NULL;
}

void weft_callbacks_post(struct weft_callback *callback)
{
	pthread_once(&fork_once, register_fork);
	weft_mutex_lock(&lock);
	if (!running)
		running = weft_thread_start("weft-callbacks", run_callbacks, NULL);
	bool handed_over = running;
	if (handed_over)
		weft_list_append(&pending, &callback->link);
	weft_mutex_unlock(&lock);
	if (handed_over)
		weft_condition_signal(&posted);
	else
		callback->run(callback);
}
