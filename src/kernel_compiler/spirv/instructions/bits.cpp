// SPDX-License-Identifier: MIT
//
// Fields and numbers of bits (SPV_KHR_bit_instructions), and bfloat16 as 16 bits (SPV_INTEL_bfloat16_conversion).
#include "spirv/builtins/builtin_calls.h"
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace weft::spirv
{

namespace
{

// Offset and count of a field are scalars of any width.
void addFieldPlace(BuiltinCall &call, FunctionReader &function, const Instruction &instruction,
		   unsigned first)
{
	IRBuilder<> &builder = function.builder;
	for (unsigned i = first; i < first + 2; i++) {
		llvm::Value *number = function.operand(instruction, i);
		instruction.require(number->getType()->isIntegerTy(),
				    "an offset or count is no integer");
		call.add(builder.CreateZExtOrTrunc(number, builder.getInt32Ty()));
	}
}

llvm::Value *integers(FunctionReader &function, const Instruction &instruction, unsigned index)
{
	Value value = function.value(instruction, index);
	instruction.require(value.type->isOf(Type::Int), "an operand is no integer");
	return value.value;
}

void readField(FunctionReader &function, const Instruction &instruction, StringRef name, Sign sign)
{
	llvm::Value *base = integers(function, instruction, 0);
	bool inserts = instruction.opcode == spv::Op::OpBitFieldInsert;
	BuiltinCall call(function.builder, instruction, name);
	call.add(base, sign);
	if (inserts)
		call.add(integers(function, instruction, 1), sign);
	addFieldPlace(call, function, instruction, inserts ? 2 : 1);
	function.define(instruction, call.make(base->getType()));
}

void readReverse(FunctionReader &function, const Instruction &instruction)
{
	llvm::Value *base = integers(function, instruction, 0);
	function.define(instruction,
			function.builder.CreateUnaryIntrinsic(Intrinsic::bitreverse, base));
}

// Its result may be of another width.
void readCount(FunctionReader &function, const Instruction &instruction)
{
	llvm::Value *base = integers(function, instruction, 0);
	const Type &result = function.resultType(instruction);
	const auto *vector = dyn_cast<FixedVectorType>(base->getType());
	instruction.require(result.isOf(Type::Int) &&
				    result.is(Type::Vector) == (vector != nullptr) &&
				    (!vector || result.count == vector->getNumElements()),
			    "its operand has not the components of its result");
	llvm::Value *count = function.builder.CreateUnaryIntrinsic(Intrinsic::ctpop, base);
	function.define(instruction, function.builder.CreateZExtOrTrunc(count, result.llvm));
}

void readBfloat16(FunctionReader &function, const Instruction &instruction, bool fromBits)
{
	llvm::Value *value = function.operand(instruction, 0);
	llvm::Type *type = value->getType(), *element = type->getScalarType();
	LLVMContext &context = function.builder.getContext();
	instruction.require(fromBits ? element->isIntegerTy(16) : element->isFloatTy(),
			    "an operand is of the wrong kind");
	const auto *vector = dyn_cast<FixedVectorType>(type);
	std::string lanes = vector ? utostr(vector->getNumElements()) : "";
	llvm::Type *result =
		fromBits ? llvm::Type::getFloatTy(context) : llvm::Type::getInt16Ty(context);
	if (vector)
		result = FixedVectorType::get(result, vector->getNumElements());
	std::string name = fromBits ? "intel_convert_as_bfloat16" + lanes + "_float" + lanes
				    : "intel_convert_bfloat16" + lanes + "_as_ushort" + lanes;
	function.define(instruction,
			BuiltinCall(function.builder, instruction, name).add(value).make(result));
}

} // namespace

bool readBits(FunctionReader &function, const Instruction &instruction)
{
	switch (instruction.opcode) {
	case spv::Op::OpBitFieldInsert:
		readField(function, instruction, "bitfield_insert", Sign::Unsigned);
		return true;
	case spv::Op::OpBitFieldSExtract:
		readField(function, instruction, "bitfield_extract_signed", Sign::Signed);
		return true;
	case spv::Op::OpBitFieldUExtract:
		readField(function, instruction, "bitfield_extract_unsigned", Sign::Unsigned);
		return true;
	case spv::Op::OpBitReverse:
		readReverse(function, instruction);
		return true;
	case spv::Op::OpBitCount:
		readCount(function, instruction);
		return true;
	case OpConvertFToBF16INTEL:
		readBfloat16(function, instruction, false);
		return true;
	case OpConvertBF16ToFINTEL:
		readBfloat16(function, instruction, true);
		return true;
	default:
		return false;
	}
}

} // namespace weft::spirv
