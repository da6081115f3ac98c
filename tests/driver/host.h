/* SPDX-License-Identifier: MIT
 *
 * A stand-in for the runtime: commands with dependencies, and the checks that a driver calls its
 * host as driver.h says. Mistakes of a driver are counted in host_mistakes(), since they may happen
 * in any thread.
 */
#ifndef WEFT_TESTS_DRIVER_HOST_H
#define WEFT_TESTS_DRIVER_HOST_H

#include "driver.h"

#include <pthread.h>

struct node {
	struct weft_command command;
	_Atomic int32_t runs;         /* calls of host->running */
	_Atomic int32_t ended;        /* a futex: 1 once it has ended */
	struct weft_wait wait;        /* over then */
	_Atomic int32_t unmet;        /* what it waits for, and the enqueue */
	_Atomic int32_t dependencies; /* the worst status of those */
	_Atomic uint64_t order;       /* of its end among all commands, from 1 */
	_Atomic int32_t status;       /* enum weft_status */
	_Atomic uint64_t thread;      /* that ended it */
	pthread_mutex_t lock;
	struct node **dependants; /* owned */
	size_t num_dependants;
	bool lingers; /* its end is not told to the driver: the test does that */
	bool closed;  /* nothing is added to dependants any more */
	void (*on_end)(
		struct node *node); /* called when it ends, before its dependants hear of it */
	void *user;
};

extern const struct weft_host test_host;

int host_mistakes(void);

/* A command of `device`; freed by node_free. */
struct node *node_new(struct weft_device *device, enum weft_op op);
void node_free(struct node *node);
/* `node`, not submitted, waits for `other`, in whatever state that is. */
void node_depend(struct node *node, struct node *other);
void node_submit(struct node *node);
/* Sleeps until *word is `value` or more. The thread that raises it wakes all. */
void wait_for_word(_Atomic int32_t *word, int32_t value);
/* Sleeps until it has ended; returns its status. */
enum weft_status node_sleep(struct node *node);
/* Flushes, joins, then sleeps until it has ended; returns its status. */
enum weft_status node_wait(struct node *node);
/* Submits, waits and frees. */
enum weft_status node_run(struct node *node);

#endif
