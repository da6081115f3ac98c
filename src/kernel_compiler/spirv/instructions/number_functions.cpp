// SPDX-License-Identifier: MIT
//
// Instructions of numbers that OpenCL C has functions for: SPV_INTEL_shader_integer_functions2 and SPV_KHR_fma.
#include "spirv/builtins/builtin_calls.h"
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

using namespace llvm;

namespace weft::spirv
{

namespace
{

struct NumberFunction {
	spv::Op opcode;
	StringRef name;
	Type::Kind kind;
	Sign sign;
};

constexpr NumberFunction numberFunctions[] = {
	{spv::Op::OpUCountLeadingZerosINTEL, "clz", Type::Int, Sign::Unsigned},
	{spv::Op::OpUCountTrailingZerosINTEL, "ctz", Type::Int, Sign::Unsigned},
	{spv::Op::OpAbsISubINTEL, "abs_diff", Type::Int, Sign::Signed},
	{spv::Op::OpAbsUSubINTEL, "abs_diff", Type::Int, Sign::Unsigned},
	{spv::Op::OpIAddSatINTEL, "add_sat", Type::Int, Sign::Signed},
	{spv::Op::OpUAddSatINTEL, "add_sat", Type::Int, Sign::Unsigned},
	{spv::Op::OpIAverageINTEL, "hadd", Type::Int, Sign::Signed},
	{spv::Op::OpUAverageINTEL, "hadd", Type::Int, Sign::Unsigned},
	{spv::Op::OpIAverageRoundedINTEL, "rhadd", Type::Int, Sign::Signed},
	{spv::Op::OpUAverageRoundedINTEL, "rhadd", Type::Int, Sign::Unsigned},
	{spv::Op::OpISubSatINTEL, "sub_sat", Type::Int, Sign::Signed},
	{spv::Op::OpUSubSatINTEL, "sub_sat", Type::Int, Sign::Unsigned},
	{OpFmaKHR, "fma", Type::Float, Sign::Signed},
};

void readCallOfNumbers(FunctionReader &function, const Instruction &instruction,
		       const NumberFunction &row)
{
	BuiltinCall call(function.builder, instruction, row.name);
	llvm::Type *type = function.resultType(instruction).llvm;
	for (unsigned i = 0; i < instruction.size(); i++) {
		Value value = function.value(instruction, i);
		instruction.require(value.type->isOf(row.kind) && value.type->llvm == type,
				    "an operand is not of the result's type, or of the wrong kind");
		call.add(value.value, row.sign);
	}
	function.define(instruction, call.make(type));
}

// The product of a number of 32 bits and the low 16 of another one.
void readMul32x16(FunctionReader &function, const Instruction &instruction, bool isSigned)
{
	IRBuilder<> &builder = function.builder;
	const Type &type = function.resultType(instruction);
	Value left = function.value(instruction, 0), right = function.value(instruction, 1);
	instruction.require(type.isOf(Type::Int) && type.scalar().bits == 32 &&
				    left.type->llvm == type.llvm && right.type->llvm == type.llvm,
			    "the operands are no integers of 32 bits of the result's type");
	llvm::Type *half = type.llvm->getWithNewBitWidth(16);
	llvm::Value *low = builder.CreateTrunc(right.value, half);
	function.define(
		instruction,
		builder.CreateMul(left.value, builder.CreateIntCast(low, type.llvm, isSigned)));
}

} // namespace

bool readNumberFunction(FunctionReader &function, const Instruction &instruction)
{
	switch (instruction.opcode) {
	case spv::Op::OpIMul32x16INTEL:
		readMul32x16(function, instruction, true);
		return true;
	case spv::Op::OpUMul32x16INTEL:
		readMul32x16(function, instruction, false);
		return true;
	default:
		break;
	}
	for (const NumberFunction &row : numberFunctions) {
		if (row.opcode == instruction.opcode) {
			readCallOfNumbers(function, instruction, row);
			return true;
		}
	}
	return false;
}

} // namespace weft::spirv
