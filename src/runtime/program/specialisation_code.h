/* SPDX-License-Identifier: MIT
 *
 * A version of a kernel's code that is loaded by itself.
 */
#ifndef WEFT_RUNTIME_SPECIALISATION_CODE_H
#define WEFT_RUNTIME_SPECIALISATION_CODE_H

#include "device/device.h"
#include "driver.h"

/* What a launch runs in place of the kernel's own; lives as long as what has it. Arguments are packed the same. */
struct weft_specialisation_code {
	struct weft_module *module;
	const struct weft_kernel_desc *desc;
};

/* No launch runs it. Code without a module is fine. */
static inline void weft_specialisation_unload(cl_device_id device,
					      const struct weft_specialisation_code *code)
{
	if (code->module)
		device->impl->driver->program->unload(device->impl, code->module);
}

#endif
