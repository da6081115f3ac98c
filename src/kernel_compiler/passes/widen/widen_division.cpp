/* SPDX-License-Identifier: MIT
 *
 * Divisions of whole numbers in a widened loop. CPUs have none for vectors, and one lane after the other costs more
 * than the scalar loop; but floating point of more bits has the same quotient once it is cut to a whole number: a
 * quotient a / b that is not whole lies at least 1 / b below the next whole number, and rounding moves it up by less
 * than that as long as a has fewer bits than the mantissa.
 */
#include "widen/loop_widener.h"

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

bool LoopWidener::dividesAsFloat(const Instruction &instruction) const
{
	return instruction.isIntDivRem() && !isa<Constant>(instruction.getOperand(1)) &&
	       instruction.getType()->isIntegerTy() &&
	       instruction.getType()->getIntegerBitWidth() <= doubleBits;
}

/* The quotient or remainder of all lanes. A lane that does not run may divide by nought: then its result is
 * poison, as it may be. */
Value *LoopWidener::divideAsFloat(IRBuilder<> &at, const BinaryOperator &division)
{
	Value *dividend = vectorOf(division.getOperand(0));
	Value *divisor = vectorOf(division.getOperand(1));
	const bool isShort = division.getType()->getIntegerBitWidth() <= floatBits;
	Type *real = vectorType(isShort ? at.getFloatTy() : at.getDoubleTy());
	Type *whole = vectorType(at.getInt32Ty()); /* what conversions are made for */
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
