/* SPDX-License-Identifier: MIT
 *
 * Floats for up to 16 bits, doubles for up to 32.
 */
#include "widen/float_division.h"

#include "widen/lane_vectors.h"

using namespace llvm;

namespace weft
{

namespace
{

constexpr unsigned floatBits = 16, doubleBits = 32;

/* What is divided by a divisor to get a reciprocal slightly past it: by 2^-51 of it in doubles, by 2^-22 in floats. A dividend's product
 * with it is not below the quotient, so that no whole quotient is missed, and reaches no next whole number, which is 1/divisor away from
 * the largest fraction: the product is past the quotient by less than 2^-5 of that, rounded by less than 2^-7. */
constexpr double doubleOne = 0x1.0000000000002p0, floatOne = 0x1.000004p0;

bool isSigned(const BinaryOperator &division)
{
	return division.getOpcode() == Instruction::SDiv ||
	       division.getOpcode() == Instruction::SRem;
}

unsigned lanesOf(const Type *type)
{
	const auto *vector = dyn_cast<FixedVectorType>(type);
	return vector ? vector->getNumElements() : 1;
}

Value *asReal(IRBuilder<> &at, Value *number, Type *real, bool isSignedNumber)
{
	/* What conversions are made for. */
	Type *whole = number->getType()->getWithNewType(at.getInt32Ty());
	return isSignedNumber ? at.CreateSIToFP(at.CreateSExt(number, whole), real)
			      : at.CreateUIToFP(at.CreateZExt(number, whole), real);
}

bool isRemainder(const BinaryOperator &division)
{
	return division.getOpcode() == Instruction::URem ||
	       division.getOpcode() == Instruction::SRem;
}

} // namespace

bool dividesAsFloat(const Instruction &instruction)
{
	return instruction.isIntDivRem() && !isa<Constant>(instruction.getOperand(1)) &&
	       instruction.getType()->getScalarSizeInBits() <= doubleBits;
}

Value *divideAsFloat(IRBuilder<> &at, const BinaryOperator &division, Value *dividend,
		     Value *divisor, Value *shared)
{
	const bool isShort = division.getType()->getScalarSizeInBits() <= floatBits;
	Type *real = isShort ? at.getFloatTy() : at.getDoubleTy();
	Type *reals = dividend->getType()->getWithNewType(real);
	Type *whole = dividend->getType()->getWithNewType(at.getInt32Ty());
	Value *number = asReal(at, dividend, reals, isSigned(division));
	Value *quotient;
	if (shared) {
		Type *type = shared->getType()->getWithNewType(real);
		Value *reciprocal =
			at.CreateFDiv(ConstantFP::get(type, isShort ? floatOne : doubleOne),
				      asReal(at, shared, type, isSigned(division)));
		if (type != reals)
			reciprocal = repeated(at, reciprocal, lanesOf(reals) / lanesOf(type));
		quotient = at.CreateFMul(number, reciprocal);
	} else {
		quotient = at.CreateFDiv(number, asReal(at, divisor, reals, isSigned(division)));
	}
	quotient = isSigned(division) ? at.CreateFPToSI(quotient, whole)
				      : at.CreateFPToUI(quotient, whole);
	quotient = at.CreateTrunc(quotient, dividend->getType());
	if (!isRemainder(division))
		return quotient;
	return at.CreateSub(dividend, at.CreateMul(quotient, divisor));
}

} // namespace weft
