/* SPDX-License-Identifier: MIT
 *
 * The platform and its root devices. Invariant: once `opened` is set, the list is constant.
 */
#include "platform/platform.h"

#include "alloc.h"
#include "device/device.h"
#include "graph/driver_host.h"
#include "log.h"
#include "mutex.h"
#include "options.h"

#include <pthread.h>
#include <string.h>

static const struct weft_driver *const drivers[] = {&weft_pthread_driver, &weft_basic_driver,
						    &weft_accel_driver};

static struct _cl_platform_id platform;
static pthread_once_t platform_once = PTHREAD_ONCE_INIT;

/* Held while drivers open their devices, the exception to the rule: opening must not happen twice
 * at once (driver.h), and calls nothing back. */
static struct weft_mutex lock = WEFT_MUTEX_INITIALIZER(WEFT_RANK_PLATFORM);
static cl_device_id *devices WEFT_GUARDED_BY(&lock);
static cl_uint num_devices WEFT_GUARDED_BY(&lock);
static bool opened WEFT_GUARDED_BY(&lock);

/* In the child only the forking thread lives. If another one was opening devices, they are its own affair, and the
 * child opens them anew. */
static void forget_in_child(void) WEFT_TSA(no_thread_safety_analysis)
{
	if (opened)
		return;
	devices = NULL;
	num_devices = 0;
}

static void init_platform(void)
{
	pthread_atfork(NULL, NULL, forget_in_child);
	weft_object_init(&platform.base, WEFT_OBJECT_PLATFORM, NULL);
}

cl_platform_id weft_platform(void)
{
	pthread_once(&platform_once, init_platform);
	return &platform;
}

static const struct weft_driver *driver_named(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++) {
		if (strlen(drivers[i]->name) == length &&
		    memcmp(drivers[i]->name, name, length) == 0)
			return drivers[i];
	}
	weft_log(WEFT_LOG_ERROR, "device", "WEFT_DEVICES: no driver named %.*s", (int)length, name);
	return NULL;
}

/* False when out of memory: to be tried again. A device that does not open is left out. */
static bool open_devices_of(const struct weft_driver *driver) WEFT_REQUIRES(&lock)
{
	uint32_t count = driver->device->count();

	for (uint32_t i = 0; i < count; i++) {
		cl_device_id *list = weft_realloc(devices, num_devices + 1, sizeof(cl_device_id));
		if (!list)
			return false;
		devices = list;
		cl_int err = weft_device_create(driver, i, weft_driver_host(), num_devices,
						&devices[num_devices]);
		if (err == CL_OUT_OF_HOST_MEMORY)
			return false;
		if (err == CL_SUCCESS)
			num_devices++;
		else
			weft_log(WEFT_LOG_ERROR, "device", "%s device %u does not open: %d",
				 driver->name, i, err);
	}
	return true;
}

static bool open_devices(void) WEFT_REQUIRES(&lock)
{
	const char *name = weft_options()->devices;

	for (;;) {
		name += strspn(name, " ,");
		size_t length = strcspn(name, " ,");
		if (length == 0)
			return true;
		const struct weft_driver *driver = driver_named(name, length);
		if (driver && !open_devices_of(driver))
			return false;
		name += length;
	}
}

static void close_devices(void) WEFT_REQUIRES(&lock)
{
	while (num_devices)
		weft_object_put(&devices[--num_devices]->base);
	weft_free(devices);
	devices = NULL;
}

const cl_device_id *weft_platform_devices(cl_uint *count)
{
	static const cl_device_id none;

	weft_mutex_lock(&lock);
	if (!opened) {
		opened = open_devices();
		if (!opened)
			close_devices();
	}
	const cl_device_id *list = opened && !devices ? &none : devices;
	*count = num_devices;
	weft_mutex_unlock(&lock);
	return list;
}

void weft_platform_set_dispatch_data(void *data)
{
	cl_platform_id made = weft_platform();

	weft_mutex_lock(&lock);
	weft_object_set_dispatch_data(data);
	made->base.dispatch_data = data;
	for (cl_uint i = 0; i < num_devices; i++)
		devices[i]->base.dispatch_data = data;
	weft_mutex_unlock(&lock);
}
