/* SPDX-License-Identifier: MIT
 *
 * Blocks to which very many ways lead, as behind `a || b || ...`: lanes that come by a way add to variables what they bring, where they
 * come from. Else each way's mask and values would have to be known in the block, past all guards in between: for n ways n * n phis.
 */
#ifndef WEFT_PASSES_COLLECTED_WAYS_H
#define WEFT_PASSES_COLLECTED_WAYS_H

#include "lane_code/loop_exits.h"

namespace weft
{

class CollectedWays : public LanePart
{
      public:
	explicit CollectedWays(const LoopExits &theExits) : LanePart(theExits), exits(theExits)
	{
	}

	/* Finds the blocks and makes their variables. Expects that loops' exits are found. */
	void find();
	/* At the start of a loop's iteration: no lane has come. */
	void startIteration(const llvm::Loop &loop);
	/* At the end of the current block, whose edge has its mask. */
	void come(const llvm::BasicBlock *to);
	/* The lanes that have come to the block; NULL for another block. */
	llvm::Value *maskOf(const llvm::BasicBlock *block) const;
	/* What they have brought; NULL for a phi of another block, or one that is no vector. */
	llvm::Value *valueOf(const llvm::PHINode *phi) const;
	/* Names all variables. */
	void addVariables(llvm::SmallVectorImpl<llvm::AllocaInst *> &variables) const;

      private:
	struct Join {
		const llvm::Loop *loop = nullptr;
		llvm::AllocaInst *mask = nullptr;
		llvm::SmallVector<std::pair<llvm::PHINode *, llvm::AllocaInst *>, 4> values;
	};

	bool isCollected(const llvm::BasicBlock *block) const;

	const LoopExits &exits;
	llvm::MapVector<const llvm::BasicBlock *, Join> joins;
	llvm::DenseMap<const llvm::PHINode *, llvm::AllocaInst *> valueOfPhi;
};

} // namespace weft

#endif
