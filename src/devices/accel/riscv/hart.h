/* SPDX-License-Identifier: MIT
 *
 * One hardware thread of the RISC-V simulator: registers, and the memory that it reaches. Addresses are the driver's, so a kernel
 * binary, its arguments and the structures of kernel_abi.h are used where they lie. Invariant: a hart accesses nothing outside of
 * its ranges; an access elsewhere is a fault, with which the launch ends. So is a
 * store to a range that is not for it.
 */
#ifndef WEFT_RISCV_HART_H
#define WEFT_RISCV_HART_H

#include "driver.h"
#include "riscv/code.h"
#include "riscv/item_times.h"
#include "status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RISCV_RA = 1, RISCV_SP = 2, RISCV_A0 = 10 };

/* Where a kernel's entry point returns to. */
#define RISCV_END (UINT64_MAX - 1)

enum riscv_right { RISCV_READ, RISCV_WRITE }; /* the second is both */

struct riscv_range {
	uintptr_t begin;
	size_t size; /* bytes */
	enum riscv_right right;
	uint32_t latency; /* cycles of an access, at least 1 */
	bool is_far;      /* global memory, with which transfers deal */
	bool is_asked;    /* riscv_hart.look_up says the latency */
};

static inline bool riscv_range_has(const struct riscv_range *range, uintptr_t address, size_t size)
{
	return address - range->begin < range->size &&
	       size <= range->size - (address - range->begin);
}

/* A launch's ranges, and the last ones that find_memory has given. */
#define RISCV_MOST_RANGES 16
#define RISCV_FOUND_RANGES 4

struct riscv_hart {
	uint64_t x[33]; /* the first is 0, the last RISCV_NOWHERE */
	uint64_t f[32];
	/* By the register of the address: the range where the last load was, and the last store. Never NULL while code runs. */
	const struct riscv_range *load_hints[32], *store_hints[32];
	/* In all, less `before` of the instruction that runs (riscv_now). */
	uint64_t cycles;
	uint64_t far_accesses;
	uint32_t far_latency;     /* of texels */
	const _Atomic bool *stop; /* once it is true, no jump goes back; NULL: never */
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
	/* For ranges that ask: the cycles of an access. `kind`: enum weft_global_access bits; a fence has size 0. */
	uint64_t (*look_up)(struct riscv_hart *hart, uint64_t address, size_t size, uint32_t kind);
	struct riscv_item_times items;
	uint64_t now; /* while a function of the host runs */
	/* Of the region that is measured next: cycles that each element takes before its work-items. NULL: it is not wanted. */
	void (*share)(void *data, uint64_t cycles);
	struct weft_work_context *context; /* of the kernel that runs */
	unsigned char *stack;              /* owned; NULL before the first kernel */
};

/* No ranges, no time. What the hart owns, and what it calls, is as before. */
void riscv_hart_start(struct riscv_hart *hart, const struct riscv_code *code);

/* For `size` bytes, more than none. There is room for RISCV_MOST_RANGES; NULL: there is none left. */
struct riscv_range *riscv_add_range(struct riscv_hart *hart, const void *begin, size_t size,
				    uint32_t latency, enum riscv_right right);

/* Executes until the end, or a fault. */
void riscv_run(struct riscv_hart *hart, const struct riscv_instruction *at);

/* Cycles before the instruction that runs. */
static inline uint64_t riscv_now(const struct riscv_hart *hart, const struct riscv_instruction *at)
{
	return hart->cycles + at->before;
}

/* Ends the launch, with a line in the log. Returns NULL, for the instruction to return. */
const struct riscv_instruction *riscv_fault(struct riscv_hart *hart,
					    const struct riscv_instruction *at, const char *what,
					    uint64_t address);

/* A range with all of the bytes and that right; NULL: there is none. It is valid until the next call. */
const struct riscv_range *riscv_find_range(struct riscv_hart *hart, uintptr_t address, size_t size,
					   enum riscv_right right);

/* Loads and stores: the address, whose range becomes the hint of the instruction's register, and the time; NULL: a fault. `kind`: enum
 * weft_global_access bits. */
void *riscv_reach_range(struct riscv_hart *hart, const struct riscv_instruction *at,
			uint64_t address, size_t size, uint32_t kind);

/* For the host: NULL, without a fault, when the bytes are not all in one range. */
const void *riscv_bytes(struct riscv_hart *hart, uint64_t address, size_t size);
void *riscv_bytes_to_write(struct riscv_hart *hart, uint64_t address, size_t size);

/* The time of accesses of up to 8 bytes, one after the other, that the host makes for the hart. */
void riscv_spend_on_bytes(struct riscv_hart *hart, uint64_t address, size_t size, uint32_t kind);

#endif
