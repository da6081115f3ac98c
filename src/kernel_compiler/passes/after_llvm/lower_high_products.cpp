/* SPDX-License-Identifier: MIT
 *
 * A product of 64 bits is four of 32 bits, as in long multiplication: x86 has an instruction for these. Quotients by a constant are high
 * halves of products with its reciprocal (Hacker's Delight, chapter 10), whose numbers LLVM computes.
 */
#include "after_llvm/lower_high_products.h"

#include "costs/vector_registers.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/DivisionByConstantInfo.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;
using namespace PatternMatch;

namespace weft
{

namespace
{

constexpr unsigned productBits = 64, partBits = 32, leastVectorBits = 256;

bool isVectorOfLongs(const Type &type)
{
	const auto *vector = dyn_cast<FixedVectorType>(&type);
	return vector && vector->getElementType()->isIntegerTy(productBits) &&
	       vector->getNumElements() * productBits >= leastVectorBits;
}

/* The high half of a product of numbers that have no sign. */
Value *highUnsigned(IRBuilder<> &builder, Value *a, Value *b)
{
	Constant *low = ConstantInt::get(a->getType(), (uint64_t(1) << partBits) - 1);
	auto lowOf = [&](Value *number) { return builder.CreateAnd(number, low); };
	auto highOf = [&](Value *number) { return builder.CreateLShr(number, partBits); };
	Value *lowA = lowOf(a), *highA = highOf(a), *lowB = lowOf(b), *highB = highOf(b);
	Value *middle = builder.CreateAdd(builder.CreateMul(highA, lowB),
					  highOf(builder.CreateMul(lowA, lowB)));
	Value *other = builder.CreateAdd(builder.CreateMul(lowA, highB), lowOf(middle));
	Value *high = builder.CreateAdd(builder.CreateMul(highA, highB), highOf(middle));
	return builder.CreateAdd(high, highOf(other));
}

/* A negative number is 2^64 less than its bits say. */
Value *highProduct(IRBuilder<> &builder, Value *a, Value *b, bool isSigned)
{
	Value *high = highUnsigned(builder, a, b);
	if (!isSigned)
		return high;
	auto ifNegative = [&](Value *number, Value *what) {
		return builder.CreateAnd(builder.CreateAShr(number, productBits - 1), what);
	};
	high = builder.CreateSub(high, ifNegative(a, b));
	return builder.CreateSub(high, ifNegative(b, a));
}

Value *divideUnsigned(IRBuilder<> &builder, Value *number, const APInt &divisor)
{
	Type *type = number->getType();
	const auto by = UnsignedDivisionByConstantInfo::get(divisor);
	Value *quotient = by.PreShift ? builder.CreateLShr(number, by.PreShift) : number;
	quotient = highProduct(builder, quotient, ConstantInt::get(type, by.Magic), false);
	if (by.IsAdd)
		quotient = builder.CreateAdd(
			builder.CreateLShr(builder.CreateSub(number, quotient), 1), quotient);
	return by.PostShift ? builder.CreateLShr(quotient, by.PostShift) : quotient;
}

Value *divideSigned(IRBuilder<> &builder, Value *number, const APInt &divisor)
{
	Type *type = number->getType();
	const auto by = SignedDivisionByConstantInfo::get(divisor);
	Value *quotient = highProduct(builder, number, ConstantInt::get(type, by.Magic), true);
	if (divisor.isStrictlyPositive() && by.Magic.isNegative())
		quotient = builder.CreateAdd(quotient, number);
	else if (divisor.isNegative() && by.Magic.isStrictlyPositive())
		quotient = builder.CreateSub(quotient, number);
	quotient = builder.CreateAShr(quotient, by.ShiftAmount);
	return builder.CreateAdd(quotient, builder.CreateLShr(quotient, productBits - 1));
}

/* NULL: the instruction is no such division. */
Value *lowerDivision(IRBuilder<> &builder, BinaryOperator &division)
{
	const APInt *divisor = nullptr;
	if (!division.isIntDivRem() || !isVectorOfLongs(*division.getType()) ||
	    !match(division.getOperand(1), m_APInt(divisor)))
		return nullptr;
	const unsigned opcode = division.getOpcode();
	const bool isSigned = opcode == Instruction::SDiv || opcode == Instruction::SRem;
	if (divisor->isZero() || (isSigned ? divisor->abs() : *divisor).isPowerOf2())
		return nullptr;
	Value *number = division.getOperand(0);
	Value *quotient = isSigned ? divideSigned(builder, number, *divisor)
				   : divideUnsigned(builder, number, *divisor);
	if (opcode == Instruction::SDiv || opcode == Instruction::UDiv)
		return quotient;
	return builder.CreateSub(number, builder.CreateMul(quotient, division.getOperand(1)));
}

/* What of 64 bits has been extended, as numbers with or without a sign; NULL: nothing. */
Value *beforeExtension(Value &extended, bool isSigned)
{
	Value *number = nullptr;
	const APInt *constant = nullptr;
	Type *type = extended.getType()->getWithNewBitWidth(productBits);
	if (match(&extended, m_APInt(constant))) {
		const bool fits = isSigned ? constant->isSignedIntN(productBits)
					   : constant->isIntN(productBits);
		return fits ? ConstantInt::get(type, constant->trunc(productBits)) : nullptr;
	}
	const bool isExtension = isSigned ? match(&extended, m_SExt(m_Value(number)))
					  : match(&extended, m_ZExt(m_Value(number)));
	if (!isExtension)
		return nullptr;
	return number->getType() == type ? number : nullptr;
}

/* NULL: the instruction is no high half of a product. */
Value *lowerProduct(IRBuilder<> &builder, TruncInst &high)
{
	Value *a = nullptr, *b = nullptr;
	if (!isVectorOfLongs(*high.getType()) ||
	    !match(high.getOperand(0),
		   m_Shr(m_Mul(m_Value(a), m_Value(b)), m_SpecificInt(productBits))) ||
	    a->getType()->getScalarSizeInBits() != 2 * productBits)
		return nullptr;
	for (const bool isSigned : {true, false}) {
		Value *first = beforeExtension(*a, isSigned);
		Value *second = beforeExtension(*b, isSigned);
		if (first && second)
			return highProduct(builder, first, second, isSigned);
	}
	return nullptr;
}

Value *lowered(Instruction &instruction)
{
	IRBuilder<> builder(&instruction);
	if (auto *division = dyn_cast<BinaryOperator>(&instruction))
		return lowerDivision(builder, *division);
	auto *high = dyn_cast<TruncInst>(&instruction);
	return high ? lowerProduct(builder, *high) : nullptr;
}

} // namespace

PreservedAnalyses LowerHighProductsPass::run(Function &function, FunctionAnalysisManager &)
{
	if (permutedBits(*function.getParent()) == 0)
		return PreservedAnalyses::all();
	SmallVector<WeakTrackingVH, 8> replaced;
	for (Instruction &instruction : instructions(function)) {
		if (Value *value = lowered(instruction)) {
			instruction.replaceAllUsesWith(value);
			replaced.push_back(&instruction);
		}
	}
	if (replaced.empty())
		return PreservedAnalyses::all();
	RecursivelyDeleteTriviallyDeadInstructions(replaced);
	PreservedAnalyses kept;
	kept.preserveSet<CFGAnalyses>();
	return kept;
}

} // namespace weft
