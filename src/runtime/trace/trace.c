/* SPDX-License-Identifier: MIT
 *
 * The trace. Each thread has a ring of records. Invariant: the thread alone appends, and counts what it has appended;
 * the thread that holds the lock writes out what is counted, and counts that. A ring lives as long as its thread.
 */
#include "trace/trace.h"

#include "alloc.h"
#include "clock.h"
#include "mutex.h"
#include "options.h"
#include "thread.h"
#include "trace/trace_file.h"

#include <pthread.h>
#include <stdatomic.h>
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
static _Atomic bool over;           /* nothing more is written */
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

void weft_trace_append_end(void)
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

struct weft_trace_record *weft_trace_append_begin(enum weft_trace_kind kind, uint64_t time,
						  const char *name)
{
	struct weft_trace_record *record = append();

	if (!record)
		return NULL;
	record->kind = (uint8_t)kind;
	record->arrow = false;
	record->images = 0;
	record->queue = 0;
	record->command = 0;
	record->time = time;
	if (name)
		copy_name(record, name);
	return record;
}

/* ---- what a thread works on ------------------------------------------------------------------ */

static void add(enum weft_trace_kind kind, uint64_t time, const char *name)
{
	if (weft_trace_append_begin(kind, time, name))
		weft_trace_append_end();
}

void weft_trace_enter(const char *name)
{
	if (weft_trace_is_on())
		add(WEFT_TRACE_ENTER, weft_clock_now(), name);
}

void weft_trace_leave(void)
{
	if (!weft_trace_is_on())
		return;
	left = weft_clock_now();
	add(WEFT_TRACE_LEAVE, left, NULL);
}

uint64_t weft_trace_last_left(void)
{
	return left;
}
