/* SPDX-License-Identifier: MIT
 *
 * Branches that barriers make uniform. By the specification all work-items of a group execute a barrier, and each iteration of a
 * loop around it, or none does. So where one way of a branch surely leads to a barrier of the source, and the other ways do not
 * lead to it in the same iteration, all work-items take that way or none does, whatever the condition is read from.
 */
#ifndef WEFT_PASSES_BARRIER_BRANCHES_H
#define WEFT_PASSES_BARRIER_BRANCHES_H

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>

namespace weft
{

class BarrierBranches
{
	using BlockSet = llvm::SmallPtrSet<const llvm::BasicBlock *, 16>;

      public:
	/* Of a function in which each barrier begins a block. Barriers that it gets later do not count, nor do those that were added. */
	BarrierBranches(llvm::Function &function, const llvm::LoopInfo &theLoops);

	/* Whether all work-items that come to the branch go this way, or none. */
	bool takesAll(const llvm::BasicBlock &branch, const llvm::BasicBlock &way) const;
	/* Whether all work-items that come to the branch go the same way, even in programs in which some return before a barrier that
	 * the others execute. */
	bool isUniform(const llvm::BasicBlock &branch) const;

      private:
	BlockSet otherBlocks(const llvm::BasicBlock &branch, const llvm::BasicBlock &way) const;
	bool mayReturn(const llvm::BasicBlock &start) const;

	const llvm::LoopInfo &loops;
	BlockSet barriers;
	mutable uint64_t steps = 0; /* blocks looked at */
};

} // namespace weft

#endif
