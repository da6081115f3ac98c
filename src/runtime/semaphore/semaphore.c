/* SPDX-License-Identifier: MIT
 *
 * Semaphores: their life, and which wait is for which signal. Invariant: of a semaphore's pending signals all are awaited, or
 * none is.
 */
#include "semaphore/semaphore.h"

#include "alloc.h"
#include "graph/queue.h"
#include "graph/upcalls.h"
#include "semaphore/semaphore_signal.h"

#include <fcntl.h>
#include <string.h>

/* ---- life ------------------------------------------------------------------------------------ */

/* What still waits for a signal fails: no command can signal it any more. */
static void drop_pending(struct weft_list *pending)
{
	struct weft_list *link;

	while ((link = weft_list_pop(pending))) {
		struct weft_semaphore_signal *signal =
			WEFT_CONTAINER_OF(link, struct weft_semaphore_signal, link);

		if (signal->awaited)
			weft_semaphore_signal_end(signal, CL_INVALID_SEMAPHORE_KHR);
		weft_semaphore_signal_put(signal);
	}
}

static void destroy(struct weft_object *object) WEFT_TSA(no_thread_safety_analysis)
{
	cl_semaphore_khr semaphore = WEFT_CONTAINER_OF(object, struct _cl_semaphore_khr, base);

	drop_pending(&semaphore->pending);
	weft_semaphore_payload_put(semaphore->shared);
	weft_free(semaphore->properties);
	weft_object_put(&semaphore->context->base);
	weft_mutex_destroy(&semaphore->lock);
	weft_object_free(&semaphore->base);
}

/* What a sync handle signals. The descriptor is the payload's on success. */
static cl_int import_sync(cl_context context, int fd, struct weft_semaphore_signal **signal_ret)
{
	struct weft_semaphore_signal *signal = weft_semaphore_signal_create(context);
	struct weft_semaphore_payload *payload =
		signal && fd >= 0 ? weft_semaphore_payload_import(fd, false) : NULL;

	if (!signal || (fd >= 0 && !payload)) {
		weft_semaphore_signal_put(signal);
		return CL_OUT_OF_HOST_MEMORY;
	}
	if (payload) {
		weft_refcount_get(&signal->refs);
		weft_semaphore_signal_by_payload(signal, payload);
		weft_semaphore_payload_put(payload);
	} else {
		weft_semaphore_signal_end(signal, CL_COMPLETE);
	}
	*signal_ret = signal;
	return CL_SUCCESS;
}

/* The payload, or the first signal, of a new semaphore. */
static cl_int connect(cl_semaphore_khr semaphore, int fd) WEFT_TSA(no_thread_safety_analysis)
{
	struct weft_semaphore_signal *signal;
	cl_int err = CL_SUCCESS;

	if (semaphore->imported == CL_SEMAPHORE_HANDLE_SYNC_FD_KHR) {
		err = import_sync(semaphore->context, fd, &signal);
		if (err == CL_SUCCESS)
			weft_list_append(&semaphore->pending, &signal->link);
	} else if (semaphore->imported == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR) {
		semaphore->shared = weft_semaphore_payload_import(fd, true);
		err = semaphore->shared ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
	} else if (semaphore->exported == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR) {
		semaphore->shared = weft_semaphore_payload_create();
		err = semaphore->shared ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
	}
	return err;
}

cl_int weft_semaphore_create(const struct weft_semaphore_desc *desc,
			     cl_semaphore_khr *semaphore_ret) WEFT_TSA(no_thread_safety_analysis)
{
	cl_semaphore_khr semaphore = weft_object_alloc(sizeof(*semaphore));
	cl_int err = CL_OUT_OF_HOST_MEMORY;

	if (!semaphore)
		return err;
	weft_object_init(&semaphore->base, WEFT_OBJECT_SEMAPHORE, destroy);
	weft_mutex_init(&semaphore->lock, WEFT_RANK_SEMAPHORE);
	weft_list_init(&semaphore->pending);
	weft_object_get(&desc->context->base);
	semaphore->context = desc->context;
	semaphore->device = desc->device;
	semaphore->exported = desc->exported;
	semaphore->imported = desc->imported;
	semaphore->num_properties = desc->num_properties;
	semaphore->properties =
		weft_memdup(desc->properties, desc->num_properties * sizeof(*desc->properties));
	if (semaphore->properties)
		err = connect(semaphore, desc->fd);
	if (err == CL_SUCCESS)
		*semaphore_ret = semaphore;
	else
		weft_object_put(&semaphore->base);
	return err;
}

cl_int weft_semaphore_import_again(cl_semaphore_khr semaphore, int fd)
{
	struct weft_list before = {&before, &before};
	struct weft_semaphore_signal *signal;

	cl_int err = import_sync(semaphore->context, fd, &signal);
	if (err != CL_SUCCESS)
		return err;
	weft_mutex_lock(&semaphore->lock);
	while (!weft_list_empty(&semaphore->pending))
		weft_list_append(&before, weft_list_pop(&semaphore->pending));
	weft_list_append(&semaphore->pending, &signal->link);
	weft_mutex_unlock(&semaphore->lock);
	drop_pending(&before);
	return CL_SUCCESS;
}

bool weft_semaphore_can_import(cl_external_semaphore_handle_type_khr type, int fd)
{
	if (type == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR)
		return weft_semaphore_payload_is_opaque(fd);
	return fd == -1 || fcntl(fd, F_GETFD) >= 0;
}

/* ---- which wait is for which signal ---------------------------------------------------------- */

static struct weft_semaphore_signal *first_pending(cl_semaphore_khr semaphore)
	WEFT_REQUIRES(&semaphore->lock)
{
	struct weft_list *first = semaphore->pending.next;

	return first == &semaphore->pending
		       ? NULL
		       : WEFT_CONTAINER_OF(first, struct weft_semaphore_signal, link);
}

/* In the child of a fork: what its parent's commands signal, or wait for, never comes here. It stays allocated, as they do. */
static void forget_parent(cl_semaphore_khr semaphore) WEFT_REQUIRES(&semaphore->lock)
{
	struct weft_semaphore_signal *first = first_pending(semaphore);

	while (first && first->event->order.generation != weft_fork_generation() &&
	       weft_event_status(first->event) > CL_COMPLETE) {
		weft_list_remove(&first->link);
		first = first_pending(semaphore);
	}
}

/* The oldest pending one of that kind, with its reference; else `fresh` becomes the newest of the other kind, with a reference
 * more, and is returned. */
static struct weft_semaphore_signal *match(cl_semaphore_khr semaphore, bool awaited,
					   struct weft_semaphore_signal *fresh)
{
	weft_mutex_lock(&semaphore->lock);
	forget_parent(semaphore);
	struct weft_semaphore_signal *found = first_pending(semaphore);
	if (found && found->awaited == awaited) {
		weft_list_remove(&found->link);
	} else if (fresh) {
		found = fresh;
		fresh->awaited = !awaited;
		weft_refcount_get(&fresh->refs);
		weft_list_append(&semaphore->pending, &fresh->link);
	} else {
		found = NULL;
	}
	weft_mutex_unlock(&semaphore->lock);
	return found;
}

/* The signal that a wait is for; its reference is the caller's. Takes over that of `fresh`. */
static struct weft_semaphore_signal *signal_to_wait_for(cl_semaphore_khr semaphore,
							struct weft_semaphore_signal *fresh)
{
	if (semaphore->shared) {
		weft_refcount_get(&fresh->refs);
		weft_semaphore_signal_by_payload(fresh, semaphore->shared);
		return fresh;
	}
	struct weft_semaphore_signal *signal = match(semaphore, false, fresh);
	if (signal != fresh)
		weft_semaphore_signal_put(fresh);
	return signal;
}

/* ---- commands -------------------------------------------------------------------------------- */

/* What one enqueue needs, made before anything is changed. */
struct batch {
	cl_uint count;
	struct weft_semaphore_signal **signals; /* owned */
};

static void release(struct batch *batch)
{
	for (cl_uint i = 0; i < batch->count; i++)
		weft_semaphore_signal_put(batch->signals[i]);
	weft_free(batch->signals);
}

/* False: no memory; nothing is left behind. `signalling`: those of shared semaphores need no event. */
static bool prepare(struct batch *batch, cl_uint count, const cl_semaphore_khr *semaphores,
		    bool signalling)
{
	*batch = (struct batch){.signals = weft_calloc(count, sizeof(*batch->signals))};
	for (; batch->signals && batch->count < count; batch->count++) {
		cl_semaphore_khr semaphore = semaphores[batch->count];
		struct weft_semaphore_signal *signal =
			signalling && semaphore->shared
				? weft_semaphore_signal_create_shared(semaphore->shared)
				: weft_semaphore_signal_create(semaphore->context);

		if (!signal)
			break;
		batch->signals[batch->count] = signal;
	}
	if (batch->signals && batch->count == count)
		return true;
	release(batch);
	return false;
}

/* The events of the signals stand in the wait list behind the application's own. */
static cl_int enqueue_wait(const struct weft_enqueue *enqueue, const cl_semaphore_khr *semaphores,
			   struct batch *batch, cl_event *event)
{
	struct weft_enqueue whole = *enqueue;
	cl_event command = NULL;
	cl_uint num_waits;

	if (__builtin_add_overflow(enqueue->num_waits, batch->count, &num_waits))
		return CL_OUT_OF_HOST_MEMORY;
	cl_event *waits = weft_calloc(num_waits, sizeof(cl_event));
	if (!waits)
		return CL_OUT_OF_HOST_MEMORY;
	whole.num_waits = num_waits;
	whole.waits = waits;
	cl_int err = weft_event_create(&whole, &command);
	if (err == CL_SUCCESS) {
		if (enqueue->num_waits)
			memcpy(waits, enqueue->waits, enqueue->num_waits * sizeof(cl_event));
		for (cl_uint i = 0; i < batch->count; i++) {
			batch->signals[i] = signal_to_wait_for(semaphores[i], batch->signals[i]);
			waits[enqueue->num_waits + i] = batch->signals[i]->event;
		}
		err = weft_event_submit(command, NULL, false, event);
	}
	weft_free(waits);
	return err;
}

cl_int weft_semaphore_enqueue_wait(const struct weft_enqueue *enqueue, cl_uint count,
				   const cl_semaphore_khr *semaphores, cl_event *event)
{
	struct batch batch;

	if (!prepare(&batch, count, semaphores, false))
		return CL_OUT_OF_HOST_MEMORY;
	cl_int err = enqueue_wait(enqueue, semaphores, &batch, event);
	release(&batch);
	return err;
}

/* What is waited for already is signalled, else what will be waited for. Its reference is the command's. */
static struct weft_semaphore_signal *signal_to_give(cl_semaphore_khr semaphore,
						    struct weft_semaphore_signal *fresh)
{
	struct weft_semaphore_signal *signal =
		semaphore->shared ? NULL : match(semaphore, true, fresh);

	if (signal && signal != fresh)
		return signal;
	weft_refcount_get(&fresh->refs);
	return fresh;
}

/* What a command signals; in its event's memory. */
struct signalling {
	struct weft_event_hooks hooks;
	cl_uint count;
	struct weft_semaphore_signal *signals[];
};

static void signal_all(cl_event command, cl_int result)
{
	const struct signalling *signalling =
		WEFT_CONTAINER_OF(command->hooks, struct signalling, hooks);

	for (cl_uint i = 0; i < signalling->count; i++)
		weft_semaphore_signal_by_command(signalling->signals[i], result);
}

/* Other queues and processes may wait for the signal: the queue is flushed, as for a command whose event the application has. */
static cl_int enqueue_signal(const struct weft_enqueue *enqueue, const cl_semaphore_khr *semaphores,
			     const struct batch *batch, cl_event *event)
{
	struct signalling *signalling;
	cl_event command;

	cl_int err = weft_event_create(enqueue, &command);
	if (err != CL_SUCCESS)
		return err;
	signalling = weft_event_memory(command, sizeof(*signalling) +
							batch->count * sizeof(*batch->signals));
	if (!signalling) {
		weft_event_abandon(command);
		return CL_OUT_OF_HOST_MEMORY;
	}
	signalling->hooks = (struct weft_event_hooks){.ends = signal_all};
	signalling->count = batch->count;
	for (cl_uint i = 0; i < batch->count; i++)
		signalling->signals[i] = signal_to_give(semaphores[i], batch->signals[i]);
	command->hooks = &signalling->hooks;
	err = weft_event_submit(command, NULL, false, event);
	weft_queue_flush(enqueue->queue);
	return err;
}

cl_int weft_semaphore_enqueue_signal(const struct weft_enqueue *enqueue, cl_uint count,
				     const cl_semaphore_khr *semaphores, cl_event *event)
{
	struct batch batch;

	if (!prepare(&batch, count, semaphores, true))
		return CL_OUT_OF_HOST_MEMORY;
	cl_int err = enqueue_signal(enqueue, semaphores, &batch, event);
	release(&batch);
	return err;
}

/* ---- queries, handles ------------------------------------------------------------------------ */

bool weft_semaphore_is_signalled(cl_semaphore_khr semaphore)
{
	bool signalled = false;

	if (semaphore->shared)
		return weft_semaphore_payload_is_signalled(semaphore->shared);
	weft_mutex_lock(&semaphore->lock);
	for (struct weft_list *link = semaphore->pending.next;
	     link != &semaphore->pending && !signalled; link = link->next)
		signalled = weft_event_status(
				    WEFT_CONTAINER_OF(link, struct weft_semaphore_signal, link)
					    ->event) == CL_COMPLETE;
	weft_mutex_unlock(&semaphore->lock);
	return signalled;
}

cl_int weft_semaphore_export(cl_semaphore_khr semaphore, int *fd)
{
	if (semaphore->shared) {
		int handle = weft_semaphore_payload_export(semaphore->shared);

		if (handle >= 0)
			*fd = handle;
		return handle >= 0 ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
	}
	struct weft_semaphore_signal *signal = match(semaphore, false, NULL);
	if (!signal)
		return CL_OUT_OF_RESOURCES;
	cl_int status = weft_event_wait(signal->event);
	weft_semaphore_signal_put(signal);
	if (status != CL_COMPLETE)
		return CL_OUT_OF_RESOURCES;
	*fd = -1; /* a handle that is signalled */
	return CL_SUCCESS;
}
