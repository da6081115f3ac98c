/* SPDX-License-Identifier: MIT
 *
 * A context: its devices, properties and callbacks. Everything made in it holds it.
 */
#ifndef WEFT_RUNTIME_CONTEXT_H
#define WEFT_RUNTIME_CONTEXT_H

#include "device/host_functions.h"
#include "driver.h"
#include "mutex.h"
#include "object/object.h"
#include "object/release_callbacks.h"
#include "threads/callbacks.h"

/* cl_khr_initialize_memory: Debian's headers lack the values of CL_CONTEXT_MEMORY_INITIALIZE_KHR. */
#ifndef CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR
#define CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR (1 << 0)
#define CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR (1 << 1)
#endif

typedef void(CL_CALLBACK *weft_context_notify)(const char *, const void *, size_t, void *);
typedef void(CL_CALLBACK *weft_context_destructor)(cl_context, void *);

/* A memory that some of the context's devices work in, and the host does not. */
struct weft_memory {
	cl_device_id device; /* one of them */
	uint32_t
		reaches; /* a bit for each replica (replica.h) that such a device copies from and to */
};

/* Where the commands of a device find memory objects. */
struct weft_locus {
	unsigned replica; /* 0: on the host */
	weft_space space;
};

struct _cl_context {
	struct weft_object base;
	cl_device_id *devices; /* owned array, each retained, no duplicates */
	cl_uint num_devices;
	struct weft_memory *memories; /* owned array: replica 1 is in the first; or NULL */
	cl_uint num_memories;
	cl_context_properties *properties; /* owned copy with its zero, or NULL */
	cl_uint num_properties;            /* elements, the zero included */
	/* Memories that begin with zeros in kernels. */
	cl_bitfield initialize;
	bool terminable; /* CL_CONTEXT_TERMINATE_KHR */
	_Atomic bool terminated;
	weft_context_notify notify;
	void *user_data;
	struct weft_mutex lock; /* WEFT_RANK_CONTEXT */
	/* weft_context_destructor */
	struct weft_release_callback *destructors WEFT_GUARDED_BY(&lock);
	struct weft_list
		queues WEFT_GUARDED_BY(&lock); /* oldest first; see weft_queue_finish_all */
	/* The default queues on its devices, one for each at most; borrowed (device_queue.h). */
	cl_command_queue default_queues WEFT_GUARDED_BY(&lock);
	/* Of a terminable context: user events of the application, by their command.link, and events that kernels have. */
	struct weft_list user_events WEFT_GUARDED_BY(&lock);
	struct weft_list device_events WEFT_GUARDED_BY(&lock);
	/* Frees what is left in `device_events` when the context ends; NULL: none was ever there. */
	void (*free_device_events)(cl_context context) WEFT_GUARDED_BY(&lock);
	_Atomic uint32_t num_device_events; /* that kernels have (device_event.h) */
	struct weft_host_functions host_functions;
	struct weft_callback end; /* for its destruction by the end of a command */
};

struct weft_context_desc {
	const cl_context_properties *properties;
	const cl_device_id *devices; /* checked; may repeat */
	cl_uint num_devices;
	weft_context_notify notify;
	void *user_data;
};

cl_int weft_context_create(const struct weft_context_desc *desc,
			   cl_context *context) WEFT_MUST_CHECK;
cl_int weft_context_add_destructor(cl_context context, weft_context_destructor function,
				   void *user_data) WEFT_MUST_CHECK;
/* Of a device of the context. */
struct weft_locus weft_context_locus(cl_context context, cl_device_id device);
bool weft_context_has_device(cl_context context, cl_device_id device);
/* Whether a device of the context shares the host's memory (weft_device_shares_memory). */
bool weft_context_shares_memory(cl_context context);
/* Whether a device of the context offers shared virtual memory (weft_device_offers_svm). */
bool weft_context_offers_svm(cl_context context);
/* Whether all of its devices can leave work-groups that run (weft_driver.interrupt). */
bool weft_context_can_terminate(cl_context context);

static inline bool weft_context_is_terminated(cl_context ctx)
{
	return ctx->terminable && atomic_load_explicit(&ctx->terminated, memory_order_seq_cst);
}

/* Tells the application's pfn_notify, if there is one. No lock is held. */
void weft_context_report(cl_context context, const char *message);

#endif
