/* SPDX-License-Identifier: MIT
 *
 * Devices and sub-devices. Everything is constant after creation. A sub-device is closed before its
 * parent, which it holds.
 */
#include "device/device.h"

#include "alloc.h"
#include "clock.h"
#include "driver_optional.h"
#include "list.h"
#include "node/completion.h"
#include "object/opencl_version.h"
#include "options.h"
#include "threads/background.h"
#include "threads/callbacks.h"

#include <string.h>

/* Of the embedded profile, with 64-bit integers (specification 9). */
#define EMBEDDED_EXTENSION "cles_khr_int64"

/* Of devices with the embedded profile; the others begin behind the first name. */
static const char common_names[] = EMBEDDED_EXTENSION
#define WEFT_EXTENSION(name, major, minor, patch) " " #name
#include "device/extensions.def"
	;
static const char svm_names[] = EMBEDDED_EXTENSION
#define WEFT_EXTENSION(name, major, minor, patch) " " #name
#define WEFT_SVM_EXTENSION(name, major, minor, patch) " " #name
#include "device/extensions.def"
	;
static const char all_names[] = EMBEDDED_EXTENSION
#define WEFT_EXTENSION(name, major, minor, patch) " " #name
#define WEFT_SVM_EXTENSION(name, major, minor, patch) " " #name
#define WEFT_SHARED_EXTENSION(name, major, minor, patch) " " #name
#include "device/extensions.def"
	;
/* Of devices whose kernels may enqueue kernels. */
#define ENQUEUE_FEATURE "__opencl_c_device_enqueue"

/* In the same form. */
static const char enqueue_features[] = ENQUEUE_FEATURE
#define WEFT_FEATURE(name) " " #name
#include "device/extensions.def"
	;

const char *weft_extension_names(enum weft_sharing sharing, bool embedded)
{
	static const char *const names[WEFT_NUM_SHARINGS] = {
		[WEFT_SHARES_NOTHING] = common_names,
		[WEFT_SHARES_RANGES] = svm_names,
		[WEFT_SHARES_ALL] = all_names,
	};

	return embedded ? names[sharing] : names[sharing] + sizeof(EMBEDDED_EXTENSION);
}

static void close_device(cl_device_id device)
{
	if (device->impl)
		device->impl->driver->device->close(device->impl);
	weft_free(device->partition);
	if (device->parent)
		weft_object_put(&device->parent->base);
	weft_object_free(&device->base);
}

static void run_close(struct weft_callback *callback)
{
	close_device(WEFT_CONTAINER_OF(callback, struct _cl_device_id, close));
}

/* Closing waits for the device's threads. The last command of a device may be what kept it alive;
 * then this is one of them. */
static void destroy_device(struct weft_object *object)
{
	cl_device_id device = WEFT_CONTAINER_OF(object, struct _cl_device_id, base);

	if (!weft_completion_is_under_way()) {
		close_device(device);
		return;
	}
	device->close.run = run_close;
	weft_callbacks_post(&device->close);
}

static cl_ulong larger(cl_ulong a, cl_ulong b)
{
	return a > b ? a : b;
}

static cl_ulong smaller(cl_ulong a, cl_ulong b)
{
	return a < b ? a : b;
}

/* CL_DEVICE_MAX_MEM_ALLOC_SIZE is at least max(min(1 GiB, global / 4), 32 MiB) (specification 4.2).
 */
static void fill_sizes(cl_device_id device)
{
	const struct weft_device_properties *properties = &device->impl->properties;
	uint64_t cap = weft_options()->max_memory;

	device->global_memory = properties->global_memory;
	device->max_allocation = properties->max_allocation;
	if (cap && cap < device->global_memory) {
		const cl_ulong least = UINT64_C(32) << 20;

		device->global_memory = larger(cap, least);
		device->max_allocation = smaller(device->max_allocation, device->global_memory / 2);
	}
}

static void fill_extensions(cl_device_id device)
{
	device->opencl_c_features = enqueue_features;
	if (!device->impl->properties.enqueues)
		device->opencl_c_features += sizeof(ENQUEUE_FEATURE);
	device->extensions =
		weft_extension_names(weft_device_sharing(device), weft_device_is_embedded(device));
}

/* What follows from the driver's properties. */
static void fill_in(cl_device_id device)
{
	fill_sizes(device);
	fill_extensions(device);
}

static cl_device_id new_device(void)
{
	cl_device_id device = weft_object_alloc(sizeof(*device));

	if (!device)
		return NULL;
	weft_object_init(&device->base, WEFT_OBJECT_DEVICE, destroy_device);
	return device;
}

cl_int weft_device_create(const struct weft_driver *driver, uint32_t driver_index,
			  const struct weft_host *host, cl_uint index, cl_device_id *device_ret)
{
	cl_device_id device = new_device();

	if (!device)
		return CL_OUT_OF_HOST_MEMORY;
	device->index = index;
	enum weft_status status = driver->device->open(driver_index, host, &device->impl);
	if (status != WEFT_OK) {
		weft_object_put(&device->base);
		return weft_status_to_cl(status);
	}
	fill_in(device);
	weft_background_limit(device->impl->properties.compute_units);
	*device_ret = device;
	return CL_SUCCESS;
}

/* What clCreateSubDevices got, for CL_DEVICE_PARTITION_TYPE. */
struct part {
	const cl_device_partition_property *properties;
	cl_uint num_properties;
	cl_uint first; /* compute unit of the parent */
	cl_uint count;
};

static cl_int create_part(cl_device_id parent, const struct part *part, cl_device_id *device_ret)
{
	const struct weft_driver_device_ops *ops = parent->impl->driver->device;
	cl_device_id device = new_device();
	cl_int err = CL_OUT_OF_HOST_MEMORY;

	if (!device)
		return err;
	weft_object_get(&parent->base);
	device->parent = parent;
	device->index = parent->index;
	device->partition =
		weft_memdup(part->properties, part->num_properties * sizeof(*device->partition));
	if (!device->partition)
		goto fail;
	device->partition_size = part->num_properties;
	err = weft_status_to_cl(
		ops->partition(parent->impl, part->first, part->count, &device->impl));
	if (err != CL_SUCCESS)
		goto fail;
	fill_in(device);
	*device_ret = device;
	return CL_SUCCESS;
fail:
	weft_object_put(&device->base);
	return err;
}

cl_int weft_device_partition(cl_device_id parent, const cl_device_partition_property *properties,
			     cl_uint num_properties, const cl_uint *counts, cl_uint num,
			     cl_device_id *devices)
{
	struct part part = {properties, num_properties, 0, 0};
	cl_int err =
		parent->impl->driver->device->partition ? CL_SUCCESS : CL_DEVICE_PARTITION_FAILED;
	cl_uint made = 0;

	for (; made < num && err == CL_SUCCESS; made++) {
		part.count = counts[made];
		err = create_part(parent, &part, &devices[made]);
		part.first += part.count;
	}
	if (err == CL_SUCCESS)
		return err;
	/* The one that failed was counted, too, unless none was tried. */
	while (made > 1)
		weft_object_put(&devices[--made - 1]->base);
	return err;
}

cl_device_affinity_domain weft_device_split(cl_device_id device, cl_device_affinity_domain domain,
					    cl_uint *counts, cl_uint *num)
{
	static const cl_device_affinity_domain bits[WEFT_NUM_DOMAINS] = {
		[WEFT_DOMAIN_NUMA] = CL_DEVICE_AFFINITY_DOMAIN_NUMA,
		[WEFT_DOMAIN_L4] = CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE,
		[WEFT_DOMAIN_L3] = CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE,
		[WEFT_DOMAIN_L2] = CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE,
		[WEFT_DOMAIN_L1] = CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE,
	};
	const struct weft_driver_device_ops *ops = device->impl->driver->device;
	bool any = domain == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;

	for (int i = 0; ops->split && i < WEFT_NUM_DOMAINS; i++) {
		if (!any && domain != bits[i])
			continue;
		*num = ops->split(device->impl, (enum weft_domain)i, counts);
		if (*num > 1)
			return bits[i];
	}
	return 0;
}

void weft_device_read_timers(cl_device_id device, cl_ulong *device_time, cl_ulong *host_time)
{
	const struct weft_driver_timer_ops *timer = device->impl->driver->timer;

	*host_time = weft_clock_now();
	*device_time = timer ? timer->now(device->impl) : *host_time;
}

struct weft_target weft_device_target(cl_device_id device)
{
	return (struct weft_target){
		.cpu = weft_device_properties(device)->cpu,
		.isa = weft_device_properties(device)->isa,
		.slow_gathers = weft_device_properties(device)->slow_gathers,
		.extensions = device->extensions,
		.features = device->opencl_c_features,
		.opencl_c_version = WEFT_OPENCL_NAME,
		.vector_width = (uint32_t)weft_options()->vector_width,
		.costs = weft_device_properties(device)->costs,
	};
}

cl_device_id weft_device_root(cl_device_id device)
{
	while (device->parent)
		device = device->parent;
	return device;
}
