/* SPDX-License-Identifier: MIT
 *
 * How many cycles code takes: a core that executes one instruction after the other, in their order, each of which waits for its
 * operands (docs/accel.md, "RISC-V"). What is known before the code runs is added up when it is decoded: `before` of each
 * instruction. Only taken jumps, and accesses, add to riscv_hart.cycles.
 */
#ifndef WEFT_RISCV_TIMING_H
#define WEFT_RISCV_TIMING_H

#include "riscv/code.h"

#include <stdbool.h>

/* By where the operands are, and how long the result takes. */
enum riscv_timing {
	RISCV_TIMING_NOTHING,
	RISCV_TIMING_INTEGER,
	RISCV_TIMING_MULTIPLY,
	RISCV_TIMING_DIVIDE,
	RISCV_TIMING_ACCESS,
	RISCV_TIMING_ACCESS_F, /* of a floating-point register */
	RISCV_TIMING_BRANCH,
	RISCV_TIMING_JUMP,
	RISCV_TIMING_JUMP_REGISTER,
	RISCV_TIMING_F_TO_X, /* compare, convert, move */
	RISCV_TIMING_X_TO_F,
	RISCV_TIMING_CONVERT, /* between floats */
	RISCV_TIMING_ADD_S,
	RISCV_TIMING_ADD_D,
	RISCV_TIMING_PRODUCT_S,
	RISCV_TIMING_PRODUCT_D,
	RISCV_TIMING_QUOTIENT,
	RISCV_TIMING_ROOT_D,
};

/* What riscv_time_code needs to know of an instruction; until then it is in `turn`. */
enum riscv_operands {
	RISCV_OPERANDS_TIMING = 0xff,  /* enum riscv_timing */
	RISCV_OPERANDS_SECOND = 0x100, /* it reads rs2 */
	RISCV_OPERANDS_THIRD = 0x200,
	RISCV_OPERANDS_RESULT = 0x400, /* it writes rd */
};

static inline bool riscv_operands_are_real(unsigned timing)
{
	return timing >= RISCV_TIMING_CONVERT;
}

/* Whether rd is an integer register. */
bool riscv_writes_integer(unsigned operands);

/* The jumps lead to where they will. `is_target`: a zero for each instruction. There is room for one more instruction. */
void riscv_time_code(struct riscv_code *code, unsigned char *is_target);

/* Of operations that the simulator does in place of code. */
#define RISCV_TIME_PRODUCT 7
#define RISCV_TIME_FUNCTION 50 /* of libm */

#endif
