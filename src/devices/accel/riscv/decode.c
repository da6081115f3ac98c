/* SPDX-License-Identifier: MIT
 *
 * Decoding. Each section ends in an instruction that faults, so no code runs past it.
 */
#include "riscv/decode.h"

#include "alloc.h"
#include "riscv/instruction.h"
#include "riscv/timing.h"

#include <stdbool.h>
#include <string.h>

enum format { R, I, S, B, U, J, SHIFT, ATOMIC, REAL, UNARY, MOVE, CONVERT, FUSED };

struct row {
	uint32_t mask, match;
	riscv_execute *execute;
	enum format format;
	enum riscv_timing timing;
};

#define RISCV_ROW(name, mask, match, format, timing)                                               \
	{mask, match, riscv_##name, format, RISCV_TIMING_##timing},
static const struct row rows[] = {
#include "riscv/instructions.def"
};
enum { NUM_ROWS = sizeof(rows) / sizeof(rows[0]) };

static RISCV_EXECUTE(illegal)
{
	return riscv_fault(hart, at, "an unknown instruction", (uint32_t)at->immediate);
}

/* The bits from `low` on, `count` of them, at the place `to`. */
static uint32_t bits(uint32_t word, unsigned low, unsigned count, unsigned to)
{
	return (word >> low & ((1u << count) - 1)) << to;
}

static int32_t with_sign(uint32_t value, unsigned size)
{
	return (int32_t)(value << (32 - size)) >> (32 - size);
}

static int32_t immediate_of(uint32_t word, enum format format)
{
	switch (format) {
	case I:
		return (int32_t)word >> 20;
	case S:
		return with_sign(bits(word, 7, 5, 0) | bits(word, 25, 7, 5), 12);
	case B:
		return with_sign(bits(word, 8, 4, 1) | bits(word, 25, 6, 5) | bits(word, 7, 1, 11) |
					 bits(word, 31, 1, 12),
				 13);
	case U:
		return (int32_t)(word & 0xfffff000);
	case J:
		return with_sign(bits(word, 21, 10, 1) | bits(word, 20, 1, 11) |
					 bits(word, 12, 8, 12) | bits(word, 31, 1, 20),
				 21);
	case SHIFT:
		return (int32_t)bits(word, 20, 6, 0);
	case ATOMIC: /* whether it acquires or releases */
		return (int32_t)bits(word, 25, 2, 0);
	case R:
	case REAL:
	case UNARY:
	case MOVE:
	case CONVERT:
	case FUSED:
		break;
	}
	return 0;
}

/* Whether the word rounds in a way that the simulator knows. */
static bool rounds_well(uint32_t word, enum format format)
{
	const uint32_t mode = bits(word, 12, 3, 0);

	if (format == CONVERT)
		return mode <= RISCV_TO_NEAREST_AWAY || mode == RISCV_DYNAMIC;
	return (format != REAL && format != UNARY && format != FUSED) || mode == RISCV_TO_NEAREST ||
	       mode == RISCV_DYNAMIC;
}

static uint8_t number(uint32_t word, unsigned low)
{
	return (uint8_t)bits(word, low, 5, 0);
}

static unsigned operands_of(const struct row *row)
{
	const enum format format = row->format;
	unsigned operands = (unsigned)row->timing;

	if (format == R || format == S || format == B || format == ATOMIC || format == REAL ||
	    format == FUSED)
		operands |= RISCV_OPERANDS_SECOND;
	if (format == FUSED)
		operands |= RISCV_OPERANDS_THIRD;
	if (format != S && format != B && row->timing != RISCV_TIMING_NOTHING)
		operands |= RISCV_OPERANDS_RESULT;
	return operands;
}

/* What is written to the zero register goes nowhere. */
static uint8_t target_of(uint32_t word, unsigned operands)
{
	const uint8_t rd = number(word, 7);

	return rd == 0 && riscv_writes_integer(operands) ? RISCV_NOWHERE : rd;
}

static struct riscv_instruction decode(uint32_t word)
{
	for (size_t i = 0; i < NUM_ROWS; i++) {
		const struct row *row = &rows[i];

		if ((word & row->mask) != row->match || !rounds_well(word, row->format))
			continue;
		const unsigned operands = operands_of(row);
		return (struct riscv_instruction){
			.execute = row->execute,
			.immediate = immediate_of(word, row->format),
			.rd = target_of(word, operands),
			.rs1 = number(word, 15),
			.rs2 = number(word, 20),
			.rs3 = row->format == CONVERT ? (uint8_t)bits(word, 12, 3, 0)
						      : number(word, 27),
			.turn = (int32_t)operands,
		};
	}
	return (struct riscv_instruction){.execute = riscv_illegal, .immediate = (int32_t)word};
}

/* What the code of all sections needs. */
static size_t most_halfwords(const struct riscv_section *sections, size_t count)
{
	size_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += sections[i].size / 2;
	return sum;
}

/* The next word of a section, at *offset, which it moves on. */
static uint32_t next_word(const struct riscv_section *section, size_t *offset)
{
	uint16_t low, high;

	memcpy(&low, section->bytes + *offset, sizeof(low));
	*offset += sizeof(low);
	if ((low & 3) != 3)
		return riscv_expand(low);
	if (section->size - *offset < sizeof(high))
		return 0;
	memcpy(&high, section->bytes + *offset, sizeof(high));
	*offset += sizeof(high);
	return (uint32_t)high << 16 | low;
}

static void add(struct riscv_code *code, struct riscv_instruction instruction, size_t offset)
{
	code->offsets[code->count] = (uint32_t)offset;
	code->instructions[code->count++] = instruction;
}

static void add_section(struct riscv_code *code, const struct riscv_section *section)
{
	const size_t start = (uintptr_t)section->bytes - code->base;
	size_t offset = 0;

	while (offset + 2 <= section->size) {
		const size_t at = offset;

		code->numbers[(start + at) / 2] = (uint32_t)code->count;
		add(code, decode(next_word(section, &offset)), start + at);
	}
	add(code, (struct riscv_instruction){.execute = riscv_illegal}, start + offset);
}

/* Jumps lead to instructions in place of addresses; one that leads to none, to the last one, which faults. */
static void resolve_jumps(struct riscv_code *code)
{
	for (size_t i = 0; i < code->count; i++) {
		struct riscv_instruction *jump = &code->instructions[i];
		const unsigned timing = (unsigned)jump->turn & RISCV_OPERANDS_TIMING;

		if (timing != RISCV_TIMING_BRANCH && timing != RISCV_TIMING_JUMP)
			continue;
		const struct riscv_instruction *target =
			riscv_code_at(code, riscv_code_address(code, jump) + riscv_immediate(jump));
		if (!target)
			target = &code->instructions[code->count - 1];
		jump->immediate = (int32_t)(target - jump);
	}
}

static bool allocate(struct riscv_code *code, const struct riscv_section *sections, size_t count)
{
	const size_t most = most_halfwords(sections, count) + count;

	code->numbers = weft_calloc(code->num_halfwords, sizeof(code->numbers[0]));
	code->instructions = weft_calloc(most + 1, sizeof(code->instructions[0]));
	code->offsets = weft_calloc(most + 1, sizeof(code->offsets[0]));
	return code->numbers && code->instructions && code->offsets;
}

enum weft_status riscv_code_init(struct riscv_code *code, const struct riscv_section *sections,
				 size_t count)
{
	*code = (struct riscv_code){0};
	if (count == 0)
		return WEFT_OK;
	const struct riscv_section *last = &sections[count - 1];
	code->base = (uintptr_t)sections[0].bytes;
	code->num_halfwords = ((uintptr_t)last->bytes + last->size - code->base) / 2;
	unsigned char *is_target = weft_calloc(most_halfwords(sections, count) + count, 1);
	if (!is_target || !allocate(code, sections, count)) {
		weft_free(is_target);
		riscv_code_destroy(code);
		return WEFT_OUT_OF_MEMORY;
	}
	for (size_t i = 0; i < code->num_halfwords; i++)
		code->numbers[i] = RISCV_NO_INSTRUCTION;
	for (size_t i = 0; i < count; i++)
		add_section(code, &sections[i]);
	code->offsets[code->count] = code->offsets[code->count - 1];
	resolve_jumps(code);
	riscv_time_code(code, is_target);
	weft_free(is_target);
	return WEFT_OK;
}

void riscv_code_destroy(struct riscv_code *code)
{
	weft_free(code->numbers);
	weft_free(code->instructions);
	weft_free(code->offsets);
	*code = (struct riscv_code){0};
}
