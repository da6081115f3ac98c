/* SPDX-License-Identifier: MIT
 *
 * SPIR-V 3.42.9, OpFunctionCall, and SPV_INTEL_function_pointers.
 */
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

namespace weft::spirv
{

/* The operands from the second on. */
static llvm::SmallVector<llvm::Value *, 8> argumentsOf(FunctionReader &function,
						       const Instruction &instruction)
{
	llvm::SmallVector<llvm::Value *, 8> arguments;

	for (unsigned i = 1; i < instruction.size(); i++)
		arguments.push_back(function.movedOperand(instruction, i));
	return arguments;
}

static void readDirectCall(FunctionReader &function, const Instruction &instruction)
{
	FunctionInfo &callee = function.module.function(instruction, instruction.id(0));
	llvm::SmallVector<llvm::Value *, 8> arguments = argumentsOf(function, instruction);

	instruction.require(arguments.size() == callee.type->members.size(),
			    "it has not the arguments of the function's parameters");
	for (unsigned i = 0; i < arguments.size(); i++)
		instruction.require(arguments[i]->getType() == callee.type->members[i]->llvm,
				    "argument " + llvm::Twine(i + 1) +
					    " is not of its parameter's type");
	instruction.require(&function.resultType(instruction) == callee.type->element,
			    "its type is not what the function returns");
	llvm::CallInst *call = function.builder.CreateCall(callee.function, arguments);
	call->setCallingConv(callee.function->getCallingConv());
	call->setAttributes(callee.function->getAttributes());
	function.define(instruction, call);
}

static void readPointerCall(FunctionReader &function, const Instruction &instruction)
{
	Value callee = function.value(instruction, 0);
	llvm::SmallVector<llvm::Value *, 8> arguments = argumentsOf(function, instruction);
	llvm::SmallVector<llvm::Type *, 8> types;
	llvm::Type *result = function.resultType(instruction).llvm;

	instruction.require(callee.type->is(Type::Pointer) &&
				    callee.type->llvm->getPointerAddressSpace() == 0,
			    "operand 1 is no pointer to a function");
	instruction.require(result->isVoidTy() || function.resultType(instruction).size,
			    "a function cannot return its type");
	for (llvm::Value *argument : arguments)
		types.push_back(argument->getType());
	llvm::CallInst *call = function.builder.CreateCall(
		llvm::FunctionType::get(result, types, false), callee.value, arguments);
	call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
	call->setConvergent();
	call->setDoesNotThrow();
	function.define(instruction, call);
}

bool readCall(FunctionReader &function, const Instruction &instruction)
{
	switch (instruction.opcode) {
	case spv::Op::OpFunctionCall:
		readDirectCall(function, instruction);
		return true;
	case spv::Op::OpFunctionPointerCallINTEL:
		readPointerCall(function, instruction);
		return true;
	default:
		return false;
	}
}

} // namespace weft::spirv
