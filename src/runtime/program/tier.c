/* SPDX-License-Identifier: MIT
 *
 * WEFT_TIER, and what it means for code that is made.
 */
#include "program/tier.h"

#include "device/device.h"
#include "log.h"
#include "options.h"

#include <string.h>

enum weft_tier weft_tier(void)
{
	static const char *const names[] = {
		[WEFT_TIER_AUTO] = "auto",
		[WEFT_TIER_QUICK] = "quick",
		[WEFT_TIER_FULL] = "full",
	};
	const char *wanted = weft_options()->tier;

	for (int tier = WEFT_TIER_AUTO; tier <= WEFT_TIER_FULL; tier++) {
		if (strcmp(wanted, names[tier]) == 0)
			return (enum weft_tier)tier;
	}
	weft_log(WEFT_LOG_ERROR, "runtime", "WEFT_TIER=%s is neither auto, quick nor full", wanted);
	return WEFT_TIER_FULL;
}

struct weft_target weft_first_target(cl_device_id device)
{
	struct weft_target target = weft_device_target(device);

	target.quick = !target.costs && weft_tier() != WEFT_TIER_FULL;
	return target;
}
