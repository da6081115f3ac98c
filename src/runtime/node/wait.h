/* SPDX-License-Identifier: MIT
 *
 * Threads of the application that wait for something in the task graph (struct weft_wait, driver.h): they help the
 * device, then sleep.
 */
#ifndef WEFT_RUNTIME_WAIT_H
#define WEFT_RUNTIME_WAIT_H

#include "driver.h"

#define WEFT_WAIT_INITIALIZER {WEFT_WAIT_AWAKE}

/* Hands over what the device has batched, helps it (NULL: nothing to help) and returns when the wait is over. A thread
 * that may be announcing something calls weft_event_wait_until_over. */
void weft_wait_until_over(struct weft_device *device, struct weft_wait *wait);

/* The wait is over; it may be gone on return. */
void weft_wait_end(struct weft_wait *wait);

#endif
