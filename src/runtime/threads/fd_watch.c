/* SPDX-License-Identifier: MIT
 *
 * The thread that waits for file descriptors, by epoll. It starts with the first watch and stays. Invariant: a watch that is
 * known is in its epoll instance, armed for one event or for none.
 *
 * An application that closes descriptors which are not its own may close the instance. Then there is a new one, with a thread.
 * A thread that is waiting still gets events of the old one; when it finds that the instance is gone, it calls what the watches
 * of the instance are for, which arm them again.
 */
#include "threads/fd_watch.h"

#include "alloc.h"
#include "mutex.h"
#include "thread.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

#define MOST_EVENTS 16

static struct weft_mutex lock = WEFT_MUTEX_INITIALIZER(WEFT_RANK_FD_WATCH);
/* All that are known; so that what an application has left can be found at exit, by a leak checker, too. */
static struct weft_list watches WEFT_GUARDED_BY(&lock) = {&watches, &watches};
static int epoll WEFT_GUARDED_BY(&lock) =
	-1; /* the newest instance, which a thread waits for; -1: there is none */
static uint32_t newest WEFT_GUARDED_BY(&lock); /* its number; instances are counted from 1 */
static uint32_t parents WEFT_GUARDED_BY(
	&lock); /* how many of them were those of processes that this one is forked from */
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

/* The child has no thread, and the instance is the parent's. */
static void forget_in_child(void) WEFT_TSA(no_thread_safety_analysis)
{
	if (epoll >= 0)
		close(epoll);
	epoll = -1;
	parents = newest;
	weft_list_init(&watches);
}

static void register_fork(void)
{
	(void)pthread_atfork(NULL, NULL, forget_in_child);
}

static bool is_known(const struct weft_fd_watch *watch) WEFT_REQUIRES(&lock)
{
	return watch->known > parents;
}

static void forget(struct weft_fd_watch *watch) WEFT_REQUIRES(&lock)
{
	weft_list_remove(&watch->link);
	watch->known = 0;
}

static void call(struct weft_fd_watch *watch)
{
	weft_mutex_lock(&lock);
	watch->armed = false;
	weft_mutex_unlock(&lock);
	watch->ready(watch);
}

/* ---- the thread ------------------------------------------------------------------------------- */

static bool is_newest(uint32_t number)
{
	weft_mutex_lock(&lock);
	const bool result = number == newest && epoll >= 0;
	weft_mutex_unlock(&lock);
	return result;
}

/* The instance is gone. */
static void give_up(uint32_t number)
{
	struct weft_list due = {&due, &due};
	struct weft_list *next;

	weft_mutex_lock(&lock);
	if (number == newest)
		epoll = -1;
	for (struct weft_list *link = watches.next; link != &watches; link = next) {
		struct weft_fd_watch *watch = WEFT_CONTAINER_OF(link, struct weft_fd_watch, link);

		next = link->next;
		if (watch->known != number)
			continue;
		forget(watch);
		if (watch->armed)
			weft_list_append(&due, &watch->link);
	}
	weft_mutex_unlock(&lock);
	while ((next = weft_list_pop(&due)))
		call(WEFT_CONTAINER_OF(next, struct weft_fd_watch, link));
}

struct instance {
	int fd;
	uint32_t number;
};

static void *run(void *data)
{
	const struct instance instance = *(struct instance *)data;
	struct epoll_event events[MOST_EVENTS];
	int count;

	weft_free(data);
	do {
		count = epoll_wait(instance.fd, events, MOST_EVENTS, -1);
		for (int i = 0; i < count; i++)
			call(events[i].data.ptr);
	} while (count >= 0 ? is_newest(instance.number) : errno == EINTR);
	give_up(instance.number);
	return NULL;
}

static bool start(void) WEFT_REQUIRES(&lock)
{
	if (epoll >= 0)
		return true;
	struct instance *instance = weft_zalloc(sizeof(*instance));
	const int fd = instance ? epoll_create1(EPOLL_CLOEXEC) : -1;
	if (fd >= 0) {
		*instance = (struct instance){fd, newest + 1};
		if (weft_thread_start("weft-fds", run, instance)) {
			epoll = fd;
			newest++;
			return true;
		}
		close(fd);
	}
	weft_free(instance);
	return false;
}

/* ---- watches ---------------------------------------------------------------------------------- */

void weft_fd_watch_init(struct weft_fd_watch *watch, int fd,
			void (*ready)(struct weft_fd_watch *watch))
{
	*watch = (struct weft_fd_watch){.fd = fd, .ready = ready};
}

/* In the newest instance. */
static bool control(struct weft_fd_watch *watch) WEFT_REQUIRES(&lock)
{
	struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT, .data.ptr = watch};
	const bool is_new = watch->known != newest;

	watch->armed = true; /* the thread may call at once */
	if (epoll_ctl(epoll, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, watch->fd, &event) != 0) {
		watch->armed = false;
		return false;
	}
	if (!is_known(watch))
		weft_list_append(&watches, &watch->link);
	watch->known = newest;
	return true;
}

/* What weft_fd_watch_arm's failure says of the instance: whether its number is another file's now, or none's. */
static bool is_lost(int error) WEFT_REQUIRES(&lock)
{
	return error == EINVAL || error == ENOENT || (error == EBADF && fcntl(epoll, F_GETFD) < 0);
}

bool weft_fd_watch_arm(struct weft_fd_watch *watch)
{
	pthread_once(&fork_once, register_fork);
	weft_mutex_lock(&lock);
	bool armed = start() && control(watch);
	if (!armed && epoll >= 0 && is_lost(errno)) {
		epoll = -1;
		armed = start() && control(watch);
	}
	weft_mutex_unlock(&lock);
	return armed;
}

void weft_fd_watch_end(struct weft_fd_watch *watch)
{
	weft_mutex_lock(&lock);
	if (is_known(watch)) {
		(void)epoll_ctl(epoll, EPOLL_CTL_DEL, watch->fd, NULL);
		forget(watch);
	}
	watch->known = 0;
	weft_mutex_unlock(&lock);
}
