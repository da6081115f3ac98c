/* SPDX-License-Identifier: MIT
 *
 * The cycles of Rocket, an open core that executes in order, as LLVM's scheduling model for it has them (RISCVSchedRocket.td). What that
 * model does not say is guessed: the other instructions take 1, and branches are predicted by their direction.
 */
#include "riscv/timing.h"

#include "riscv/hart.h"

#include <string.h>

#define MISPREDICTED 3

/* From the start to the result. */
static const uint8_t latencies[] = {
	[RISCV_TIMING_INTEGER] = 1,   [RISCV_TIMING_MULTIPLY] = 4,
	[RISCV_TIMING_DIVIDE] = 34,   [RISCV_TIMING_ACCESS] = 1,
	[RISCV_TIMING_ACCESS_F] = 1,  [RISCV_TIMING_BRANCH] = 1,
	[RISCV_TIMING_JUMP] = 1,      [RISCV_TIMING_JUMP_REGISTER] = 1,
	[RISCV_TIMING_F_TO_X] = 2,    [RISCV_TIMING_X_TO_F] = 2,
	[RISCV_TIMING_CONVERT] = 2,   [RISCV_TIMING_ADD_S] = 4,
	[RISCV_TIMING_ADD_D] = 6,     [RISCV_TIMING_PRODUCT_S] = 5,
	[RISCV_TIMING_PRODUCT_D] = 7, [RISCV_TIMING_QUOTIENT] = 20,
	[RISCV_TIMING_ROOT_D] = 25,
};

enum { REAL = 32, REGISTERS = 64 }; /* the number of the first floating-point register */

/* Of the code up to here, since it was last not known from where it came. */
struct pipeline {
	uint32_t now;
	uint32_t ready[REGISTERS];
	uint32_t divider, root; /* when these units are free: they take one operation at a time */
};

bool riscv_writes_integer(unsigned operands)
{
	const unsigned timing = operands & RISCV_OPERANDS_TIMING;

	return operands & RISCV_OPERANDS_RESULT && timing != RISCV_TIMING_ACCESS_F &&
	       timing != RISCV_TIMING_X_TO_F && !riscv_operands_are_real(timing);
}

static uint32_t later(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* When the operands are there. */
static uint32_t find_start(const struct pipeline *pipeline, const struct riscv_instruction *at,
			   unsigned operands)
{
	const unsigned timing = operands & RISCV_OPERANDS_TIMING;
	const bool real = riscv_operands_are_real(timing) || timing == RISCV_TIMING_F_TO_X;
	const unsigned second = real || timing == RISCV_TIMING_ACCESS_F ? REAL : 0;
	uint32_t start = later(pipeline->now, pipeline->ready[at->rs1 + (real ? REAL : 0)]);

	if (operands & RISCV_OPERANDS_SECOND)
		start = later(start, pipeline->ready[at->rs2 + second]);
	if (operands & RISCV_OPERANDS_THIRD)
		start = later(start, pipeline->ready[at->rs3 + REAL]);
	if (timing == RISCV_TIMING_DIVIDE)
		start = later(start, pipeline->divider);
	if (timing == RISCV_TIMING_QUOTIENT || timing == RISCV_TIMING_ROOT_D)
		start = later(start, pipeline->root);
	return start;
}

/* The cycles that the instruction adds. */
static uint32_t execute(struct pipeline *pipeline, const struct riscv_instruction *at,
			unsigned operands)
{
	const unsigned timing = operands & RISCV_OPERANDS_TIMING;
	const uint32_t before = pipeline->now;

	if (timing == RISCV_TIMING_NOTHING)
		return 0;
	const uint32_t start = find_start(pipeline, at, operands);
	const uint32_t end = start + latencies[timing];
	pipeline->now = start + 1;
	if (timing == RISCV_TIMING_DIVIDE)
		pipeline->divider = end;
	if (timing == RISCV_TIMING_QUOTIENT || timing == RISCV_TIMING_ROOT_D)
		pipeline->root = end;
	if (operands & RISCV_OPERANDS_RESULT && at->rd < REAL)
		pipeline->ready[at->rd + (riscv_writes_integer(operands) ? 0 : REAL)] = end;
	return pipeline->now - before;
}

/* Jumps forward are predicted not to be taken, others to be taken. A return is predicted, a jump to an address in a register not. */
static uint32_t cost_of_jump(const struct riscv_instruction *at, unsigned timing)
{
	const bool is_return = at->rd == RISCV_NOWHERE && at->rs1 == RISCV_RA;

	if (timing == RISCV_TIMING_BRANCH)
		return at->immediate <= 0 ? MISPREDICTED : 0;
	return timing == RISCV_TIMING_JUMP_REGISTER && !is_return ? MISPREDICTED : 0;
}

static void mark_target(const struct riscv_code *code, const struct riscv_instruction *at,
			unsigned char *is_target)
{
	is_target[at + at->immediate - code->instructions] = 1;
}

/* What a taken jump adds, so that the cycles and `before` of where it leads are the time. */
static int32_t turn_of(const struct riscv_instruction *at, unsigned timing)
{
	const int32_t passed = (int32_t)(at[1].before - at[at->immediate].before);

	if (timing == RISCV_TIMING_JUMP)
		return passed;
	return at->immediate <= 0 ? passed - MISPREDICTED : passed + MISPREDICTED;
}

static bool leads_elsewhere(unsigned timing)
{
	return timing == RISCV_TIMING_BRANCH || timing == RISCV_TIMING_JUMP;
}

void riscv_time_code(struct riscv_code *code, unsigned char *is_target)
{
	struct pipeline pipeline = {0};
	uint32_t sum = 0;

	for (size_t i = 0; i < code->count; i++) {
		const struct riscv_instruction *at = &code->instructions[i];
		if (leads_elsewhere((unsigned)at->turn & RISCV_OPERANDS_TIMING))
			mark_target(code, at, is_target);
	}
	for (size_t i = 0; i < code->count; i++) {
		struct riscv_instruction *at = &code->instructions[i];
		const unsigned operands = (unsigned)at->turn;
		const unsigned timing = operands & RISCV_OPERANDS_TIMING;

		if (is_target[i])
			pipeline = (struct pipeline){0};
		at->before = sum;
		sum += execute(&pipeline, at, operands) + cost_of_jump(at, timing);
		if (timing == RISCV_TIMING_JUMP || timing == RISCV_TIMING_JUMP_REGISTER)
			pipeline = (struct pipeline){0};
	}
	code->instructions[code->count].before = sum; /* none: what comes behind the last one */
	for (size_t i = 0; i < code->count; i++) {
		struct riscv_instruction *at = &code->instructions[i];
		const unsigned timing = (unsigned)at->turn & RISCV_OPERANDS_TIMING;

		at->turn = leads_elsewhere(timing) ? turn_of(at, timing) : 0;
	}
}
