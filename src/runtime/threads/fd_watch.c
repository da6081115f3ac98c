/* SPDX-License-Identifier: MIT
 *
 * The thread that waits for file descriptors, by epoll. It starts with the first watch and stays. Invariant: a watch is in
 * the epoll instance, armed for one event or for none, while `known` is this process.
 */
#include "threads/fd_watch.h"

#include "alloc.h"
#include "fork_generation.h"
#include "mutex.h"
#include "thread.h"

#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

#define MOST_EVENTS 16

static struct weft_mutex lock = WEFT_MUTEX_INITIALIZER(WEFT_RANK_FD_WATCH);
/* What the epoll instance has; so that what an application has left can be found at exit, by a leak checker, too. */
static struct weft_list watches WEFT_GUARDED_BY(&lock) = {&watches, &watches};
static int epoll WEFT_GUARDED_BY(&lock) = -1; /* the thread waits for it; -1: there is no thread */
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

/* The child has no thread, and the instance is the parent's. */
static void forget_in_child(void) WEFT_TSA(no_thread_safety_analysis)
{
	if (epoll >= 0)
		close(epoll);
	epoll = -1;
	weft_list_init(&watches);
}

static void register_fork(void)
{
	(void)pthread_atfork(NULL, NULL, forget_in_child);
}

static void *run(void *data)
{
	const int instance = (int)(intptr_t)data;
	struct epoll_event events[MOST_EVENTS];

	for (;;) {
		const int count = epoll_wait(instance, events, MOST_EVENTS, -1);

		for (int i = 0; i < count; i++) {
			struct weft_fd_watch *watch = events[i].data.ptr;

			watch->ready(watch);
		}
	}
	return NULL;
}

static bool start(void) WEFT_REQUIRES(&lock)
{
	if (epoll >= 0)
		return true;
	if (weft_alloc_must_fail())
		return false;
	epoll = epoll_create1(EPOLL_CLOEXEC);
	if (epoll >= 0 && !weft_thread_start("weft-fds", run, (void *)(intptr_t)epoll)) {
		close(epoll);
		epoll = -1;
	}
	return epoll >= 0;
}

void weft_fd_watch_init(struct weft_fd_watch *watch, int fd,
			void (*ready)(struct weft_fd_watch *watch))
{
	*watch = (struct weft_fd_watch){.fd = fd, .ready = ready};
}

bool weft_fd_watch_arm(struct weft_fd_watch *watch)
{
	struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT, .data.ptr = watch};
	const uint32_t process = weft_fork_generation() + 1;

	pthread_once(&fork_once, register_fork);
	weft_mutex_lock(&lock);
	const bool is_new = watch->known != process;
	const int operation = is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
	const bool armed = start() && epoll_ctl(epoll, operation, watch->fd, &event) == 0;
	if (armed && is_new)
		weft_list_append(&watches, &watch->link);
	if (armed)
		watch->known = process;
	weft_mutex_unlock(&lock);
	return armed;
}

void weft_fd_watch_end(struct weft_fd_watch *watch)
{
	weft_mutex_lock(&lock);
	if (watch->known == weft_fork_generation() + 1) {
		(void)epoll_ctl(epoll, EPOLL_CTL_DEL, watch->fd, NULL);
		weft_list_remove(&watch->link);
	}
	watch->known = 0;
	weft_mutex_unlock(&lock);
}
