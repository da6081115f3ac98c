/* SPDX-License-Identifier: MIT
 *
 * For the files that execute instructions: a function for each row of instructions.def.
 */
#ifndef WEFT_RISCV_INSTRUCTION_H
#define WEFT_RISCV_INSTRUCTION_H

#include "riscv/hart.h"

#define RISCV_EXECUTE(name)                                                                        \
	const struct riscv_instruction *riscv_##name(struct riscv_hart *hart,                      \
						     const struct riscv_instruction *at)

#define RISCV_ROW(name, mask, match, format) RISCV_EXECUTE(name);
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

/* Where the `size` bytes at rs1 + `displacement` are; NULL: a fault. */
static inline void *riscv_reach(struct riscv_hart *hart, const struct riscv_instruction *at,
				uint64_t displacement, size_t size)
{
	const uint64_t address = hart->x[at->rs1] + displacement;

	return riscv_range_has(hart->hints[at->rs1], address, size)
		       ? (void *)(uintptr_t)address
		       : riscv_reach_range(hart, at, address, size);
}

/* The same, to read: constants of other programs, too. */
static inline const void *riscv_reach_to_read(struct riscv_hart *hart,
					      const struct riscv_instruction *at,
					      uint64_t displacement, size_t size)
{
	const uint64_t address = hart->x[at->rs1] + displacement;

	return riscv_range_has(hart->hints[at->rs1], address, size)
		       ? (const void *)(uintptr_t)address
		       : riscv_reach_range_to_read(hart, at, address, size);
}

#endif
