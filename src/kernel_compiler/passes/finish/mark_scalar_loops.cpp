/* SPDX-License-Identifier: MIT
 *
 * mark-scalar-loops: LLVM 22 takes a division that is the same in each iteration, but not made in each, for the first of
 * its lanes alone. Where that one makes none, the others go on with poison (an address, say). And in a loop marked
 * parallel it joins accesses to neighbours across stores that may be to them, as if iterations had no order within either.
 * Whether a value is the same for all lanes it asks of all that the value comes from, along each path anew
 * (vputils::isSingleScalar): where values are used twice, one after the other, the paths double with each.
 */
#include "finish/mark_scalar_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>
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

/* Whether something is accessed after a store, perhaps in the next iteration of a loop within. */
bool accessesAfterStore(const Loop &loop, const LoopInfo &loops)
{
	bool stored = false;
	for (const BasicBlock *block : loop.blocks()) {
		for (const Instruction &instruction : *block) {
			if (stored && instruction.mayReadOrWriteMemory())
				return true;
			stored |= instruction.mayWriteToMemory();
		}
		if (stored && loops.getLoopFor(block) != &loop)
			return true;
	}
	return false;
}

/* Paths along which a value comes from others of the same iteration. */
constexpr uint64_t mostPaths = 10000;

bool hasManyPaths(Loop &loop, const LoopInfo &loops)
{
	DenseMap<const Value *, uint64_t> paths;
	LoopBlocksRPO order(&loop);
	order.perform(&loops);
	for (const BasicBlock *block : order) {
		for (const Instruction &instruction : *block) {
			uint64_t sum = 1;
			for (const Value *operand : instruction.operands())
				sum = SaturatingAdd(sum, paths.lookup(operand));
			if (sum > mostPaths)
				return true;
			paths[&instruction] = sum;
		}
	}
	return false;
}

} // namespace

PreservedAnalyses MarkScalarLoopsPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
	for (Loop *loop : loops.getLoopsInPreorder()) {
		/* Also around others, which may be deleted before the vectorizer comes. */
		if (hasDivision(*loop) || (loop->isInnermost() && hasManyPaths(*loop, loops)) ||
		    (loop->isAnnotatedParallel() && accessesAfterStore(*loop, loops)))
			addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
	}
	return PreservedAnalyses::all();
}

} // namespace weft
