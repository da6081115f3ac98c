/* SPDX-License-Identifier: MIT
 *
 * What runs on a board: the engines of its devices, and telling the host of ends.
 */
#ifndef WEFT_ACCEL_ENGINE_H
#define WEFT_ACCEL_ENGINE_H

#include "driver/memory_domain.h"

/* The entry of the device's ring waits for nothing any more. */
void accel_engine_give(struct accel_board *board, struct accel_device *device, uint32_t number)
	WEFT_REQUIRES(&board->lock);
/* No device is left. Waits for the threads. */
void accel_engine_end_threads(struct accel_board *board);

#endif
