/* SPDX-License-Identifier: MIT
 *
 * Memory of a hart.
 */
#include "riscv/hart.h"

#include "kernel/program_constants.h"
#include "log.h"

#include <inttypes.h>

const struct riscv_instruction *riscv_fault(struct riscv_hart *hart,
					    const struct riscv_instruction *at, const char *what,
					    uint64_t address)
{
	weft_log(WEFT_LOG_ERROR, "device", "a kernel's code at %" PRIx64 " faults by %s: %" PRIx64,
		 riscv_code_address(hart->code, at) - hart->code->base, what, address);
	hart->status = WEFT_OUT_OF_RESOURCES;
	return NULL;
}

const struct riscv_range *riscv_find_range(struct riscv_hart *hart, uintptr_t address, size_t size)
{
	struct riscv_range found;
	const uint32_t kept =
		hart->num_found < RISCV_FOUND_RANGES ? hart->num_found : RISCV_FOUND_RANGES;

	for (uint32_t i = 0; i < hart->num_ranges; i++) {
		if (riscv_range_has(&hart->ranges[i], address, size))
			return &hart->ranges[i];
	}
	for (uint32_t i = 0; i < kept; i++) {
		if (riscv_range_has(&hart->ranges[RISCV_MOST_RANGES + i], address, size))
			return &hart->ranges[RISCV_MOST_RANGES + i];
	}
	if (!hart->find_memory || !hart->find_memory(hart->data, address, &found) ||
	    !riscv_range_has(&found, address, size))
		return NULL;
	struct riscv_range *range =
		&hart->ranges[RISCV_MOST_RANGES + hart->num_found++ % RISCV_FOUND_RANGES];
	*range = found;
	return range;
}

const struct riscv_range *riscv_find_range_to_read(struct riscv_hart *hart, uintptr_t address,
						   size_t size)
{
	struct riscv_range *constants = &hart->constants;

	if (riscv_range_has(constants, address, size))
		return constants;
	const struct riscv_range *range = riscv_find_range(hart, address, size);
	if (range)
		return range;
	return weft_program_constants_find(address, &constants->begin, &constants->size) &&
			       riscv_range_has(constants, address, size)
		       ? constants
		       : NULL;
}

void *riscv_reach_range(struct riscv_hart *hart, const struct riscv_instruction *at,
			uint64_t address, size_t size)
{
	const struct riscv_range *range = riscv_find_range(hart, address, size);

	if (!range) {
		riscv_fault(hart, at, "an access", address);
		return NULL;
	}
	hart->hints[at->rs1] = range;
	return (void *)(uintptr_t)address;
}

/* Constants are no hint: a store would take it. */
const void *riscv_reach_range_to_read(struct riscv_hart *hart, const struct riscv_instruction *at,
				      uint64_t address, size_t size)
{
	const struct riscv_range *range = riscv_find_range_to_read(hart, address, size);

	if (!range) {
		riscv_fault(hart, at, "an access", address);
		return NULL;
	}
	if (range != &hart->constants)
		hart->hints[at->rs1] = range;
	return (const void *)(uintptr_t)address;
}

void *riscv_bytes(struct riscv_hart *hart, uint64_t address, size_t size)
{
	return riscv_find_range(hart, address, size) ? (void *)(uintptr_t)address : NULL;
}
