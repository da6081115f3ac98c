// SPDX-License-Identifier: MIT
//
// Copies that a work-group makes between global and local memory.
#include "spirv/builtins/builtin_calls.h"
#include "spirv/builtins/scopes.h"
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

#include "llvm/IR/Constants.h"

using namespace llvm;

namespace weft::spirv
{

namespace
{

// Operands behind the scope: destination, source, count, stride and event, from `first` on.
void makeCopy(FunctionReader &function, const Instruction &instruction, unsigned first,
	      const llvm::Type *element)
{
	std::optional<BuiltinType> type;
	if (element)
		type = builtinType(*element, Sign::Unsigned);
	if (!type)
		instruction.fail("what is copied is neither a number nor a vector");
	llvm::Value *stride = function.operand(instruction, first + 3),
		    *event = function.operand(instruction, first + 4);
	auto *distance = dyn_cast<ConstantInt>(stride);
	bool isDense = distance && distance->isOne();
	BuiltinCall call(function.builder, instruction,
			 isDense ? "async_work_group_copy" : "async_work_group_strided_copy");
	call.addPointer(function.operand(instruction, first), *type)
		.addConstPointer(function.operand(instruction, first + 1), *type)
		.addSize(function.operand(instruction, first + 2));
	if (!isDense)
		call.addSize(stride);
	llvm::Type *result = function.resultType(instruction).llvm;
	instruction.require(function.resultType(instruction).is(Type::Event),
			    "the result is no event");
	function.define(instruction, call.add(event).convergent().make(result));
}

void readAsyncCopy(FunctionReader &function, const Instruction &instruction)
{
	instruction.require(groupScope(function, instruction, 0) == GroupScope::WorkGroup,
			    "the scope is no work-group");
	const Type *pointer = function.value(instruction, 1).type;
	instruction.require(pointer->is(Type::Pointer) && pointer->element,
			    "the destination is no pointer to elements");
	makeCopy(function, instruction, 1, pointer->element->llvm);
}

void readWait(FunctionReader &function, const Instruction &instruction)
{
	instruction.require(groupScope(function, instruction, 0) == GroupScope::WorkGroup,
			    "the scope is no work-group");
	IRBuilder<> &builder = function.builder;
	llvm::Value *count = function.operand(instruction, 1),
		    *events = function.operand(instruction, 2);
	instruction.require(count->getType()->isIntegerTy(), "the number of events is no integer");
	instruction.require(events->getType()->isPointerTy(), "the events are no pointer");
	unsigned space = events->getType()->getPointerAddressSpace();
	if (space != 0 && space != genericSpace)
		events = builder.CreateAddrSpaceCast(events, builder.getPtrTy(genericSpace));
	BuiltinCall(builder, instruction, "wait_group_events")
		.add(builder.CreateZExtOrTrunc(count, builder.getInt32Ty()), Sign::Signed)
		.addPointer(events, namedType("ocl_event"))
		.convergent()
		.make(builder.getVoidTy());
}

} // namespace

bool readCopy(FunctionReader &function, const Instruction &instruction)
{
	switch (instruction.opcode) {
	case spv::Op::OpGroupAsyncCopy:
		readAsyncCopy(function, instruction);
		return true;
	case spv::Op::OpGroupWaitEvents:
		readWait(function, instruction);
		return true;
	default:
		return false;
	}
}

} // namespace weft::spirv
