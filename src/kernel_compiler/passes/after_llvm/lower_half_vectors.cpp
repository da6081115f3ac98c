/* SPDX-License-Identifier: MIT
 *
 * lower-half-vectors: a root or a quotient of halves is exact enough in float to be rounded twice (a float has more than twice as many
 * digits, and two more); a rounding or a minimum is a half itself. A double is rounded to odd first: then the second rounding alone
 * counts. Sapphire Rapids takes 9 ns for 16 roots of halves and 4.5 ns for 16 quotients; as floats they take 3.5 and 3.
 */
#include "after_llvm/lower_half_vectors.h"

#include "after_llvm/half_minima.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

namespace
{

bool isHalfVector(const Type &type)
{
	return isa<FixedVectorType>(type) && type.getScalarType()->isHalfTy();
}

bool computesWithHalves(const Function &function)
{
	return function.getFnAttribute("target-features")
		.getValueAsString()
		.contains("+avx512fp16");
}

Intrinsic::ID halfVectorIntrinsic(const Instruction &instruction)
{
	const auto *call = dyn_cast<IntrinsicInst>(&instruction);
	return call && isHalfVector(*call->getType()) ? call->getIntrinsicID()
						      : Intrinsic::not_intrinsic;
}

/* On a CPU with arithmetic on halves. */
bool isSlowOnHalves(const Instruction &instruction)
{
	return halfVectorIntrinsic(instruction) == Intrinsic::sqrt ||
	       (instruction.getOpcode() == Instruction::FDiv &&
		isHalfVector(*instruction.getType()));
}

/* On a CPU without it. */
bool isFloatOperation(const Instruction &instruction)
{
	switch (halfVectorIntrinsic(instruction)) {
	case Intrinsic::sqrt:
	case Intrinsic::floor:
	case Intrinsic::ceil:
	case Intrinsic::trunc:
	case Intrinsic::rint:
	case Intrinsic::nearbyint:
	case Intrinsic::round:
	case Intrinsic::roundeven:
	case Intrinsic::minnum:
	case Intrinsic::maxnum:
	case Intrinsic::minimumnum:
	case Intrinsic::maximumnum:
		return true;
	default:
		return false;
	}
}

bool narrowsDoubles(const Instruction &instruction)
{
	return isa<FPTruncInst>(instruction) &&
	       instruction.getType()->getScalarType()->isHalfTy() &&
	       instruction.getOperand(0)->getType()->getScalarType()->isDoubleTy();
}

Value *onFloats(Instruction &operation)
{
	IRBuilder<> builder(&operation);
	Type *type = operation.getType()->getWithNewType(builder.getFloatTy());
	auto *call = dyn_cast<IntrinsicInst>(&operation);
	SmallVector<Value *, 2> operands;
	for (Value *operand : call ? call->args() : operation.operands())
		operands.push_back(builder.CreateFPExt(operand, type));
	Value *result = call ? builder.CreateIntrinsic(call->getIntrinsicID(), type, operands,
						       FMFSource(call))
			     : builder.CreateFDivFMF(operands[0], operands[1], &operation);
	return builder.CreateFPTrunc(result, operation.getType());
}

/* The float towards zero from the number, or the number itself; made odd where it is not the number. */
Value *roundedToOdd(IRBuilder<> &builder, Value *number)
{
	Type *type = number->getType()->getWithNewType(builder.getFloatTy());
	Type *bits = number->getType()->getWithNewType(builder.getInt32Ty());
	Value *nearest = builder.CreateFPTrunc(number, type);
	Value *again = builder.CreateFPExt(nearest, number->getType());
	Value *size = builder.CreateUnaryIntrinsic(Intrinsic::fabs, number);
	Value *sizeAgain = builder.CreateUnaryIntrinsic(Intrinsic::fabs, again);
	Value *isBeyond = builder.CreateSExt(builder.CreateFCmpOGT(sizeAgain, size), bits);
	Value *isInexact = builder.CreateZExt(builder.CreateFCmpONE(again, number), bits);
	Value *inner = builder.CreateAdd(builder.CreateBitCast(nearest, bits), isBeyond);
	return builder.CreateBitCast(builder.CreateOr(inner, isInexact), type);
}

Value *narrowed(Instruction &conversion)
{
	IRBuilder<> builder(&conversion);
	return builder.CreateFPTrunc(roundedToOdd(builder, conversion.getOperand(0)),
				     conversion.getType());
}

/* Null: the instruction stays. */
Value *lowered(Instruction &instruction, bool hasHalves)
{
	if (hasHalves)
		return isSlowOnHalves(instruction) ? onFloats(instruction) : nullptr;
	if (isFloatOperation(instruction))
		return onFloats(instruction);
	return narrowsDoubles(instruction) ? narrowed(instruction) : nullptr;
}

} // namespace

PreservedAnalyses LowerHalfVectorsPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	const bool hasHalves = computesWithHalves(function);
	bool changed = !hasHalves && promoteHalfMinima(function, analyses);
	for (Instruction &instruction : make_early_inc_range(instructions(function))) {
		Value *result = lowered(instruction, hasHalves);
		if (!result)
			continue;
		instruction.replaceAllUsesWith(result);
		instruction.eraseFromParent();
		changed = true;
	}
	if (!changed)
		return PreservedAnalyses::all();
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft
