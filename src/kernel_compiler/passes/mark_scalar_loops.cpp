/* SPDX-License-Identifier: MIT
 *
 * mark-scalar-loops: LLVM 22 takes a division that is the same in each round, but not made in each, for the first of
 * its lanes alone. Where that one makes none, the others go on with poison (an address, say).
 */
#include "mark_scalar_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

using namespace llvm;

namespace weft
{

namespace
{

bool hasDivision(const Loop &loop)
{
	return any_of(loop.blocks(), [](const BasicBlock *block) {
		return any_of(*block, [](const Instruction &instruction) {
			return instruction.isIntDivRem() &&
			       !isa<Constant>(instruction.getOperand(1));
		});
	});
}

} // namespace

PreservedAnalyses MarkScalarLoopsPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
		if (loop->isInnermost() && hasDivision(*loop))
			addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
	}
	return PreservedAnalyses::all();
}

} // namespace weft
