/* SPDX-License-Identifier: MIT
 *
 * Which blocks the ways of a branch lead to.
 */
#include "regions/barrier_branches.h"

#include "ir/regions.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace weft
{

/* Blocks that all questions about a function may look at together; past that no branch is known to be uniform. */
constexpr uint64_t stepLimit = 4000000;

BarrierBranches::BarrierBranches(Function &function, const LoopInfo &theLoops) : loops(theLoops)
{
	for (BasicBlock &block : function) {
		if (startsWithBarrier(block) && !startsWithAdded(block))
			barriers.insert(&block);
	}
}

/* Blocks that the other ways lead to in the same iteration of the innermost loop around the branch. */
BarrierBranches::BlockSet BarrierBranches::otherBlocks(const BasicBlock &branch,
						       const BasicBlock &way) const
{
	const Loop *loop = loops.getLoopFor(&branch);
	BlockSet reached;
	SmallVector<const BasicBlock *, 16> pending;
	auto reach = [&](const BasicBlock *block) {
		if (reached.insert(block).second && block != &branch &&
		    !(loop && block == loop->getHeader()))
			pending.push_back(block);
	};
	for (const BasicBlock *other : successors(&branch)) {
		if (other != &way)
			reach(other);
	}
	while (!pending.empty() && steps < stepLimit) {
		for (const BasicBlock *next : successors(pending.pop_back_val()))
			reach(next);
		steps++;
	}
	return reached;
}

bool BarrierBranches::takesAll(const BasicBlock &branch, const BasicBlock &way) const
{
	const Loop *loop = loops.getLoopFor(&branch);
	/* Where all other ways leave the loop, the next iteration is one that only this way leads to. */
	const bool othersStay = !loop || any_of(successors(&branch), [&](const BasicBlock *other) {
		return other != &way && loop->contains(other);
	});
	const BlockSet others = othersStay ? otherBlocks(branch, way) : BlockSet();
	BlockSet seen = {&way};
	SmallVector<const BasicBlock *, 16> pending = {&way};
	while (!pending.empty()) {
		const BasicBlock *block = pending.pop_back_val();
		if (others.contains(block) || (loop && !loop->contains(block)) ||
		    (loop && othersStay && block == loop->getHeader()))
			return false;
		if (barriers.contains(block))
			continue;
		if (block == &branch || isa<ReturnInst>(block->getTerminator()))
			return false;
		for (const BasicBlock *next : successors(block)) {
			if (seen.insert(next).second)
				pending.push_back(next);
		}
		steps++;
	}
	return steps < stepLimit;
}

/* Whether a work-item that comes to the block may return without a barrier. */
bool BarrierBranches::mayReturn(const BasicBlock &start) const
{
	SmallPtrSet<const BasicBlock *, 16> seen = {&start};
	SmallVector<const BasicBlock *, 16> pending = {&start};
	while (!pending.empty()) {
		const BasicBlock *block = pending.pop_back_val();
		if (barriers.contains(block))
			continue;
		if (isa<ReturnInst>(block->getTerminator()))
			return true;
		for (const BasicBlock *next : successors(block)) {
			if (seen.insert(next).second)
				pending.push_back(next);
		}
		steps++;
	}
	return false;
}

bool BarrierBranches::isUniform(const BasicBlock &branch) const
{
	SmallPtrSet<const BasicBlock *, 4> ways(succ_begin(&branch), succ_end(&branch));
	if (ways.size() != 2)
		return false;
	return any_of(ways, [&](const BasicBlock *way) { return takesAll(branch, *way); }) &&
	       none_of(ways, [this](const BasicBlock *way) { return mayReturn(*way); });
}

} // namespace weft
