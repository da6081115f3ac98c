/* SPDX-License-Identifier: MIT
 *
 * Taking an event's times.
 */
#include "graph/event_times.h"

#include "clock.h"
#include "driver_optional.h"
#include "graph/event.h"

bool weft_event_begin_times(cl_event event, bool by_device)
{
	const int count = by_device ? 2 * WEFT_EVENT_NUM_TIMES : WEFT_EVENT_NUM_TIMES;
	_Atomic uint64_t *times =
		weft_event_memory(event, (size_t)count * sizeof(_Atomic uint64_t));

	for (int i = 0; times && i < count; i++)
		atomic_init(&times[i], 0);
	event->times.host = times;
	event->times.by_device = times && by_device;
	return times;
}

void weft_event_start_at_once(cl_event event)
{
	_Atomic uint64_t *times = event->times.host;

	if (!times)
		return;
	const uint64_t queued =
		atomic_load_explicit(&times[WEFT_EVENT_QUEUED], memory_order_relaxed);
	atomic_store_explicit(&times[WEFT_EVENT_SUBMIT], queued, memory_order_relaxed);
	atomic_store_explicit(&times[WEFT_EVENT_START], queued, memory_order_relaxed);
}

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
	if (!event->times.host)
		return;
	atomic_store_explicit(&event->times.host[which], weft_clock_now(), memory_order_relaxed);
	if (which <= WEFT_EVENT_SUBMIT)
		stamp_by_device(event, which);
}

void weft_event_stamp_end(cl_event event)
{
	if (!event->times.host)
		return;
	fill_in(event->times.host, weft_clock_now());
	fill_in_by_device(event);
}
