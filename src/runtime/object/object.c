/* SPDX-License-Identifier: MIT
 *
 * The life of objects: see object.h for the two counts. Invariant: an object whose last `refs` is
 * gone has been marked dead and destroyed, exactly once.
 */
#include "object/object.h"

#include "slab.h"

#include "alloc.h"

#include <assert.h>
#include <string.h>

static_assert(sizeof(struct weft_object) <= WEFT_SLAB_HEAD, "the whole head outlives an object");

static const void *dispatch_table;
static _Atomic(void *) dispatch_data;

void weft_object_set_dispatch(const void *table)
{
	dispatch_table = table;
}

void weft_object_set_dispatch_data(void *data)
{
	atomic_store(&dispatch_data, data);
}

void *weft_object_alloc(size_t size)
{
	static _Atomic uint32_t last_serial;

	if (weft_alloc_must_fail())
		return NULL;
	struct weft_object *object = weft_slab_take(WEFT_SLAB_HANDLES, size, 1);
	if (!object)
		return NULL;
	memset(object + 1, 0, size - sizeof(*object));
	atomic_store_explicit(&object->serial,
			      atomic_fetch_add_explicit(&last_serial, 1, memory_order_relaxed) + 1,
			      memory_order_relaxed);
	return object;
}

void weft_object_free(struct weft_object *object)
{
	if (!object)
		return;
	atomic_store_explicit(&object->type, WEFT_OBJECT_DEAD, memory_order_relaxed);
	*weft_slab_link(object) = NULL;
	weft_slab_give(object);
}

void weft_object_init(struct weft_object *object, enum weft_object_type type,
		      void (*destroy)(struct weft_object *))
{
	object->dispatch = dispatch_table;
	object->dispatch_data = atomic_load(&dispatch_data);
	object->destroy = destroy;
	atomic_store_explicit(&object->api.value, 1, memory_order_relaxed);
	/* For weft_object_get_live: with the reference comes what the object was made with. */
	atomic_store_explicit(&object->refs.value, 1, memory_order_release);
	atomic_store_explicit(&object->type, (uint32_t)type, memory_order_release);
}

static bool get_if_any(struct weft_object *object)
{
	uint32_t count = atomic_load_explicit(&object->refs.value, memory_order_relaxed);

	while (count > 0) {
		if (atomic_compare_exchange_weak_explicit(&object->refs.value, &count, count + 1,
							  memory_order_acquire,
							  memory_order_relaxed))
			return true;
	}
	return false;
}

/* From none to one: only the library kept the object until now, and may be letting go of it. */
bool weft_object_retain_api(struct weft_object *object)
{
	uint32_t count = atomic_load_explicit(&object->api.value, memory_order_relaxed);

	while (count > 0) {
		if (atomic_compare_exchange_weak_explicit(&object->api.value, &count, count + 1,
							  memory_order_relaxed,
							  memory_order_relaxed))
			return true;
	}
	if (!get_if_any(object))
		return false;
	if (atomic_fetch_add_explicit(&object->api.value, 1, memory_order_relaxed) > 0)
		weft_object_put(object);
	return true;
}

bool weft_object_release_api(struct weft_object *object)
{
	uint32_t count = atomic_load_explicit(&object->api.value, memory_order_relaxed);

	do {
		if (count == 0)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(
		&object->api.value, &count, count - 1, memory_order_acq_rel, memory_order_relaxed));
	if (count == 1)
		weft_object_put(object);
	return true;
}

void weft_object_get(struct weft_object *object)
{
	weft_refcount_get(&object->refs);
}

bool weft_object_get_live(struct weft_object *object, uint32_t serial)
{
	if (!get_if_any(object))
		return false;
	if (atomic_load_explicit(&object->serial, memory_order_relaxed) == serial)
		return true;
	weft_object_put(object);
	return false;
}

/* A thread that has the only reference to an event shares it with no other, and a look is enough. Other objects may get
 * one at any time by weft_object_get_live. */
bool weft_object_drop(struct weft_object *object)
{
	if (atomic_load_explicit(&object->type, memory_order_relaxed) == WEFT_OBJECT_EVENT)
		return weft_refcount_put(&object->refs);
	return atomic_fetch_sub_explicit(&object->refs.value, 1, memory_order_acq_rel) == 1;
}

void weft_object_put(struct weft_object *object)
{
	if (!object || !weft_object_drop(object))
		return;
	atomic_store_explicit(&object->type, WEFT_OBJECT_DEAD, memory_order_relaxed);
	object->destroy(object);
}

cl_int weft_status_to_cl(enum weft_status status)
{
	switch (status) {
	case WEFT_OK:
		return CL_SUCCESS;
	case WEFT_OUT_OF_MEMORY:
		return CL_OUT_OF_HOST_MEMORY;
	case WEFT_OUT_OF_RESOURCES:
	case WEFT_CALLS_TOO_DEEP:
	case WEFT_INTERNAL:
		return CL_OUT_OF_RESOURCES;
	case WEFT_INVALID_OPTIONS:
		return CL_INVALID_BUILD_OPTIONS;
	case WEFT_BUILD_FAILED:
		return CL_BUILD_PROGRAM_FAILURE;
	case WEFT_INVALID_BINARY:
		return CL_INVALID_BINARY;
	case WEFT_NOT_FOUND:
		return CL_INVALID_VALUE;
	case WEFT_UNSUPPORTED:
	case WEFT_CALL_FAILED:
		return CL_INVALID_OPERATION;
	case WEFT_DEPENDENCY_FAILED:
		return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
	case WEFT_TERMINATED:
		return CL_CONTEXT_TERMINATED_KHR;
	}
	return CL_OUT_OF_RESOURCES;
}
