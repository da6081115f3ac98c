/* SPDX-License-Identifier: MIT
 *
 * How the task graph goes on: readiness, and what happens when something ends. Invariant: a waiter
 * lives until it has been counted down, so an edge in a list always leads to something alive.
 */
#include "graph/event_graph.h"

#include "clock.h"
#include "device/device.h"
#include "graph/event_trace.h"
#include "graph/queue.h"
#include "graph/upcalls.h"
#include "node/wait.h"
#include "thread_local.h"
#include "node/completion.h"

/* ---- times ----------------------------------------------------------------------------------- */

/* Start and end are the driver's to tell. */
static void stamp_by_device(cl_event event, enum weft_event_time which)
{
	_Atomic uint64_t *times = weft_event_device_times(event);
	struct weft_device *device = event->command.device;

	if (times)
		atomic_store_explicit(&times[which], device->driver->timer->now(device),
				      memory_order_relaxed);
}

/* For a command buffer by each of its commands, which may end at the same time. */
static void widen(_Atomic uint64_t *time, uint64_t other, bool is_end)
{
	uint64_t before = atomic_load_explicit(time, memory_order_relaxed);

	while (before == 0 || (is_end ? before < other : before > other)) {
		if (atomic_compare_exchange_weak_explicit(
			    time, &before, other, memory_order_relaxed, memory_order_relaxed))
			return;
	}
}

void weft_event_note_times(cl_event event, uint64_t start, uint64_t end)
{
	_Atomic uint64_t *times = weft_event_device_times(event);

	if (!times)
		return;
	widen(&times[WEFT_EVENT_START], start, false);
	widen(&times[WEFT_EVENT_END], end, true);
}

static void fill_in(_Atomic uint64_t *times, uint64_t time)
{
	for (int i = WEFT_EVENT_SUBMIT; i <= WEFT_EVENT_END; i++) {
		if (!atomic_load_explicit(&times[i], memory_order_relaxed))
			atomic_store_explicit(&times[i], time, memory_order_relaxed);
	}
}

/* What did not start did so at its end; an empty command buffer does not even get to its device. */
static void fill_in_by_device(cl_event event)
{
	_Atomic uint64_t *times = weft_event_device_times(event);

	if (!times)
		return;
	if (!atomic_load_explicit(&times[WEFT_EVENT_END], memory_order_relaxed))
		stamp_by_device(event, WEFT_EVENT_END);
	fill_in(times, atomic_load_explicit(&times[WEFT_EVENT_END], memory_order_relaxed));
}

void weft_event_stamp(cl_event event, enum weft_event_time which)
{
	if (event->timed)
		atomic_store_explicit(&event->times[which], weft_clock_now(), memory_order_relaxed);
	if (event->timed && which <= WEFT_EVENT_SUBMIT)
		stamp_by_device(event, which);
}

void weft_event_stamp_end(cl_event event)
{
	if (!event->timed)
		return;
	fill_in(event->times, weft_clock_now());
	fill_in_by_device(event);
}

/* ---- readiness ------------------------------------------------------------------------------- */

void weft_event_reach(cl_event event, cl_int status)
{
	atomic_store_explicit(&event->status, status, memory_order_seq_cst);
	weft_event_post_due(event);
}

static void tell_followers(cl_event event);

static bool put_off_native(cl_event event, enum weft_status status);

void weft_event_hand_over(cl_event event, enum weft_status status)
{
	struct weft_device *device = event->command.device;

	if (event->command.op == WEFT_OP_NATIVE && put_off_native(event, status))
		return;
	if (event->subgraph) {
		event->subgraph->ops->start(event, status);
	} else if (!event->handing) {
		device->driver->queue->notify(device, &event->command, status);
	} else { /* it may end in there */
		weft_object_get(&event->base);
		device->driver->queue->notify(device, &event->command, status);
		tell_followers(event);
		weft_object_put(&event->base);
	}
}

/* A launch is ready when its code is there, too. What led to its start has been met: the edge is free. */
static bool waits_for_code(cl_event event)
{
	event->order_edge = (struct weft_edge){.event = event, .kind = WEFT_EDGE_CODE};
	return event->code->wait(event->code, &event->order_edge);
}

void weft_event_make_ready(cl_event event)
{
	enum weft_status dependencies =
		(enum weft_status)atomic_load_explicit(&event->outcome, memory_order_relaxed);

	if (event->code && dependencies == WEFT_OK) {
		if (waits_for_code(event))
			return;
		dependencies = event->code->take(event->code, &event->command.launch);
	}
	weft_event_stamp(event, WEFT_EVENT_SUBMIT);
	/* a command that will not be run ends without another status on the way: its callbacks all get the error */
	if (event->visible && dependencies == WEFT_OK)
		weft_event_reach(event, CL_SUBMITTED);
	if (event->migration && dependencies == WEFT_OK)
		event->migration->start(event);
	else
		weft_event_hand_over(event, dependencies);
}

/* ---- the end of an event --------------------------------------------------------------------- */

/* What this thread has ended and not yet announced. */
static WEFT_THREAD_LOCAL struct {
	cl_event first; /* oldest */
	cl_event last;
	struct weft_subcommand *first_subcommand; /* likewise */
	struct weft_subcommand *last_subcommand;
	cl_event natives;           /* ready, newest first: their functions may wait for all else */
	struct weft_edge *handed;   /* edges of those whose turn to be handed over it may be */
	struct weft_edge *objects;  /* references that go after the announcement */
	struct weft_device *origin; /* of the event that came first; NULL for a user event */
	cl_device_id notified;      /* retained, to be flushed; or NULL */
	bool busy;
} ended;

static void flush_notified(void)
{
	cl_device_id device = ended.notified;

	if (!device)
		return;
	ended.notified = NULL;
	device->impl->driver->queue->flush(device->impl);
	weft_object_put(&device->base);
}

/* Whether commands of the one device may follow those of the other; then flushing the one flushes the other. */
static bool share_slots(const struct weft_device *device, const struct weft_device *other)
{
	return device->driver == other->driver && device->driver->chaining &&
	       device->properties.space == other->properties.space;
}

/* A driver hands over by itself what it is notified of while it completes one of its own commands. What becomes ready
 * on another device, or by a user event, has nobody else to flush it; and it may have ended, its queue gone, before that.
 * The device is kept: the queue itself may be about to begin its second life, with its count made anew. */
static void make_ready_and_flush(cl_event event)
{
	cl_device_id device = event->queue->device;
	bool covered = ended.notified && (device == ended.notified ||
					  share_slots(device->impl, ended.notified->impl));

	if (!covered)
		weft_object_get(&device->base);
	event->command.deferrable |= event->handing != NULL; /* with all that follows it */
	weft_event_make_ready(event);
	if (covered)
		return;
	flush_notified();
	ended.notified = device;
}

static void make_ready_and_note(cl_event event)
{
	event->command.was_blocked = true;
	if (event->trace && ended.origin && !event->subgraph)
		weft_event_trace_ready(event);
	if (event->command.device == ended.origin)
		weft_event_make_ready(event);
	else
		make_ready_and_flush(event);
}

static void tell_handed(cl_event event)
{
	if (atomic_fetch_sub_explicit(&event->unmet, 1, memory_order_acq_rel) != 1)
		return;
	event->command.was_blocked = true;
	make_ready_and_flush(event);
}

/* The countdown releases the outcome to whoever makes the waiter ready. Nothing else of the event is looked at before:
 * a batch that waits for a batch has many edges. */
static void tell_start(const struct weft_edge *edge, cl_int status)
{
	cl_event event = edge->event;

	if (status < CL_COMPLETE && edge->kind == WEFT_EDGE_START_CHECKED)
		atomic_store_explicit(&event->outcome, WEFT_DEPENDENCY_FAILED,
				      memory_order_relaxed);
	if (atomic_fetch_sub_explicit(&event->unmet, 1, memory_order_acq_rel) == 1)
		make_ready_and_note(event);
}

static void start_subcommand_and_note(struct weft_subcommand *subcommand)
{
	cl_device_id device = subcommand->ops->event(subcommand)->queue->device;

	weft_object_get(&device->base);
	subcommand->ops->start(subcommand);
	flush_notified();
	ended.notified = device;
}

static void put_off(cl_event event)
{
	event->next_ended = NULL;
	if (ended.first)
		ended.last->next_ended = event;
	else
		ended.first = event;
	ended.last = event;
}

/* Another device, without threads, calls the function as soon as it is told of the command. */
static bool put_off_native(cl_event event, enum weft_status status)
{
	if (!ended.busy || event->command.device == ended.origin)
		return false;
	atomic_store_explicit(&event->outcome, (int32_t)status, memory_order_relaxed);
	event->next_ended = ended.natives;
	ended.natives = event;
	return true;
}

/* Makes the status final; whoever is told of the end sees it. What the command kept alive goes before that: who has
 * waited for the command can count on it (clBuildProgram after the last kernel, for one). And not before the end of what
 * came before it: the destructors of memory objects are the application's. */
static void finish(cl_event event)
{
	cl_int result = event->result;

	weft_event_release_held(event);
	if (result < CL_COMPLETE && result != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
		weft_event_report_failure(event, result);
	if ((event->overtakes || event->follows) && event->visible && result == CL_COMPLETE)
		weft_event_reach(event, CL_RUNNING); /* not before what came before it had ended */
	if (event->visible)
		weft_event_reach(event, event->result);
	else
		atomic_store_explicit(&event->status, event->result, memory_order_release);
	put_off(event);
}

/* One thing less for the event's end to wait for. */
static void tell_end(cl_event event)
{
	if (atomic_fetch_sub_explicit(&event->before_end, 1, memory_order_acq_rel) == 1)
		finish(event);
}

static void count_down(struct weft_join_counter *counter);

/* The turn of those that wait for it comes after what is being announced. */
static void let_go(struct weft_edges *list)
{
	struct weft_edge *edges = weft_edges_close(list);
	struct weft_edge *last = edges;

	if (!edges)
		return;
	while (last->next)
		last = last->next;
	last->next = ended.handed;
	ended.handed = edges;
}

/* The event has been handed over, or all that is before it in its queue. */
static void count_handed(cl_event event)
{
	struct weft_handing *handing = event->handing;

	if (atomic_fetch_sub_explicit(&handing->before_all, 1, memory_order_acq_rel) == 1)
		let_go(&handing->all);
}

/* So many edges ahead a waiter is fetched: it is often in another core's cache, or in none. */
#define AHEAD 8

/* What is looked at when the waiter becomes ready; no harm where there is no event. */
static void fetch(const struct weft_edge *edge)
{
	const char *event = (const char *)edge->event;

	__builtin_prefetch(event + offsetof(struct _cl_event, unmet), 1);
	__builtin_prefetch(event + offsetof(struct _cl_event, outcome), 1);
	__builtin_prefetch(event + offsetof(struct _cl_event, command), 1);
}

/* Each edge goes with its waiter. */
static void tell(struct weft_edge *edge, cl_int status)
{
	const struct weft_edge *ahead = edge;

	for (int i = 0; i < AHEAD && ahead; i++, ahead = ahead->next)
		fetch(ahead);
	while (edge) {
		struct weft_edge *next = edge->next;

		if (ahead) {
			fetch(ahead);
			ahead = ahead->next;
		}
		switch (edge->kind) {
		case WEFT_EDGE_START:
		case WEFT_EDGE_START_CHECKED:
			tell_start(edge, status);
			break;
		case WEFT_EDGE_HANDED:
			tell_handed(edge->event);
			break;
		case WEFT_EDGE_ALL_HANDED:
			count_handed(edge->event);
			weft_object_put(&edge->event->base);
			break;
		case WEFT_EDGE_END:
			tell_end(edge->event);
			break;
		case WEFT_EDGE_CODE:
			make_ready_and_note(edge->event);
			break;
		case WEFT_EDGE_SUBCOMMAND:
			start_subcommand_and_note(edge->subcommand);
			break;
		case WEFT_EDGE_JOIN:
			count_down(edge->counter);
			break;
		case WEFT_EDGE_WAIT:
			weft_wait_end(edge->wait);
			break;
		case WEFT_EDGE_OBJECT:
			edge->next = ended.objects;
			ended.objects = edge;
			break;
		}
		edge = next;
	}
}

/* Join counters follow one another no deeper than threads wait for one queue at once. */
static void count_down(struct weft_join_counter *counter)
{
	if (!weft_join_counter_met(counter))
		return;
	tell(weft_edges_close(&counter->waiters), CL_COMPLETE);
	weft_join_counter_destroy(counter);
}

static void release_objects(void)
{
	while (ended.objects) {
		struct weft_edge *edge = ended.objects;

		ended.objects = edge->next;
		weft_object_put(edge->object);
	}
}

void weft_event_tell_waiters(cl_event event)
{
	tell(weft_edges_close(&event->waiters), weft_event_status(event));
}

static void announce_handed(void)
{
	struct weft_edge *edges = ended.handed;

	ended.handed = NULL;
	tell(edges, CL_COMPLETE);
}

/* One flush for all that is ready by what has been told, and for what follows it. */
static void flush_wave(void)
{
	while (ended.handed)
		announce_handed();
	flush_notified();
}

static void announce(cl_event event)
{
	struct weft_device *device = event->command.device;
	struct weft_join_counter *segment = event->segment;

	if (device && device->driver->chaining)
		device->driver->chaining->broadcast(device, &event->command);
	else
		weft_event_tell_waiters(event);
	if (segment)
		count_down(segment);
	flush_wave();
	release_objects();
	weft_object_put(&event->base);
}

/* Its effects first: what shares data with it goes on whether or not it may end. */
static void announce_run(cl_event event)
{
	event->has_run = true;
	tell(weft_edges_close(&event->effects), CL_COMPLETE);
	flush_wave();
	tell_end(event);
}

static void announce_event(void)
{
	cl_event next = ended.first;

	ended.first = next->next_ended;
	if (next->overtakes && !next->has_run)
		announce_run(next);
	else
		announce(next);
}

static void announce_subcommand(void)
{
	struct weft_subcommand *next = ended.first_subcommand;

	ended.first_subcommand = next->next_ended;
	next->ops->go_on(next);
}

void weft_event_put_off_subcommand(struct weft_subcommand *subcommand)
{
	subcommand->next_ended = NULL;
	if (ended.first_subcommand)
		ended.last_subcommand->next_ended = subcommand;
	else
		ended.first_subcommand = subcommand;
	ended.last_subcommand = subcommand;
}

/* Nothing else is left that somebody may wait for. */
static void hand_over_native(void)
{
	cl_event event = ended.natives;
	cl_device_id device = event->queue->device;

	ended.natives = event->next_ended;
	flush_notified();
	weft_object_get(&device->base);
	device->impl->driver->queue->notify(
		device->impl, &event->command,
		(enum weft_status)atomic_load_explicit(&event->outcome, memory_order_relaxed));
	flush_notified();
	ended.notified = device;
}

static bool announce_next(void)
{
	if (ended.handed)
		announce_handed();
	else if (ended.first_subcommand)
		announce_subcommand();
	else if (ended.first)
		announce_event();
	else if (ended.natives)
		hand_over_native();
	else
		return false;
	return true;
}

void weft_event_work_off(struct weft_device *origin)
{
	if (ended.busy)
		return;
	struct weft_device *before = ended.origin; /* while code's waiters are told */

	weft_completion_enter();
	ended.busy = true;
	ended.origin = origin;
	while (announce_next()) {
	}
	flush_notified(); /* of what follows what was handed over last */
	ended.busy = false;
	weft_completion_leave();
	ended.origin = before;
}

bool weft_event_begin_telling(void)
{
	bool first = !ended.busy;

	weft_completion_enter();
	ended.busy = true;
	return first;
}

void weft_event_end_telling(bool first)
{
	if (first) { /* otherwise within an announcement, which does the rest */
		flush_wave();
		release_objects();
		ended.busy = false;
		weft_event_work_off(NULL);
	}
	weft_completion_leave();
}

void weft_event_pause(struct weft_event_pause *pause)
{
	*pause = (struct weft_event_pause){ended.busy, ended.origin};
	if (!pause->busy)
		return;
	flush_notified();
	ended.busy = false; /* though it still is ending something */
	weft_event_work_off(pause->origin);
}

void weft_event_resume(const struct weft_event_pause *pause)
{
	if (!pause->busy)
		return;
	ended.busy = true;
	ended.origin = pause->origin;
}

void weft_event_wait_until_over(struct weft_device *device, struct weft_wait *wait)
{
	struct weft_event_pause pause;

	weft_event_pause(&pause);
	weft_wait_until_over(device, wait);
	weft_event_resume(&pause);
}

void weft_event_has_run(cl_event event, cl_int result)
{
	/* A command buffer may end without a command: then no driver is completing anything. */
	struct weft_device *origin = event->subgraph ? NULL : event->command.device;

	event->result = result;
	if (event->overtakes)
		put_off(event);
	else if (event->follows)
		tell_end(event);
	else
		finish(event);
	weft_event_work_off(origin);
}

/* Those that follow the event are handed over after it, one after the other, however many follow one another. */
static void tell_followers(cl_event event)
{
	let_go(&event->handing->handed);
	count_handed(event);
	if (ended.handed)
		weft_event_work_off(NULL);
}

bool weft_event_follow(cl_event event, cl_event other, enum weft_follow kind,
		       struct weft_edge *edge, int32_t *edges)
{
	struct weft_device *device = event->command.device;

	if (!event->may_follow || !other->handing || weft_event_is_foreign(other) ||
	    !share_slots(device, other->command.device) ||
	    !device->driver->chaining->follow(device, &event->command, &other->command, kind))
		return false;
	event->follows = true;
	event->may_fail = event->may_fail || kind == WEFT_FOLLOW_END_CHECKED;
	*edge = (struct weft_edge){.event = event, .kind = WEFT_EDGE_HANDED};
	*edges += weft_edges_add(
		kind == WEFT_FOLLOW_RUN ? &other->handing->handed : &other->handing->all, edge);
	return true;
}

bool weft_event_end_user(cl_event event, cl_int status)
{
	int32_t before = atomic_load_explicit(&event->status, memory_order_relaxed);

	do {
		if (before <= CL_COMPLETE)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(
		&event->status, &before, status, memory_order_seq_cst, memory_order_relaxed));
	weft_event_post_due(event);
	put_off(event);
	weft_event_work_off(NULL);
	return true;
}

void weft_join_counter_close(struct weft_join_counter *counter)
{
	bool first = weft_event_begin_telling();

	count_down(counter);
	weft_event_end_telling(first);
}

void weft_event_code_made(struct weft_edges *waiters)
{
	struct weft_device *origin = ended.origin;
	bool first = weft_event_begin_telling();

	ended.origin = NULL;
	tell(weft_edges_close(waiters), CL_COMPLETE);
	ended.origin = origin;
	weft_event_end_telling(first);
}
