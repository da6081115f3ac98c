// SPDX-License-Identifier: MIT
//
// Conversions with the decorations SaturatedConversion and FPRoundingMode, and OpSatConvert…: convert_T[_sat][_rounding].
#include "spirv/builtins/builtin_calls.h"
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace weft::spirv
{

namespace
{

struct ConversionRow {
	spv::Op opcode;
	Sign from, to;
	bool isInteger;   // of what it gives
	bool isSaturated; // always
};

constexpr ConversionRow conversions[] = {
	{spv::Op::OpConvertFToU, Sign::Signed, Sign::Unsigned, true, false},
	{spv::Op::OpConvertFToS, Sign::Signed, Sign::Signed, true, false},
	{spv::Op::OpConvertSToF, Sign::Signed, Sign::Signed, false, false},
	{spv::Op::OpConvertUToF, Sign::Unsigned, Sign::Signed, false, false},
	{spv::Op::OpUConvert, Sign::Unsigned, Sign::Unsigned, true, false},
	{spv::Op::OpSConvert, Sign::Signed, Sign::Signed, true, false},
	{spv::Op::OpFConvert, Sign::Signed, Sign::Signed, false, false},
	{spv::Op::OpSatConvertSToU, Sign::Signed, Sign::Unsigned, true, true},
	{spv::Op::OpSatConvertUToS, Sign::Unsigned, Sign::Signed, true, true},
};

StringRef typeName(const Instruction &instruction, const llvm::Type &scalar, Sign sign)
{
	bool isSigned = sign == Sign::Signed;
	switch (scalar.isIntegerTy() || scalar.isFloatingPointTy() ? scalar.getScalarSizeInBits()
								   : 0) {
	case 8:
		return isSigned ? "char" : "uchar";
	case 16:
		return scalar.isHalfTy() ? "half" : isSigned ? "short" : "ushort";
	case 32:
		return scalar.isFloatTy() ? "float" : isSigned ? "int" : "uint";
	case 64:
		return scalar.isDoubleTy() ? "double" : isSigned ? "long" : "ulong";
	default:
		instruction.fail("there is no such conversion with a rounding mode or saturation");
	}
}

StringRef roundingName(const Decoration &decoration)
{
	static constexpr StringRef names[] = {"_rte", "_rtz", "_rtp", "_rtn"};
	uint32_t mode = decoration.instruction.literal(0);
	decoration.instruction.require(mode < std::size(names), "unknown rounding mode");
	return names[mode];
}

} // namespace

bool readRoundedConversion(FunctionReader &function, const Instruction &instruction)
{
	const ConversionRow *row = find_if(conversions, [&](const ConversionRow &candidate) {
		return candidate.opcode == instruction.opcode;
	});
	if (row == std::end(conversions))
		return false;
	const Decorations &decorations = function.module.decorations;
	const Decoration *rounding =
		decorations.find(instruction.result, spv::Decoration::FPRoundingMode);
	bool isSaturated =
		row->isSaturated ||
		decorations.has(instruction.result, spv::Decoration::SaturatedConversion);
	if (!rounding && !isSaturated)
		return false;
	instruction.require(row->isInteger || !isSaturated,
			    "a conversion to floating-point numbers does not saturate");
	const Type &result = function.resultType(instruction);
	llvm::Type *type = result.llvm;
	instruction.require(result.isOf(row->isInteger ? Type::Int : Type::Float),
			    "its result is of the wrong kind");
	llvm::Value *value = function.operand(instruction, 0);
	const auto *vector = dyn_cast<FixedVectorType>(type);
	const auto *given = dyn_cast<FixedVectorType>(value->getType());
	instruction.require((vector ? vector->getNumElements() : 1) ==
				    (given ? given->getNumElements() : 1),
			    "its operand has not the components of its result");
	std::string name =
		("convert_" + typeName(instruction, *type->getScalarType(), row->to)).str();
	if (vector)
		name += utostr(vector->getNumElements());
	if (isSaturated)
		name += "_sat";
	if (rounding)
		name += roundingName(*rounding);
	function.define(
		instruction,
		BuiltinCall(function.builder, instruction, name).add(value, row->from).make(type));
	return true;
}

} // namespace weft::spirv
