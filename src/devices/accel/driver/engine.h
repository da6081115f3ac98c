/* SPDX-License-Identifier: MIT
 *
 * What runs in a memory domain: the engines of its devices, and the thread that tells the host of ends.
 */
#ifndef WEFT_ACCEL_ENGINE_H
#define WEFT_ACCEL_ENGINE_H

#include "driver/memory_domain.h"

/* The command in the entry of the device's ring waits for nothing any more. */
void accel_engine_give(struct accel_memory_domain *domain, struct accel_device *device,
		       uint32_t number) WEFT_REQUIRES(&domain->lock);
/* No device is left: ends the threads, and waits for them. */
void accel_engine_end_threads(struct accel_memory_domain *domain);

#endif
