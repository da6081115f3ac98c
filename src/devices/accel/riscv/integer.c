/* SPDX-License-Identifier: MIT
 *
 * Instructions on integers, jumps, and the control registers of floating point.
 */
#include "riscv/host_calls.h"
#include "riscv/instruction.h"

#include <limits.h>
#include <stdatomic.h>

/* ---- two registers, a register and a constant ------------------------------------------------ */

#define RISCV_COMPUTE(name, type, second, result)                                                  \
	RISCV_EXECUTE(name)                                                                        \
	{                                                                                          \
		const type a = (type)hart->x[at->rs1];                                             \
		const type b = (type)(second);                                                     \
                                                                                                   \
		hart->x[at->rd] = (uint64_t)(result);                                              \
		return at + 1;                                                                     \
	}
#define RISCV_REGISTERS(name, type, result) RISCV_COMPUTE(name, type, hart->x[at->rs2], result)
#define RISCV_CONSTANT(name, type, result) RISCV_COMPUTE(name, type, at->immediate, result)

RISCV_REGISTERS(add, uint64_t, a + b)
RISCV_REGISTERS(sub, uint64_t, a - b)
RISCV_REGISTERS(sll, uint64_t, a << (b & 63))
RISCV_REGISTERS(slt, int64_t, a < b)
RISCV_REGISTERS(sltu, uint64_t, a < b)
RISCV_REGISTERS(xor, uint64_t, a ^ b)
RISCV_REGISTERS(srl, uint64_t, a >> (b & 63))
RISCV_REGISTERS(sra, int64_t, a >> (b & 63))
RISCV_REGISTERS(or, uint64_t, a | b)
RISCV_REGISTERS(and, uint64_t, a &b)
RISCV_REGISTERS(addw, uint32_t, riscv_word(a + b))
RISCV_REGISTERS(subw, uint32_t, riscv_word(a - b))
RISCV_REGISTERS(sllw, uint32_t, riscv_word(a << (b & 31)))
RISCV_REGISTERS(srlw, uint32_t, riscv_word(a >> (b & 31)))
RISCV_REGISTERS(sraw, int32_t, a >> (b & 31))

RISCV_CONSTANT(addi, int64_t, (uint64_t)a + (uint64_t)b)
RISCV_CONSTANT(slti, int64_t, a < b)
RISCV_CONSTANT(sltiu, int64_t, (uint64_t)a < (uint64_t)b)
RISCV_CONSTANT(xori, int64_t, a ^ b)
RISCV_CONSTANT(ori, int64_t, a | b)
RISCV_CONSTANT(andi, int64_t, a &b)
RISCV_CONSTANT(slli, uint64_t, a << b)
RISCV_CONSTANT(srli, uint64_t, a >> b)
RISCV_CONSTANT(srai, int64_t, a >> b)
RISCV_CONSTANT(addiw, uint32_t, riscv_word(a + b))
RISCV_CONSTANT(slliw, uint32_t, riscv_word(a << b))
RISCV_CONSTANT(srliw, uint32_t, riscv_word(a >> b))
RISCV_CONSTANT(sraiw, int32_t, a >> b)

/* ---- products and quotients ------------------------------------------------------------------ */

RISCV_REGISTERS(mul, uint64_t, a *b)
RISCV_REGISTERS(mulw, uint32_t, riscv_word(a *b))
RISCV_REGISTERS(mulh, int64_t, (__int128)a *b >> 64)
RISCV_REGISTERS(mulhu, uint64_t, (unsigned __int128)a *b >> 64)
RISCV_REGISTERS(mulhsu, uint64_t, (__int128)(int64_t)a *(__int128)b >> 64)

/* A division by zero has all bits set, its remainder is the dividend; what overflows wraps. */
RISCV_REGISTERS(div, int64_t, b == 0 ? -1 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b)
RISCV_REGISTERS(rem, int64_t, b == 0 ? a : b == -1 ? 0 : a % b)
RISCV_REGISTERS(divu, uint64_t, b == 0 ? UINT64_MAX : a / b)
RISCV_REGISTERS(remu, uint64_t, b == 0 ? a : a % b)
RISCV_REGISTERS(divw, int32_t, b == 0 ? -1 : b == -1 ? (int32_t)(0 - (uint32_t)a) : a / b)
RISCV_REGISTERS(remw, int32_t, b == 0 ? a : b == -1 ? 0 : a % b)
RISCV_REGISTERS(divuw, uint32_t, riscv_word(b == 0 ? UINT32_MAX : a / b))
RISCV_REGISTERS(remuw, uint32_t, riscv_word(b == 0 ? a : a % b))

/* ---- addresses and jumps --------------------------------------------------------------------- */

RISCV_EXECUTE(lui)
{
	hart->x[at->rd] = riscv_immediate(at);
	return at + 1;
}

RISCV_EXECUTE(auipc)
{
	hart->x[at->rd] = riscv_code_address(hart->code, at) + riscv_immediate(at);
	return at + 1;
}

#define RISCV_BRANCH(name, type, condition)                                                        \
	RISCV_EXECUTE(name)                                                                        \
	{                                                                                          \
		const type a = (type)hart->x[at->rs1], b = (type)hart->x[at->rs2];                 \
                                                                                                   \
		return (condition) ? riscv_jump(hart, at) : at + 1;                                \
	}

RISCV_BRANCH(beq, uint64_t, a == b)
RISCV_BRANCH(bne, uint64_t, a != b)
RISCV_BRANCH(blt, int64_t, a < b)
RISCV_BRANCH(bge, int64_t, a >= b)
RISCV_BRANCH(bltu, uint64_t, a < b)
RISCV_BRANCH(bgeu, uint64_t, a >= b)

RISCV_EXECUTE(jal)
{
	hart->x[at->rd] = riscv_code_address(hart->code, at + 1);
	return riscv_jump(hart, at);
}

/* The lowest bit counts only for functions of the host, which may have any address. */
RISCV_EXECUTE(jalr)
{
	const uint64_t target = hart->x[at->rs1] + riscv_immediate(at);
	const struct riscv_instruction *next = riscv_code_at(hart->code, target & ~UINT64_C(1));

	hart->x[at->rd] = riscv_code_address(hart->code, at + 1);
	if (!next)
		return riscv_leave(hart, at, target);
	hart->cycles += at[1].before - (uint64_t)next->before;
	return next <= at && riscv_is_stopped(hart) ? NULL : next;
}

/* ---- order and control ----------------------------------------------------------------------- */

RISCV_EXECUTE(fence)
{
	if (hart->look_up)
		hart->cycles += hart->look_up(hart, 0, 0, WEFT_GLOBAL_ORDERED);
	atomic_thread_fence(memory_order_seq_cst);
	return at + 1;
}

enum { FLAGS = 1, MODE = 2, BOTH = 3 };

/* Exceptions are not raised, and numbers are rounded to nearest: the mode is 0, and stays so. */
static const struct riscv_instruction *control(struct riscv_hart *hart,
					       const struct riscv_instruction *at, uint64_t kept)
{
	const int which = at->immediate & 0xfff;
	const uint64_t written = hart->x[at->rs1], before = hart->flags;

	if (which < FLAGS || which > BOTH || (which == MODE && written != 0) || written > 31)
		return riscv_fault(hart, at, "a control register", (uint64_t)which);
	if (which != MODE)
		hart->flags = (before & kept) | written;
	hart->x[at->rd] = which == MODE ? 0 : before;
	return at + 1;
}

RISCV_EXECUTE(csrrw)
{
	return control(hart, at, 0);
}

RISCV_EXECUTE(csrrs)
{
	return control(hart, at, UINT64_MAX);
}

RISCV_EXECUTE(mark)
{
	riscv_mark_item(&hart->items, (uint32_t)at->immediate,
			(struct riscv_moment){riscv_now(hart, at), hart->far_accesses});
	return at + 1;
}
