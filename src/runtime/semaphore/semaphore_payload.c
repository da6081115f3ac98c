/* SPDX-License-Identifier: MIT
 *
 * Payloads of semaphores in file descriptors. Invariant: a signal is taken by the oldest wait of this process, or by one of
 * another process, never by two.
 */
#include "semaphore/semaphore_payload.h"

#include "alloc.h"
#include "fork_generation.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <unistd.h>

struct weft_semaphore_payload *weft_semaphore_payload_get(struct weft_semaphore_payload *payload)
{
	weft_refcount_get(&payload->refs);
	return payload;
}

void weft_semaphore_payload_put(struct weft_semaphore_payload *payload)
{
	if (!payload || !weft_refcount_put(&payload->refs))
		return;
	weft_fd_watch_end(&payload->watch);
	close(payload->fd);
	weft_mutex_destroy(&payload->lock);
	weft_free(payload);
}

/* Takes a signal, if there is one. Does not wait, even if a process that shares the file has taken O_NONBLOCK from it. */
static bool take(struct weft_semaphore_payload *payload)
{
	uint64_t value;
	const struct iovec place = {&value, sizeof(value)};

	if (!payload->counts)
		return weft_semaphore_payload_is_signalled(payload);
	ssize_t bytes = preadv2(payload->fd, &place, 1, -1, RWF_NOWAIT);
	if (bytes < 0 && errno == EOPNOTSUPP) /* Linux before 5.8 */
		bytes = read(payload->fd, &value, sizeof(value));
	return bytes == (ssize_t)sizeof(value);
}

/* Moves the waits that have a signal to `over`. */
static void take_all(struct weft_semaphore_payload *payload, struct weft_list *over)
	WEFT_REQUIRES(&payload->lock)
{
	while (!weft_list_empty(&payload->waits) && take(payload))
		weft_list_append(over, weft_list_pop(&payload->waits));
}

static void tell(struct weft_list *over, bool succeeded)
{
	struct weft_list *link;

	while ((link = weft_list_pop(over))) {
		struct weft_payload_wait *wait =
			WEFT_CONTAINER_OF(link, struct weft_payload_wait, link);

		wait->signalled(wait, succeeded);
	}
}

/* Arms the watch for the waits that are left. What cannot be waited for fails. */
static bool go_on(struct weft_semaphore_payload *payload, struct weft_list *failed)
	WEFT_REQUIRES(&payload->lock)
{
	if (weft_list_empty(&payload->waits))
		return false;
	if (weft_fd_watch_arm(&payload->watch))
		return true;
	while (!weft_list_empty(&payload->waits))
		weft_list_append(failed, weft_list_pop(&payload->waits));
	return false;
}

/* In the child of a fork: the waits are the parent's, and its thread is told of them. */
static void forget_parent(struct weft_semaphore_payload *payload) WEFT_REQUIRES(&payload->lock)
{
	if (payload->generation == weft_fork_generation())
		return;
	payload->generation = weft_fork_generation();
	weft_list_init(&payload->waits);
}

static void ready(struct weft_fd_watch *watch)
{
	struct weft_semaphore_payload *payload =
		WEFT_CONTAINER_OF(watch, struct weft_semaphore_payload, watch);
	struct weft_list over = {&over, &over};
	struct weft_list failed = {&failed, &failed};

	weft_mutex_lock(&payload->lock);
	take_all(payload, &over);
	bool armed = go_on(payload, &failed);
	weft_mutex_unlock(&payload->lock);
	tell(&over, true);
	tell(&failed, false);
	if (!armed)
		weft_semaphore_payload_put(payload);
}

struct weft_semaphore_payload *weft_semaphore_payload_import(int fd, bool counts)
	WEFT_TSA(no_thread_safety_analysis)
{
	struct weft_semaphore_payload *payload = weft_zalloc(sizeof(*payload));

	if (!payload)
		return NULL;
	weft_refcount_init(&payload->refs, 1);
	payload->fd = fd;
	payload->counts = counts;
	weft_fd_watch_init(&payload->watch, fd, ready);
	weft_mutex_init(&payload->lock, WEFT_RANK_SEMAPHORE);
	weft_list_init(&payload->waits);
	payload->generation = weft_fork_generation();
	return payload;
}

struct weft_semaphore_payload *weft_semaphore_payload_create(void)
{
	int fd = weft_alloc_must_fail() ? -1
					: eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE);
	struct weft_semaphore_payload *payload =
		fd < 0 ? NULL : weft_semaphore_payload_import(fd, true);

	if (!payload && fd >= 0)
		close(fd);
	return payload;
}

bool weft_semaphore_payload_is_opaque(int fd)
{
	static const char eventfd_name[] = "anon_inode:[eventfd]";
	char path[64];
	char target[sizeof(eventfd_name)];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	const ssize_t length = readlink(path, target, sizeof(target));
	return length == (ssize_t)strlen(eventfd_name) &&
	       memcmp(target, eventfd_name, (size_t)length) == 0 &&
	       (fcntl(fd, F_GETFL) & O_NONBLOCK); /* an application's own may block its reader */
}

void weft_semaphore_payload_signal(struct weft_semaphore_payload *payload)
{
	const uint64_t one = 1;

	/* fails only when 2^64 signals have not been taken */
	while (write(payload->fd, &one, sizeof(one)) < 0 && errno == EINTR)
		;
}

void weft_semaphore_payload_wait(struct weft_semaphore_payload *payload,
				 struct weft_payload_wait *wait)
{
	struct weft_list over = {&over, &over};
	struct weft_list failed = {&failed, &failed};

	weft_mutex_lock(&payload->lock);
	forget_parent(payload);
	bool first = weft_list_empty(&payload->waits);
	weft_list_append(&payload->waits, &wait->link);
	if (first) {
		take_all(payload, &over);
		if (go_on(payload, &failed))
			weft_refcount_get(&payload->refs);
	}
	weft_mutex_unlock(&payload->lock);
	tell(&over, true);
	tell(&failed, false);
}

bool weft_semaphore_payload_is_signalled(struct weft_semaphore_payload *payload)
{
	struct pollfd poll_fd = {.fd = payload->fd, .events = POLLIN};

	return poll(&poll_fd, 1, 0) == 1 && !(poll_fd.revents & POLLNVAL);
}

int weft_semaphore_payload_export(const struct weft_semaphore_payload *payload)
{
	return fcntl(payload->fd, F_DUPFD_CLOEXEC, 0);
}
