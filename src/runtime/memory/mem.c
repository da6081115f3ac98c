/* SPDX-License-Identifier: MIT
 *
 * The life of memory objects: their memory, destructor callbacks and mappings (mem_check.c has the
 * checks). Invariant: `allocated` is the sum of the sizes of the live objects that own their
 * memory.
 */
#include "memory/mem.h"

#include "alloc.h"
#include "device/context.h"
#include "device/device.h"
#include "list.h"
#include "log.h"
#include "memory/address_map.h"
#include "memory/allocation.h"
#include "memory/external_memory.h"
#include "memory/replica.h"
#include "node/completion.h"
#include "object/shared_memory_ext.h"
#include "overflow.h"

#include <stdatomic.h>
#include <string.h>

/* The largest OpenCL data type; devices may ask for more. */
#define MIN_ALIGNMENT 128

static _Atomic uint64_t allocated; /* bytes */

/* ---- memory ---------------------------------------------------------------------------------- */

/* Memory objects may hold as much together as the devices say they have: memory is handed out untouched,
 * and a process that fills more than the machine has would be killed instead of getting an error.
 */
static bool reserve(cl_context context, size_t size)
{
	uint64_t limit = 0;
	uint64_t before = atomic_load_explicit(&allocated, memory_order_relaxed);

	for (cl_uint i = 0; i < context->num_devices; i++) {
		if (context->devices[i]->global_memory > limit)
			limit = context->devices[i]->global_memory;
	}
	do {
		if (size > limit || before > limit - size)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(
		&allocated, &before, before + size, memory_order_relaxed, memory_order_relaxed));
	return true;
}

size_t weft_mem_alignment(cl_context context)
{
	size_t alignment = MIN_ALIGNMENT;

	for (cl_uint i = 0; i < context->num_devices; i++) {
		size_t bytes = weft_device_properties(context->devices[i])->max_alignment_bits / 8;
		if (bytes > alignment)
			alignment = bytes;
	}
	return alignment;
}

/* The C library maps large blocks afresh, so that pages, huge ones perhaps, cost nothing until they are used. What is found by its address has
 * whole granules of the map: an address there is the object's, and of no memory that another thread has. */
static cl_int allocate(cl_mem mem)
{
	size_t bytes = mem->size;

	if (mem->allocation && weft_align_overflows(bytes, WEFT_ADDRESS_GRANULE, &bytes))
		return CL_MEM_OBJECT_ALLOCATION_FAILURE;
	if (!reserve(mem->context, mem->size))
		return CL_MEM_OBJECT_ALLOCATION_FAILURE;
	mem->address = weft_alloc_aligned(weft_mem_alignment(mem->context), bytes);
	if (!mem->address) {
		atomic_fetch_sub_explicit(&allocated, mem->size, memory_order_relaxed);
		return CL_MEM_OBJECT_ALLOCATION_FAILURE;
	}
	mem->owns_address = true;
	return CL_SUCCESS;
}

uint64_t weft_mem_allocated(void)
{
	return atomic_load_explicit(&allocated, memory_order_relaxed);
}

/* ---- creation and end ------------------------------------------------------------------------ */

/* Takes what was mapped through `mem` off its root's list. */
static void drop_mappings(cl_mem mem)
{
	cl_mem root = weft_mem_root(mem);

	weft_mutex_lock(&root->lock);
	for (struct weft_mapping **link = &root->mappings; *link;) {
		struct weft_mapping *mapping = *link;
		if (mapping->mem == mem) {
			*link = mapping->next;
			atomic_fetch_sub_explicit(&root->num_mappings, 1, memory_order_relaxed);
			weft_free(mapping);
		} else {
			link = &mapping->next;
		}
	}
	weft_mutex_unlock(&root->lock);
}

/* No other thread has the object: no lock. */
static void call_destructors(cl_mem mem) WEFT_TSA(no_thread_safety_analysis)
{
	struct weft_release_callback callback;

	while (weft_release_callbacks_take(&mem->destructors, &callback))
		((weft_mem_destructor)callback.function)(mem, callback.user_data);
}

static void end(cl_mem mem)
{
	/* "The registered callback functions are called and then the memory object's resources are
	 * freed" (5.5.1). */
	call_destructors(mem);
	if (atomic_load_explicit(&mem->map_count, memory_order_relaxed))
		drop_mappings(mem);
	weft_replicas_destroy(mem);
	if (mem->allocation)
		weft_allocation_leave(mem);
	if (mem->owns_address) {
		weft_free(mem->address);
		atomic_fetch_sub_explicit(&allocated, mem->size, memory_order_relaxed);
	}
	weft_external_end(mem->external);
	weft_free(mem->image);
	weft_free(mem->allocation);
	weft_free(mem->properties);
	if (mem->parent)
		weft_object_put(&mem->parent->base);
	if (mem->within)
		weft_object_put(&mem->within->base);
	weft_object_put(&mem->context->base);
	weft_mutex_destroy(&mem->lock);
	weft_object_free(&mem->base);
}

static void run_end(struct weft_callback *callback)
{
	end(WEFT_CONTAINER_OF(callback, struct _cl_mem, end));
}

/* No other thread has the object: no lock. */
static bool has_destructors(cl_mem mem) WEFT_TSA(no_thread_safety_analysis)
{
	return mem->destructors != NULL;
}

/* A driver that ends a command must not be kept waiting by the application. */
static void destroy(struct weft_object *object)
{
	cl_mem mem = WEFT_CONTAINER_OF(object, struct _cl_mem, base);

	if (!has_destructors(mem) || !weft_completion_is_under_way()) {
		end(mem);
		return;
	}
	mem->end.run = run_end;
	weft_callbacks_post(&mem->end);
}

static cl_mem new_mem(cl_context context, cl_mem_object_type type, cl_mem_flags flags, size_t size)
{
	cl_mem mem = weft_object_alloc(sizeof(*mem));

	if (!mem)
		return NULL;
	weft_object_init(&mem->base, WEFT_OBJECT_MEM, destroy);
	weft_mutex_init(&mem->lock, WEFT_RANK_MEM);
	atomic_init(&mem->map_count, 0);
	weft_object_get(&context->base);
	mem->context = context;
	mem->type = type;
	mem->flags = flags;
	mem->size = size;
	return mem;
}

/* "the implementation must return the values specified in the properties argument in the same
 * order" (CL_MEM_PROPERTIES). */
static cl_int copy_properties(cl_mem mem, const cl_mem_properties *properties, cl_uint count)
{
	if (!properties)
		return CL_SUCCESS;
	mem->properties = weft_memdup(properties, count * sizeof(*properties));
	if (!mem->properties)
		return CL_OUT_OF_HOST_MEMORY;
	mem->num_properties = count;
	return CL_SUCCESS;
}

/* In the host's space the application's memory is the contents. */
static void use_host_memory(cl_mem mem, void *host_ptr)
{
	mem->host_ptr = host_ptr;
	mem->address = host_ptr;
	cl_mem allocation = weft_allocation_get(host_ptr);
	/* the replicas of another context's are in memories of that */
	if (allocation && weft_allocation_contains(allocation, host_ptr, mem->size) &&
	    (!allocation->replicas || allocation->context == mem->context)) {
		mem->within = allocation;
		mem->origin = (size_t)(mem->address - allocation->address);
	} else if (allocation) {
		weft_object_put(&allocation->base);
	}
}

/* What is found by its address has memory of its own. */
static cl_int allocate_own(cl_mem mem)
{
	cl_int err = allocate(mem);

	return err == CL_SUCCESS && mem->allocation ? weft_allocation_enter(mem) : err;
}

/* The memory of one without a parent. */
static cl_int find_memory(cl_mem mem, const struct weft_external_desc *external)
{
	if (external->type) {
		cl_int err = weft_external_import(external, mem->size, &mem->external);

		if (err == CL_SUCCESS)
			mem->address = mem->external->address;
		return err;
	}
	return mem->host_ptr ? CL_SUCCESS : allocate_own(mem);
}

/* Of a buffer with CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT. */
static const struct weft_allocation known_address = {.kind = WEFT_ALLOCATION_BUFFER};

static cl_int mark_allocation(cl_mem mem, const struct weft_allocation *allocation)
{
	mem->allocation = weft_memdup(allocation, sizeof(*allocation));
	return mem->allocation ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

cl_int weft_mem_create(const struct weft_buffer_desc *desc, cl_mem_object_type type,
		       cl_mem *mem_ret)
{
	struct weft_external_desc external;
	cl_mem mem = NULL;

	cl_int err = weft_external_read(desc->context, desc->properties, &external);
	if (err == CL_SUCCESS)
		mem = new_mem(desc->context, type, desc->flags, desc->size);
	if (!mem)
		return err == CL_SUCCESS ? CL_OUT_OF_HOST_MEMORY : err;
	err = copy_properties(mem, desc->properties, external.num_properties);
	if (err == CL_SUCCESS && (desc->allocation || external.has_address))
		err = mark_allocation(mem, desc->allocation ? desc->allocation : &known_address);
	if (desc->flags & CL_MEM_USE_HOST_PTR)
		use_host_memory(mem, desc->host_ptr);
	/* an allocation that does not move is on the host alone, and what lies in one has no replicas of its own */
	if (err == CL_SUCCESS && desc->context->num_memories && !mem->within &&
	    (!desc->allocation || desc->allocation->moves))
		err = weft_replicas_create(mem, desc->host_ptr || external.type);
	if (err == CL_SUCCESS) /* last: then an imported handle is the object's */
		err = find_memory(mem, &external);
	if (err != CL_SUCCESS)
		goto fail;
	*mem_ret = mem;
	return CL_SUCCESS;
fail:
	weft_log(WEFT_LOG_WARN, "memory", "no memory object of %zu bytes; %llu are in use",
		 desc->size, (unsigned long long)weft_mem_allocated());
	weft_object_put(&mem->base);
	return err;
}

cl_int weft_buffer_create(const struct weft_buffer_desc *desc, cl_mem *mem)
{
	cl_mem buffer;

	cl_int err = weft_mem_create(desc, CL_MEM_OBJECT_BUFFER, &buffer);
	if (err != CL_SUCCESS)
		return err;
	if (desc->flags & CL_MEM_COPY_HOST_PTR)
		memcpy(buffer->address, desc->host_ptr, desc->size);
	*mem = buffer;
	return CL_SUCCESS;
}

#define ACCESS_FLAGS (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY)
#define HOST_ACCESS_FLAGS (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)
#define HOST_PTR_FLAGS (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)

/* "If the … values are not specified in flags, they are inherited" (clCreateSubBuffer, 5.2.1; clCreateImage, 5.3.1). */
static cl_mem_flags inherited(cl_mem_flags parent, cl_mem_flags flags)
{
	if (!(flags & (ACCESS_FLAGS | CL_MEM_IMMUTABLE_EXT)))
		flags |= parent & ACCESS_FLAGS;
	flags |= parent & CL_MEM_IMMUTABLE_EXT;
	if (!(flags & HOST_ACCESS_FLAGS))
		flags |= parent & HOST_ACCESS_FLAGS;
	return flags | (parent & HOST_PTR_FLAGS);
}

cl_int weft_mem_create_within(cl_mem parent, size_t origin, const struct weft_buffer_desc *desc,
			      cl_mem_object_type type, cl_mem *mem_ret)
{
	cl_mem mem =
		new_mem(parent->context, type, inherited(parent->flags, desc->flags), desc->size);

	if (!mem)
		return CL_OUT_OF_HOST_MEMORY;
	weft_object_get(&parent->base);
	mem->parent = parent;
	mem->origin = parent->origin + origin;
	mem->address = parent->address + origin;
	/* An image was given no pointer of its own. */
	if (parent->host_ptr && type == CL_MEM_OBJECT_BUFFER)
		mem->host_ptr = mem->address;
	struct weft_external_desc external;
	cl_int err = weft_external_read(mem->context, desc->properties, &external);
	if (err == CL_SUCCESS)
		err = copy_properties(mem, desc->properties, external.num_properties);
	if (err == CL_SUCCESS)
		*mem_ret = mem;
	else
		weft_object_put(&mem->base);
	return err;
}

cl_int weft_mem_add_destructor(cl_mem mem, weft_mem_destructor function, void *user_data)
{
	return weft_release_callbacks_add(&mem->lock, &mem->destructors,
					  (weft_release_function)function, user_data);
}

/* ---- mappings -------------------------------------------------------------------------------- */

static bool for_writing(const struct weft_mapping *mapping)
{
	return mapping->flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION);
}

static bool overlap(const struct weft_mapping *a, const struct weft_mapping *b)
{
	const struct weft_region in_root = weft_region_moved(a->region, a->mem->origin);
	const struct weft_region other = weft_region_moved(b->region, b->mem->origin);

	return weft_regions_overlap(&in_root, &other);
}

static char *pointer_of(const struct weft_mapping *mapping)
{
	return mapping->mem->address + mapping->region.range.begin;
}

cl_int weft_mem_map(cl_mem mem, cl_map_flags flags, const struct weft_region *region,
		    void **pointer)
{
	cl_mem root = weft_mem_root(mem);
	cl_int err = CL_SUCCESS;
	struct weft_mapping *mapping = weft_zalloc(sizeof(*mapping));

	if (!mapping)
		return CL_OUT_OF_HOST_MEMORY;
	mapping->mem = mem;
	mapping->region = *region;
	mapping->flags = flags;

	weft_mutex_lock(&root->lock);
	for (const struct weft_mapping *other = root->mappings; other && for_writing(mapping);
	     other = other->next) {
		if (for_writing(other) && overlap(mapping, other))
			err = CL_INVALID_OPERATION;
	}
	if (err == CL_SUCCESS) {
		mapping->next = root->mappings;
		root->mappings = mapping;
		atomic_fetch_add_explicit(&root->num_mappings, 1, memory_order_relaxed);
		atomic_fetch_add_explicit(&mem->map_count, 1, memory_order_relaxed);
	}
	weft_mutex_unlock(&root->lock);

	if (err != CL_SUCCESS) {
		weft_free(mapping);
		return err;
	}
	*pointer = pointer_of(mapping);
	return CL_SUCCESS;
}

/* The link to the newest mapping of `mem` at `pointer`, or to the list's NULL end. */
static struct weft_mapping **find_mapping(cl_mem root, cl_mem mem, const char *pointer)
	WEFT_REQUIRES(&root->lock)
{
	struct weft_mapping **link = &root->mappings;

	while (*link && ((*link)->mem != mem || pointer_of(*link) != pointer))
		link = &(*link)->next;
	return link;
}

bool weft_mem_unmap(cl_mem mem, const void *pointer, struct weft_region *region)
{
	cl_mem root = weft_mem_root(mem);

	weft_mutex_lock(&root->lock);
	struct weft_mapping **link = find_mapping(root, mem, pointer);
	struct weft_mapping *mapping = *link;
	if (mapping) {
		*link = mapping->next;
		*region = mapping->region;
		atomic_fetch_sub_explicit(&root->num_mappings, 1, memory_order_relaxed);
		atomic_fetch_sub_explicit(&mem->map_count, 1, memory_order_relaxed);
	}
	weft_mutex_unlock(&root->lock);
	weft_free(mapping);
	return mapping != NULL;
}

bool weft_mem_is_mapped(cl_mem mem, const void *pointer)
{
	cl_mem root = weft_mem_root(mem);

	weft_mutex_lock(&root->lock);
	bool mapped = *find_mapping(root, mem, pointer) != NULL;
	weft_mutex_unlock(&root->lock);
	return mapped;
}
