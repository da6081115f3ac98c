/* SPDX-License-Identifier: MIT
 *
 * Arithmetic of simulated time.
 */
#ifndef WEFT_ACCEL_CYCLES_H
#define WEFT_ACCEL_CYCLES_H

#include "simulation/description.h"

#include <stdatomic.h>

static inline uint64_t accel_divide_up(uint64_t a, uint64_t b)
{
	return a / b + (a % b != 0);
}

static inline uint64_t accel_later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Cycles for which consecutive bytes move by DMA. */
static inline uint64_t accel_moving_cycles(const struct accel_description *machine, uint64_t bytes)
{
	return accel_divide_up(bytes, machine->dma_bytes);
}

/* One thread at a time adds; any thread may read. */
static inline void accel_add(_Atomic uint64_t *sum, uint64_t more)
{
	uint64_t before = atomic_load_explicit(sum, memory_order_relaxed);

	atomic_store_explicit(sum, before + more, memory_order_relaxed);
}

#endif
