/* SPDX-License-Identifier: MIT
 *
 * The background threads. Invariant: while something lies in `pending`, a thread will look at it: a thread ends, and is
 * counted no longer, under the lock, when it finds nothing to do.
 */
#include "background.h"

#include "alloc.h"
#include "mutex.h"
#include "options.h"
#include "thread.h"

#include <pthread.h>
#include <sched.h>

static struct weft_mutex lock = WEFT_MUTEX_INITIALIZER(WEFT_RANK_BACKGROUND);
static struct weft_list pending[WEFT_TASK_KINDS] WEFT_GUARDED_BY(&lock) = {
	{&pending[0], &pending[0]},
	{&pending[1], &pending[1]},
};
static unsigned num_threads WEFT_GUARDED_BY(&lock);
static bool at_leisure WEFT_GUARDED_BY(&lock); /* a task of that kind runs */
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

/* The child has none of the threads, and the parent's tasks are not its own. */
static void forget_in_child(void) WEFT_TSA(no_thread_safety_analysis)
{
	for (int kind = 0; kind < WEFT_TASK_KINDS; kind++)
		weft_list_init(&pending[kind]);
	num_threads = 0;
	at_leisure = false;
}

static void register_fork(void)
{
	(void)pthread_atfork(NULL, NULL, forget_in_child);
}

static unsigned most_threads(void)
{
	int64_t wanted = weft_options()->threads;
	cpu_set_t cores;

	if (wanted > 0 && wanted < CPU_SETSIZE)
		return (unsigned)wanted;
	if (sched_getaffinity(0, sizeof(cores), &cores) != 0)
		return 1;
	return (unsigned)CPU_COUNT(&cores);
}

/* The next task, or NULL: then the thread is not counted any more. `kind` is that of the one before, which is over. */
static struct weft_task *next_task(enum weft_task_kind *kind)
{
	struct weft_list *link;

	weft_mutex_lock(&lock);
	if (*kind == WEFT_TASK_LEISURE)
		at_leisure = false;
	*kind = WEFT_TASK_URGENT;
	link = weft_list_pop(&pending[WEFT_TASK_URGENT]);
	if (!link && !at_leisure) {
		link = weft_list_pop(&pending[WEFT_TASK_LEISURE]);
		at_leisure = link != NULL;
		*kind = WEFT_TASK_LEISURE;
	}
	if (!link)
		num_threads--;
	weft_mutex_unlock(&lock);
	return link ? WEFT_CONTAINER_OF(link, struct weft_task, link) : NULL;
}

static void *run_tasks(void *unused)
{
	enum weft_task_kind kind = WEFT_TASK_URGENT;
	struct weft_task *task;

	(void)unused;
	while ((task = next_task(&kind)))
		task->run(task);
	return NULL;
}

/* Another thread, if there is work for it. False: there is none at all. */
static bool start_thread(enum weft_task_kind kind) WEFT_REQUIRES(&lock)
{
	bool useful = kind == WEFT_TASK_URGENT || !at_leisure;

	if (useful && num_threads < most_threads() && !weft_alloc_must_fail() &&
	    weft_thread_start("weft-background", run_tasks, NULL))
		num_threads++;
	return num_threads > 0;
}

bool weft_background_post(struct weft_task *task, enum weft_task_kind kind)
{
	pthread_once(&fork_once, register_fork);
	weft_mutex_lock(&lock);
	bool posted = start_thread(kind);
	if (posted)
		weft_list_append(&pending[kind], &task->link);
	weft_mutex_unlock(&lock);
	return posted;
}
