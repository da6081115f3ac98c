/* SPDX-License-Identifier: MIT
 *
 * select-ways: looks for all branches before it changes one.
 */
#include "width/select_ways.h"

#include "functions/internal_functions.h"
#include "layout/data_branches.h"
#include "width/selectable_branch.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace weft
{

/* Selections of vectors by one bit that depends on data become those by as many bits as there are elements. */
static bool maskSelections(Function &function, const Uniformity &uniformity)
{
	bool hasChanged = false;
	for (Instruction &instruction : instructions(function)) {
		auto *select = dyn_cast<SelectInst>(&instruction);
		auto *type = select ? dyn_cast<FixedVectorType>(select->getType()) : nullptr;
		if (!type || select->getCondition()->getType()->isVectorTy() ||
		    !comesFromMemory(*select->getCondition(), uniformity))
			continue;
		IRBuilder<> builder(select);
		select->setCondition(
			builder.CreateVectorSplat(type->getNumElements(), select->getCondition()));
		hasChanged = true;
	}
	return hasChanged;
}

PreservedAnalyses SelectWaysPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	if (!isKernel(function) || getKernelNumber(function, vectorWidthAttribute) != 1)
		return PreservedAnalyses::all();
	const auto &loops = analyses.getResult<LoopAnalysis>(function);
	const auto &uniformity = analyses.getResult<UniformityAnalysis>(function);
	const VectorRegisters registers =
		vectorRegisters(analyses.getResult<TargetIRAnalysis>(function));
	SmallVector<SelectableBranch, 8> found;
	for (BasicBlock &block : function) {
		SelectableBranch branch(block, registers);
		if (branchesByData(block, loops, uniformity) && !isForeseen(block) &&
		    branch.isFound())
			found.push_back(branch);
	}
	for (SelectableBranch &branch : found)
		branch.select();
	const bool hasMasks = maskSelections(function, uniformity);
	if (!found.empty())
		return PreservedAnalyses::none();
	if (!hasMasks)
		return PreservedAnalyses::all();
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft
