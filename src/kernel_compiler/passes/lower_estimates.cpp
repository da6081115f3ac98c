/* SPDX-License-Identifier: MIT
 *
 * lower-estimates: registers of 128, 256 or 512 bits, the last one filled up with what nobody looks at.
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

constexpr unsigned leastBits = 128, mostBits = 512;
constexpr unsigned leastMask = 8; /* bits of a mask */

Intrinsic::ID instructionFor(unsigned bits, bool isDouble)
{
	switch (bits) {
	case mostBits:
		return isDouble ? Intrinsic::x86_avx512_rsqrt14_pd_512
				: Intrinsic::x86_avx512_rsqrt14_ps_512;
	case mostBits / 2:
		return isDouble ? Intrinsic::x86_avx512_rsqrt14_pd_256
				: Intrinsic::x86_avx512_rsqrt14_ps_256;
	default:
		return isDouble ? Intrinsic::x86_avx512_rsqrt14_pd_128
				: Intrinsic::x86_avx512_rsqrt14_ps_128;
	}
}

/* All of a register's lanes. */
Value *estimateRegister(IRBuilder<> &builder, Value *vector)
{
	auto *type = cast<FixedVectorType>(vector->getType());
	Intrinsic::ID instruction = instructionFor(unsigned(type->getPrimitiveSizeInBits()),
						   type->getElementType()->isDoubleTy());
	unsigned mask = std::max(type->getNumElements(), leastMask);
	Value *all = ConstantInt::getAllOnesValue(builder.getIntNTy(mask));
	return builder.CreateIntrinsic(instruction, {vector, Constant::getNullValue(type), all});
}

/* How many numbers of the type a register has that holds `lanes`, if any does; else the longest. */
unsigned registerLanes(const Type &element, unsigned lanes)
{
	unsigned bits = unsigned(element.getPrimitiveSizeInBits());
	return std::clamp(unsigned(PowerOf2Ceil(lanes)), leastBits / bits, mostBits / bits);
}

/* Lanes from the first, undefined ones behind the last. */
Value *lanesFrom(IRBuilder<> &builder, Value *vector, unsigned first, unsigned count)
{
	unsigned lanes = cast<FixedVectorType>(vector->getType())->getNumElements();
	if (first == 0 && count == lanes)
		return vector;
	SmallVector<int, 16> places;
	for (unsigned i = first; i < first + count; i++)
		places.push_back(i < lanes ? int(i) : PoisonMaskElem);
	return builder.CreateShuffleVector(vector, places);
}

Value *estimateVector(IRBuilder<> &builder, Value *vector)
{
	unsigned lanes = cast<FixedVectorType>(vector->getType())->getNumElements();
	unsigned width = registerLanes(*vector->getType()->getScalarType(), lanes);
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
	auto *type =
		FixedVectorType::get(operand->getType(), registerLanes(*operand->getType(), 1));
	Value *vector = builder.CreateInsertElement(PoisonValue::get(type), operand, uint64_t(0));
	return builder.CreateExtractElement(estimateRegister(builder, vector), uint64_t(0));
}

} // namespace

PreservedAnalyses LowerEstimatesPass::run(Module &module, ModuleAnalysisManager &)
{
	bool changed = false;
	for (Function &function : module) {
		if (!isEstimate(function))
			continue;
		for (User *user : make_early_inc_range(function.users())) {
			auto *call = dyn_cast<CallInst>(user);
			if (!call || call->getCalledFunction() != &function)
				continue;
			IRBuilder<> builder(call);
			call->replaceAllUsesWith(estimate(builder, call->getArgOperand(0)));
			call->eraseFromParent();
		}
		changed = true;
	}
	if (!changed)
		return PreservedAnalyses::all();
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	preserved.preserve<FunctionAnalysisManagerModuleProxy>();
	return preserved;
}

} // namespace weft
