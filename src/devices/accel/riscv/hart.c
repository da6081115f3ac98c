/* SPDX-License-Identifier: MIT
 *
 * Memory of a hart, and the time that it takes.
 */
#include "riscv/hart.h"

#include "kernel_abi.h"
#include "log.h"

#include <inttypes.h>

#define ACCESS_BYTES 8

const struct riscv_instruction *riscv_fault(struct riscv_hart *hart,
					    const struct riscv_instruction *at, const char *what,
					    uint64_t address)
{
	weft_log(WEFT_LOG_ERROR, "device", "a kernel's code at %" PRIx64 " faults by %s: %" PRIx64,
		 riscv_code_address(hart->code, at) - hart->code->base, what, address);
	hart->status = WEFT_OUT_OF_RESOURCES;
	return NULL;
}

static const struct riscv_range nowhere;

void riscv_hart_start(struct riscv_hart *hart, const struct riscv_code *code)
{
	hart->code = code;
	hart->cycles = 0;
	hart->far_accesses = 0;
	hart->num_ranges = 0;
	hart->num_found = 0;
	hart->items = (struct riscv_item_times){0};
	hart->ranges[0] = (struct riscv_range){0};
	for (size_t i = 0; i < sizeof(hart->load_hints) / sizeof(hart->load_hints[0]); i++)
		hart->load_hints[i] = hart->store_hints[i] = &nowhere;
}

struct riscv_range *riscv_add_range(struct riscv_hart *hart, const void *begin, size_t size,
				    uint32_t latency, enum riscv_right right)
{
	if (hart->num_ranges == RISCV_MOST_RANGES)
		return NULL;
	struct riscv_range *range = &hart->ranges[hart->num_ranges++];
	*range = (struct riscv_range){
		.begin = (uintptr_t)begin, .size = size, .right = right, .latency = latency};
	return range;
}

void riscv_run(struct riscv_hart *hart, const struct riscv_instruction *at)
{
	hart->cycles -= at->before;
	while (at)
		at = at->execute(hart, at);
}

/* ---- ranges ---------------------------------------------------------------------------------- */

static bool serves(const struct riscv_range *range, uintptr_t address, size_t size,
		   enum riscv_right right)
{
	return range->right >= right && riscv_range_has(range, address, size);
}

const struct riscv_range *riscv_find_range(struct riscv_hart *hart, uintptr_t address, size_t size,
					   enum riscv_right right)
{
	struct riscv_range found;
	const uint32_t kept =
		hart->num_found < RISCV_FOUND_RANGES ? hart->num_found : RISCV_FOUND_RANGES;

	for (uint32_t i = 0; i < hart->num_ranges; i++) {
		if (serves(&hart->ranges[i], address, size, right))
			return &hart->ranges[i];
	}
	for (uint32_t i = 0; i < kept; i++) {
		if (serves(&hart->ranges[RISCV_MOST_RANGES + i], address, size, right))
			return &hart->ranges[RISCV_MOST_RANGES + i];
	}
	if (!hart->find_memory || !hart->find_memory(hart->data, address, &found) ||
	    !serves(&found, address, size, right))
		return NULL;
	struct riscv_range *range =
		&hart->ranges[RISCV_MOST_RANGES + hart->num_found++ % RISCV_FOUND_RANGES];
	*range = found;
	return range;
}

/* ---- accesses -------------------------------------------------------------------------------- */

static void spend(struct riscv_hart *hart, const struct riscv_range *range, uint64_t address,
		  size_t size, uint32_t kind)
{
	const uint32_t both = WEFT_GLOBAL_LOADS | WEFT_GLOBAL_STORES;

	hart->far_accesses += range->is_far;
	if (range->is_asked)
		hart->cycles += hart->look_up(hart, address, size, kind) - 1;
	else
		hart->cycles += range->latency * ((kind & both) == both ? 2 : 1) - 1;
}

/* Ranges that ask are no hint. A range that may be written is one for loads, too. */
void *riscv_reach_range(struct riscv_hart *hart, const struct riscv_instruction *at,
			uint64_t address, size_t size, uint32_t kind)
{
	const bool stores = kind & WEFT_GLOBAL_STORES;
	const struct riscv_range *range =
		riscv_find_range(hart, address, size, stores ? RISCV_WRITE : RISCV_READ);

	if (!range) {
		riscv_fault(hart, at, stores ? "a store" : "a load", address);
		return NULL;
	}
	spend(hart, range, address, size, kind);
	if (!range->is_asked) {
		if (stores)
			hart->store_hints[at->rs1] = range;
		else
			hart->load_hints[at->rs1] = range;
	}
	return (void *)(uintptr_t)address;
}

const void *riscv_bytes(struct riscv_hart *hart, uint64_t address, size_t size)
{
	return riscv_find_range(hart, address, size, RISCV_READ) ? (void *)(uintptr_t)address
								 : NULL;
}

void *riscv_bytes_to_write(struct riscv_hart *hart, uint64_t address, size_t size)
{
	return riscv_find_range(hart, address, size, RISCV_WRITE) ? (void *)(uintptr_t)address
								  : NULL;
}

void riscv_spend_on_bytes(struct riscv_hart *hart, uint64_t address, size_t size, uint32_t kind)
{
	const struct riscv_range *range = riscv_find_range(
		hart, address, size, kind & WEFT_GLOBAL_STORES ? RISCV_WRITE : RISCV_READ);

	for (size_t done = 0; range && done < size; done += ACCESS_BYTES) {
		const size_t left = size - done;
		spend(hart, range, address + done, left < ACCESS_BYTES ? left : ACCESS_BYTES, kind);
		hart->cycles++;
	}
}
