/* SPDX-License-Identifier: MIT
 *
 * SPIR-V 3.42.11, conversions without saturation and rounding of their own (rounded_conversions.cpp).
 */
#include "spirv/builtins/builtin_calls.h"
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

#include "llvm/ADT/StringExtras.h"

namespace weft::spirv
{

struct CastRow {
	spv::Op opcode;
	Type::Kind from, to;
};

static constexpr CastRow castRows[] = {
	{spv::Op::OpConvertFToU, Type::Float, Type::Int},
	{spv::Op::OpConvertFToS, Type::Float, Type::Int},
	{spv::Op::OpConvertSToF, Type::Int, Type::Float},
	{spv::Op::OpConvertUToF, Type::Int, Type::Float},
	{spv::Op::OpUConvert, Type::Int, Type::Int},
	{spv::Op::OpSConvert, Type::Int, Type::Int},
	{spv::Op::OpFConvert, Type::Float, Type::Float},
	{spv::Op::OpConvertPtrToU, Type::Pointer, Type::Int},
	{spv::Op::OpConvertUToPtr, Type::Int, Type::Pointer},
	{spv::Op::OpPtrCastToGeneric, Type::Pointer, Type::Pointer},
	{spv::Op::OpGenericCastToPtr, Type::Pointer, Type::Pointer},
};

static uint64_t components(const Type &type)
{
	return type.is(Type::Vector) ? type.count : 1;
}

static llvm::Value *castOf(llvm::IRBuilder<> &builder, spv::Op opcode, llvm::Value *value,
			   llvm::Type *to)
{
	switch (opcode) {
	case spv::Op::OpConvertFToU:
		return builder.CreateFPToUI(value, to);
	case spv::Op::OpConvertFToS:
		return builder.CreateFPToSI(value, to);
	case spv::Op::OpConvertSToF:
		return builder.CreateSIToFP(value, to);
	case spv::Op::OpConvertUToF:
		return builder.CreateUIToFP(value, to);
	case spv::Op::OpUConvert:
		return builder.CreateZExtOrTrunc(value, to);
	case spv::Op::OpSConvert:
		return builder.CreateSExtOrTrunc(value, to);
	case spv::Op::OpFConvert:
		return builder.CreateFPCast(value, to);
	case spv::Op::OpConvertPtrToU:
		return builder.CreatePtrToInt(value, to);
	case spv::Op::OpConvertUToPtr:
		return builder.CreateIntToPtr(value, to);
	default:
		return builder.CreateAddrSpaceCast(value, to);
	}
}

/* Generic pointers lead to storage of these classes (SPIR-V 3.42.11). */
static void checkGeneric(const Instruction &instruction, const Type &generic, const Type &named)
{
	instruction.require(generic.scalar().storage == spv::StorageClass::Generic &&
				    named.scalar().llvm->getPointerAddressSpace() != 2 &&
				    named.scalar().storage != spv::StorageClass::Generic,
			    "the pointers are not one to generic storage, and one to storage that "
			    "generic pointers reach");
}

static bool readCast(FunctionReader &function, const Instruction &instruction)
{
	const auto *row = llvm::find_if(castRows, [&](const CastRow &candidate) {
		return candidate.opcode == instruction.opcode;
	});
	if (row == std::end(castRows))
		return false;
	Value value = function.value(instruction, 0);
	const Type &to = function.resultType(instruction);
	instruction.require(value.type->isOf(row->from) && to.isOf(row->to),
			    "its operand or its result is of the wrong kind");
	instruction.require(components(*value.type) == components(to),
			    "its operand has not the components of its result");
	if (instruction.opcode == spv::Op::OpPtrCastToGeneric)
		checkGeneric(instruction, to, *value.type);
	if (instruction.opcode == spv::Op::OpGenericCastToPtr)
		checkGeneric(instruction, *value.type, to);
	function.define(instruction,
			castOf(function.builder, instruction.opcode, value.value, to.llvm));
	return true;
}

static unsigned bitsOf(const Type &type)
{
	return type.scalar().bits * components(type);
}

static bool isNumber(const Type &type)
{
	return type.isOf(Type::Int) || type.isOf(Type::Float) || type.isOf(Type::Bfloat);
}

/* A pointer to a number or a vector of as many bits, and back. */
static llvm::Value *castPointer(FunctionReader &function, const Instruction &instruction,
				const Value &value, const Type &to)
{
	llvm::IRBuilder<> &builder = function.builder;
	bool fromPointer = value.type->is(Type::Pointer);
	const Type &number = fromPointer ? to : *value.type;
	unsigned bits = function.module.isPhysical32() ? 32 : 64;

	instruction.require(isNumber(number) && bitsOf(number) == bits,
			    "its operand has not the bits of its result");
	llvm::Type *integer = builder.getIntNTy(bits);
	if (fromPointer)
		return builder.CreateBitCast(builder.CreatePtrToInt(value.value, integer), to.llvm);
	return builder.CreateIntToPtr(builder.CreateBitCast(value.value, integer), to.llvm);
}

/* The same bits as another type. Pointers to one address space are one type here. */
static void readBitcast(FunctionReader &function, const Instruction &instruction)
{
	Value value = function.value(instruction, 0);
	const Type &to = function.resultType(instruction);
	bool fromPointer = value.type->is(Type::Pointer), toPointer = to.is(Type::Pointer);

	if (value.value->getType() == to.llvm) {
		function.define(instruction, value.value);
		return;
	}
	instruction.require(!fromPointer || !toPointer,
			    "a pointer's storage class cannot be changed by it");
	if (fromPointer || toPointer) {
		function.define(instruction, castPointer(function, instruction, value, to));
		return;
	}
	instruction.require(isNumber(*value.type) && isNumber(to) &&
				    bitsOf(*value.type) == bitsOf(to),
			    "its operand has not the bits of its result");
	function.define(instruction, function.builder.CreateBitCast(value.value, to.llvm));
}

/* A double as a float that rounds to the same bfloat16 as the double itself: an inexact one is rounded to odd. */
static llvm::Value *narrowDouble(llvm::IRBuilder<> &builder, llvm::Value *value)
{
	llvm::Type *type = value->getType();
	llvm::Type *floats = type->getWithNewType(builder.getFloatTy());
	llvm::Type *bits = type->getWithNewType(builder.getInt32Ty());
	llvm::Value *rounded = builder.CreateFPTrunc(value, floats);
	llvm::Value *back = builder.CreateFPExt(rounded, type);
	llvm::Value *isInexact = builder.CreateFCmpONE(back, value);
	llvm::Value *isLarger =
		builder.CreateFCmpOGT(builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, back),
				      builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value));
	llvm::Value *number = builder.CreateBitCast(rounded, bits);
	llvm::Value *odd =
		builder.CreateOr(builder.CreateSub(number, builder.CreateZExt(isLarger, bits)),
				 llvm::ConstantInt::get(bits, 1));

	return builder.CreateBitCast(builder.CreateSelect(isInexact, odd, number), floats);
}

/* To and from bfloat16, by the functions of cl_intel_bfloat16_conversions, which take its bits. */
static bool readBfloat(FunctionReader &function, const Instruction &instruction)
{
	if (instruction.opcode != spv::Op::OpFConvert)
		return false;
	Value value = function.value(instruction, 0);
	const Type &to = function.resultType(instruction);
	bool fromBfloat = value.type->isOf(Type::Bfloat);
	if (!fromBfloat && !to.isOf(Type::Bfloat))
		return false;
	instruction.require((fromBfloat || value.type->isOf(Type::Float)) &&
				    (to.isOf(Type::Float) || to.isOf(Type::Bfloat)) &&
				    components(*value.type) == components(to),
			    "its operand has not the components of its result, or is no number");
	llvm::IRBuilder<> &builder = function.builder;
	llvm::Type *floats = to.llvm->getWithNewType(builder.getFloatTy());
	const std::string lanes =
		to.is(Type::Vector) ? llvm::utostr(components(to)) : std::string();
	llvm::Value *made = value.value;
	if (fromBfloat)
		made = BuiltinCall(builder, instruction,
				   "intel_convert_as_bfloat16" + lanes + "_float" + lanes)
			       .add(made)
			       .make(floats);
	if (to.isOf(Type::Float)) {
		function.define(instruction, builder.CreateFPCast(made, to.llvm));
		return true;
	}
	made = made->getType()->getScalarType()->isDoubleTy() ? narrowDouble(builder, made)
							      : builder.CreateFPCast(made, floats);
	function.define(instruction,
			BuiltinCall(builder, instruction,
				    "intel_convert_bfloat16" + lanes + "_as_ushort" + lanes)
				.add(made)
				.make(to.llvm));
	return true;
}

/* To global memory from its parts that only the device or the host has, and back: all one address space here. */
static void readCrossWorkgroupCast(FunctionReader &function, const Instruction &instruction)
{
	Value value = function.value(instruction, 0);

	instruction.require(value.type->is(Type::Pointer) &&
				    function.resultType(instruction).llvm == value.value->getType(),
			    "the pointers are not both to global storage");
	function.define(instruction, value.value);
}

bool readConversion(FunctionReader &function, const Instruction &instruction)
{
	switch (instruction.opcode) {
	case spv::Op::OpBitcast:
		readBitcast(function, instruction);
		return true;
	case spv::Op::OpPtrCastToCrossWorkgroupINTEL:
	case spv::Op::OpCrossWorkgroupCastToPtrINTEL:
		readCrossWorkgroupCast(function, instruction);
		return true;
	default:
		break;
	}
	return readBfloat(function, instruction) || readCast(function, instruction);
}

} // namespace weft::spirv
