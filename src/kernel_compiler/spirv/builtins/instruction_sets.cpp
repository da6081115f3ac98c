// SPDX-License-Identifier: MIT
//
// OpExtInst: the set that an instruction is of.
#include "spirv/builtins/extended_instructions.h"
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

using namespace llvm;

namespace weft::spirv
{

bool readExtendedInstruction(FunctionReader &function, const Instruction &instruction)
{
	if (instruction.opcode != spv::Op::OpExtInst)
		return false;
	StringRef set = function.module.instructionSet(instruction, instruction.id(0));
	if (set !=
	    "OpenCL.std") // those of debug information, and others without meaning for results
		return true;
	const Type &type = function.resultType(instruction);
	auto operand = [&](unsigned index) { return function.operand(instruction, index); };
	llvm::Value *value = readOpenCLStd({instruction, function.builder, operand, type.llvm});
	if (value && !type.is(Type::Void))
		function.define(instruction, value);
	return true;
}

} // namespace weft::spirv
