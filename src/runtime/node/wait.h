/* SPDX-License-Identifier: MIT
 *
 * Threads of the application that wait for something in the task graph: they help the device, then sleep. The thread is a
 * node while it waits, on its stack.
 */
#ifndef WEFT_RUNTIME_WAIT_H
#define WEFT_RUNTIME_WAIT_H

#include "node/node.h"

#include "driver.h"

struct weft_waiter {
	struct weft_node node;
	struct weft_edge
		edge; /* from what it waits for; the caller of weft_waiter_sleep has added it to a list */
	struct weft_wait wait; /* what drivers see of it */
};

void weft_waiter_init(struct weft_waiter *waiter);
/* Hands over what the device has batched, helps it (NULL: nothing to help) and returns when the edge has been met. */
void weft_waiter_sleep(struct weft_waiter *waiter, struct weft_device *device);

/* All of it: returns when the node has ended. `command`, `queue`: as in struct weft_wait. */
void weft_wait_for(struct weft_node *node, struct weft_device *device,
		   const struct weft_command *command, const void *queue);

#endif
