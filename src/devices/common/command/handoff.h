/* SPDX-License-Identifier: MIT
 *
 * Work that a thread hands to another thread before it calls a native function. A thread of one device may do work that
 * commands wait for (an accelerator's thread that reports the ends of commands) while it calls the host. The host may call
 * a native function of another device within that call, and the function may wait for those commands.
 */
#ifndef WEFT_DEVICES_HANDOFF_H
#define WEFT_DEVICES_HANDOFF_H

#include <stdbool.h>

/* Lies on the stack of its thread. */
struct weft_handoff {
	/* Hands the work to another thread. It may take locks; it does not wait. */
	void (*hand_off)(struct weft_handoff *handoff);
	bool done;
	struct weft_handoff *outer;
};

/* From begin to end, the calling thread has the work. Pairs of calls may be nested. */
void weft_handoff_begin(struct weft_handoff *handoff);
void weft_handoff_end(struct weft_handoff *handoff);
/* Hands off all work that the calling thread has. */
void weft_handoff_all(void);

#endif
