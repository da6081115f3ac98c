/* SPDX-License-Identifier: MIT
 *
 * The one platform and its root devices. Devices are opened at the first look at them and live
 * until the process ends; WEFT_DEVICES says which.
 */
#ifndef WEFT_RUNTIME_PLATFORM_H
#define WEFT_RUNTIME_PLATFORM_H

#include "object/object.h"

struct _cl_platform_id {
	struct weft_object base;
};

/* Borrowed for the life of the process. Never NULL. */
cl_platform_id weft_platform(void);

/* The root devices, borrowed for the life of the process. *count is zero when none could be opened.
 */
const cl_device_id *weft_platform_devices(cl_uint *count);

/* cl_khr_icd 2.0: what the loader wants in the platform, its devices and every object made later.
 */
void weft_platform_set_dispatch_data(void *data);

static inline bool weft_platform_valid(cl_platform_id platform)
{
	return weft_object_is(platform, WEFT_OBJECT_PLATFORM);
}

#endif
