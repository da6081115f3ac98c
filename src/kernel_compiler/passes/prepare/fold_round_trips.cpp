/* SPDX-License-Identifier: MIT
 *
 * fold-round-trips: computes the function of a byte for all 256 bytes.
 */
#include "prepare/fold_round_trips.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/KnownBits.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr size_t mostOperations = 24;
constexpr unsigned sourceBits = 8;

bool isConversionToInteger(const Instruction &instruction)
{
	const auto *call = dyn_cast<IntrinsicInst>(&instruction);
	return isa<FPToUIInst, FPToSIInst>(instruction) ||
	       (call && (call->getIntrinsicID() == Intrinsic::fptosi_sat ||
			 call->getIntrinsicID() == Intrinsic::fptoui_sat)) ||
	       (isa<BitCastInst>(instruction) && instruction.getType()->isIntegerTy() &&
		instruction.getOperand(0)->getType()->isFloatingPointTy());
}

/* How an integer is computed from one small number. */
class RoundTrip
{
      public:
	RoundTrip(Instruction &theResult, const DataLayout &theLayout)
	    : result(theResult), layout(theLayout)
	{
		isKnown = add(result) && source;
	}

	/* Whether the result is the small number, whichever that is. */
	bool isIdentity() const
	{
		if (!isKnown)
			return false;
		for (uint64_t number = 0; number < uint64_t(1) << sourceBits; number++) {
			auto *value = dyn_cast_or_null<ConstantInt>(resultFor(number));
			if (!value || value->getValue() != number)
				return false;
		}
		return true;
	}

	Value &numberIn() const
	{
		return *source;
	}

      private:
	static bool isOperation(const Instruction &instruction)
	{
		const auto *call = dyn_cast<IntrinsicInst>(&instruction);
		if (instruction.getType()->isVectorTy())
			return false;
		return isa<BinaryOperator, CastInst, CmpInst, SelectInst>(instruction) ||
		       (call && call->doesNotAccessMemory() &&
			isTriviallyVectorizable(call->getIntrinsicID()));
	}

	/* The operations in order, down to the number that the first of them makes a float. */
	bool add(Instruction &instruction)
	{
		if (is_contained(operations, &instruction))
			return true;
		if (!isOperation(instruction) || operations.size() == mostOperations)
			return false;
		if (isa<UIToFPInst, SIToFPInst>(instruction)) {
			if (!isSource(*instruction.getOperand(0)))
				return false;
			operations.push_back(&instruction);
			return true;
		}
		for (Value *operand : instruction.operands()) {
			auto *other = dyn_cast<Instruction>(operand);
			if (!isa<Constant>(operand) && (!other || !add(*other)))
				return false;
		}
		operations.push_back(&instruction);
		return operations.size() <= mostOperations;
	}

	bool isSource(Value &value)
	{
		if (source)
			return source == &value;
		KnownBits bits = computeKnownBits(&value, layout);
		source = &value;
		return value.getType()->isIntegerTy() && bits.countMaxActiveBits() <= sourceBits &&
		       value.getType()->getIntegerBitWidth() >= sourceBits;
	}

	Constant *resultFor(uint64_t number) const
	{
		DenseMap<const Value *, Constant *> values;
		values[source] = ConstantInt::get(source->getType(), number);
		for (Instruction *operation : operations) {
			SmallVector<Constant *, 4> operands;
			for (Value *operand : operation->operands()) {
				auto *constant = dyn_cast<Constant>(operand);
				operands.push_back(constant ? constant : values.lookup(operand));
			}
			Constant *value = compute(*operation, operands);
			if (!value)
				return nullptr;
			values[operation] = value;
		}
		return values.lookup(&result);
	}

	Constant *compute(Instruction &operation, ArrayRef<Constant *> operands) const
	{
		if (const auto *test = dyn_cast<CmpInst>(&operation))
			return ConstantFoldCompareInstOperands(test->getPredicate(), operands[0],
							       operands[1], layout);
		return ConstantFoldInstOperands(&operation, operands, layout);
	}

	Instruction &result;
	const DataLayout &layout;
	SmallVector<Instruction *, 16> operations;
	Value *source = nullptr;
	bool isKnown = false;
};

} // namespace

PreservedAnalyses FoldRoundTripsPass::run(Function &function, FunctionAnalysisManager &)
{
	SmallVector<Instruction *, 16> candidates;
	for (Instruction &instruction : instructions(function)) {
		if (!isConversionToInteger(instruction))
			continue;
		candidates.push_back(&instruction);
		/* What is left of its bits. */
		for (User *user : instruction.users()) {
			if (isa<BinaryOperator>(user))
				candidates.push_back(cast<Instruction>(user));
		}
	}
	bool changed = false;
	/* What is no longer used is left for InstCombine. */
	for (Instruction *candidate : candidates) {
		RoundTrip trip(*candidate, function.getDataLayout());
		if (!trip.isIdentity())
			continue;
		IRBuilder<> builder(candidate);
		candidate->replaceAllUsesWith(
			builder.CreateZExtOrTrunc(&trip.numberIn(), candidate->getType()));
		changed = true;
	}
	if (!changed)
		return PreservedAnalyses::all();
	PreservedAnalyses kept;
	kept.preserveSet<CFGAnalyses>();
	return kept;
}

} // namespace weft
