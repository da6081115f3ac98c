/* SPDX-License-Identifier: MIT
 *
 * A module of SPIR-V with specialisation constants, for tests of the API: the fake compiler reads no more of it than the string.
 */
#ifndef WEFT_TESTS_API_IL_WORDS_H
#define WEFT_TESTS_API_IL_WORDS_H

#include <stdint.h>

#define IL_OP(opcode, words) ((uint32_t)(words) << 16 | (opcode))

/* The SpecId of the constants. */
enum { IL_BOOL = 3, IL_SHORT = 5, IL_LONG = 0x10000, IL_CHAR = 1, IL_GROUPED = 9 };

/* Words of the module that tests change. */
enum { IL_VERSION_WORD = 1, IL_FIRST_INSTRUCTION = 5, IL_STRING_WORD = 9 };

static const uint32_t il_module[] = {
	/* clang-format off */
	0x07230203, 0x00010000, 0, 40, 0,
	IL_OP(17, 2), 6,                      /* OpCapability Kernel */
	IL_OP(7, 3), 1, 0x6e726177,           /* OpString "warn", without its zero */
	IL_OP(71, 4), 20, 1, IL_SHORT,        /* OpDecorate SpecId */
	IL_OP(71, 4), 21, 1, IL_BOOL,
	IL_OP(71, 4), 22, 1, IL_LONG,
	IL_OP(71, 4), 23, 1, IL_CHAR,
	IL_OP(71, 4), 24, 1, IL_BOOL,         /* of two with one identifier one is as good */
	IL_OP(71, 4), 30, 1, IL_GROUPED,
	IL_OP(71, 3), 25, 42,                 /* another decoration */
	IL_OP(73, 2), 30,                     /* OpDecorationGroup */
	IL_OP(74, 4), 30, 25, 26,             /* OpGroupDecorate */
	IL_OP(21, 4), 10, 16, 0,              /* OpTypeInt */
	IL_OP(21, 4), 11, 64, 0,
	IL_OP(21, 4), 12, 8, 0,
	IL_OP(22, 3), 13, 32,                 /* OpTypeFloat */
	IL_OP(20, 2), 14,                     /* OpTypeBool */
	IL_OP(50, 4), 10, 20, 1,              /* OpSpecConstant */
	IL_OP(48, 3), 14, 21,                 /* OpSpecConstantTrue */
	IL_OP(50, 5), 11, 22, 1, 0,
	IL_OP(50, 4), 12, 23, 1,
	IL_OP(49, 3), 14, 24,                 /* OpSpecConstantFalse */
	IL_OP(50, 4), 13, 25, 0,
	IL_OP(50, 4), 10, 27, 1,              /* without SpecId */
	/* clang-format on */
};

#define IL_WORDS (sizeof(il_module) / sizeof(il_module[0]))

#endif
