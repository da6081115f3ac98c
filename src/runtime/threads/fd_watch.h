/* SPDX-License-Identifier: MIT
 *
 * A thread that waits until file descriptors can be read: for what other processes, and other parts of the system, signal.
 */
#ifndef WEFT_RUNTIME_FD_WATCH_H
#define WEFT_RUNTIME_FD_WATCH_H

#include "list.h"

#include <stdbool.h>
#include <stdint.h>

struct weft_fd_watch {
	int fd; /* borrowed from the first weft_fd_watch_arm to weft_fd_watch_end */
	/* The descriptor can be read, or is broken. Called in the thread, without a lock, once for each weft_fd_watch_arm; may arm
	 * the watch again, or free it. */
	void (*ready)(struct weft_fd_watch *watch);
	uint32_t known;        /* the epoll instance that has it, by its number; 0: none */
	bool armed;            /* a call of `ready` is due; for fd_watch.c, under its lock */
	struct weft_list link; /* while `known` is not 0 */
};

void weft_fd_watch_init(struct weft_fd_watch *watch, int fd,
			void (*ready)(struct weft_fd_watch *watch));
/* Asks for one call of `ready`. Not while another one is due; the caller's lock orders the calls. False: the system has no
 * thread or no memory for it, or the descriptor is none that can be waited for. */
bool weft_fd_watch_arm(struct weft_fd_watch *watch) __attribute__((warn_unused_result));
/* Before the descriptor is closed; no call of `ready` is due. */
void weft_fd_watch_end(struct weft_fd_watch *watch);

#endif
