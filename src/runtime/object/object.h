/* SPDX-License-Identifier: MIT
 *
 * What every OpenCL object begins with: the ICD's two words, a tag that tells live objects of one kind
 * from everything else, and two counts. `api` is the application's (CL_*_REFERENCE_COUNT); `refs` is the
 * library's, and the application's count as a whole holds one of it. An object whose api count reaches
 * zero lives on while a command or another object needs it, and as long as it does, its handle is valid:
 * a query (CL_QUEUE_CONTEXT, say) gives it back to the application, which may retain it again. The head outlives the object
 * (slab.h): a handle that the application uses after that leads to a dead tag, or to another object of the same memory,
 * which `serial` tells from the first.
 */
#ifndef WEFT_RUNTIME_OBJECT_H
#define WEFT_RUNTIME_OBJECT_H

#include "object/opencl_headers.h"
#include "refcount.h"
#include "status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum weft_object_type {
	WEFT_OBJECT_DEAD = 0,
	WEFT_OBJECT_PLATFORM = 0x57460001,
	WEFT_OBJECT_DEVICE,
	WEFT_OBJECT_CONTEXT,
	WEFT_OBJECT_QUEUE,
	WEFT_OBJECT_MEM,
	WEFT_OBJECT_PROGRAM,
	WEFT_OBJECT_KERNEL,
	WEFT_OBJECT_EVENT,
	WEFT_OBJECT_SAMPLER,
	WEFT_OBJECT_COMMAND_BUFFER,
	WEFT_OBJECT_MUTABLE_COMMAND,
	WEFT_OBJECT_SEMAPHORE,
	/* No application has one of these. */
	WEFT_OBJECT_EXEC,
	WEFT_OBJECT_SPECIALISATION,
};

struct weft_object {
	const void *dispatch;  /* the ICD dispatch table (src/api/dispatch.c) */
	void *dispatch_data;   /* the loader's, cl_khr_icd 2.0; copied from the platform */
	_Atomic uint32_t type; /* enum weft_object_type */
	weft_refcount api;
	weft_refcount refs;
	_Atomic uint32_t serial; /* differs between objects of the same memory, but for events */
	void (*destroy)(struct weft_object *object); /* frees it; called without a lock */
};

/* Set once by src/api before the platform is handed out. */
void weft_object_set_dispatch(const void *table);
/* cl_khr_icd 2.0: what the loader wants in every object from now on. */
void weft_object_set_dispatch_data(void *data);

/* Memory for an object of `size` bytes, zeroed but for the head, which weft_object_init sets; NULL: out of memory. For
 * events see pool.h. */
void *weft_object_alloc(size_t size) __attribute__((malloc, warn_unused_result));
/* NULL is fine. The head stays, and its tag is WEFT_OBJECT_DEAD. */
void weft_object_free(struct weft_object *object);

/* Both counts start at one. */
void weft_object_init(struct weft_object *object, enum weft_object_type type,
		      void (*destroy)(struct weft_object *));

/* Whether a handle from the application is a live object of this type. NULL and what is not aligned as objects are, are not. */
static inline bool weft_object_is(const void *handle, enum weft_object_type type)
{
	const struct weft_object *object = handle;

	return handle && (uintptr_t)handle % _Alignof(struct weft_object) == 0 &&
	       atomic_load_explicit(&object->type, memory_order_relaxed) == (uint32_t)type;
}

/* The application's references. The last release may destroy the object. False: it is being destroyed, or the application
 * has none to release. */
bool weft_object_retain_api(struct weft_object *object) WEFT_MUST_CHECK;
bool weft_object_release_api(struct weft_object *object);

/* The library's references. */
void weft_object_get(struct weft_object *object);
/* The same for one that may have ended: false, then, or when its memory is another object's by now. */
bool weft_object_get_live(struct weft_object *object, uint32_t serial) WEFT_MUST_CHECK;
void weft_object_put(struct weft_object *object); /* NULL is fine */
/* Releases a reference, as weft_object_put does. True: it was the last one, and the caller destroys the object. */
bool weft_object_drop(struct weft_object *object) WEFT_MUST_CHECK;

/* The one place where a status becomes an OpenCL error code. WEFT_BUILD_FAILED becomes
 * CL_BUILD_PROGRAM_FAILURE; callers that compile or link translate it further. */
cl_int weft_status_to_cl(enum weft_status status);

#endif
