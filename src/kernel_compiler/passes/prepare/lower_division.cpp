/* SPDX-License-Identifier: MIT
 *
 * lower-division: replaces the divisors and shift amounts that are undefined in LLVM's IR.
 */
#include "prepare/lower_division.h"

#include "functions/internal_functions.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;

namespace weft
{

namespace
{

/* A constant divisor that is never the trouble: every lane neither 0 nor -1. */
bool isSafeDivisor(const Value *value)
{
	using namespace PatternMatch;
	return match(value, m_CheckedInt([](const APInt &lane) {
			     return !lane.isZero() && !lane.isAllOnes();
		     }));
}

/* The divisor follows from the source's divisor alone: it is one number for all work-items where that is, so that they share its
 * reciprocal, and an index that is a remainder may have a version without it (lanes/clamp_versions.h). */
void makeTotal(BinaryOperator &division)
{
	Value *divisor = division.getOperand(1);
	if (isSafeDivisor(divisor))
		return;
	IRBuilder<> builder(&division);
	Type *type = division.getType();
	Value *zero = Constant::getNullValue(type), *one = ConstantInt::get(type, 1);
	if (isa<PossiblyExactOperator>(division))
		division.setIsExact(false);
	if (division.getOpcode() == Instruction::UDiv ||
	    division.getOpcode() == Instruction::URem) {
		division.setOperand(
			1, builder.CreateSelect(builder.CreateICmpEQ(divisor, zero), one, divisor));
		return;
	}
	Value *isZeroOrMinusOne =
		builder.CreateICmpULT(builder.CreateAdd(divisor, one), ConstantInt::get(type, 2));
	division.setOperand(1, builder.CreateSelect(isZeroOrMinusOne, one, divisor));
	if (division.getOpcode() == Instruction::SRem)
		return;
	builder.SetInsertPoint(division.getNextNode());
	Value *isMinusOne = builder.CreateICmpEQ(divisor, Constant::getAllOnesValue(type));
	Value *negated = builder.CreateSub(zero, &division);
	Value *result = builder.CreateSelect(isMinusOne, negated, &division);
	division.replaceUsesWithIf(result, [&](const Use &use) {
		return use.getUser() != negated && use.getUser() != result;
	});
}

bool isMasked(const Value *amount, unsigned width)
{
	using namespace PatternMatch;
	auto inRange = [width](const APInt &lane) { return lane.ult(width); };
	return match(amount, m_CheckedInt(inRange)) ||
	       match(amount, m_And(m_Value(), m_CheckedInt(inRange))) ||
	       match(amount, m_URem(m_Value(), m_SpecificInt(width)));
}

/* Widths are powers of two: OpenCL C has no others. */
void maskAmount(BinaryOperator &shift)
{
	Type *type = shift.getType();
	unsigned width = type->getScalarSizeInBits();
	if (isMasked(shift.getOperand(1), width) || !isPowerOf2_32(width))
		return;
	IRBuilder<> builder(&shift);
	shift.setOperand(1,
			 builder.CreateAnd(shift.getOperand(1), ConstantInt::get(type, width - 1)));
}

/* Undefined elements of a vector that is built up, or taken apart, mean nothing. */
bool isVectorsStart(const Use &operand)
{
	const User *user = operand.getUser();
	return isa<ShuffleVectorInst>(user) ||
	       (isa<InsertElementInst>(user) && operand.getOperandNo() == 0);
}

/* Replaces poison that Clang has made of a division of constants by zero. */
void definePoison(Use &operand)
{
	auto *constant = dyn_cast<Constant>(operand);
	if (!constant || !constant->getType()->isIntOrIntVectorTy() || isVectorsStart(operand))
		return;
	Constant *zero = Constant::getNullValue(constant->getType()->getScalarType());
	if (isa<PoisonValue>(constant))
		operand.set(Constant::getNullValue(constant->getType()));
	else if (constant->containsPoisonElement())
		operand.set(Constant::replaceUndefsWith(constant, zero));
}

} // namespace

PreservedAnalyses LowerDivisionPass::run(Function &function, FunctionAnalysisManager &)
{
	for (Instruction &instruction : make_early_inc_range(instructions(function))) {
		for (Use &operand : instruction.operands())
			definePoison(operand);
		auto *operation = dyn_cast<BinaryOperator>(&instruction);
		if (!operation)
			continue;
		if (operation->isIntDivRem())
			makeTotal(*operation);
		else if (operation->isShift())
			maskAmount(*operation);
	}
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft
