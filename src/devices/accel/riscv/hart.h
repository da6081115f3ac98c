/* SPDX-License-Identifier: MIT
 *
 * One hardware thread of the RISC-V simulator: registers, and the memory that it reaches. Addresses are the driver's, so a kernel
 * binary, its arguments and the structures of kernel_abi.h are used where they lie. Invariant: a hart accesses nothing outside of
 * its ranges, but that it reads constants of loaded programs; an access elsewhere is a fault, with which the launch ends.
 */
#ifndef WEFT_RISCV_HART_H
#define WEFT_RISCV_HART_H

#include "driver.h"
#include "riscv/code.h"
#include "status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RISCV_RA = 1, RISCV_SP = 2, RISCV_A0 = 10 };

/* Where a kernel's entry point returns to. */
#define RISCV_END (UINT64_MAX - 1)

struct riscv_range {
	uintptr_t begin;
	size_t size; /* bytes */
};

static inline bool riscv_range_has(const struct riscv_range *range, uintptr_t address, size_t size)
{
	return address - range->begin < range->size &&
	       size <= range->size - (address - range->begin);
}

/* A launch's ranges, and the last ones that find_memory has given. */
#define RISCV_MOST_RANGES 12
#define RISCV_FOUND_RANGES 4

struct riscv_hart {
	uint64_t x[32]; /* the first is 0 whenever an instruction begins */
	uint64_t f[32];
	/* By the register of the address: the range where the last access was. Never NULL while code runs. */
	const struct riscv_range *hints[32];
	const struct riscv_code *code;
	enum weft_status status; /* not WEFT_OK: there was a fault */
	uint64_t flags; /* of floating point: what was written there; nothing raises them */
	struct {
		uint64_t address; /* 0: none */
		uint64_t value;
	} reservation; /* of lr */
	struct riscv_range ranges[RISCV_MOST_RANGES + RISCV_FOUND_RANGES];
	uint32_t num_ranges;
	uint32_t num_found; /* in all */
	/* Memory that is in no range: its range, or false. */
	bool (*find_memory)(void *data, uintptr_t address, struct riscv_range *range);
	void *data;
	struct riscv_range
		constants; /* of another program, the last ones that were read; no bytes: none */
	struct weft_work_context *context; /* of the kernel that runs */
	unsigned char *stack;              /* owned; NULL before the first kernel */
};

/* Ends the launch, with a line in the log. Returns NULL, for the instruction to return. */
const struct riscv_instruction *riscv_fault(struct riscv_hart *hart,
					    const struct riscv_instruction *at, const char *what,
					    uint64_t address);

/* A range with all of the bytes; NULL: there is none. It is valid until the next call. */
const struct riscv_range *riscv_find_range(struct riscv_hart *hart, uintptr_t address, size_t size);

/* The same, to read: outside of the hart's ranges, hart->constants, which are those of any loaded program, perhaps of another device. */
const struct riscv_range *riscv_find_range_to_read(struct riscv_hart *hart, uintptr_t address,
						   size_t size);

/* The address, whose range becomes the hint of the instruction's register; NULL: a fault. */
void *riscv_reach_range(struct riscv_hart *hart, const struct riscv_instruction *at,
			uint64_t address, size_t size);

/* The same, to read. */
const void *riscv_reach_range_to_read(struct riscv_hart *hart, const struct riscv_instruction *at,
				      uint64_t address, size_t size);

/* NULL, without a fault, when the bytes are not all in one range. */
void *riscv_bytes(struct riscv_hart *hart, uint64_t address, size_t size);

#endif
