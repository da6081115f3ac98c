/* SPDX-License-Identifier: MIT
 *
 * The layout of instructions: the generated table of spirv-headers' grammar and the rows of newer_instructions.def.
 */
#ifndef WEFT_SPIRV_GRAMMAR_H
#define WEFT_SPIRV_GRAMMAR_H

#include <cstdint>

namespace weft::spirv
{

struct InstructionLayout {
	uint16_t opcode;
	bool hasType, hasResult;
	uint16_t least, most; /* words of the other operands */
	const char *name;
};

/* NULL for a number that is no operation. */
const InstructionLayout *layoutOf(uint32_t opcode);

/* "unknown" for a number that is no capability. */
const char *capabilityName(uint32_t capability);

} // namespace weft::spirv

#endif
