/* SPDX-License-Identifier: MIT
 *
 * A command queue: the order that its commands keep. It lives until the last of them has ended, without being
 * held by each: without references of the application, it waits for what is in flight.
 */
#ifndef WEFT_RUNTIME_QUEUE_H
#define WEFT_RUNTIME_QUEUE_H

#include "device/context.h"
#include "fork_generation.h"
#include "graph/hazards.h"
#include "mutex.h"
#include "node/join_counter.h"
#include "object/object.h"

struct _cl_command_queue {
	struct weft_object base;
	cl_context context;                     /* retained */
	struct weft_list link;                  /* in the context's list, until its end */
	cl_device_id device;                    /* retained */
	struct weft_locus locus;                /* the device's */
	cl_command_queue_properties properties; /* bits */
	enum weft_priority priority;            /* of its commands */
	bool throttled;                         /* its commands need but one core */
	uint32_t trace;                         /* its number; 0: not traced */
	cl_queue_properties *property_list;     /* owned copy of what WithProperties got, or NULL */
	cl_uint num_properties;                 /* elements, the zero included */
	_Atomic uint32_t
		generation; /* of the process that the commands in it belong to; see weft_queue_enter */
	struct weft_mutex lock; /* WEFT_RANK_QUEUE */
	/* Counts the commands and waits for which a thread may look into the queue; changes under the lock. See
	 * event_order.c. */
	_Atomic uint32_t demands;
	/* What the next command comes after: the last command of an in-order queue, the last barrier of an
	 * out-of-order one. Its block is kept (weft_event_put_block), it may have ended; or NULL. */
	cl_event last WEFT_GUARDED_BY(&lock);
	/* An in-order queue whose commands run in parallel where they share no memory. Constant. */
	bool parallel;
	/* Of a parallel queue: the newest command that all later ones come after, like a barrier. Its block is kept; or
	 * NULL. */
	cl_event last_barrier_like WEFT_GUARDED_BY(&lock);
	/* Of a parallel queue: what the commands since then do to memory. */
	struct weft_hazards hazards WEFT_GUARDED_BY(&lock);
	/* Of an out-of-order queue: counts the commands since the last marker, and that marker. Owned. */
	struct weft_join_counter *segment WEFT_GUARDED_BY(&lock);
	/* Of a queue without references of the application: waits for the last of its commands. */
	struct weft_node end;
	/* From that command, or its segment, to `end`. */
	struct weft_edge end_edge;
	/* Of a queue on the device: device_queue.h. */
	cl_uint size;                  /* bytes; 0: a queue of the host */
	_Atomic uint64_t used;         /* bytes of what is in it */
	cl_command_queue next_default; /* in context->default_queues; changes under that lock */
};

struct weft_queue_desc {
	cl_context context;
	cl_device_id device;
	cl_command_queue_properties properties;
	const cl_queue_properties *property_list; /* or NULL */
	cl_uint num_properties;
	enum weft_priority priority;
	bool throttled;
	cl_uint size; /* bytes, of a queue on the device; else 0 */
};

/* Of one context; borrowed. */
struct weft_queue_list {
	const cl_command_queue *items;
	cl_uint count;
};

cl_int weft_queue_create(const struct weft_queue_desc *desc,
			 cl_command_queue *queue) WEFT_MUST_CHECK;
void weft_queue_flush(cl_command_queue queue);
/* Slow: see weft_queue_enter. */
cl_int weft_queue_renew(cl_command_queue queue) WEFT_MUST_CHECK;
/* Whether a command without a wait list would have nothing to wait for; then what came before it is visible. */
bool weft_queue_is_clear(cl_command_queue queue);
/* Does what takes no time, in the place of such a command: no command begins until it is done. False: it would have to wait, and
 * nothing is done. */
bool weft_queue_do_now(cl_command_queue queue, void (*action)(const void *data), const void *data);
/* Returns when every command enqueued before the call has ended. CL_OUT_OF_HOST_MEMORY: at once. */
cl_int weft_queue_finish(cl_command_queue queue) WEFT_MUST_CHECK;

/* The same of all queues of the context, one after the other; of those, too, which the application has released. */
cl_int weft_queue_finish_all(cl_context context) WEFT_MUST_CHECK;

/* Whether there is nothing to do for weft_queue_enter. */
static inline bool weft_queue_is_current(cl_command_queue queue)
{
	return atomic_load_explicit(&queue->generation, memory_order_acquire) ==
	       weft_fork_generation();
}

/* Before anything is done with the queue's commands. In the child of a fork those of the parent never end: the queue
 * forgets them. CL_OUT_OF_HOST_MEMORY: there is none for what takes their place, and the queue is as it was. */
static inline WEFT_MUST_CHECK cl_int weft_queue_enter(cl_command_queue queue)
{
	return weft_queue_is_current(queue) ? CL_SUCCESS : weft_queue_renew(queue);
}

/* The caller is about to wait for what is in the queue by now. */
static inline void weft_queue_demand(cl_command_queue queue) WEFT_REQUIRES(&queue->lock)
{
	atomic_fetch_add_explicit(&queue->demands, 1, memory_order_seq_cst);
}

static inline bool weft_queue_valid(cl_command_queue queue)
{
	return weft_object_is(queue, WEFT_OBJECT_QUEUE);
}

/* Whether it is the queue that had the serial number. */
static inline bool weft_queue_is_same(cl_command_queue queue, uint32_t serial)
{
	return weft_queue_valid(queue) &&
	       atomic_load_explicit(&queue->base.serial, memory_order_relaxed) == serial;
}

/* Whether kernels enqueue to it, and the host does not. */
static inline bool weft_queue_is_on_device(cl_command_queue queue)
{
	return queue->size > 0;
}

/* Whether a handle is a queue to which the host enqueues. */
static inline bool weft_queue_is_on_host(cl_command_queue queue)
{
	return weft_queue_valid(queue) && !weft_queue_is_on_device(queue);
}

/* Whether the thread that enqueues a command runs it (cl_intel_exec_by_local_thread). */
static inline bool weft_queue_is_in_place(cl_command_queue queue)
{
	return queue->properties & CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL;
}

static inline bool weft_queue_in_order(cl_command_queue queue)
{
	return !(queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

#endif
