/* SPDX-License-Identifier: MIT
 *
 * The payload of a semaphore that other processes see: a file descriptor. That of an opaque handle is an eventfd that counts
 * signals; each wait takes one. That of a sync handle is signalled once, for ever, by its maker.
 */
#ifndef WEFT_RUNTIME_SEMAPHORE_PAYLOAD_H
#define WEFT_RUNTIME_SEMAPHORE_PAYLOAD_H

#include "list.h"
#include "mutex.h"
#include "object/object.h"
#include "refcount.h"
#include "threads/fd_watch.h"

/* What waits for a signal of a payload. */
struct weft_payload_wait {
	struct weft_list link;
	/* One signal is this one's, or there never will be one. No lock is held. */
	void (*signalled)(struct weft_payload_wait *wait, bool succeeded);
};

struct weft_semaphore_payload {
	weft_refcount
		refs; /* of the semaphore, of its signals in flight, and one while the watch is armed */
	int fd;       /* owned */
	bool counts; /* an eventfd */
	struct weft_fd_watch watch;
	struct weft_mutex lock;                     /* WEFT_RANK_SEMAPHORE */
	uint32_t generation WEFT_GUARDED_BY(&lock); /* of the process whose waits these are */
	struct weft_list waits
		WEFT_GUARDED_BY(&lock); /* oldest first; the watch is armed while there is one */
};

/* Not signalled. NULL: the system has no memory or descriptor for it. */
struct weft_semaphore_payload *weft_semaphore_payload_create(void);
/* Of a handle that was exported as opaque, or of a sync file; the descriptor is the payload's, on success. NULL: no memory. */
struct weft_semaphore_payload *weft_semaphore_payload_import(int fd, bool counts);
/* Whether a descriptor is one that weft_semaphore_payload_create made, in whichever process. */
bool weft_semaphore_payload_is_opaque(int fd);

struct weft_semaphore_payload *weft_semaphore_payload_get(struct weft_semaphore_payload *payload);
/* NULL is fine. */
void weft_semaphore_payload_put(struct weft_semaphore_payload *payload);

/* One more signal. */
void weft_semaphore_payload_signal(struct weft_semaphore_payload *payload);
/* Waits are signalled in the order in which they come, perhaps before this returns. */
void weft_semaphore_payload_wait(struct weft_semaphore_payload *payload,
				 struct weft_payload_wait *wait);
/* Whether a wait would be over at once. */
bool weft_semaphore_payload_is_signalled(struct weft_semaphore_payload *payload);
/* Another descriptor of the same payload, the caller's; -1: the process has too many. */
int weft_semaphore_payload_export(const struct weft_semaphore_payload *payload);

#endif
