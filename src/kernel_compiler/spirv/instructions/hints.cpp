/* SPDX-License-Identifier: MIT
 *
 * What a module tells the optimiser: SPV_KHR_expect_assume, SPV_EXT_arithmetic_fence, SPV_KHR_poison_freeze.
 */
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

namespace weft::spirv
{

static void readAssume(FunctionReader &function, const Instruction &instruction)
{
	Value condition = function.value(instruction, 0);

	instruction.require(condition.type->is(Type::Bool), "the condition is no truth value");
	function.builder.CreateAssumption(condition.value);
}

/* LLVM expects single integers only: what is said of a vector is of no use to it. */
static void readExpect(FunctionReader &function, const Instruction &instruction)
{
	Value value = function.value(instruction, 0), expected = function.value(instruction, 1);
	llvm::Value *result = value.value;

	instruction.require((value.type->isOf(Type::Int) || value.type->isOf(Type::Bool)) &&
				    value.value->getType() == expected.value->getType(),
			    "its operands are no integers of one type");
	if (!value.type->is(Type::Vector))
		result = function.builder.CreateIntrinsic(
			llvm::Intrinsic::expect, {result->getType()}, {result, expected.value});
	function.define(instruction, result);
}

static void readFence(FunctionReader &function, const Instruction &instruction)
{
	Value value = function.value(instruction, 0);

	instruction.require(value.type->isOf(Type::Float), "its operand is no number");
	function.define(instruction, function.builder.CreateArithmeticFence(
					     value.value, value.value->getType()));
}

bool readHint(FunctionReader &function, const Instruction &instruction)
{
	switch (instruction.opcode) {
	case spv::Op::OpAssumeTrueKHR:
		readAssume(function, instruction);
		return true;
	case spv::Op::OpExpectKHR:
		readExpect(function, instruction);
		return true;
	case OpArithmeticFenceEXT:
		readFence(function, instruction);
		return true;
	case OpPoisonKHR: {
		const Type &type = function.resultType(instruction);
		instruction.require(type.size, "its type has no values");
		function.define(instruction, llvm::PoisonValue::get(type.llvm));
		return true;
	}
	case OpFreezeKHR:
		function.define(instruction, function.builder.CreateFreeze(
						     function.movedOperand(instruction, 0)));
		return true;
	default:
		return false;
	}
}

} // namespace weft::spirv
