/* SPDX-License-Identifier: MIT
 *
 * The completion queue of a thread. When a command ends, its waiters are told, their drivers are notified of them, and
 * those may end further commands within that call. So a thread puts each node that has ended into its queue; the outermost
 * call takes them out, one after the other, and calls their operation `ended`. A chain of any length needs no deep stack.
 *
 *     bool first = weft_completion_begin(device);    // what ends from here on is put into the queue
 *     … weft_completion_push(node) …                 // here, or in calls from here
 *     weft_completion_end(first);                    // the outermost bracket works off the queue
 *
 * The thread also notes here which device it has to flush, and which one will flush by itself.
 */
#ifndef WEFT_RUNTIME_COMPLETION_H
#define WEFT_RUNTIME_COMPLETION_H

#include "driver.h"
#include "driver_optional.h"
#include "node/node.h"
#include "thread_local.h"

struct weft_object;

struct weft_completion_queue {
	/* The nodes that have ended, and whose waiters have not been told, oldest first. */
	struct weft_node *first;
	struct weft_node *last;
	/* The nodes that go on when nothing else is left to tell, newest first. */
	struct weft_node *deferred;
	/* Edges that are met when the present node's waiters have been told: see device_chaining.h. */
	struct weft_edge *later;
	/* The device whose driver is completing a command in this thread: until it returns, it hands over by itself what it is
	 * notified of. NULL: none, as when a user event ends. */
	struct weft_device *origin;
	/* The device to be flushed when the present node's waiters have been told; or NULL. */
	struct weft_device *flush;
	/* Keeps the device to be flushed alive: the queue that led to it may be gone. Retained. */
	struct weft_object *flush_owner;
	/* Brackets that this thread has entered and not left. */
	unsigned depth;
	/* What ends is put into the queue. Not so during a pause. */
	bool open;
};

extern WEFT_THREAD_LOCAL struct weft_completion_queue weft_completion;

/* Whether this thread is ending something, perhaps deep in a driver's thread. Such a thread must not wait for that driver,
 * nor call the application, which might: objects that are destroyed leave that to the thread of the callbacks (callbacks.h). */
static inline bool weft_completion_is_under_way(void)
{
	return weft_completion.depth > 0;
}

/* Opens the queue, unless it is open: then this is an inner bracket, and the outer one does the rest. `origin`: see above;
 * an inner bracket has the outer one's. The result is for weft_completion_end. No lock is held. */
static inline WEFT_MUST_CHECK bool weft_completion_begin(struct weft_device *origin)
{
	weft_completion.depth++;
	if (weft_completion.open)
		return false;
	weft_completion.open = true;
	weft_completion.origin = origin;
	return true;
}

void weft_completion_drain(void); /* for weft_completion_end */

/* Works off the queue and closes it, if the bracket is the outermost one. */
static inline void weft_completion_end(bool first)
{
	if (first)
		weft_completion_drain();
	weft_completion.depth--;
}

/* The node has ended: its operation `ended` will be called. */
static inline void weft_completion_push(struct weft_node *node)
{
	node->next = NULL;
	if (weft_completion.first)
		weft_completion.last->next = node;
	else
		weft_completion.first = node;
	weft_completion.last = node;
}

/* The node's operation `resume` is called when nothing else is left to tell: what it does may wait for any of that. */
static inline void weft_completion_defer(struct weft_node *node)
{
	node->next = weft_completion.deferred;
	weft_completion.deferred = node;
}

/* The edges, of a closed list, are met when the present node's waiters have been told. */
void weft_completion_meet_later(struct weft_edge *edges);

/* Whether a flush of the one device hands over what the other one has batched: they chain commands (driver.h). */
static inline bool weft_completion_flushes_both(const struct weft_device *device,
						const struct weft_device *other)
{
	return device->driver->chaining && device->driver->chaining == other->driver->chaining &&
	       device->properties.space == other->properties.space;
}

/* Whether the device will be flushed anyway. */
static inline bool weft_completion_will_flush(const struct weft_device *device)
{
	const struct weft_device *flush = weft_completion.flush;

	return flush && (device == flush || weft_completion_flushes_both(device, flush));
}

/* The device, which is not flushed anyway, has been notified of something. `owner` keeps it alive; takes over a reference. */
void weft_completion_flush_later(struct weft_device *device, struct weft_object *owner);

/* Around what may take any time, and may be within a bracket of this thread: a wait, and a native function. The queue is
 * worked off before, and what the thread ends during the pause does not wait for the outer bracket's end. */
struct weft_completion_pause {
	bool open;                  /* the queue was */
	struct weft_device *origin; /* was the origin */
};
void weft_completion_pause(struct weft_completion_pause *pause);
void weft_completion_resume(const struct weft_completion_pause *pause);

#endif
