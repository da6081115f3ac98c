/* SPDX-License-Identifier: MIT
 *
 * A list of each thread's handoffs, innermost first.
 */
#include "command/handoff.h"

#include "thread_local.h"

#include <stddef.h>

static WEFT_THREAD_LOCAL struct weft_handoff *innermost;

void weft_handoff_begin(struct weft_handoff *handoff)
{
	handoff->done = false;
	handoff->outer = innermost;
	innermost = handoff;
}

void weft_handoff_end(struct weft_handoff *handoff)
{
	innermost = handoff->outer;
}

void weft_handoff_all(void)
{
	for (struct weft_handoff *handoff = innermost; handoff; handoff = handoff->outer) {
		if (handoff->done)
			continue;
		handoff->done = true; /* before hand_off, which may lead here again */
		handoff->hand_off(handoff);
	}
}
