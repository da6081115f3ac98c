/* SPDX-License-Identifier: MIT
 *
 * Allocations, and where each is. Invariant: an allocation is in the map from its creation until the application frees it; a
 * buffer of a known address until its end.
 */
#include "memory/allocation.h"

#include "alloc.h"
#include "memory/address_map.h"

/* Of all contexts: an address of one context's allocation may come in a call with another context. */
static struct weft_address_map allocations = WEFT_ADDRESS_MAP_INITIALIZER;

cl_int weft_allocation_create(const struct weft_allocation_desc *desc, void **address)
{
	const struct weft_buffer_desc buffer = {
		.context = desc->context,
		.flags = desc->flags,
		.size = desc->size,
		.allocation = &desc->allocation,
	};
	cl_mem mem;

	cl_int err = weft_mem_create(&buffer, CL_MEM_OBJECT_BUFFER, &mem);
	if (err != CL_SUCCESS)
		return err;
	*address = mem->address;
	return CL_SUCCESS;
}

cl_int weft_allocation_enter(cl_mem mem)
{
	return weft_address_map_add(&allocations, (uintptr_t)mem->address, mem->size, mem)
		       ? CL_SUCCESS
		       : CL_OUT_OF_HOST_MEMORY;
}

void weft_allocation_leave(cl_mem mem)
{
	(void)weft_address_map_remove(&allocations, (uintptr_t)mem->address, mem->size, mem);
}

cl_mem weft_allocation_find(const void *address)
{
	cl_mem mem = weft_address_map_find(&allocations, (uintptr_t)address);

	/* its last granule may be longer than it */
	return mem && weft_allocation_contains(mem, address, 1) ? mem : NULL;
}

cl_mem weft_allocation_get(const void *address)
{
	cl_mem mem = weft_address_map_find(&allocations, (uintptr_t)address);

	if (!mem)
		return NULL;
	const uint32_t serial = atomic_load_explicit(&mem->base.serial, memory_order_relaxed);
	if (!weft_object_get_live(&mem->base, serial))
		return NULL;
	if (weft_allocation_find(address) == mem)
		return mem;
	weft_object_put(&mem->base);
	return NULL;
}

bool weft_allocation_is(cl_context context, unsigned kinds, const void *address)
{
	const struct _cl_mem *mem = weft_allocation_find(address);

	return mem && mem->context == context && (mem->allocation->kind & kinds) &&
	       mem->address == address;
}

bool weft_allocation_free(cl_context context, unsigned kinds, void *address)
{
	cl_mem mem = weft_allocation_find(address);

	if (!weft_allocation_is(context, kinds, address) ||
	    !weft_address_map_remove(&allocations, (uintptr_t)address, mem->size, mem))
		return false;
	weft_object_put(&mem->base);
	return true;
}
