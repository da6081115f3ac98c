/* SPDX-License-Identifier: MIT
 *
 * Code of RISC-V, decoded once when it is loaded: one structure for each instruction, with the function that executes it. It is
 * constant from then on, so harts share it.
 */
#ifndef WEFT_RISCV_CODE_H
#define WEFT_RISCV_CODE_H

#include <stddef.h>
#include <stdint.h>

struct riscv_hart;
struct riscv_instruction;

/* Returns the instruction that comes next; NULL at the end. */
typedef const struct riscv_instruction *riscv_execute(struct riscv_hart *hart,
						      const struct riscv_instruction *at);

struct riscv_instruction {
	riscv_execute *execute;
	int32_t immediate; /* of a jump to a known place: to how many instructions from here */
	uint8_t rd, rs1, rs2;
	uint8_t rs3;     /* or how a conversion rounds, enum riscv_rounding */
	uint32_t before; /* cycles of the code before it, in the order of addresses (timing.h) */
	int32_t turn; /* what a jump to a known place adds to riscv_hart.cycles when it is taken */
};

enum riscv_rounding {
	RISCV_TO_NEAREST,
	RISCV_TO_ZERO,
	RISCV_DOWN,
	RISCV_UP,
	RISCV_TO_NEAREST_AWAY,
	RISCV_DYNAMIC = 7, /* to nearest, as nothing changes the mode */
};

struct riscv_code {
	uintptr_t base;       /* the address of the first halfword */
	size_t num_halfwords; /* from there on */
	uint32_t *
		numbers; /* owned; for each halfword: of the instruction there, or RISCV_NO_INSTRUCTION */
	struct riscv_instruction *instructions; /* owned */
	uint32_t *offsets; /* owned; from `base`, in bytes; one more than there are instructions */
	size_t count;
};

#define RISCV_NO_INSTRUCTION UINT32_MAX

/* rd of an instruction whose result goes nowhere: what is written there is not read. */
#define RISCV_NOWHERE 32

/* The marks that a compiler puts into code, whose execution takes no time (immediate of `mark`). From RISCV_MARK_TRANSFERS on: a
 * transfer's number, and RISCV_MARK_TRANSFERS times the accesses that have been made and that it may replace. */
enum riscv_mark {
	RISCV_MARK_FIRST_REGION, /* a work-item begins its first region */
	RISCV_MARK_REGION,       /* another one */
	RISCV_MARK_END,          /* it has come to the region's end */
	RISCV_MARK_TRANSFERS = 64,
};

/* NULL: there is no instruction. */
static inline const struct riscv_instruction *riscv_code_at(const struct riscv_code *code,
							    uint64_t address)
{
	const uint64_t halfword = (address - code->base) / 2;

	if (halfword >= code->num_halfwords || address % 2 ||
	    code->numbers[halfword] == RISCV_NO_INSTRUCTION)
		return NULL;
	return &code->instructions[code->numbers[halfword]];
}

/* Where the instruction lies. */
static inline uint64_t riscv_code_address(const struct riscv_code *code,
					  const struct riscv_instruction *instruction)
{
	return code->base + code->offsets[instruction - code->instructions];
}

#endif
