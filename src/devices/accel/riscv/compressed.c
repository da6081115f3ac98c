/* SPDX-License-Identifier: MIT
 *
 * Compressed instructions: each is short for one of 32 bits (RISC-V instruction set manual, volume I, chapter "C").
 */
#include "riscv/decode.h"

#include <stdbool.h>

enum { ZERO = 0, RA = 1, SP = 2 };

/* The bits from `low` on, `count` of them, at the place `to`. */
static uint32_t bits(uint32_t word, unsigned low, unsigned count, unsigned to)
{
	return (word >> low & ((1u << count) - 1)) << to;
}

static uint32_t with_sign(uint32_t value, unsigned size)
{
	return (uint32_t)((int32_t)(value << (32 - size)) >> (32 - size));
}

/* ---- forms of 32 bits ------------------------------------------------------------------------ */

/* `match`: opcode and function; see instructions.def. */
static uint32_t form_i(uint32_t match, uint32_t rd, uint32_t rs1, uint32_t immediate)
{
	return match | rd << 7 | rs1 << 15 | immediate << 20;
}

static uint32_t form_s(uint32_t match, uint32_t rs1, uint32_t rs2, uint32_t immediate)
{
	return match | rs1 << 15 | rs2 << 20 | bits(immediate, 0, 5, 7) | bits(immediate, 5, 7, 25);
}

static uint32_t form_r(uint32_t match, uint32_t rd, uint32_t rs1, uint32_t rs2)
{
	return match | rd << 7 | rs1 << 15 | rs2 << 20;
}

static uint32_t form_b(uint32_t match, uint32_t rs1, uint32_t offset)
{
	return match | rs1 << 15 | bits(offset, 1, 4, 8) | bits(offset, 5, 6, 25) |
	       bits(offset, 11, 1, 7) | bits(offset, 12, 1, 31);
}

static uint32_t form_j(uint32_t rd, uint32_t offset)
{
	return 0x6f | rd << 7 | bits(offset, 1, 10, 21) | bits(offset, 11, 1, 20) |
	       bits(offset, 12, 8, 12) | bits(offset, 20, 1, 31);
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* Registers 8 to 15. */
static uint32_t near(uint32_t word, unsigned low)
{
	return 8 + bits(word, low, 3, 0);
}

static uint32_t any(uint32_t word, unsigned low)
{
	return bits(word, low, 5, 0);
}

static uint32_t immediate6(uint32_t word)
{
	return with_sign(bits(word, 2, 5, 0) | bits(word, 12, 1, 5), 6);
}

static uint32_t shift6(uint32_t word)
{
	return bits(word, 2, 5, 0) | bits(word, 12, 1, 5);
}

/* Of words and of doublewords, from a register or from the stack. */
static uint32_t offset_word(uint32_t word)
{
	return bits(word, 6, 1, 2) | bits(word, 10, 3, 3) | bits(word, 5, 1, 6);
}

static uint32_t offset_double(uint32_t word)
{
	return bits(word, 10, 3, 3) | bits(word, 5, 2, 6);
}

/* ---- quadrants ------------------------------------------------------------------------------- */

static uint32_t expand_0(uint32_t word)
{
	const uint32_t data = near(word, 2), base = near(word, 7);
	const uint32_t stack = bits(word, 11, 2, 4) | bits(word, 7, 4, 6) | bits(word, 6, 1, 2) |
			       bits(word, 5, 1, 3);

	switch (bits(word, 13, 3, 0)) {
	case 0: /* c.addi4spn */
		return stack ? form_i(0x13, data, SP, stack) : 0;
	case 1:
		return form_i(0x3007, data, base, offset_double(word)); /* fld */
	case 2:
		return form_i(0x2003, data, base, offset_word(word)); /* lw */
	case 3:
		return form_i(0x3003, data, base, offset_double(word)); /* ld */
	case 5:
		return form_s(0x3027, base, data, offset_double(word)); /* fsd */
	case 6:
		return form_s(0x2023, base, data, offset_word(word)); /* sw */
	case 7:
		return form_s(0x3023, base, data, offset_double(word)); /* sd */
	default:
		return 0;
	}
}

/* Of the eight that compute in a register, and shifts. */
static uint32_t expand_arithmetic(uint32_t word)
{
	static const uint32_t matches[8] = {
		0x40000033, 0x4033, 0x6033, 0x7033, /* sub, xor, or, and */
		0x4000003b, 0x3b,   0,      0,      /* subw, addw */
	};
	const uint32_t to = near(word, 7);

	switch (bits(word, 10, 2, 0)) {
	case 0:
		return form_i(0x5013, to, to, shift6(word)); /* srli */
	case 1:
		return form_i(0x40005013, to, to, shift6(word)); /* srai */
	case 2:
		return form_i(0x7013, to, to, immediate6(word)); /* andi */
	default:
		break;
	}
	const uint32_t match = matches[bits(word, 12, 1, 2) | bits(word, 5, 2, 0)];
	return match ? form_r(match, to, to, near(word, 2)) : 0;
}

static uint32_t jump_offset(uint32_t word)
{
	return with_sign(bits(word, 3, 3, 1) | bits(word, 11, 1, 4) | bits(word, 2, 1, 5) |
				 bits(word, 7, 1, 6) | bits(word, 6, 1, 7) | bits(word, 9, 2, 8) |
				 bits(word, 8, 1, 10) | bits(word, 12, 1, 11),
			 12);
}

static uint32_t branch_offset(uint32_t word)
{
	return with_sign(bits(word, 3, 2, 1) | bits(word, 10, 2, 3) | bits(word, 2, 1, 5) |
				 bits(word, 5, 2, 6) | bits(word, 12, 1, 8),
			 9);
}

/* c.addi16sp and c.lui */
static uint32_t expand_upper(uint32_t word)
{
	const uint32_t to = any(word, 7);
	const uint32_t step =
		with_sign(bits(word, 6, 1, 4) | bits(word, 2, 1, 5) | bits(word, 5, 1, 6) |
				  bits(word, 3, 2, 7) | bits(word, 12, 1, 9),
			  10);

	if (to == SP)
		return step ? form_i(0x13, SP, SP, step) : 0;
	return immediate6(word) ? 0x37 | to << 7 | immediate6(word) << 12 : 0;
}

static uint32_t expand_1(uint32_t word)
{
	const uint32_t to = any(word, 7);

	switch (bits(word, 13, 3, 0)) {
	case 0:
		return form_i(0x13, to, to, immediate6(word)); /* addi */
	case 1:
		return to ? form_i(0x1b, to, to, immediate6(word)) : 0; /* addiw */
	case 2:
		return form_i(0x13, to, ZERO, immediate6(word)); /* li */
	case 3:
		return expand_upper(word);
	case 4:
		return expand_arithmetic(word);
	case 5:
		return form_j(ZERO, jump_offset(word));
	case 6:
		return form_b(0x63, near(word, 7), branch_offset(word)); /* beqz */
	default:
		return form_b(0x1063, near(word, 7), branch_offset(word)); /* bnez */
	}
}

/* Jumps by registers, moves and sums. */
static uint32_t expand_registers(uint32_t word)
{
	const uint32_t to = any(word, 7), from = any(word, 2);
	const bool adds = bits(word, 12, 1, 0);

	if (from)
		return form_r(0x33, to, adds ? to : ZERO, from); /* add */
	return to ? form_i(0x67, adds ? RA : ZERO, to, 0) : 0;   /* jalr */
}

static uint32_t expand_2(uint32_t word)
{
	const uint32_t to = any(word, 7), from = any(word, 2);
	const uint32_t load_word = bits(word, 4, 3, 2) | bits(word, 12, 1, 5) | bits(word, 2, 2, 6);
	const uint32_t load_double =
		bits(word, 5, 2, 3) | bits(word, 12, 1, 5) | bits(word, 2, 3, 6);
	const uint32_t store_word = bits(word, 9, 4, 2) | bits(word, 7, 2, 6);
	const uint32_t store_double = bits(word, 10, 3, 3) | bits(word, 7, 3, 6);

	switch (bits(word, 13, 3, 0)) {
	case 0:
		return form_i(0x1013, to, to, shift6(word)); /* slli */
	case 1:
		return form_i(0x3007, to, SP, load_double); /* fld */
	case 2:
		return to ? form_i(0x2003, to, SP, load_word) : 0; /* lw */
	case 3:
		return to ? form_i(0x3003, to, SP, load_double) : 0; /* ld */
	case 4:
		return expand_registers(word);
	case 5:
		return form_s(0x3027, SP, from, store_double); /* fsd */
	case 6:
		return form_s(0x2023, SP, from, store_word); /* sw */
	default:
		return form_s(0x3023, SP, from, store_double); /* sd */
	}
}

uint32_t riscv_expand(uint16_t compressed)
{
	switch (compressed & 3) {
	case 0:
		return expand_0(compressed);
	case 1:
		return expand_1(compressed);
	default:
		return expand_2(compressed);
	}
}
