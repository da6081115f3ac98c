/* SPDX-License-Identifier: MIT
 *
 * The duties of each thread, innermost first.
 */
#include "handoff.h"

#include "thread_local.h"

#include <stddef.h>

static WEFT_THREAD_LOCAL struct weft_duty *innermost;

void weft_duty_begin(struct weft_duty *duty)
{
	duty->handed_on = false;
	duty->outer = innermost;
	innermost = duty;
}

void weft_duty_end(struct weft_duty *duty)
{
	innermost = duty->outer;
}

void weft_duty_hand_on(void)
{
	for (struct weft_duty *duty = innermost; duty; duty = duty->outer) {
		if (duty->handed_on)
			continue;
		duty->handed_on = true; /* before what may come here again */
		duty->hand_on(duty);
	}
}
