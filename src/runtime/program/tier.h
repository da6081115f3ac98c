/* SPDX-License-Identifier: MIT
 *
 * The two tiers of code (docs/runtime.md): quick code, which is made fast, and full code, which runs fast.
 */
#ifndef WEFT_RUNTIME_TIER_H
#define WEFT_RUNTIME_TIER_H

#include "compiler.h"
#include "object/opencl_headers.h"

enum weft_tier {
	WEFT_TIER_AUTO, /* quick code first, full code of kernels that run for long */
	WEFT_TIER_QUICK,
	WEFT_TIER_FULL,
};

/* What WEFT_TIER says. */
enum weft_tier weft_tier(void);

/* What the first code of kernels is made for: as weft_device_target, with the tier. Code that counts cycles is full. */
struct weft_target weft_first_target(cl_device_id device);

#endif
