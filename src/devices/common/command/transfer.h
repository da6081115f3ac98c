/* SPDX-License-Identifier: MIT
 *
 * Copies and fills in the host's memory, as weft_copy and weft_fill describe them, in blocks that several threads may
 * share.
 */
#ifndef WEFT_DEVICES_TRANSFER_H
#define WEFT_DEVICES_TRANSFER_H

#include "driver.h"

/* The bytes that a copy or a fill writes. */
uint64_t weft_transfer_bytes(const struct weft_command *command);

/* The number of blocks of the command; at least 1. */
uint64_t weft_transfer_copy_blocks(const struct weft_copy *copy);
uint64_t weft_transfer_fill_blocks(const struct weft_fill *fill);

/* Copies or fills the blocks first ≤ block < end, at least one. A copy that would fill most of a cache of `cache_bytes` is written
 * past the caches: little of it would be found there later, and writing through them would read the memory first. */
void weft_transfer_copy(const struct weft_copy *copy, uint64_t first, uint64_t end,
			uint64_t cache_bytes);
void weft_transfer_fill(const struct weft_fill *fill, uint64_t first, uint64_t end);

#endif
