/* SPDX-License-Identifier: MIT
 *
 * LLVM's scalarizer, behind gathers and scatters, which it leaves.
 */
#include "widen/scalar_lanes.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>

using namespace llvm;

namespace weft
{

namespace
{

/* A gather or scatter of all lanes, as loads or stores. */
void takeApart(IntrinsicInst &access)
{
	const bool isGather = access.getIntrinsicID() == Intrinsic::masked_gather;
	const unsigned at = isGather ? 0 : 1;
	auto *mask = dyn_cast<Constant>(access.getArgOperand(at + 1));
	if (!mask || !mask->isAllOnesValue())
		return;
	IRBuilder<> builder(&access);
	Value *pointers = access.getArgOperand(at);
	Value *whole = isGather ? PoisonValue::get(access.getType()) : access.getArgOperand(0);
	Align align = access.getParamAlign(at).valueOrOne();
	auto *type = cast<FixedVectorType>(whole->getType());
	for (unsigned i = 0; i < type->getNumElements(); i++) {
		Value *pointer = builder.CreateExtractElement(pointers, i);
		Instruction *part;
		if (isGather) {
			part = builder.CreateAlignedLoad(type->getElementType(), pointer, align);
			whole = builder.CreateInsertElement(whole, part, i);
		} else {
			part = builder.CreateAlignedStore(builder.CreateExtractElement(whole, i),
							  pointer, align);
		}
		part->copyMetadata(access);
	}
	if (isGather)
		access.replaceAllUsesWith(whole);
	access.eraseFromParent();
}

} // namespace

void makeScalars(Function &function, FunctionAnalysisManager &analyses)
{
	for (Instruction &instruction : make_early_inc_range(instructions(function))) {
		auto *call = dyn_cast<IntrinsicInst>(&instruction);
		if (call && (call->getIntrinsicID() == Intrinsic::masked_gather ||
			     call->getIntrinsicID() == Intrinsic::masked_scatter))
			takeApart(*call);
	}
	ScalarizerPassOptions options;
	options.ScalarizeVariableInsertExtract = true;
	options.ScalarizeLoadStore = true;
	analyses.invalidate(function, PreservedAnalyses::none());
	ScalarizerPass(options).run(function, analyses);
}

} // namespace weft
