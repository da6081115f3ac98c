/* SPDX-License-Identifier: MIT
 *
 * The hazards of commands in flight, in one in-order queue. A command gets edges to the effects of those that it comes
 * after, so it need not wait for their ends. What has run leaves the table, which has little more than what commands in
 * flight access.
 */
#ifndef WEFT_RUNTIME_EVENT_HAZARDS_H
#define WEFT_RUNTIME_EVENT_HAZARDS_H

#include "graph/event.h"
#include "graph/hazards.h"

/* An event to whose effects no edge has been added yet. */
struct weft_event_follower {
	cl_event event;
	int32_t edges; /* added, to the event's start */
};

/* Of a queue, whose lock is held. As weft_hazards_add. */
bool weft_event_hazards_add(struct weft_hazards *hazards, const struct weft_accesses *accesses,
			    struct weft_event_follower *follower) WEFT_MUST_CHECK;
/* For weft_hazards_clear and weft_hazards_destroy. */
void weft_event_hazard_release(struct weft_hazard *hazard);

#endif
