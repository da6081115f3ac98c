/* SPDX-License-Identifier: MIT
 *
 * Instructions of the sets OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo, which have the same numbers and nearly the same
 * operands (debug_operands.cpp). What they refer to and is not there reads as nothing: they have no meaning for results.
 */
#ifndef WEFT_SPIRV_DEBUG_INSTRUCTIONS_H
#define WEFT_SPIRV_DEBUG_INSTRUCTIONS_H

#include "spirv/binary/words.h"

#include <optional>

namespace weft::spirv
{

class ModuleReader;

struct DebugInstruction {
	enum Number : uint32_t {
		TypeBasic = 2,
		TypePointer = 3,
		TypeQualifier = 4,
		TypeArray = 5,
		TypeVector = 6,
		Typedef = 7,
		TypeFunction = 8,
		TypeEnum = 9,
		TypeComposite = 10,
		TypeMember = 11,
		GlobalVariable = 18,
		Function = 20,
		LexicalBlock = 21,
		LexicalBlockDiscriminator = 22,
		Scope = 23,
		NoScope = 24,
		LocalVariable = 26,
		Declare = 28,
		DebugValue = 29,
		Operation = 30,
		Expression = 31,
		Source = 35,
		FunctionDefinition = 101,
		Line = 103,
		NoLine = 104
	};

	Number number;
	bool hasLiterals; /* OpenCL.DebugInfo.100: numbers are words. Else they are constants. */
	Instruction instruction;
	llvm::ArrayRef<uint32_t> operands; /* those behind the set and the number */

	/* 0: it has no such operand. */
	uint32_t word(unsigned index) const
	{
		return index < operands.size() ? operands[index] : 0;
	}
	/* 0 also for what is not below the bound of ids. */
	Id ref(unsigned index) const
	{
		return word(index) < instruction.bound ? word(index) : 0;
	}

	/* A number that is a word in the one set, and a constant in the other. */
	uint64_t number32(const ModuleReader &module, unsigned index) const;
	/* A number that is a constant in both. */
	uint64_t constant(const ModuleReader &module, unsigned index) const;
	llvm::StringRef string(const ModuleReader &module, unsigned index) const;
};

/* Nothing for another instruction. */
std::optional<DebugInstruction> debugInstruction(const ModuleReader &module,
						 const Instruction &instruction);

} // namespace weft::spirv

#endif
