/* SPDX-License-Identifier: MIT
 *
 * Allocations of memory that the host and kernels share by its address: of clSVMAlloc, and of extensions. An allocation is a
 * memory object without a parent to which no handle leads, only addresses. All that accesses its memory by an address, or as a
 * buffer of CL_MEM_USE_HOST_PTR in it, accesses that object (access.h), so one mechanism orders all of them.
 *
 * The application holds one reference, which the function that frees the allocation releases. Commands that were enqueued
 * before that, and buffers in the allocation, hold others: the memory is freed with the last one.
 *
 * In a context whose devices have memories of their own, an allocation that these devices offer, too, *moves*: it has replicas in
 * their memories, all at its own address (replica.h).
 */
#ifndef WEFT_RUNTIME_ALLOCATION_H
#define WEFT_RUNTIME_ALLOCATION_H

#include "memory/mem.h"

/* Bits. */
enum weft_allocation_kind {
	WEFT_ALLOCATION_SVM = 1, /* of clSVMAlloc and clSVMAllocWithPropertiesKHR */
	/* Of cl_intel_unified_shared_memory. */
	WEFT_ALLOCATION_USM_HOST = 2,
	WEFT_ALLOCATION_USM_DEVICE = 4,
	WEFT_ALLOCATION_USM_SHARED = 8,
	/* No allocation, but a buffer that kernels find by its address, too (cl_ext_buffer_device_address). */
	WEFT_ALLOCATION_BUFFER = 16,
};

#define WEFT_ALLOCATION_USM                                                                        \
	(WEFT_ALLOCATION_USM_HOST | WEFT_ALLOCATION_USM_DEVICE | WEFT_ALLOCATION_USM_SHARED)

/* What an allocation is beside a memory object. */
struct weft_allocation {
	enum weft_allocation_kind kind;
	cl_device_id device; /* of the context; or NULL */
	bool device_owned;   /* it is the device's own memory */
	cl_uint svm_type;    /* of SVM: its index (svm_types.h in src/api) */
	cl_bitfield flags;   /* cl_mem_alloc_flags_intel; of SVM cl_svm_alloc_access_flags_khr */
	bool moves;          /* filled in when it is created: it has replicas, at its address */
};

struct weft_allocation_desc {
	cl_context context;
	struct weft_allocation allocation;
	cl_mem_flags flags; /* of the memory object */
	bool fine_grained;  /* the host accesses it at any time, so it does not move */
	size_t size;        /* bytes; at least 1 */
	const cl_mem_properties *properties; /* for queries, copied; or NULL */
	cl_uint num_properties;              /* elements, the zero included */
};

/* In the host's memory, aligned to the largest data type of OpenCL; `desc` has been checked. That of a device with memory of its
 * own is in that memory, too, afterwards. CL_OUT_OF_HOST_MEMORY, CL_MEM_OBJECT_ALLOCATION_FAILURE */
cl_int weft_allocation_create(const struct weft_allocation_desc *desc,
			      void **address) WEFT_MUST_CHECK;

/* The allocation that has the address; or NULL. No other thread may free it before the caller is done with it. */
cl_mem weft_allocation_find(const void *address);

/* The same, retained. Another thread may be freeing it: then the result is NULL, or the allocation stays. */
cl_mem weft_allocation_get(const void *address);

/* Releases the application's reference to the allocation of the context that begins there. False: there is none of those
 * kinds. */
bool weft_allocation_free(cl_context context, unsigned kinds, void *address);
/* Whether there is one. */
bool weft_allocation_is(cl_context context, unsigned kinds, const void *address);

/* Enters a memory object with `allocation` and memory of its own; CL_OUT_OF_HOST_MEMORY. */
cl_int weft_allocation_enter(cl_mem mem) WEFT_MUST_CHECK;
/* Its memory is about to be freed. */
void weft_allocation_leave(cl_mem mem);

/* Whether it moves between the memories of that context. */
static inline bool weft_allocation_moves_in(const struct _cl_mem *allocation, cl_context context)
{
	return allocation->allocation->moves && allocation->context == context;
}

/* Whether the bytes are all in the allocation. */
static inline bool weft_allocation_contains(cl_mem allocation, const void *address, size_t size)
{
	const size_t offset = (size_t)((const char *)address - allocation->address);

	return offset <= allocation->size && size <= allocation->size - offset;
}

#endif
