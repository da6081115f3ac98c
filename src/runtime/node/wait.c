/* SPDX-License-Identifier: MIT
 *
 * Sleeping. The thread says that it sleeps with the same word that says that the wait is over, so neither can miss the
 * other, and who ends a wait makes a system call only for a thread that sleeps.
 */
#include "node/wait.h"

#include "futex.h"

void weft_wait_until_over(struct weft_device *device, struct weft_wait *wait)
{
	int32_t state = WEFT_WAIT_AWAKE;

	if (device) {
		const struct weft_driver_queue_ops *ops = device->driver->queue;

		if (ops->join)
			ops->join(device, wait);
		else
			ops->flush(device);
	}
	if (atomic_compare_exchange_strong_explicit(&wait->state, &state, WEFT_WAIT_ASLEEP,
						    memory_order_acquire, memory_order_acquire))
		state = WEFT_WAIT_ASLEEP;
	while (state == WEFT_WAIT_ASLEEP) {
		weft_futex_wait(&wait->state, WEFT_WAIT_ASLEEP);
		state = atomic_load_explicit(&wait->state, memory_order_acquire);
	}
}

/* The sleeper's memory may be gone before the call: waking an address that nobody sleeps on does nothing. */
void weft_wait_end(struct weft_wait *wait)
{
	if (atomic_exchange_explicit(&wait->state, WEFT_WAIT_OVER, memory_order_acq_rel) ==
	    WEFT_WAIT_ASLEEP)
		weft_futex_wake_all(&wait->state);
}
