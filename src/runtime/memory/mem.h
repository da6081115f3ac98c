/* SPDX-License-Identifier: MIT
 *
 * Memory objects: buffers, sub-buffers and images (image.h). A sub-buffer, and an image that was made from another memory
 * object, holds its parent and has no memory of its own: its contents are in the memory of its root, which has no parent.
 * Memory in the host's space is allocated when the object is made; `address` is where the contents are, the application's
 * pointer itself for CL_MEM_USE_HOST_PTR. In a context whose devices have memories of their own, the contents may be
 * elsewhere: see replica.h. Memory that is shared by its address is a memory object, too: see allocation.h.
 */
#ifndef WEFT_RUNTIME_MEM_H
#define WEFT_RUNTIME_MEM_H

#include "device/device.h"
#include "memory/region.h"
#include "mutex.h"
#include "object/object.h"
#include "object/release_callbacks.h"
#include "threads/callbacks.h"

typedef void(CL_CALLBACK *weft_mem_destructor)(cl_mem, void *);

/* One clEnqueueMapBuffer or clEnqueueMapImage that has not been unmapped. A root's list has those of all objects in its memory,
 * because what is mapped for writing must not overlap whichever object it was mapped through. */
struct weft_mapping {
	struct weft_mapping *next;
	cl_mem mem; /* borrowed: that it was mapped through; its end takes the mapping along */
	struct weft_region region; /* counted from the start of `mem` */
	cl_map_flags flags;
};

struct weft_allocation;

struct _cl_mem {
	struct weft_object base;
	cl_context context;            /* retained */
	cl_mem_object_type type;       /* CL_MEM_OBJECT_BUFFER, …_PIPE or …_IMAGE… */
	struct weft_image_info *image; /* owned, constant; NULL for a buffer */
	/* As the application gave them; with a parent, with what is inherited. Without any of
	 * CL_MEM_READ_WRITE, READ_ONLY and WRITE_ONLY, it is the first. */
	cl_mem_flags flags;
	size_t size;    /* bytes */
	void *host_ptr; /* the application's, for CL_MEM_USE_HOST_PTR, else NULL */
	char *address;  /* contents, on the host */
	struct weft_external
		*external; /* owned; what `address` maps (external_memory.h); or NULL */
	bool owns_address; /* allocated here, to be freed, and counted by weft_mem_allocated */
	cl_mem parent;     /* retained; or NULL */
	cl_mem within; /* retained: the allocation that has the application's memory, which is the root; or NULL */
	size_t origin; /* bytes from the root's start */
	struct weft_allocation
		*allocation;            /* owned, constant; of an allocation; NULL of all others */
	cl_mem_properties *properties;  /* owned copy with its zero, or NULL */
	cl_uint num_properties;         /* elements, the zero included */
	struct weft_mutex lock;         /* WEFT_RANK_MEM */
	struct weft_replicas *replicas; /* owned; of a root, where its context has memories */
	/* weft_mem_destructor */
	struct weft_release_callback *destructors WEFT_GUARDED_BY(&lock);
	struct weft_mapping *
		mappings WEFT_GUARDED_BY(&lock); /* newest first; empty with a parent */
	struct weft_callback end;                /* for its destruction by the end of a command */
	_Atomic cl_uint map_count; /* changes under the lock of the object that has the mappings */
	_Atomic cl_uint num_mappings; /* in `mappings` */
};

struct weft_buffer_desc {
	cl_context context;
	const cl_mem_properties *properties; /* or NULL */
	cl_mem_flags flags;
	size_t size; /* bytes */
	void *host_ptr;
	const struct weft_allocation *allocation; /* copied; of an allocation; or NULL */
};

/* The memory flags table of 5.2.1: nothing unknown, nothing that excludes another. */
bool weft_mem_flags_valid(cl_mem_flags flags);
/* Whether imported memory may have these, which are valid: it has no host pointer. */
bool weft_mem_flags_suit_external(cl_mem_flags flags);
/* Whether an object that has no contents from elsewhere may have them: an immutable one gets its contents from a host pointer. */
bool weft_mem_flags_give_contents(cl_mem_flags flags);
/* Whether a memory object with these flags may be made from `parent`: the CL_INVALID_VALUE lists of clCreateSubBuffer (5.2.1)
 * and clCreateImage (5.3.1). */
bool weft_mem_flags_suit(cl_mem parent, cl_mem_flags flags);
/* The largest CL_DEVICE_MAX_MEM_ALLOC_SIZE of a context's devices. */
size_t weft_mem_largest(cl_context context);

/* A memory object of any type with memory of its own, or the application's; `desc` has been checked. Contents that are to be
 * copied are the caller's. CL_MEM_OBJECT_ALLOCATION_FAILURE when it finds no memory. */
cl_int weft_mem_create(const struct weft_buffer_desc *desc, cl_mem_object_type type,
		       cl_mem *mem) WEFT_MUST_CHECK;
/* The same with contents that are bytes of the parent, `desc->size` of them from `origin` on. It inherits flags. */
cl_int weft_mem_create_within(cl_mem parent, size_t origin, const struct weft_buffer_desc *desc,
			      cl_mem_object_type type, cl_mem *mem) WEFT_MUST_CHECK;

/* The specification's checks of clCreateBufferWithProperties (5.2.1), in its order, but for the
 * context itself. */
cl_int weft_buffer_check(const struct weft_buffer_desc *desc) WEFT_MUST_CHECK;
/* `desc` has been checked. CL_MEM_OBJECT_ALLOCATION_FAILURE as above. */
cl_int weft_buffer_create(const struct weft_buffer_desc *desc, cl_mem *mem) WEFT_MUST_CHECK;

/* The specification's checks of clCreateSubBuffer (5.2.1), in its order; `parent` is any memory
 * object. */
cl_int weft_buffer_check_sub(cl_mem parent, cl_mem_flags flags,
			     const cl_buffer_region *region) WEFT_MUST_CHECK;

/* Runs before the memory is freed, in the thread that releases the object last, or in the callbacks
 * thread when that is the end of a command. */
cl_int weft_mem_add_destructor(cl_mem mem, weft_mem_destructor function,
			       void *user_data) WEFT_MUST_CHECK;

/* Records a mapping of a region, counted from the object's start, and counts it. *pointer is where the application finds the
 * first byte. CL_INVALID_OPERATION when bytes would be mapped for writing twice (5.5.4). */
cl_int weft_mem_map(cl_mem mem, cl_map_flags flags, const struct weft_region *region,
		    void **pointer) WEFT_MUST_CHECK;
/* Takes one mapping of `pointer` back, whose region becomes *region; false when there is none. */
bool weft_mem_unmap(cl_mem mem, const void *pointer, struct weft_region *region);
bool weft_mem_is_mapped(cl_mem mem, const void *pointer);

/* What suits every device of a context: bytes. */
size_t weft_mem_alignment(cl_context context);

/* Bytes of memory that live memory objects own, in all contexts. */
uint64_t weft_mem_allocated(void);

/* Whether a sub-buffer's origin (0 of a buffer) suits the device's CL_DEVICE_MEM_BASE_ADDR_ALIGN. Images suit every device. */
bool weft_mem_aligned_for(cl_mem mem, cl_device_id device);

/* The outermost object that it was made from. An image's parent may be an image or a sub-buffer, which has a parent itself. */
static inline cl_mem weft_mem_outermost(cl_mem mem)
{
	while (mem->parent)
		mem = mem->parent;
	return mem;
}

/* The object that has its memory: that one, or the allocation that it lies in. */
static inline cl_mem weft_mem_root(cl_mem mem)
{
	cl_mem outermost = weft_mem_outermost(mem);

	return outermost->within ? outermost->within : outermost;
}

/* Bytes from the start of the outermost object. */
static inline size_t weft_mem_offset(cl_mem mem)
{
	return mem->origin - weft_mem_outermost(mem)->origin;
}

/* Whether the application may reach some of a root's memory through a mapping. */
static inline bool weft_mem_has_mappings(cl_mem root)
{
	return atomic_load_explicit(&root->num_mappings, memory_order_relaxed) > 0;
}

static inline bool weft_mem_valid(cl_mem mem)
{
	return weft_object_is(mem, WEFT_OBJECT_MEM);
}

/* Whether a memory object that may have ended has not, and had that serial number. */
static inline bool weft_mem_is_same(cl_mem mem, uint32_t serial)
{
	return weft_mem_valid(mem) &&
	       atomic_load_explicit(&mem->base.serial, memory_order_relaxed) == serial;
}

#endif
