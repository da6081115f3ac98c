/* SPDX-License-Identifier: MIT
 *
 * Binary semaphores (cl_khr_semaphore). A wait is for one signal: the first wait that is enqueued for the first signal that is
 * enqueued, and so on, whichever runs first and whichever of the two is enqueued first. So a semaphore can be signalled, or
 * waited for, again as soon as an enqueue has returned. Each signal is an event of the task graph, which the waiting command has
 * in its wait list.
 *
 * The signals of a semaphore that is shared by an opaque handle are counted in its payload (semaphore_payload.h) instead, where
 * other processes find them.
 */
#ifndef WEFT_RUNTIME_SEMAPHORE_H
#define WEFT_RUNTIME_SEMAPHORE_H

#include "device/context.h"
#include "graph/event.h"
#include "list.h"
#include "mutex.h"
#include "object/external_khr.h"
#include "object/object.h"

struct weft_semaphore_payload;

struct _cl_semaphore_khr {
	struct weft_object base;
	cl_context context;                             /* retained */
	cl_device_id device;                            /* that it is for; one of the context's */
	cl_semaphore_properties_khr *properties;        /* owned copy with its zero */
	cl_uint num_properties;                         /* elements, the zero included */
	cl_external_semaphore_handle_type_khr exported; /* type of handles that it gives; or 0 */
	cl_external_semaphore_handle_type_khr
		imported;                      /* type of the handle it was made from; or 0 */
	struct weft_semaphore_payload *shared; /* owned; of an opaque handle; or NULL */
	struct weft_mutex lock;                /* WEFT_RANK_SEMAPHORE */
	/* Unless shared: signals that no wait has been enqueued for, or those that waits have been enqueued for and that have
	 * no signal command yet; oldest first. */
	struct weft_list pending WEFT_GUARDED_BY(&lock);
};

struct weft_semaphore_desc {
	cl_context context;
	cl_device_id device;
	const cl_semaphore_properties_khr *properties;
	cl_uint num_properties;                         /* elements, the zero included */
	cl_external_semaphore_handle_type_khr exported; /* or 0 */
	cl_external_semaphore_handle_type_khr imported; /* or 0 */
	int fd;                                         /* the imported handle; -1: signalled */
};

/* All of it has been checked. The descriptor belongs to the semaphore, on success. */
cl_int weft_semaphore_create(const struct weft_semaphore_desc *desc,
			     cl_semaphore_khr *semaphore) WEFT_MUST_CHECK;
/* Of one that was made from a sync handle: as if made anew from this one, which it owns on success. */
cl_int weft_semaphore_import_again(cl_semaphore_khr semaphore, int fd) WEFT_MUST_CHECK;
/* Whether a semaphore can be made from a handle of that type. */
bool weft_semaphore_can_import(cl_external_semaphore_handle_type_khr type, int fd);

/* Enqueues; the semaphores have been checked. A semaphore that is named twice counts twice. */
cl_int weft_semaphore_enqueue_wait(const struct weft_enqueue *enqueue, cl_uint count,
				   const cl_semaphore_khr *semaphores,
				   cl_event *event) WEFT_MUST_CHECK;
cl_int weft_semaphore_enqueue_signal(const struct weft_enqueue *enqueue, cl_uint count,
				     const cl_semaphore_khr *semaphores,
				     cl_event *event) WEFT_MUST_CHECK;

bool weft_semaphore_is_signalled(cl_semaphore_khr semaphore);
/* A handle of the type `exported`. A sync handle takes a signal like a wait, waits for it, and is -1.
 * CL_OUT_OF_HOST_MEMORY: the process has too many descriptors; CL_OUT_OF_RESOURCES: there is no signal to take. */
cl_int weft_semaphore_export(cl_semaphore_khr semaphore, int *fd) WEFT_MUST_CHECK;

static inline bool weft_semaphore_valid(cl_semaphore_khr semaphore)
{
	return weft_object_is(semaphore, WEFT_OBJECT_SEMAPHORE);
}

#endif
