/* SPDX-License-Identifier: MIT
 *
 * The control flow of a widened body, as the plan says: what begins and ends each block. At its beginning phis, or blends
 * where lanes that came different ways come together, its mask, and a guard that jumps over it if no lane needs it; at
 * its end the masks of its edges, lanes that leave loops, and the branch.
 */
#ifndef WEFT_PASSES_LANE_CONTROL_H
#define WEFT_PASSES_LANE_CONTROL_H

#include "lane_code/collected_ways.h"

namespace weft
{

class LaneControl : public LanePart
{
      public:
	LaneControl(LoopExits &theExits, CollectedWays &theCollected)
	    : LanePart(theExits), exits(theExits), collected(theCollected)
	{
	}

	/* Makes a block of the source the current one, and its beginning. */
	void beginBlock(const llvm::BasicBlock &source);
	/* The end of the current block; that of the item loop's latch gets no branch. */
	void endBlock();
	/* Completes all phis. Expects all blocks made. */
	void connectPhis();
	/* Puts phis between values and uses that they do not dominate, since guards jump over blocks. No lane needs a value
	 * where it is missing: there a mask has no lane, and any other value is poison. `dominators`: of the function as it
	 * is in the end. */
	void fillMissingValues(const llvm::DominatorTree &dominators);

      private:
	using Getter = llvm::function_ref<llvm::Value *(llvm::Value *)>;

	void emitPhis();
	void emitRowPhis(llvm::PHINode &phi, Shape shape);
	void emitMask();
	void emitGuard();
	void emitBlends();
	llvm::SmallVector<llvm::BasicBlock *, 4> incomingBlocks(const llvm::PHINode &phi) const;
	llvm::Value *blend(const llvm::PHINode &phi, bool scalar, Getter valueOf);
	llvm::Value *incomingMask(const llvm::BasicBlock *from, const llvm::BasicBlock *to);
	void emitEdges();
	void emitBranch();
	void emitBackBranch();
	void fillMissing(llvm::Instruction &value, llvm::ArrayRef<llvm::Use *> uses,
			 const llvm::DominatorTree &dominators);
	bool hasEdgeBlock(llvm::BasicBlock *successor) const;
	llvm::BasicBlock *edgeBlock(llvm::BasicBlock *successor);

	LoopExits &exits;
	CollectedWays &collected;
	/* Phis of the source, and what stands for each: one phi, of scalars or vectors; or one for each row. */
	llvm::SmallVector<std::pair<llvm::PHINode *, llvm::PHINode *>, 16> phis;
	llvm::MapVector<llvm::PHINode *, llvm::SmallVector<llvm::PHINode *, 4>> rowPhis;
};

} // namespace weft

#endif
