/* SPDX-License-Identifier: MIT
 *
 * A branch whose ways may both be gone before it, for one work-item: they do nothing but compute, and load as much as each other.
 */
#ifndef WEFT_PASSES_SELECTABLE_BRANCH_H
#define WEFT_PASSES_SELECTABLE_BRANCH_H

#include "costs/vector_registers.h"

#include <llvm/IR/Instructions.h>

namespace weft
{

class SelectableBranch
{
      public:
	/* Of the block's end. */
	SelectableBranch(llvm::BasicBlock &theBlock, VectorRegisters theRegisters)
	    : block(theBlock), registers(theRegisters)
	{
	}

	/* Whether it is one, and both ways take less time than the CPU takes to find that it expected the other one. */
	bool isFound();
	/* Both ways stand before the block's end, with their results selected. What they load is loaded once, from a selected address. */
	void select();

      private:
	/* From the block to the common one; no block, where it is a direct one. */
	struct Way {
		llvm::BasicBlock *block = nullptr;
		llvm::SmallVector<llvm::LoadInst *, 4>
			loads; /* that may not be made if the way is not gone */
	};

	llvm::BasicBlock *from(const Way &way) const
	{
		return way.block ? way.block : &block;
	}
	llvm::BasicBlock *endOf(llvm::BasicBlock &way) const;
	bool add(Way &way);
	unsigned costOf(const llvm::Instruction &instruction) const;
	void moveUpTo(const Way &way, const llvm::LoadInst *load);
	void selectResults(llvm::PHINode &phi);

	llvm::BasicBlock &block;
	VectorRegisters registers;
	llvm::BasicBlock *end = nullptr;
	Way ways[2]; /* by the branch's successors */
	unsigned cost = 0;
};

} // namespace weft

#endif
