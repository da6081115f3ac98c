/* SPDX-License-Identifier: MIT
 *
 * The trace. Each thread has a ring of records. Invariant: the thread alone appends, and counts what it has appended;
 * whoever holds the lock writes out what is counted, and counts that. A ring lives as long as its thread.
 */
#include "trace.h"

#include "alloc.h"
#include "clock.h"
#include "device.h"
#include "event_graph.h"
#include "mutex.h"
#include "options.h"
#include "queue.h"
#include "replay.h"
#include "supply.h"
#include "thread.h"
#include "trace_file.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CACHE_LINE 64
#define RECORDS 1024u        /* of a ring; a power of two */
#define PERIOD_NS 100000000L /* between two looks at what is to be written */

struct ring {
	struct ring *next; /* in `rings` */
	pid_t thread;
	char name[16]; /* of the thread */
	bool named;    /* in the file */
	_Atomic uint32_t appended;
	_Atomic uint32_t written; /* changes under the lock */
	struct weft_trace_record records[RECORDS];
};

static _Thread_local struct ring *own;
static _Thread_local uint64_t left; /* when this thread last left something */
static _Atomic uint32_t num_queues;
static _Atomic uint64_t num_commands;
static _Atomic bool over; /* nothing more is written */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* for the end of threads */
static struct weft_mutex lock = WEFT_MUTEX_INITIALIZER(WEFT_RANK_TRACE); /* the file's, too */
static struct ring *rings WEFT_GUARDED_BY(&lock);

bool weft_trace_is_on(void)
{
	return weft_options()->trace != NULL;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_ring(struct ring *ring) WEFT_REQUIRES(&lock)
{
	uint32_t end = atomic_load_explicit(&ring->appended, memory_order_acquire);
	uint32_t i = atomic_load_explicit(&ring->written, memory_order_relaxed);

	if (!ring->named)
		weft_trace_file_name_thread(ring->thread, ring->name);
	ring->named = true;
	for (; i != end; i++)
		weft_trace_file_write(ring->thread, &ring->records[i % RECORDS]);
	atomic_store_explicit(&ring->written, end, memory_order_release);
	if (!weft_trace_file_is_open())
		atomic_store_explicit(&over, true, memory_order_relaxed);
}

static void write_all(void) WEFT_REQUIRES(&lock)
{
	for (struct ring *ring = rings; ring; ring = ring->next)
		write_ring(ring);
	weft_trace_file_flush();
}

/* So that little is lost when the process is killed. */
static void *write_now_and_then(void *unused)
{
	const struct timespec period = {.tv_nsec = PERIOD_NS};

	(void)unused;
	while (!atomic_load_explicit(&over, memory_order_relaxed)) {
		nanosleep(&period, NULL);
		weft_mutex_lock(&lock);
		write_all();
		weft_mutex_unlock(&lock);
	}
	return NULL;
}

/* What other threads append from here on is lost. */
__attribute__((destructor)) static void end_trace(void)
{
	atomic_store_explicit(&over, true, memory_order_relaxed);
	weft_mutex_lock(&lock);
	write_all();
	weft_trace_file_close();
	weft_mutex_unlock(&lock);
}

/* The file is the parent's. */
static void forget_in_child(void)
{
	weft_trace_file_forget();
	atomic_store_explicit(&over, true, memory_order_relaxed);
}

/* ---- threads --------------------------------------------------------------------------------- */

static void end_ring(void *data)
{
	struct ring *ring = data;
	struct ring **link = &rings;

	weft_mutex_lock(&lock);
	write_ring(ring);
	while (*link != ring)
		link = &(*link)->next;
	*link = ring->next;
	weft_mutex_unlock(&lock);
	weft_free(ring);
	own = NULL;
}

static void begin_trace(void)
{
	if (pthread_key_create(&key, end_ring) != 0) {
		atomic_store_explicit(&over, true, memory_order_relaxed);
		return;
	}
	(void)pthread_atfork(NULL, NULL, forget_in_child);
	(void)at_quick_exit(end_trace);
	weft_trace_file_open(weft_options()->trace);
	if (!weft_trace_file_is_open())
		atomic_store_explicit(&over, true, memory_order_relaxed);
	else
		(void)weft_thread_start("weft-trace", write_now_and_then, NULL);
}

/* NULL: no memory. */
static struct ring *begin_ring(void)
{
	struct ring *ring = weft_alloc_aligned(CACHE_LINE, sizeof(*ring));

	if (!ring)
		return NULL;
	memset(ring, 0, offsetof(struct ring, records));
	ring->thread = gettid();
	(void)pthread_getname_np(pthread_self(), ring->name, sizeof(ring->name));
	if (pthread_setspecific(key, ring) != 0) {
		weft_free(ring);
		return NULL;
	}
	weft_mutex_lock(&lock);
	ring->next = rings;
	rings = ring;
	weft_mutex_unlock(&lock);
	return ring;
}

/* ---- records --------------------------------------------------------------------------------- */

static bool is_full(const struct ring *ring)
{
	return atomic_load_explicit(&ring->appended, memory_order_relaxed) -
		       atomic_load_explicit(&ring->written, memory_order_acquire) ==
	       RECORDS;
}

/* Room for one more; NULL when there is none. */
static struct weft_trace_record *append(void)
{
	pthread_once(&once, begin_trace);
	if (atomic_load_explicit(&over, memory_order_relaxed))
		return NULL;
	if (!own)
		own = begin_ring();
	if (!own)
		return NULL;
	if (is_full(own)) {
		weft_mutex_lock(&lock);
		write_ring(own);
		weft_mutex_unlock(&lock);
	}
	return &own->records[atomic_load_explicit(&own->appended, memory_order_relaxed) % RECORDS];
}

/* What append returned is complete. */
static void appended(void)
{
	uint32_t count = atomic_load_explicit(&own->appended, memory_order_relaxed);

	atomic_store_explicit(&own->appended, count + 1, memory_order_release);
}

static void copy_name(struct weft_trace_record *record, const char *name)
{
	size_t size = strnlen(name, sizeof(record->name) - 1);

	memcpy(record->name, name, size);
	record->name[size] = '\0';
}

/* With what most records say. `event` and `name` are NULL where there is none; so is what is returned. */
static struct weft_trace_record *append_record(enum weft_trace_kind kind, uint64_t time,
					       cl_event event, const char *name)
{
	struct weft_trace_record *record = append();

	if (!record)
		return NULL;
	record->kind = (uint8_t)kind;
	record->arrow = false;
	record->queue = event ? event->queue->trace : 0;
	record->command = event ? event->trace : 0;
	record->time = time;
	if (name)
		copy_name(record, name);
	return record;
}

static void add(enum weft_trace_kind kind, uint64_t time, cl_event event, const char *name)
{
	struct weft_trace_record *record = append_record(kind, time, event, name);

	if (!record)
		return;
	if (kind == WEFT_TRACE_ENTER && event && event->has_arrow) {
		event->has_arrow = false;
		record->arrow = true;
	}
	appended();
}

static uint64_t time_of(cl_event event, enum weft_event_time which)
{
	return atomic_load_explicit(&event->times[which], memory_order_relaxed);
}

/* ---- what is traced -------------------------------------------------------------------------- */

static const char *name_of(const struct weft_command *command)
{
	switch (command->op) {
	case WEFT_OP_NOTHING:
		return "order";
	case WEFT_OP_COPY:
		return "copy";
	case WEFT_OP_FILL:
		return "fill";
	case WEFT_OP_NDRANGE:
		return command->launch.kernel->name;
	case WEFT_OP_NATIVE:
		return "native";
	}
	return "";
}

void weft_trace_queue(cl_command_queue queue)
{
	if (!weft_trace_is_on())
		return;
	queue->trace = atomic_fetch_add_explicit(&num_queues, 1, memory_order_relaxed) + 1;
	struct weft_trace_record *record = append();
	if (!record)
		return;
	record->kind = WEFT_TRACE_QUEUE;
	record->queue = queue->trace;
	snprintf(record->name, sizeof(record->name), "%s order, %s",
		 weft_queue_in_order(queue) ? "in" : "out of", queue->device->impl->driver->name);
	appended();
}

void weft_trace_create(cl_event event)
{
	event->trace = atomic_fetch_add_explicit(&num_commands, 1, memory_order_relaxed) + 1;
	event->timed = true;
}

void weft_trace_wait(cl_event event)
{
	add(WEFT_TRACE_WAIT, time_of(event, WEFT_EVENT_QUEUED), event, NULL);
}

/* The arrow begins in what this thread was working on. */
void weft_trace_ready(cl_event event)
{
	if (!left)
		return;
	add(WEFT_TRACE_READY, left - 1, event, NULL);
	event->has_arrow = true;
}

static const char *name_in_queue(cl_event event)
{
	return event->edition ? "command buffer" : name_of(&event->command);
}

void weft_trace_begin(cl_event event)
{
	event->has_begun = true;
	add(WEFT_TRACE_BEGIN, time_of(event, WEFT_EVENT_START), event, name_in_queue(event));
}

void weft_trace_end(cl_event event)
{
	uint64_t time = time_of(event, WEFT_EVENT_END);

	if (event->has_begun)
		add(WEFT_TRACE_END, time, event, name_in_queue(event));
	else
		add(WEFT_TRACE_DROP, time, event, NULL);
}

static cl_event event_of(struct weft_command *command)
{
	if (!command->recorded)
		return WEFT_CONTAINER_OF(command, struct _cl_event, command);
	return command->supplies ? weft_supply_event(command) : weft_replay_event(command);
}

static const char *name_of_work(const struct weft_command *command)
{
	return command->recorded && command->supplies ? "transfer" : name_of(command);
}

/* The first thread to enter ends the arrow: the others come when that has offered them a share. */
void weft_trace_enter_command(struct weft_command *command)
{
	add(WEFT_TRACE_ENTER, weft_clock_now(), event_of(command), name_of_work(command));
}

void weft_trace_enter(const char *name)
{
	if (weft_trace_is_on())
		add(WEFT_TRACE_ENTER, weft_clock_now(), NULL, name);
}

void weft_trace_leave(void)
{
	if (!weft_trace_is_on())
		return;
	left = weft_clock_now();
	add(WEFT_TRACE_LEAVE, left, NULL, NULL);
}

/* ---- simulated time -------------------------------------------------------------------------- */

static void add_part(enum weft_trace_kind kind, const struct weft_span *span, cl_event event,
		     const char *name)
{
	struct weft_trace_record *record = append_record(kind, span->start, event, name);

	if (!record)
		return;
	record->duration = span->end - span->start;
	record->device = span->device;
	record->part = span->part;
	appended();
}

void weft_trace_name_part(uint32_t device, uint32_t part, const char *name)
{
	const struct weft_span span = {.device = device, .part = part};

	add_part(WEFT_TRACE_PART, &span, NULL, name);
}

void weft_trace_span(struct weft_command *command, const struct weft_span *span)
{
	add_part(WEFT_TRACE_SPAN, span, event_of(command), name_of_work(command));
}

/* It ends where its cause does: within that. */
void weft_trace_arrow(struct weft_command *command, const struct weft_arrow *arrow)
{
	const struct weft_span from = {arrow->from_device, arrow->from_part, arrow->end - 1,
				       arrow->end};
	const struct weft_span to = {arrow->to_device, arrow->to_part, arrow->start, arrow->start};

	add_part(WEFT_TRACE_FROM, &from, event_of(command), "");
	add_part(WEFT_TRACE_TO, &to, event_of(command), "");
}
