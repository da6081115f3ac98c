/* SPDX-License-Identifier: MIT
 *
 * lower-estimates: registers of 4, 8 or 16 numbers, the last one filled up with what nobody looks at.
 */
#include "lower_estimates.h"

#include "internal_functions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsX86.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr unsigned leastLanes = 4, mostLanes = 16;

Intrinsic::ID instructionFor(unsigned lanes)
{
	switch (lanes) {
	case mostLanes:
		return Intrinsic::x86_avx512_rsqrt14_ps_512;
	case mostLanes / 2:
		return Intrinsic::x86_avx512_rsqrt14_ps_256;
	default:
		return Intrinsic::x86_avx512_rsqrt14_ps_128;
	}
}

/* All of a register's lanes: the mask has a bit for each, but 8 at least. */
Value *estimateRegister(IRBuilder<> &builder, Value *vector)
{
	unsigned lanes = cast<FixedVectorType>(vector->getType())->getNumElements();
	Value *all = ConstantInt::getAllOnesValue(builder.getIntNTy(std::max(lanes, 8U)));
	Value *others = Constant::getNullValue(vector->getType());
	return builder.CreateIntrinsic(instructionFor(lanes), {vector, others, all});
}

/* Lanes from the first, undefined ones behind the last. */
Value *lanesFrom(IRBuilder<> &builder, Value *vector, unsigned first, unsigned count)
{
	unsigned lanes = cast<FixedVectorType>(vector->getType())->getNumElements();
	if (first == 0 && count == lanes)
		return vector;
	SmallVector<int, mostLanes> places;
	for (unsigned i = first; i < first + count; i++)
		places.push_back(i < lanes ? int(i) : PoisonMaskElem);
	return builder.CreateShuffleVector(vector, places);
}

Value *estimateVector(IRBuilder<> &builder, Value *vector)
{
	unsigned lanes = cast<FixedVectorType>(vector->getType())->getNumElements();
	unsigned width = std::clamp(unsigned(PowerOf2Ceil(lanes)), leastLanes, mostLanes);
	SmallVector<Value *, 4> parts;
	for (unsigned first = 0; first < lanes; first += width)
		parts.push_back(
			estimateRegister(builder, lanesFrom(builder, vector, first, width)));
	return lanesFrom(builder, concatenateVectors(builder, parts), 0, lanes);
}

Value *estimate(IRBuilder<> &builder, Value *operand)
{
	if (operand->getType()->isVectorTy())
		return estimateVector(builder, operand);
	auto *type = FixedVectorType::get(operand->getType(), leastLanes);
	Value *vector = builder.CreateInsertElement(PoisonValue::get(type), operand, uint64_t(0));
	return builder.CreateExtractElement(estimateRegister(builder, vector), uint64_t(0));
}

} // namespace

PreservedAnalyses LowerEstimatesPass::run(Module &module, ModuleAnalysisManager &)
{
	bool changed = false;
	for (Function &function : make_early_inc_range(module)) {
		if (!isEstimate(function))
			continue;
		for (User *user : make_early_inc_range(function.users())) {
			auto *call = cast<CallInst>(user);
			IRBuilder<> builder(call);
			call->replaceAllUsesWith(estimate(builder, call->getArgOperand(0)));
			call->eraseFromParent();
		}
		function.eraseFromParent();
		changed = true;
	}
	return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace weft
