/* SPDX-License-Identifier: MIT
 *
 * Threads that run groups which may be given up. Invariant: a run is in the list before it looks at `stop`, and the interrupting thread
 * sets `stop` before it looks at the list: one of the two sees the other.
 */
#include "kernel/interrupt.h"

#include "fork_generation.h"
#include "log.h"
#include "mutex.h"
#include "thread_local.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <time.h>
#include <ucontext.h>

/* One call of weft_run_interruptible. */
struct run {
	struct weft_list link;
	struct run *outer; /* of the same thread; or NULL */
	pthread_t thread;
	int signal_number; /* not blocked in the thread; negative: there was none */
	const _Atomic bool *stop;
	uintptr_t begin, end; /* of the kernel's code */
	jmp_buf resume;       /* set before any code of the kernel runs */
};

static struct weft_mutex lock = WEFT_MUTEX_INITIALIZER(WEFT_RANK_INTERRUPT);
static struct weft_list runs WEFT_GUARDED_BY(&lock) = {&runs, &runs};
/* Of the process that the list belongs to. */
static uint32_t generation WEFT_GUARDED_BY(&lock);
static int signal_number WEFT_GUARDED_BY(&lock); /* 0: none yet */

/* The innermost run of this thread. */
static WEFT_THREAD_LOCAL struct run *current;

static bool is_set(const _Atomic bool *stop)
{
	return atomic_load_explicit((_Atomic bool *)(uintptr_t)stop, memory_order_seq_cst);
}

/* ---- the signal ------------------------------------------------------------------------------ */

static uintptr_t program_counter(const ucontext_t *context)
{
#if defined(__x86_64__)
	return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	return (uintptr_t)context->uc_mcontext.pc;
#else
	(void)context;
	return 0;
#endif
}

/* No signal is blocked while it runs (SA_NODEFER), so none has to be unblocked after the jump. */
static void handle(int number, siginfo_t *info, void *context)
{
	struct run *run = current;

	(void)number;
	(void)info;
	if (!run || !is_set(run->stop))
		return;
	const uintptr_t at = program_counter(context);
	if (at >= run->begin && at < run->end)
		_longjmp(run->resume, 1);
}

/* The application may have taken the signal since it was found. */
static bool is_ours(int number)
{
	struct sigaction action;

	return number > 0 && sigaction(number, NULL, &action) == 0 &&
	       (action.sa_flags & SA_SIGINFO) && action.sa_sigaction == handle;
}

/* The last real-time signal that the application does nothing with. */
static int find_signal(void)
{
	for (int number = SIGRTMAX; number >= SIGRTMIN; number--) {
		struct sigaction action = {0};

		if (sigaction(number, NULL, &action) != 0 || action.sa_handler != SIG_DFL)
			continue;
		action.sa_sigaction = handle;
		action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
		sigemptyset(&action.sa_mask);
		if (sigaction(number, &action, NULL) == 0)
			return number;
	}
	weft_log(WEFT_LOG_WARN, "device", "no signal is free: work-groups run to their end");
	return -1;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* In the child of a fork: the runs were those of other threads of its parent. */
static void forget_parent(void) WEFT_REQUIRES(&lock)
{
	if (generation == weft_fork_generation())
		return;
	generation = weft_fork_generation();
	weft_list_init(&runs);
}

/* The code of one shared object, all of which is made from kernels. */
static void find_code(struct run *run, const void *code)
{
	struct dl_find_object object;

	if (_dl_find_object((void *)(uintptr_t)code, &object) != 0)
		return;
	run->begin = (uintptr_t)object.dlfo_map_start;
	run->end = (uintptr_t)object.dlfo_map_end;
}

/* The thread's mask may block all signals; this one is nothing to the application. */
static void enter(struct run *run)
{
	sigset_t set;

	run->thread = pthread_self();
	run->outer = current;
	weft_mutex_lock(&lock);
	forget_parent();
	if (signal_number >= 0 && !is_ours(signal_number))
		signal_number = find_signal();
	const int number = run->signal_number = signal_number;
	weft_list_append(&runs, &run->link);
	weft_mutex_unlock(&lock);
	if (number > 0) {
		sigemptyset(&set);
		sigaddset(&set, number);
		(void)pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	}
	current = run;
}

static void leave(struct run *run)
{
	current = run->outer;
	weft_mutex_lock(&lock);
	weft_list_remove(&run->link);
	weft_mutex_unlock(&lock);
}

void weft_run_interruptible(const _Atomic bool *stop, const void *code, void (*call)(void *data),
			    void *data)
{
	struct run run = {.stop = stop};

	find_code(&run, code);
	enter(&run);
	if (!is_set(stop) && _setjmp(run.resume) == 0)
		call(data);
	leave(&run);
}

void weft_leave_if_stopped(const _Atomic bool *stop)
{
	if (stop && current && current->stop == stop && is_set(stop))
		_longjmp(current->resume, 1);
}

/* ---- interrupting ---------------------------------------------------------------------------- */

/* Signals the threads that run something. False: there is none that can be signalled: a signal that the application has taken is not
 * sent, since it would run its handler or end the process. */
static bool signal_all(const _Atomic bool *stop)
{
	bool any = false;

	weft_mutex_lock(&lock);
	forget_parent();
	for (struct weft_list *link = runs.next; link != &runs; link = link->next) {
		const struct run *run = WEFT_CONTAINER_OF(link, struct run, link);

		if (run->stop != stop || pthread_equal(run->thread, pthread_self()))
			continue;
		any |= is_ours(run->signal_number) &&
		       pthread_kill(run->thread, run->signal_number) == 0;
	}
	weft_mutex_unlock(&lock);
	return any;
}

#define PAUSE_NS 20000 /* between signals */

void weft_interrupt(struct weft_device *device, const _Atomic bool *stop)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};

	(void)device;
	while (signal_all(stop))
		nanosleep(&pause, NULL);
}
