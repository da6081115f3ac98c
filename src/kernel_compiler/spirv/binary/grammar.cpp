/* SPDX-License-Identifier: MIT
 *
 * Looks an operation up. The generated rows stand in the order of their numbers.
 */
#include "spirv/binary/grammar.h"

#include <algorithm>
#include <iterator>

namespace weft::spirv
{

#define INSTRUCTION(number, name, hasType, hasResult, least, most)                                 \
	{number, hasType, hasResult, least, most, #name},
static constexpr InstructionLayout layouts[] = {
#include "spirv_grammar.h"
};
static constexpr InstructionLayout newer[] = {
#include "spirv/binary/newer_instructions.def"
};
#undef INSTRUCTION

template <typename Rows> static const InstructionLayout *find(const Rows &rows, uint32_t opcode)
{
	const auto *row = std::lower_bound(std::begin(rows), std::end(rows), opcode,
					   [](const InstructionLayout &layout, uint32_t number) {
						   return layout.opcode < number;
					   });
	return row != std::end(rows) && row->opcode == opcode ? row : nullptr;
}

const InstructionLayout *layoutOf(uint32_t opcode)
{
	const InstructionLayout *layout = find(newer, opcode);
	return layout ? layout : find(layouts, opcode);
}

const char *capabilityName(uint32_t capability)
{
	switch (capability) {
#define CAPABILITY_NAME(number, name)                                                              \
	case number:                                                                               \
		return #name;
#include "spirv_grammar.h"
#undef CAPABILITY_NAME
	default:
		return "unknown";
	}
}

} // namespace weft::spirv
