/* SPDX-License-Identifier: MIT
 *
 * The background threads, in a crew for each kind of task: one for what is urgent, one for what can wait, which leaves half of the cores to the
 * application unless that waits, one thread for what no thread waits for, and one for what need not be done. Invariant: while something
 * lies in `pending`, a thread will look at it: a thread ends, and is counted no longer, under the lock, when it finds nothing to do, or too
 * many of its crew.
 */
#include "threads/background.h"

#include "alloc.h"
#include "mutex.h"
#include "options.h"
#include "thread.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

/* Of the thread for spare tasks: beside a busy thread it has a tenth of a core. */
#define SPARE_NICE 10

static struct weft_mutex lock = WEFT_MUTEX_INITIALIZER(WEFT_RANK_BACKGROUND);
static struct weft_list pending[WEFT_TASK_KINDS] WEFT_GUARDED_BY(&lock) = {
	{&pending[0], &pending[0]},
	{&pending[1], &pending[1]},
	{&pending[2], &pending[2]},
	{&pending[3], &pending[3]},
};
static unsigned limit WEFT_GUARDED_BY(&lock); /* 0: not known */
static unsigned num_threads[WEFT_TASK_KINDS] WEFT_GUARDED_BY(&lock);
static unsigned waits WEFT_GUARDED_BY(&lock); /* of the application, for tasks */
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

/* The child has none of the threads, and the parent's tasks are not its own. */
static void forget_in_child(void) WEFT_TSA(no_thread_safety_analysis)
{
	for (int kind = 0; kind < WEFT_TASK_KINDS; kind++)
		weft_list_init(&pending[kind]);
	for (int crew = 0; crew < WEFT_TASK_KINDS; crew++)
		num_threads[crew] = 0;
	waits = 0;
}

static void register_fork(void)
{
	(void)pthread_atfork(NULL, NULL, forget_in_child);
}

static unsigned num_cores(void) WEFT_REQUIRES(&lock)
{
	int64_t wanted = weft_options()->threads;
	cpu_set_t cores;

	if (wanted > 0 && wanted < CPU_SETSIZE)
		return (unsigned)wanted;
	if (sched_getaffinity(0, sizeof(cores), &cores) != 0)
		return 1;
	unsigned count = (unsigned)CPU_COUNT(&cores);
	return limit > 0 && limit < count ? limit : count;
}

static unsigned most_threads(enum weft_task_kind crew) WEFT_REQUIRES(&lock)
{
	if (crew == WEFT_TASK_LEISURE || crew == WEFT_TASK_SPARE)
		return 1;
	return crew == WEFT_TASK_URGENT || waits > 0 ? num_cores() : (num_cores() + 1) / 2;
}

/* What became urgent after it was posted may find no thread of its crew. */
static bool does_urgent(enum weft_task_kind crew) WEFT_REQUIRES(&lock)
{
	if (crew == WEFT_TASK_URGENT || num_threads[WEFT_TASK_URGENT] > 0)
		return crew == WEFT_TASK_URGENT;
	return crew == WEFT_TASK_SOON ||
	       (crew == WEFT_TASK_LEISURE && num_threads[WEFT_TASK_SOON] == 0);
}

/* For a thread of the crew. What no thread waits for begins when nothing is left that one may wait for; the threads that look for that look
 * here next. */
static struct weft_list *pop(enum weft_task_kind crew) WEFT_REQUIRES(&lock)
{
	struct weft_list *link =
		does_urgent(crew) ? weft_list_pop(&pending[WEFT_TASK_URGENT]) : NULL;

	if (!link && crew == WEFT_TASK_SOON)
		link = weft_list_pop(&pending[WEFT_TASK_SOON]);
	if (!link && crew == WEFT_TASK_LEISURE && weft_list_empty(&pending[WEFT_TASK_SOON]))
		link = weft_list_pop(&pending[WEFT_TASK_LEISURE]);
	if (crew == WEFT_TASK_SPARE)
		link = weft_list_pop(&pending[WEFT_TASK_SPARE]);
	return link;
}

/* The next task, or NULL: then the thread is not counted any more. A thread that has nothing to do that one may wait for goes over to what
 * none waits for, if no other thread does that. */
static struct weft_task *next_task(enum weft_task_kind *crew)
{
	weft_mutex_lock(&lock);
	const bool enough = num_threads[*crew] > most_threads(*crew);
	struct weft_list *link = enough ? NULL : pop(*crew);
	if (!link) {
		num_threads[*crew]--;
		if (*crew == WEFT_TASK_SOON && !enough && num_threads[WEFT_TASK_LEISURE] == 0 &&
		    (link = pop(WEFT_TASK_LEISURE))) {
			num_threads[WEFT_TASK_LEISURE]++;
			*crew = WEFT_TASK_LEISURE;
		}
	}
	weft_mutex_unlock(&lock);
	return link ? WEFT_CONTAINER_OF(link, struct weft_task, link) : NULL;
}

/* The application may have given its threads a real-time class. There a thread that compiles for a second would keep a core from them, also
 * where nice is used, which has no effect in such a class. The call changes this thread alone, on Linux. */
static void leave_real_time(void)
{
	const int policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
	const struct sched_param none = {0};

	if (policy == SCHED_FIFO || policy == SCHED_RR)
		(void)pthread_setschedparam(pthread_self(), SCHED_OTHER, &none);
}

static void run_tasks(enum weft_task_kind crew)
{
	enum weft_task_kind before = crew;
	struct weft_task *task;

	while ((task = next_task(&crew))) {
		if (crew != before)
			leave_real_time();
		before = crew;
		task->run(task);
	}
}

static void *run_quick(void *unused)
{
	(void)unused;
	run_tasks(WEFT_TASK_URGENT);
	return NULL;
}

static void *run_easy(void *unused)
{
	(void)unused;
	run_tasks(WEFT_TASK_SOON);
	return NULL;
}

static void *run_at_leisure(void *unused)
{
	(void)unused;
	leave_real_time();
	run_tasks(WEFT_TASK_LEISURE);
	return NULL;
}

static void *run_spare(void *unused)
{
	(void)unused;
	leave_real_time();
	(void)!nice(SPARE_NICE);
	run_tasks(WEFT_TASK_SPARE);
	return NULL;
}

/* What no thread waits for takes the place of a thread for what one may wait for. */
static bool may_start(enum weft_task_kind crew) WEFT_REQUIRES(&lock)
{
	return num_threads[crew] < most_threads(crew) &&
	       (crew != WEFT_TASK_LEISURE ||
		num_threads[WEFT_TASK_SOON] < most_threads(WEFT_TASK_SOON));
}

/* Another thread, if there may be one more for that. False: there is none at all that would do it. */
static bool start_thread(enum weft_task_kind crew) WEFT_REQUIRES(&lock)
{
	static void *(*const run[WEFT_TASK_KINDS])(void *) = {run_quick, run_easy, run_at_leisure,
							      run_spare};

	if (may_start(crew) && !weft_alloc_must_fail() &&
	    weft_thread_start("weft-background", run[crew], NULL))
		num_threads[crew]++;
	return num_threads[crew] > 0 || ((crew == WEFT_TASK_URGENT || crew == WEFT_TASK_LEISURE) &&
					 num_threads[WEFT_TASK_SOON] > 0);
}

bool weft_background_post(struct weft_task *task, enum weft_task_kind kind)
{
	pthread_once(&fork_once, register_fork);
	weft_mutex_lock(&lock);
	weft_list_init(&task->link);
	bool posted = start_thread(kind);
	if (posted)
		weft_list_append(&pending[kind], &task->link);
	weft_mutex_unlock(&lock);
	return posted;
}

void weft_background_hurry(struct weft_task *task)
{
	weft_mutex_lock(&lock);
	if (task->link.next && !weft_list_empty(&task->link)) {
		weft_list_remove(&task->link);
		weft_list_append(&pending[WEFT_TASK_URGENT], &task->link);
		(void)start_thread(WEFT_TASK_URGENT); /* or one of those that there are takes it */
	}
	weft_mutex_unlock(&lock);
}

void weft_background_wait(bool begins)
{
	bool started = true;

	weft_mutex_lock(&lock);
	waits += begins ? 1 : -1u;
	while (started && !weft_list_empty(&pending[WEFT_TASK_SOON]) &&
	       num_threads[WEFT_TASK_SOON] < most_threads(WEFT_TASK_SOON)) {
		unsigned before = num_threads[WEFT_TASK_SOON];

		(void)start_thread(WEFT_TASK_SOON);
		started = num_threads[WEFT_TASK_SOON] > before;
	}
	weft_mutex_unlock(&lock);
}

void weft_background_limit(unsigned units)
{
	weft_mutex_lock(&lock);
	limit = units > limit ? units : limit;
	weft_mutex_unlock(&lock);
}
