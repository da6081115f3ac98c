// SPDX-License-Identifier: MIT
//
// Dot products of integers (SPV_KHR_integer_dot_product): components of any width, or four of 8 bits packed in 32.
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace weft::spirv
{

namespace
{

struct DotProductRow {
	spv::Op opcode;
	bool firstIsSigned, secondIsSigned, accumulates;
};

constexpr DotProductRow dotProducts[] = {
	{spv::Op::OpSDot, true, true, false},        {spv::Op::OpUDot, false, false, false},
	{spv::Op::OpSUDot, true, false, false},      {spv::Op::OpSDotAccSat, true, true, true},
	{spv::Op::OpUDotAccSat, false, false, true}, {spv::Op::OpSUDotAccSat, true, false, true},
};

// The components of an operand; of packed ones, a literal operand tells how.
llvm::Value *integerComponents(FunctionReader &function, const Instruction &instruction,
			       unsigned index, unsigned format)
{
	Value value = function.value(instruction, index);
	IRBuilder<> &builder = function.builder;
	if (value.type->is(Type::Vector) && value.type->isOf(Type::Int))
		return value.value;
	instruction.require(
		value.type->is(Type::Int) && value.type->bits == 32,
		"an operand is neither a vector of integers nor four of them in 32 bits");
	instruction.require(instruction.literal(format) == 0, "unknown format of packed vectors");
	return builder.CreateBitCast(value.value, FixedVectorType::get(builder.getInt8Ty(), 4));
}

} // namespace

bool readDotProduct(FunctionReader &function, const Instruction &instruction)
{
	const DotProductRow *row = find_if(dotProducts, [&](const DotProductRow &candidate) {
		return candidate.opcode == instruction.opcode;
	});
	if (row == std::end(dotProducts))
		return false;
	IRBuilder<> &builder = function.builder;
	unsigned format = row->accumulates ? 3 : 2;
	llvm::Value *first = integerComponents(function, instruction, 0, format),
		    *second = integerComponents(function, instruction, 1, format);
	const Type &result = function.resultType(instruction);
	auto *vector = cast<FixedVectorType>(first->getType());
	instruction.require(first->getType() == second->getType(),
			    "the operands are of different types");
	instruction.require(result.is(Type::Int) && result.bits >= vector->getScalarSizeInBits(),
			    "the result is no integer of at least the components' width");
	auto *wide = FixedVectorType::get(result.llvm, vector->getNumElements());
	first = builder.CreateIntCast(first, wide, row->firstIsSigned);
	second = builder.CreateIntCast(second, wide, row->secondIsSigned);
	llvm::Value *products = builder.CreateMul(first, second);
	llvm::Value *sum = builder.CreateAddReduce(products);
	if (row->accumulates) {
		llvm::Value *accumulator = function.operand(instruction, 2);
		instruction.require(accumulator->getType() == result.llvm,
				    "the accumulator is not of the result's type");
		sum = builder.CreateBinaryIntrinsic(row->firstIsSigned ? Intrinsic::sadd_sat
								       : Intrinsic::uadd_sat,
						    sum, accumulator);
	}
	function.define(instruction, sum);
	return true;
}

} // namespace weft::spirv
