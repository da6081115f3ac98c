/* SPDX-License-Identifier: MIT
 *
 * SPIR-V 3.42.13 and 3.42.14, arithmetic and bits. What SPIR-V leaves undefined has some value here, without a trap.
 */
#include "spirv/builtins/builtin_calls.h"
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PatternMatch.h"

namespace weft::spirv
{

using Operation = llvm::Instruction::BinaryOps;

struct BinaryRow {
	spv::Op opcode;
	Operation operation;
	Type::Kind kind; /* of the operands' components */
};

static constexpr BinaryRow binaryRows[] = {
	{spv::Op::OpIAdd, Operation::Add, Type::Int},
	{spv::Op::OpISub, Operation::Sub, Type::Int},
	{spv::Op::OpIMul, Operation::Mul, Type::Int},
	{spv::Op::OpUDiv, Operation::UDiv, Type::Int},
	{spv::Op::OpSDiv, Operation::SDiv, Type::Int},
	{spv::Op::OpUMod, Operation::URem, Type::Int},
	{spv::Op::OpSRem, Operation::SRem, Type::Int},
	{spv::Op::OpFAdd, Operation::FAdd, Type::Float},
	{spv::Op::OpFSub, Operation::FSub, Type::Float},
	{spv::Op::OpFMul, Operation::FMul, Type::Float},
	{spv::Op::OpFDiv, Operation::FDiv, Type::Float},
	{spv::Op::OpBitwiseOr, Operation::Or, Type::Int},
	{spv::Op::OpBitwiseXor, Operation::Xor, Type::Int},
	{spv::Op::OpBitwiseAnd, Operation::And, Type::Int},
	{spv::Op::OpLogicalOr, Operation::Or, Type::Bool},
	{spv::Op::OpLogicalAnd, Operation::And, Type::Bool},
	{spv::Op::OpLogicalNotEqual, Operation::Xor, Type::Bool},
	{spv::Op::OpShiftRightLogical, Operation::LShr, Type::Int},
	{spv::Op::OpShiftRightArithmetic, Operation::AShr, Type::Int},
	{spv::Op::OpShiftLeftLogical, Operation::Shl, Type::Int},
};

/* An operand whose components are of this kind. */
static llvm::Value *operandOf(FunctionReader &function, const Instruction &instruction,
			      unsigned index, Type::Kind kind)
{
	Value value = function.value(instruction, index);
	instruction.require(value.type->isOf(kind),
			    "operand " + llvm::Twine(index + 1) + " is of the wrong kind");
	return value.value;
}

/* Two operands of one type. */
static std::pair<llvm::Value *, llvm::Value *>
operandsOf(FunctionReader &function, const Instruction &instruction, Type::Kind kind)
{
	llvm::Value *left = operandOf(function, instruction, 0, kind);
	llvm::Value *right = operandOf(function, instruction, 1, kind);
	instruction.require(left->getType() == right->getType(),
			    "the operands are of different types");
	return {left, right};
}

/* The amount of a shift, which may have a width of its own, as the value's type has it. An amount that is too large is masked, as
 * in OpenCL C. */
static llvm::Value *shiftAmount(FunctionReader &function, const Instruction &instruction,
				llvm::Type *type)
{
	llvm::Value *amount = operandOf(function, instruction, 1, Type::Int);
	const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
	const auto *other = llvm::dyn_cast<llvm::FixedVectorType>(amount->getType());

	instruction.require((vector ? vector->getNumElements() : 0) ==
				    (other ? other->getNumElements() : 0),
			    "the amount has not the components of the value");
	amount = function.builder.CreateZExtOrTrunc(amount, type);
	return function.builder.CreateAnd(
		amount, llvm::ConstantInt::get(type, type->getScalarSizeInBits() - 1));
}

static void setNoWrap(const FunctionReader &function, const Instruction &instruction,
		      llvm::Value *value)
{
	auto *operation = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(value);
	auto *made = llvm::dyn_cast<llvm::Instruction>(value);
	const Decorations &decorations = function.module.decorations;

	if (!operation || !made)
		return;
	if (decorations.has(instruction.result, spv::Decoration::NoSignedWrap))
		made->setHasNoSignedWrap();
	if (decorations.has(instruction.result, spv::Decoration::NoUnsignedWrap))
		made->setHasNoUnsignedWrap();
}

/* A division of floats may be off by 2.5 ulp (OpenCL C 7.4), as in Clang's modules. */
static void setAccuracy(const FunctionReader &function, llvm::Value *value)
{
	auto *division = llvm::dyn_cast<llvm::Instruction>(value);

	if (division && division->getOpcode() == Operation::FDiv &&
	    division->getType()->getScalarType()->isFloatTy() &&
	    !function.module.options.correctDivideSqrt)
		division->setMetadata(llvm::LLVMContext::MD_fpmath,
				      llvm::MDBuilder(function.module.context).createFPMath(2.5f));
}

/* Optimised modules extend the sign of a narrower integer by two shifts, as LLVM's back end for SPIR-V knows no widths that a machine
 * prefers. What the rest of the compiler knows of indices it knows of extensions. NULL: this is none. */
static llvm::Value *extendedSign(llvm::IRBuilder<> &builder, llvm::Value *left, llvm::Value *right)
{
	llvm::Value *value = nullptr;
	const llvm::APInt *up = nullptr, *down = nullptr;

	if (!match(left, llvm::PatternMatch::m_Shl(llvm::PatternMatch::m_Value(value),
						   llvm::PatternMatch::m_APInt(up))) ||
	    !match(right, llvm::PatternMatch::m_APInt(down)) || down->ugt(*up))
		return nullptr;
	const unsigned width = up->getBitWidth() - static_cast<unsigned>(up->getZExtValue());
	if (width != 8 && width != 16 && width != 32)
		return nullptr;
	llvm::Type *type = value->getType(), *narrow = type->getWithNewBitWidth(width);
	llvm::Value *extended = builder.CreateSExt(builder.CreateTrunc(value, narrow), type);
	return *up == *down ? extended
			    : builder.CreateShl(extended, llvm::ConstantInt::get(type, *up - *down),
						"", false, true);
}

static bool readBinary(FunctionReader &function, const Instruction &instruction)
{
	const auto *row = llvm::find_if(binaryRows, [&](const BinaryRow &candidate) {
		return candidate.opcode == instruction.opcode;
	});
	if (row == std::end(binaryRows))
		return false;
	llvm::Value *left = nullptr, *right = nullptr;
	if (llvm::Instruction::isShift(row->operation)) {
		left = operandOf(function, instruction, 0, row->kind);
		right = shiftAmount(function, instruction, left->getType());
	} else {
		std::tie(left, right) = operandsOf(function, instruction, row->kind);
	}
	llvm::Value *value = row->operation == Operation::AShr
				     ? extendedSign(function.builder, left, right)
				     : nullptr;
	if (!value)
		value = function.builder.CreateBinOp(row->operation, left, right);
	setNoWrap(function, instruction, value);
	setAccuracy(function, value);
	function.define(instruction, value);
	return true;
}

/* A remainder with the sign of the divisor, of one with the dividend's, which is smaller than the divisor. */
static llvm::Value *signLikeDivisor(llvm::IRBuilder<> &builder, llvm::Value *remainder,
				    llvm::Value *divisor)
{
	llvm::Value *zero = llvm::Constant::getNullValue(remainder->getType());
	llvm::Value *differs = builder.CreateICmpSLT(builder.CreateXor(remainder, divisor), zero);

	return builder.CreateSelect(
		builder.CreateAnd(builder.CreateICmpNE(remainder, zero), differs),
		builder.CreateAdd(remainder, divisor), remainder);
}

static llvm::Value *signLikeFloatDivisor(llvm::IRBuilder<> &builder, llvm::Value *remainder,
					 llvm::Value *divisor)
{
	llvm::Value *zero = llvm::Constant::getNullValue(remainder->getType());
	llvm::Value *isZero = builder.CreateFCmpOEQ(remainder, zero);
	llvm::Value *differs = builder.CreateXor(builder.CreateFCmpOLT(remainder, zero),
						 builder.CreateFCmpOLT(divisor, zero));
	llvm::Value *moved =
		builder.CreateSelect(differs, builder.CreateFAdd(remainder, divisor), remainder);

	return builder.CreateSelect(
		isZero,
		builder.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, remainder, divisor),
		moved);
}

static void readSignedModulo(FunctionReader &function, const Instruction &instruction)
{
	auto [left, right] = operandsOf(function, instruction, Type::Int);
	llvm::Value *remainder = function.builder.CreateSRem(left, right);

	function.define(instruction, signLikeDivisor(function.builder, remainder, right));
}

/* OpFRem has the sign of the dividend, as fmod; OpFMod that of the divisor. */
static void readFloatRemainder(FunctionReader &function, const Instruction &instruction)
{
	auto [left, right] = operandsOf(function, instruction, Type::Float);
	llvm::Value *remainder = BuiltinCall(function.builder, instruction, "fmod")
					 .add(left)
					 .add(right)
					 .make(left->getType());

	if (instruction.opcode == spv::Op::OpFMod)
		remainder = signLikeFloatDivisor(function.builder, remainder, right);
	function.define(instruction, remainder);
}

static void readDot(FunctionReader &function, const Instruction &instruction)
{
	auto [left, right] = operandsOf(function, instruction, Type::Float);
	auto *type = llvm::dyn_cast<llvm::FixedVectorType>(left->getType());

	instruction.require(type, "the operands are no vectors");
	if (type->getNumElements() <= 4) {
		function.define(instruction, BuiltinCall(function.builder, instruction, "dot")
						     .add(left)
						     .add(right)
						     .make(type->getElementType()));
		return;
	}
	function.define(instruction,
			function.builder.CreateFAddReduce(
				llvm::ConstantFP::getNegativeZero(type->getElementType()),
				function.builder.CreateFMul(left, right)));
}

static void readVectorTimesScalar(FunctionReader &function, const Instruction &instruction)
{
	llvm::Value *vector = operandOf(function, instruction, 0, Type::Float);
	llvm::Value *scalar = operandOf(function, instruction, 1, Type::Float);
	const auto *type = llvm::dyn_cast<llvm::FixedVectorType>(vector->getType());

	instruction.require(type && scalar->getType() == type->getElementType(),
			    "the operands are no vector and number of one type");
	llvm::Value *splat = function.builder.CreateVectorSplat(type->getNumElements(), scalar);
	function.define(instruction, function.builder.CreateFMul(vector, splat));
}

/* The operations with two results: a structure of two equal members. */
static void readExtended(FunctionReader &function, const Instruction &instruction)
{
	auto [left, right] = operandsOf(function, instruction, Type::Int);
	llvm::IRBuilder<> &builder = function.builder;
	llvm::Type *type = left->getType();
	const Type &result = function.resultType(instruction);
	llvm::Value *low = nullptr, *high = nullptr;

	instruction.require(result.is(Type::Struct) && result.members.size() == 2 &&
				    result.members[0]->llvm == type &&
				    result.members[1]->llvm == type,
			    "its result is no structure of two members of the operands' type");
	if (instruction.opcode == spv::Op::OpIAddCarry) {
		low = builder.CreateAdd(left, right);
		high = builder.CreateZExt(builder.CreateICmpULT(low, left), type);
	} else if (instruction.opcode == spv::Op::OpISubBorrow) {
		low = builder.CreateSub(left, right);
		high = builder.CreateZExt(builder.CreateICmpULT(left, right), type);
	} else {
		bool isSigned = instruction.opcode == spv::Op::OpSMulExtended;
		unsigned bits = type->getScalarSizeInBits();
		llvm::Type *wide = type->getExtendedType();
		llvm::Value *product =
			builder.CreateMul(builder.CreateIntCast(left, wide, isSigned),
					  builder.CreateIntCast(right, wide, isSigned));
		low = builder.CreateTrunc(product, type);
		high = builder.CreateTrunc(builder.CreateLShr(product, bits), type);
	}
	llvm::Value *both = llvm::PoisonValue::get(result.llvm);
	both = builder.CreateInsertValue(both, low, 0);
	function.define(instruction, builder.CreateInsertValue(both, high, 1));
}

bool readArithmetic(FunctionReader &function, const Instruction &instruction)
{
	llvm::IRBuilder<> &builder = function.builder;

	if (readBinary(function, instruction))
		return true;
	switch (instruction.opcode) {
	case spv::Op::OpSNegate: {
		llvm::Value *value =
			builder.CreateNeg(operandOf(function, instruction, 0, Type::Int));
		setNoWrap(function, instruction, value);
		function.define(instruction, value);
		return true;
	}
	case spv::Op::OpFNegate:
		function.define(instruction, builder.CreateFNeg(operandOf(function, instruction, 0,
									  Type::Float)));
		return true;
	case spv::Op::OpNot:
		function.define(instruction,
				builder.CreateNot(operandOf(function, instruction, 0, Type::Int)));
		return true;
	case spv::Op::OpLogicalNot:
		function.define(instruction,
				builder.CreateNot(operandOf(function, instruction, 0, Type::Bool)));
		return true;
	case spv::Op::OpLogicalEqual: {
		auto [left, right] = operandsOf(function, instruction, Type::Bool);
		function.define(instruction, builder.CreateICmpEQ(left, right));
		return true;
	}
	case spv::Op::OpSMod:
		readSignedModulo(function, instruction);
		return true;
	case spv::Op::OpFRem:
	case spv::Op::OpFMod:
		readFloatRemainder(function, instruction);
		return true;
	case spv::Op::OpDot:
		readDot(function, instruction);
		return true;
	case spv::Op::OpVectorTimesScalar:
		readVectorTimesScalar(function, instruction);
		return true;
	case spv::Op::OpIAddCarry:
	case spv::Op::OpISubBorrow:
	case spv::Op::OpUMulExtended:
	case spv::Op::OpSMulExtended:
		readExtended(function, instruction);
		return true;
	default:
		return false;
	}
}

} // namespace weft::spirv
