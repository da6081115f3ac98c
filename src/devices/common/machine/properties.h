/* SPDX-License-Identifier: MIT
 *
 * What every driver whose devices are cores of this machine reports, and the storage of its strings.
 */
#ifndef WEFT_DEVICES_PROPERTIES_H
#define WEFT_DEVICES_PROPERTIES_H

#include "driver.h"
#include "machine/machine.h"

/* Lives in the device, for as long as the properties that point to it. */
struct weft_property_strings {
	char name[96];
	char vendor[16];
	char cpu_features[512];
};

/* Fills all of `properties`. Devices of two drivers differ in their UUIDs, and in their names by
 * `label` ("" for the driver that most people use). */
void weft_properties_fill(const struct weft_machine *machine, const struct weft_driver *driver,
			  const char *label, struct weft_property_strings *strings,
			  struct weft_device_properties *properties);

/* Fills the base of a sub-device, `count` compute units of its parent's from `first`. WEFT_UNSUPPORTED when the parent
 * has no such units. */
enum weft_status weft_properties_part(const struct weft_device *parent, uint32_t first,
				      uint32_t count, struct weft_property_strings *strings,
				      struct weft_device *part) WEFT_MUST_CHECK;

#endif
