// SPDX-License-Identifier: MIT
//
// Barriers, fences and clocks.
#include "spirv/builtins/scopes.h"
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

using namespace llvm;

namespace weft::spirv
{

namespace
{

void readControlBarrier(FunctionReader &function, const Instruction &instruction)
{
	bool isWorkGroup = groupScope(function, instruction, 0) == GroupScope::WorkGroup;
	BuiltinCall(function.builder, instruction,
		    isWorkGroup ? "work_group_barrier" : "sub_group_barrier")
		.addUint(fenceFlags(function, instruction, 2))
		.addEnumerant("memory_scope", memoryScope(function, instruction, 1))
		.convergent()
		.make(function.builder.getVoidTy());
}

// Of a work-group alone: cl_intel_split_work_group_barrier.
void readSplitBarrier(FunctionReader &function, const Instruction &instruction, StringRef half)
{
	instruction.require(groupScope(function, instruction, 0) == GroupScope::WorkGroup,
			    "the scope is no work-group");
	BuiltinCall(function.builder, instruction, ("intel_work_group_barrier_" + half).str())
		.addUint(fenceFlags(function, instruction, 2))
		.addEnumerant("memory_scope", memoryScope(function, instruction, 1))
		.convergent()
		.make(function.builder.getVoidTy());
}

void readMemoryBarrier(FunctionReader &function, const Instruction &instruction)
{
	BuiltinCall(function.builder, instruction, "atomic_work_item_fence")
		.addUint(fenceFlags(function, instruction, 1))
		.addEnumerant("memory_order", memoryOrder(function, instruction, 1))
		.addEnumerant("memory_scope", memoryScope(function, instruction, 0))
		.make(function.builder.getVoidTy());
}

// A number of 64 bits, or its halves.
void readClock(FunctionReader &function, const Instruction &instruction)
{
	static constexpr StringRef scopes[] = {"", "device", "work_group", "sub_group"};
	uint64_t scope = function.constant(instruction, 0);
	instruction.require(scope != 0 && scope < std::size(scopes),
			    "a clock is of a device, a work-group or a sub-group");
	llvm::Type *result = function.resultType(instruction).llvm;
	LLVMContext &context = function.builder.getContext();
	bool isWhole = result == llvm::Type::getInt64Ty(context);
	instruction.require(
		isWhole || result == FixedVectorType::get(llvm::Type::getInt32Ty(context), 2),
		"a clock's value is an integer of 64 bits or two of 32");
	std::string name = (isWhole ? "clock_read_" : "clock_read_hilo_") + scopes[scope].str();
	function.define(instruction,
			BuiltinCall(function.builder, instruction, name).convergent().make(result));
}

} // namespace

bool readSynchronization(FunctionReader &function, const Instruction &instruction)
{
	switch (instruction.opcode) {
	case spv::Op::OpControlBarrier:
		readControlBarrier(function, instruction);
		return true;
	case spv::Op::OpControlBarrierArriveINTEL:
		readSplitBarrier(function, instruction, "arrive");
		return true;
	case spv::Op::OpControlBarrierWaitINTEL:
		readSplitBarrier(function, instruction, "wait");
		return true;
	case spv::Op::OpMemoryBarrier:
		readMemoryBarrier(function, instruction);
		return true;
	case spv::Op::OpReadClockKHR:
		readClock(function, instruction);
		return true;
	default:
		return false;
	}
}

} // namespace weft::spirv
