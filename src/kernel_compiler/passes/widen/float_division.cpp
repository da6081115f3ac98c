/* SPDX-License-Identifier: MIT
 *
 * Floats for up to 16 bits, doubles for up to 32.
 */
#include "widen/float_division.h"

using namespace llvm;

namespace weft
{

namespace
{

constexpr unsigned floatBits = 16, doubleBits = 32;

bool isSigned(const BinaryOperator &division)
{
	return division.getOpcode() == Instruction::SDiv ||
	       division.getOpcode() == Instruction::SRem;
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
		     Value *divisor)
{
	const bool isShort = division.getType()->getScalarSizeInBits() <= floatBits;
	Type *vector = dividend->getType();
	Type *real = vector->getWithNewType(isShort ? at.getFloatTy() : at.getDoubleTy());
	Type *whole = vector->getWithNewType(at.getInt32Ty()); /* what conversions are made for */
	Value *quotient;
	if (isSigned(division)) {
		Value *a = at.CreateSIToFP(at.CreateSExt(dividend, whole), real);
		Value *b = at.CreateSIToFP(at.CreateSExt(divisor, whole), real);
		quotient = at.CreateFPToSI(at.CreateFDiv(a, b), whole);
	} else {
		Value *a = at.CreateUIToFP(at.CreateZExt(dividend, whole), real);
		Value *b = at.CreateUIToFP(at.CreateZExt(divisor, whole), real);
		quotient = at.CreateFPToUI(at.CreateFDiv(a, b), whole);
	}
	quotient = at.CreateTrunc(quotient, dividend->getType());
	if (!isRemainder(division))
		return quotient;
	return at.CreateSub(dividend, at.CreateMul(quotient, divisor));
}

} // namespace weft
