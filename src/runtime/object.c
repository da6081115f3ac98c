/* SPDX-License-Identifier: MIT
 *
 * The life of objects: see object.h for the two counts. Invariant: an object whose last `refs` is
 * gone has been marked dead and destroyed, exactly once.
 */
#include "object.h"

#include <stdatomic.h>
#include <stddef.h>

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

void weft_object_init(struct weft_object *object, enum weft_object_type type,
		      void (*destroy)(struct weft_object *))
{
	object->dispatch = dispatch_table;
	object->dispatch_data = atomic_load(&dispatch_data);
	object->type = type;
	object->destroy = destroy;
	weft_refcount_init(&object->api, 1);
	weft_refcount_init(&object->refs, 1);
}

void weft_object_retain_api(struct weft_object *object)
{
	/* From none to one: only the library kept the object until now. */
	if (atomic_fetch_add_explicit(&object->api.value, 1, memory_order_relaxed) == 0)
		weft_object_get(object);
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

void weft_object_put(struct weft_object *object)
{
	if (!object || !weft_refcount_put(&object->refs))
		return;
	object->type = WEFT_OBJECT_DEAD;
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
		return CL_INVALID_OPERATION;
	case WEFT_DEPENDENCY_FAILED:
		return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
	}
	return CL_OUT_OF_RESOURCES;
}
