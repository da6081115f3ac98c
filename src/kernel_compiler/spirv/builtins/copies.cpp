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

// What a work-group copies.
struct GroupCopy {
	llvm::Type *element;
	llvm::Value *destination, *source;
	llvm::Value *count, *stride; // of elements
	llvm::Value *event;
};

void makeCopy(FunctionReader &function, const Instruction &instruction, const GroupCopy &copy)
{
	std::optional<BuiltinType> type = builtinType(*copy.element, Sign::Unsigned);
	if (!type)
		instruction.fail("what is copied is neither a number nor a vector");
	auto *distance = dyn_cast<ConstantInt>(copy.stride);
	bool isDense = distance && distance->isOne();
	BuiltinCall call(function.builder, instruction,
			 isDense ? "async_work_group_copy" : "async_work_group_strided_copy");
	call.addPointer(copy.destination, *type)
		.addConstPointer(copy.source, *type)
		.addSize(copy.count);
	if (!isDense)
		call.addSize(copy.stride);
	const Type &result = function.resultType(instruction);
	instruction.require(result.is(Type::Event), "the result is no event");
	function.define(instruction, call.add(copy.event).convergent().make(result.llvm));
}

void requireWorkGroup(FunctionReader &function, const Instruction &instruction)
{
	instruction.require(groupScope(function, instruction, 0) == GroupScope::WorkGroup,
			    "the scope is no work-group");
}

void readAsyncCopy(FunctionReader &function, const Instruction &instruction)
{
	requireWorkGroup(function, instruction);
	const auto operand = [&](unsigned index) { return function.operand(instruction, index); };
	const Type *pointer = function.value(instruction, 1).type;
	instruction.require(pointer->is(Type::Pointer) && pointer->element &&
				    pointer->element->size,
			    "the destination is no pointer to elements");
	makeCopy(function, instruction,
		 {pointer->element->llvm, operand(1), operand(2), operand(3), operand(4),
		  operand(5)});
}

// Elements are known by their size: integers, or vectors of the longest.
llvm::Type *elementOfSize(const Instruction &instruction, IRBuilder<> &builder, uint64_t bytes)
{
	instruction.require(isPowerOf2_64(bytes) && bytes <= 128,
			    "elements have not 1, 2, 4, 8, 16, 32, 64 or 128 bytes");
	if (bytes <= 8)
		return builder.getIntNTy(static_cast<unsigned>(8 * bytes));
	return FixedVectorType::get(builder.getInt64Ty(), static_cast<unsigned>(bytes / 8));
}

void readUntypedCopy(FunctionReader &function, const Instruction &instruction)
{
	requireWorkGroup(function, instruction);
	const auto operand = [&](unsigned index) { return function.operand(instruction, index); };
	makeCopy(function, instruction,
		 {elementOfSize(instruction, function.builder, function.constant(instruction, 3)),
		  operand(1), operand(2), operand(4), operand(5), operand(6)});
}

void readWait(FunctionReader &function, const Instruction &instruction)
{
	requireWorkGroup(function, instruction);
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
	case OpUntypedGroupAsyncCopyKHR:
		readUntypedCopy(function, instruction);
		return true;
	case spv::Op::OpGroupWaitEvents:
		readWait(function, instruction);
		return true;
	default:
		return false;
	}
}

} // namespace weft::spirv
