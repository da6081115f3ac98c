/* SPDX-License-Identifier: MIT
 *
 * What a thread does for others while it tells the host of something: another device's native function, which the host
 * may call meanwhile, may wait for that. So before it is called, others take over.
 */
#ifndef WEFT_DEVICES_DUTY_H
#define WEFT_DEVICES_DUTY_H

#include <stdbool.h>

/* On the stack of its thread. */
struct weft_duty {
	void (*hand_on)(struct weft_duty *duty); /* to another thread; takes locks, does not wait */
	bool handed_on;
	struct weft_duty *outer;
};

/* Duties nest. */
void weft_duty_begin(struct weft_duty *duty);
void weft_duty_end(struct weft_duty *duty);
/* All that this thread has. */
void weft_duty_hand_on(void);

#endif
