/* SPDX-License-Identifier: MIT
 *
 * The trace. Invariant: a thread alone appends to its buffer and counts what it has appended; whoever holds the lock
 * may write out what is counted, and only the thread itself, holding the lock, begins anew.
 */
#include "trace.h"

#include "alloc.h"
#include "clock.h"
#include "event_graph.h"
#include "log.h"
#include "mutex.h"
#include "options.h"
#include "queue.h"
#include "replay.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define RECORDS 512 /* of a buffer */
#define NAME_SIZE 40

/* The format's process ids: tracks are grouped by them. */
enum { THREADS = 1, QUEUES = 2 };

enum record_kind { RECORD_ENTER, RECORD_LEAVE, RECORD_READY, RECORD_BEGIN, RECORD_COMMAND };

struct record {
	enum record_kind kind;
	uint32_t queue;
	uint64_t number;   /* of the command; 0: none */
	uint64_t times[4]; /* ns; of a command as in its event, otherwise the first one */
	char name[NAME_SIZE];
};

struct buffer {
	struct buffer *next; /* in `buffers` */
	pid_t thread;
	char name[16]; /* of the thread */
	bool named;    /* in the file */
	_Atomic unsigned count;
	struct record records[RECORDS];
};

static _Thread_local struct buffer *own;
static _Thread_local uint64_t left; /* when this thread last left something */
static _Atomic(struct buffer *) buffers;
static _Atomic uint32_t num_queues;
static _Atomic uint64_t num_commands;
static _Atomic bool over; /* the file is closed, or could not be opened */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct weft_mutex lock = WEFT_MUTEX_INITIALIZER(WEFT_RANK_TRACE);
static FILE *file WEFT_GUARDED_BY(&lock);

bool weft_trace_is_on(void)
{
	return weft_options()->trace != NULL;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* The child of a fork has a file of its parent's: it writes nothing. */
static void forget_in_child(void) WEFT_TSA(no_thread_safety_analysis)
{
	file = NULL;
	atomic_store_explicit(&over, true, memory_order_relaxed);
}

static void open_file(void) WEFT_TSA(no_thread_safety_analysis)
{
	const char *path = weft_options()->trace;

	(void)pthread_atfork(NULL, NULL, forget_in_child);
	file = fopen(path, "we");
	if (!file) {
		weft_log(WEFT_LOG_WARN, "runtime", "cannot write the trace to %s: %m", path);
		atomic_store_explicit(&over, true, memory_order_relaxed);
		return;
	}
	fprintf(file,
		"[\n{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":"
		"\"threads\"}},"
		"\n{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":"
		"\"queues\"}}",
		THREADS, QUEUES);
}

static double microseconds(uint64_t nanoseconds)
{
	return (double)nanoseconds / 1000;
}

/* What a command's queue shows: that it waits, then that it runs. */
static void write_span(const struct record *record, const char *name, uint64_t start, uint64_t end)
	WEFT_REQUIRES(&lock)
{
	fprintf(file,
		",\n{\"ph\":\"b\",\"cat\":\"queue\",\"pid\":%d,\"tid\":%" PRIu32 ",\"id\":%" PRIu64
		",\"ts\":%.3f,\"name\":\"%s\",\"args\":{\"command\":%" PRIu64 "}}"
		",\n{\"ph\":\"e\",\"cat\":\"queue\",\"pid\":%d,\"tid\":%" PRIu32 ",\"id\":%" PRIu64
		",\"ts\":%.3f,\"name\":\"%s\"}",
		QUEUES, record->queue, record->number, microseconds(start), name, record->number,
		QUEUES, record->queue, record->number, microseconds(end), name);
}

static void write_record(const struct buffer *buffer, const struct record *record)
	WEFT_REQUIRES(&lock)
{
	double time = microseconds(record->times[0]);
	const uint64_t *times = record->times;

	switch (record->kind) {
	case RECORD_ENTER:
		fprintf(file,
			",\n{\"ph\":\"B\",\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"name\":\"%s\","
			"\"args\":{\"queue\":%" PRIu32 ",\"command\":%" PRIu64 "}}",
			THREADS, buffer->thread, time, record->name, record->queue, record->number);
		break;
	case RECORD_LEAVE:
		fprintf(file, ",\n{\"ph\":\"E\",\"pid\":%d,\"tid\":%d,\"ts\":%.3f}", THREADS,
			buffer->thread, time);
		break;
	case RECORD_READY:
	case RECORD_BEGIN:
		fprintf(file,
			",\n{\"ph\":\"%s\",\"cat\":\"ready\",\"name\":\"ready\",\"pid\":%d,\"tid\":"
			"%d,"
			"\"id\":%" PRIu64 ",\"ts\":%.3f%s}",
			record->kind == RECORD_READY ? "s" : "f", THREADS, buffer->thread,
			record->number, time, record->kind == RECORD_READY ? "" : ",\"bp\":\"e\"");
		break;
	case RECORD_COMMAND:
		write_span(record, "waits", times[WEFT_EVENT_QUEUED], times[WEFT_EVENT_START]);
		write_span(record, record->name, times[WEFT_EVENT_START], times[WEFT_EVENT_END]);
		break;
	}
}

static void write_buffer(struct buffer *buffer) WEFT_REQUIRES(&lock)
{
	unsigned count = atomic_load_explicit(&buffer->count, memory_order_acquire);

	if (!file)
		return;
	if (!buffer->named)
		fprintf(file,
			",\n{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"thread_name\","
			"\"args\":{\"name\":\"%s\"}}",
			THREADS, buffer->thread, buffer->name);
	buffer->named = true;
	for (unsigned i = 0; i < count; i++)
		write_record(buffer, &buffer->records[i]);
}

/* What other threads append from here on is lost. */
__attribute__((destructor)) static void end_trace(void)
{
	struct buffer *buffer = atomic_load_explicit(&buffers, memory_order_acquire);

	atomic_store_explicit(&over, true, memory_order_relaxed);
	weft_mutex_lock(&lock);
	for (; buffer; buffer = buffer->next)
		write_buffer(buffer);
	if (file) {
		fprintf(file, "\n]\n");
		(void)fclose(file);
	}
	file = NULL;
	weft_mutex_unlock(&lock);
}

/* ---- records --------------------------------------------------------------------------------- */

/* The name goes into the file as it is: nothing that a string there does not allow. */
static void name_thread(struct buffer *buffer)
{
	buffer->thread = gettid();
	if (pthread_getname_np(pthread_self(), buffer->name, sizeof(buffer->name)) != 0)
		buffer->name[0] = '\0';
	for (char *c = buffer->name; *c; c++) {
		if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ')
			*c = '?';
	}
}

/* Room for one more; NULL when there is none. */
static struct record *append(void)
{
	pthread_once(&once, open_file);
	if (atomic_load_explicit(&over, memory_order_relaxed))
		return NULL;
	if (!own) {
		own = weft_zalloc(sizeof(*own));
		if (!own)
			return NULL;
		name_thread(own);
		own->next = atomic_load_explicit(&buffers, memory_order_relaxed);
		while (!atomic_compare_exchange_weak_explicit(
			&buffers, &own->next, own, memory_order_release, memory_order_relaxed))
			;
	}
	if (atomic_load_explicit(&own->count, memory_order_relaxed) == RECORDS) {
		weft_mutex_lock(&lock);
		write_buffer(own);
		atomic_store_explicit(&own->count, 0, memory_order_relaxed);
		weft_mutex_unlock(&lock);
	}
	return &own->records[atomic_load_explicit(&own->count, memory_order_relaxed)];
}

/* What append returned is complete. */
static void appended(void)
{
	unsigned count = atomic_load_explicit(&own->count, memory_order_relaxed);

	atomic_store_explicit(&own->count, count + 1, memory_order_release);
}

static void add(enum record_kind kind, uint64_t time, const struct _cl_event *event,
		const char *name)
{
	struct record *record = append();

	if (!record)
		return;
	record->kind = kind;
	record->queue = event ? event->queue->trace : 0;
	record->number = event ? event->trace : 0;
	record->times[0] = time;
	snprintf(record->name, sizeof(record->name), "%s", name);
	appended();
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

uint32_t weft_trace_queue(void)
{
	return weft_trace_is_on()
		       ? atomic_fetch_add_explicit(&num_queues, 1, memory_order_relaxed) + 1
		       : 0;
}

void weft_trace_create(cl_event event)
{
	event->trace = atomic_fetch_add_explicit(&num_commands, 1, memory_order_relaxed) + 1;
	event->timed = true;
}

/* The arrow begins in what this thread was working on. */
void weft_trace_ready(cl_event event)
{
	if (!left)
		return;
	add(RECORD_READY, left - 1, event, "");
	event->has_arrow = true;
}

void weft_trace_end(cl_event event)
{
	struct record *record = append();

	if (!record)
		return;
	record->kind = RECORD_COMMAND;
	record->queue = event->queue->trace;
	record->number = event->trace;
	for (int i = 0; i < 4; i++)
		record->times[i] = atomic_load_explicit(&event->times[i], memory_order_relaxed);
	snprintf(record->name, sizeof(record->name), "%s",
		 event->edition ? "command buffer" : name_of(&event->command));
	appended();
}

/* The first thread to enter ends the arrow: the others come when that has offered them a share. */
void weft_trace_enter_command(struct weft_command *command)
{
	cl_event event = command->recorded ? weft_replay_event(command)
					   : WEFT_CONTAINER_OF(command, struct _cl_event, command);
	uint64_t now = weft_clock_now();

	add(RECORD_ENTER, now, event, name_of(command));
	if (!event->has_arrow)
		return;
	event->has_arrow = false;
	add(RECORD_BEGIN, now, event, "");
}

void weft_trace_enter(const char *name)
{
	if (weft_trace_is_on())
		add(RECORD_ENTER, weft_clock_now(), NULL, name);
}

void weft_trace_leave(void)
{
	if (!weft_trace_is_on())
		return;
	left = weft_clock_now();
	add(RECORD_LEAVE, left, NULL, "");
}
