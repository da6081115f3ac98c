/* SPDX-License-Identifier: MIT
 *
 * Devices that chain commands between themselves (`follow`, driver.h): the simulated accelerator. Such a command is handed
 * over as soon as those before it have been handed over, and its device waits for their ends. Of any other device's
 * commands `links` is NULL, and all of this does nothing.
 *
 * An event that follows another one has two edges: its run waits for the other to be handed over, and its end for the
 * other's end.
 */
#ifndef WEFT_RUNTIME_DEVICE_CHAINING_H
#define WEFT_RUNTIME_DEVICE_CHAINING_H

#include "driver_optional.h"
#include "node/node.h"
#include "object/opencl_headers.h"

/* Of an event that others may follow. */
struct weft_chain_links {
	/* To the runs that wait for the event to be handed over. Closed then. */
	struct weft_edges handed_over;
	/* Waits until the event and all that it ends after have been handed over. */
	struct weft_node all_handed_over;
	/* From what is before the event in its queue, to `all_handed_over`. */
	struct weft_edge last_edge;
	/* Retained while `all_handed_over` waits by that edge; or NULL. */
	cl_event event;
};

struct weft_event_chaining {
	/* In the event's room; or NULL: nothing follows it on devices. */
	struct weft_chain_links *links;
	/* The event may follow others. Constant from submit on. */
	bool may_follow;
	/* It does follow one. Constant from submit on. */
	bool follows;
	/* And if that fails the command is not run, though handed over. Constant from submit on. */
	bool may_fail;
};

/* Of a new event: others may follow it, if there is memory. */
void weft_chaining_begin(cl_event event);
/* Of an event that is being submitted: whether it may follow others. `joins`: it is a marker that waits for a join
 * counter. */
void weft_chaining_decide(cl_event event, bool joins);

/* Whether the event's device waits itself, as `kind` says, for the other one; then the edge leads from its being handed
 * over to the event's run, and *edges counts it if it is open. Not for what has ended. The event has been submitted to its
 * driver. */
bool weft_event_follow(cl_event event, cl_event other, enum weft_follow kind,
		       struct weft_edge *edge, int32_t *edges);
/* Tells the event's device, if that chains, that the event ends after the other one, which is before it in its queue. */
void weft_chaining_end_after(cl_event event, cl_event other);

/* Notifies the device of the event, which has links; then those that follow it may be handed over. */
void weft_chaining_notify(cl_event event, enum weft_status status);

#endif
