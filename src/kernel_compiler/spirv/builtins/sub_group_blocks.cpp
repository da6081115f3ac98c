// SPDX-License-Identifier: MIT
//
// Blocks of SPV_INTEL_subgroups: the elements of a sub-group's work-items stand one behind the other in memory, or in a row of an
// image.
#include "spirv/builtins/builtin_calls.h"
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace weft::spirv
{

namespace
{

// The name of the function for blocks of a type.
std::string blockFunction(const Instruction &instruction, StringRef access, llvm::Type *type)
{
	std::string name = ("intel_sub_group_block_" + access).str();
	const auto *vector = dyn_cast<FixedVectorType>(type);
	std::string lanes = vector ? utostr(vector->getNumElements()) : "";
	instruction.require(type->isIntOrIntVectorTy(), "a block does not consist of integers");
	switch (type->getScalarSizeInBits()) {
	case 8:
		return name + "_uc" + lanes;
	case 16:
		return name + "_us" + lanes;
	case 32:
		return name + lanes;
	default:
		return name + "_ul" + lanes;
	}
}

BuiltinCall blockCall(FunctionReader &function, const Instruction &instruction, StringRef access,
		      llvm::Type *type)
{
	BuiltinCall call(function.builder, instruction, blockFunction(instruction, access, type));
	call.convergent();
	return call;
}

// The type of what the block's address leads to.
BuiltinType elementOf(const Instruction &instruction, const llvm::Type &type)
{
	std::optional<BuiltinType> element = builtinType(*type.getScalarType(), Sign::Unsigned);
	if (!element)
		instruction.fail("a block does not consist of integers");
	return *element;
}

void addCoordinates(BuiltinCall &block, FunctionReader &function, const Instruction &instruction)
{
	block.add(function.operand(instruction, 0))
		.add(function.operand(instruction, 1), Sign::Signed);
}

void readBlock(FunctionReader &function, const Instruction &instruction, bool isImage)
{
	llvm::Type *type = function.resultType(instruction).llvm;
	BuiltinCall block = blockCall(function, instruction, "read", type);
	if (isImage)
		addCoordinates(block, function, instruction);
	else
		block.addConstPointer(function.operand(instruction, 0),
				      elementOf(instruction, *type));
	function.define(instruction, block.make(type));
}

void writeBlock(FunctionReader &function, const Instruction &instruction, bool isImage)
{
	llvm::Value *data = function.operand(instruction, isImage ? 2 : 1);
	BuiltinCall block = blockCall(function, instruction, "write", data->getType());
	if (isImage)
		addCoordinates(block, function, instruction);
	else
		block.addPointer(function.operand(instruction, 0),
				 elementOf(instruction, *data->getType()));
	block.add(data).make(function.builder.getVoidTy());
}

} // namespace

bool readSubGroupBlock(FunctionReader &function, const Instruction &instruction)
{
	switch (instruction.opcode) {
	case spv::Op::OpSubgroupBlockReadINTEL:
		readBlock(function, instruction, false);
		return true;
	case spv::Op::OpSubgroupBlockWriteINTEL:
		writeBlock(function, instruction, false);
		return true;
	case spv::Op::OpSubgroupImageBlockReadINTEL:
		readBlock(function, instruction, true);
		return true;
	case spv::Op::OpSubgroupImageBlockWriteINTEL:
		writeBlock(function, instruction, true);
		return true;
	default:
		return false;
	}
}

} // namespace weft::spirv
