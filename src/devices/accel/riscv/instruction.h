/* SPDX-License-Identifier: MIT
 *
 * For the files that execute instructions: a function for each row of instructions.def.
 */
#ifndef WEFT_RISCV_INSTRUCTION_H
#define WEFT_RISCV_INSTRUCTION_H

#include "kernel_abi.h"
#include "riscv/hart.h"

#include <stdatomic.h>

#define RISCV_EXECUTE(name)                                                                        \
	const struct riscv_instruction *riscv_##name(struct riscv_hart *hart,                      \
						     const struct riscv_instruction *at)

#define RISCV_ROW(name, mask, match, format, timing) RISCV_EXECUTE(name);
#include "riscv/instructions.def"

/* The low 32 bits, with their sign. */
static inline uint64_t riscv_word(uint32_t value)
{
	return (uint64_t)(int64_t)(int32_t)value;
}

static inline uint64_t riscv_immediate(const struct riscv_instruction *at)
{
	return (uint64_t)(int64_t)at->immediate;
}

/* Whether the launch is to end: asked by each jump that goes back. */
static inline bool riscv_is_stopped(const struct riscv_hart *hart)
{
	return hart->stop &&
	       atomic_load_explicit((_Atomic bool *)(uintptr_t)hart->stop, memory_order_relaxed);
}

/* A taken jump to a known place. */
static inline const struct riscv_instruction *riscv_jump(struct riscv_hart *hart,
							 const struct riscv_instruction *at)
{
	hart->cycles += (uint64_t)(int64_t)at->turn;
	return at->immediate <= 0 && riscv_is_stopped(hart) ? NULL : at + at->immediate;
}

static inline bool riscv_takes_hint(struct riscv_hart *hart, const struct riscv_range *hint,
				    uint64_t address, size_t size)
{
	if (!riscv_range_has(hint, address, size))
		return false;
	hart->cycles += hint->latency - 1;
	hart->far_accesses += hint->is_far;
	return true;
}

/* Where the `size` bytes at rs1 + `displacement` are, to load them; NULL: a fault. */
static inline const void *riscv_reach_to_load(struct riscv_hart *hart,
					      const struct riscv_instruction *at,
					      uint64_t displacement, size_t size)
{
	const uint64_t address = hart->x[at->rs1] + displacement;

	return riscv_takes_hint(hart, hart->load_hints[at->rs1], address, size)
		       ? (const void *)(uintptr_t)address
		       : riscv_reach_range(hart, at, address, size, WEFT_GLOBAL_LOADS);
}

/* The same, to store. `kind`: enum weft_global_access bits. */
static inline void *riscv_reach_to_store(struct riscv_hart *hart,
					 const struct riscv_instruction *at, uint64_t displacement,
					 size_t size, uint32_t kind)
{
	const uint64_t address = hart->x[at->rs1] + displacement;

	return riscv_takes_hint(hart, hart->store_hints[at->rs1], address, size)
		       ? (void *)(uintptr_t)address
		       : riscv_reach_range(hart, at, address, size, kind);
}

#endif
