/* SPDX-License-Identifier: MIT
 *
 * Memory that a memory object is made of and that others share: another process, or a driver (cl_khr_external_memory). The handle
 * is a file descriptor, which is mapped: a memfd, or a dma_buf. The descriptor of an opaque handle is any that can be mapped for
 * reading and writing.
 */
#ifndef WEFT_RUNTIME_EXTERNAL_MEMORY_H
#define WEFT_RUNTIME_EXTERNAL_MEMORY_H

#include "device/context.h"
#include "object/external_khr.h"
#include "object/object.h"
#include "object/shared_memory_ext.h"

/* Handles that memory objects are made from: for queries. Images lie linearly in all. */
#define WEFT_EXTERNAL_MEMORY_TYPES                                                                 \
	((const cl_external_memory_handle_type_khr[]){CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,     \
						      CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR})

/* What the properties of a memory object say. */
struct weft_external_desc {
	cl_external_memory_handle_type_khr type; /* 0: it has memory of its own */
	int fd;
	const cl_mem_properties *devices; /* that may use it, each a cl_device_id; NULL: all */
	cl_uint num_devices;
	bool has_address;       /* CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT is set */
	bool names_address;     /* and given, be it set or not */
	cl_uint num_properties; /* elements of the whole list, the zero included; 0: there is no list */
};

struct weft_external {
	cl_external_memory_handle_type_khr type;
	int fd;        /* owned; of a dma_buf, whose caches are to be told of accesses; else -1 */
	char *address; /* where it is mapped */
	size_t size;   /* bytes that are mapped, whole pages */
	cl_uint num_devices;
	cl_device_id devices[]; /* the context's, which lives longer; none: all may use it */
};

/* Reads the properties of a buffer or image; NULL is fine. CL_INVALID_PROPERTY, CL_INVALID_DEVICE. */
cl_int weft_external_read(cl_context context, const cl_mem_properties *properties,
			  struct weft_external_desc *desc) WEFT_MUST_CHECK;

/* Maps it. The descriptor is the library's, on success. CL_INVALID_BUFFER_SIZE: it has not so many bytes;
 * CL_INVALID_PROPERTY: it cannot be mapped; CL_MEM_OBJECT_ALLOCATION_FAILURE; CL_OUT_OF_HOST_MEMORY */
cl_int weft_external_import(const struct weft_external_desc *desc, size_t size,
			    struct weft_external **external) WEFT_MUST_CHECK;
/* NULL is fine. */
void weft_external_end(struct weft_external *external);

bool weft_external_suits(const struct weft_external *external, cl_device_id device);
/* Whether weft_external_sync does anything. */
static inline bool weft_external_has_caches(const struct weft_external *external)
{
	return external->fd >= 0;
}
/* The processor's accesses begin, or have ended. */
void weft_external_sync(const struct weft_external *external, bool begin);

#endif
