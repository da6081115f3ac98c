/* SPDX-License-Identifier: MIT
 *
 * A device or sub-device: a driver's device and what the OpenCL API says about it. Root devices are
 * not reference counted (the specification, 4.3); sub-devices are, and hold their parent.
 */
#ifndef WEFT_RUNTIME_DEVICE_H
#define WEFT_RUNTIME_DEVICE_H

#include "compiler.h"
#include "driver.h"
#include "object/object.h"
#include "threads/callbacks.h"

struct _cl_device_id {
	struct weft_object base;
	struct weft_device *impl; /* owned */
	cl_device_id parent;      /* retained; NULL for a root device */
	cl_device_partition_property
		*partition;     /* owned, zero-terminated; how it was made; or NULL */
	cl_uint partition_size; /* elements of `partition`, its zero included */
	cl_uint index;          /* place in the platform's list; of the root, for a sub-device */
	/* Filled when the device is made, from impl->properties and the options. */
	cl_ulong global_memory;        /* bytes, capped by WEFT_MAX_MEMORY */
	cl_ulong max_allocation;       /* bytes */
	const char *extensions;        /* CL_DEVICE_EXTENSIONS */
	const char *opencl_c_features; /* __opencl_c_… names separated by spaces */
	struct weft_callback close;    /* for closing it in another thread */
};

/* Opens the driver's device `driver_index`, which calls `host` for what its commands do. */
cl_int weft_device_create(const struct weft_driver *driver, uint32_t driver_index,
			  const struct weft_host *host, cl_uint index,
			  cl_device_id *device) WEFT_MUST_CHECK;

/* `counts` are compute units for each of the `num` new devices. All or none are made. */
cl_int weft_device_partition(cl_device_id parent, const cl_device_partition_property *properties,
			     cl_uint num_properties, const cl_uint *counts, cl_uint num,
			     cl_device_id *devices) WEFT_MUST_CHECK;

/* The one of `domains` (one bit, or CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE), outermost first, along which the
 * device falls into more than one part, and the compute units of each; or 0. `counts` has room for all of the device's
 * compute units. */
cl_device_affinity_domain weft_device_split(cl_device_id device, cl_device_affinity_domain domain,
					    cl_uint *counts, cl_uint *num);

static inline const struct weft_device_properties *weft_device_properties(cl_device_id device)
{
	return &device->impl->properties;
}

/* Whether it has the embedded profile: with less local memory than the full one asks for (specification 4.2). */
static inline bool weft_device_is_embedded(const struct _cl_device_id *device)
{
	return device->impl->properties.local_memory < 32u << 10;
}

/* What a device has of the host's memory, at the host's addresses. Each has what those before it have. */
enum weft_sharing {
	WEFT_SHARES_NOTHING,
	/* Ranges in its own memory, which are the host's and the device's in turn: coarse-grained shared virtual memory. */
	WEFT_SHARES_RANGES,
	/* All memory of the process: shared virtual memory at every level. */
	WEFT_SHARES_ALL,
	WEFT_NUM_SHARINGS,
};

static inline enum weft_sharing weft_device_sharing(const struct _cl_device_id *device)
{
	const struct weft_device_properties *properties = &device->impl->properties;

	if (properties->space == WEFT_SPACE_HOST)
		return WEFT_SHARES_ALL;
	return properties->shares_addresses ? WEFT_SHARES_RANGES : WEFT_SHARES_NOTHING;
}

/* Whether its commands reach all memory of the process by the host's addresses. */
static inline bool weft_device_shares_memory(const struct _cl_device_id *device)
{
	return weft_device_sharing(device) == WEFT_SHARES_ALL;
}

static inline bool weft_device_offers_svm(const struct _cl_device_id *device)
{
	return weft_device_sharing(device) != WEFT_SHARES_NOTHING;
}

/* Extensions, separated by spaces; `embedded`: of the embedded profile. */
const char *weft_extension_names(enum weft_sharing sharing, bool embedded);

/* The values of the device's timer and of the host's clock at one moment, in ns. */
void weft_device_read_timers(cl_device_id device, cl_ulong *device_time, cl_ulong *host_time);

/* What the compiler is told of it; strings live as long as the device. */
struct weft_target weft_device_target(cl_device_id device);

/* A sub-device's outermost parent, or the device itself. */
cl_device_id weft_device_root(cl_device_id device);

#endif
