/* SPDX-License-Identifier: MIT
 *
 * Allocations, and where each is. Invariant: an allocation is in the map from its creation until the application frees it; a
 * buffer of a known address until its end.
 */
#include "memory/allocation.h"

#include "alloc.h"
#include "device/context.h"
#include "memory/address_map.h"
#include "memory/replica.h"

/* Of all contexts: an address of one context's allocation may come in a call with another context. */
static struct weft_address_map allocations = WEFT_ADDRESS_MAP_INITIALIZER;

/* Coarse-grained memory of clSVMAlloc is the host's and each device's in turn; a device's is its own. */
static bool moves(const struct weft_allocation_desc *desc)
{
	const struct weft_allocation *allocation = &desc->allocation;

	if (allocation->device_owned)
		return !weft_device_shares_memory(allocation->device);
	bool any = false;
	for (cl_uint i = 0; i < desc->context->num_devices; i++)
		any |= weft_device_properties(desc->context->devices[i])->shares_addresses;
	return any && allocation->kind == WEFT_ALLOCATION_SVM && !desc->fine_grained;
}

/* Memory of a device is taken at once. */
static cl_int take_memory(cl_mem mem)
{
	if (!mem->allocation->device_owned)
		return CL_SUCCESS;
	return weft_mem_allocate(mem,
				 weft_context_locus(mem->context, mem->allocation->device).replica);
}

static cl_int keep_properties(cl_mem mem, const struct weft_allocation_desc *desc)
{
	if (!desc->properties)
		return CL_SUCCESS;
	mem->properties =
		weft_memdup(desc->properties, desc->num_properties * sizeof(*desc->properties));
	mem->num_properties = desc->num_properties;
	return mem->properties ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

cl_int weft_allocation_create(const struct weft_allocation_desc *desc, void **address)
{
	struct weft_allocation allocation = desc->allocation;
	const struct weft_buffer_desc buffer = {
		.context = desc->context,
		.flags = desc->flags,
		.size = desc->size,
		.allocation = &allocation,
	};
	cl_mem mem;

	allocation.moves = moves(desc);
	cl_int err = weft_mem_create(&buffer, CL_MEM_OBJECT_BUFFER, &mem);
	if (err != CL_SUCCESS)
		return err;
	err = take_memory(mem);
	if (err == CL_SUCCESS)
		err = keep_properties(mem, desc);
	if (err != CL_SUCCESS) {
		weft_object_put(&mem->base);
		return err;
	}
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
