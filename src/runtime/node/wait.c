/* SPDX-License-Identifier: MIT
 *
 * Sleeping. The thread says that it sleeps with the same word that says that the wait is over, so neither can miss the
 * other, and the end of a wait makes a system call only for a thread that sleeps.
 */
#include "node/wait.h"

#include "futex.h"
#include "node/completion.h"

/* The sleeper's memory may be gone before the call: waking an address that no thread sleeps on does nothing. */
static void ready(struct weft_node *node)
{
	struct weft_wait *wait = &WEFT_CONTAINER_OF(node, struct weft_waiter, node)->wait;

	if (atomic_exchange_explicit(&wait->state, WEFT_WAIT_OVER, memory_order_acq_rel) ==
	    WEFT_WAIT_ASLEEP)
		weft_futex_wake_all(&wait->state);
}

static const struct weft_node_ops waiter_ops = {.ready = ready};

void weft_waiter_init(struct weft_waiter *waiter)
{
	weft_node_init(&waiter->node, &waiter_ops, 1);
	waiter->edge = weft_edge_to(&waiter->node);
	atomic_init(&waiter->wait.state, WEFT_WAIT_AWAKE);
	waiter->wait.command = NULL;
	waiter->wait.queue = NULL;
}

static void help_and_sleep(struct weft_wait *wait, struct weft_device *device)
{
	int32_t state = WEFT_WAIT_AWAKE;

	if (device) {
		const struct weft_driver_queue_ops *queue = device->driver->queue;

		if (queue->join)
			queue->join(device, wait);
		else
			queue->flush(device);
	}
	if (atomic_compare_exchange_strong_explicit(&wait->state, &state, WEFT_WAIT_ASLEEP,
						    memory_order_acquire, memory_order_acquire))
		state = WEFT_WAIT_ASLEEP;
	while (state == WEFT_WAIT_ASLEEP) {
		weft_futex_wait(&wait->state, WEFT_WAIT_ASLEEP);
		state = atomic_load_explicit(&wait->state, memory_order_acquire);
	}
}

/* The wait may be within a bracket of this thread: a native function called by a driver's notify waits for something. */
void weft_waiter_sleep(struct weft_waiter *waiter, struct weft_device *device)
{
	struct weft_completion_pause pause;

	weft_completion_pause(&pause);
	help_and_sleep(&waiter->wait, device);
	weft_completion_resume(&pause);
}

void weft_wait_for(struct weft_node *node, struct weft_device *device,
		   const struct weft_command *command, const void *queue)
{
	struct weft_waiter waiter;

	weft_waiter_init(&waiter);
	waiter.wait.command = command;
	waiter.wait.queue = queue;
	if (weft_edges_add(&node->waiters, &waiter.edge))
		weft_waiter_sleep(&waiter, device);
}
