// SPDX-License-Identifier: MIT
//
// What OpenCL C's functions of the generic address space ask. All storage but constant memory has one kind of addresses here.
#include "spirv/builtins/builtin_calls.h"
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

using namespace llvm;

namespace weft::spirv
{

namespace
{

llvm::Value *genericOperand(FunctionReader &function, const Instruction &instruction)
{
	llvm::Value *pointer = function.operand(instruction, 0);
	instruction.require(pointer->getType()->isPointerTy() &&
				    pointer->getType()->getPointerAddressSpace() == genericSpace,
			    "an operand is no generic pointer");
	return pointer;
}

// __to_global and its kind.
void readExplicitCast(FunctionReader &function, const Instruction &instruction)
{
	static constexpr StringRef names[] = {"__to_private", "__to_global", "", "__to_local"};
	llvm::Value *pointer = genericOperand(function, instruction);
	llvm::Type *result = function.resultType(instruction).llvm;
	unsigned space = result->isPointerTy() ? result->getPointerAddressSpace() : genericSpace;
	instruction.require(space < std::size(names) && !names[space].empty(),
			    "the result is no pointer to storage that generic pointers reach");
	function.define(instruction, function.call(names[space], result, {pointer}));
}

// Memory semantics of the storage that a pointer may lead to, from the flags of its fence.
void readSemantics(FunctionReader &function, const Instruction &instruction)
{
	constexpr uint64_t toSemantics =
		8; // CLK_LOCAL_MEM_FENCE is WorkgroupMemory; the next bits are the next
	IRBuilder<> &builder = function.builder;
	CallInst *flags =
		BuiltinCall(builder, instruction, "get_fence")
			.addConstPointer(genericOperand(function, instruction), BuiltinType{"v"})
			.make(builder.getInt32Ty());
	function.define(instruction, builder.CreateShl(flags, toSemantics));
}

} // namespace

bool readGenericPointer(FunctionReader &function, const Instruction &instruction)
{
	switch (instruction.opcode) {
	case spv::Op::OpGenericCastToPtrExplicit:
		readExplicitCast(function, instruction);
		return true;
	case spv::Op::OpGenericPtrMemSemantics:
		readSemantics(function, instruction);
		return true;
	default:
		return false;
	}
}

} // namespace weft::spirv
