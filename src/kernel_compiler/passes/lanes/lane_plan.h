/* SPDX-License-Identifier: MIT
 *
 * The control flow of a widened item loop, planned before code is made: divergent branches become straight
 * lines, uniform ones stay (partial linearisation: Moll and Hack, "Partial control-flow linearization", PLDI
 * 2018), and guards jump over what no lane needs.
 *
 * Blocks run in one fixed order. A way that is not taken at once is deferred: it stays pending until its block
 * comes. A block's mask says which lanes need it; many blocks share one.
 */
#ifndef WEFT_PASSES_LANE_PLAN_H
#define WEFT_PASSES_LANE_PLAN_H

#include "lanes/lane_shapes.h"

#include <llvm/ADT/SmallPtrSet.h>

namespace weft
{

/* One block of the item loop. */
struct LaneNode {
	llvm::BasicBlock *block = nullptr;
	const llvm::Loop *loop = nullptr;
	/* The first block with the same mask as this one; NULL: all lanes. */
	const llvm::BasicBlock *maskOwner = nullptr;
	/* Where to go on when no lane needs the block; NULL: it is entered in any case. */
	llvm::BasicBlock *skipTo = nullptr;
	bool mayBeEmpty = false; /* entered with no lane, perhaps */
	/* What a divergent or single way out leads to; from the latch of a loop that loses lanes, where to go when no lane is
	 * left. */
	llvm::BasicBlock *next = nullptr;
	/* What each successor becomes, when the branch is uniform. */
	llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> ways;
	/* Planned predecessors: (block, by its skip). Back edges are not among them. */
	llvm::SmallVector<std::pair<llvm::BasicBlock *, bool>, 4> before;
	/* Enters as the source has it, so that phis stay phis. */
	bool keepsEdges = false;
};

class LanePlan
{
      public:
	/* `mayLackLanes`: an iteration may have fewer work-items than lanes; the item loop's header then has a mask. */
	LanePlan(const ItemLoop &item, const LaneShapes &shapes, const llvm::LoopInfo &loops,
		 bool mayLackLanes);

	/* False when the flow cannot be made straight: then nothing else is known. */
	bool isValid() const
	{
		return valid;
	}
	const LaneNode &at(const llvm::BasicBlock *block) const
	{
		return nodes[shapes.indexOf(block)];
	}
	/* The outermost loop that the edge leaves, when it leaves one that loses lanes; or NULL. */
	const llvm::Loop *leaves(const llvm::BasicBlock *from, const llvm::BasicBlock *to) const;

      private:
	using Targets = llvm::SmallVector<llvm::BasicBlock *, 4>; /* in order, without repetition */

	void planBlock(LaneNode &node);
	void findMask(LaneNode &node);
	void findGuard(LaneNode &node);
	void planEdges(LaneNode &node);
	bool sharesMaskOfAll(const LaneNode &node) const;
	bool comesAfter(const LaneNode &node, const llvm::BasicBlock *other) const;
	bool isKnownNonEmpty(const LaneNode &node) const;
	bool wantsGuard(const LaneNode &node) const;
	llvm::BasicBlock *pass(LaneNode &from, bool skip, Targets targets);
	void add(Targets &targets, llvm::BasicBlock *block) const;
	unsigned meet(unsigned a, unsigned b) const;
	LaneNode &node(const llvm::BasicBlock *block)
	{
		return nodes[shapes.indexOf(block)];
	}

	const ItemLoop &item;
	const LaneShapes &shapes;
	const llvm::LoopInfo &loops;
	bool mayLackLanes;
	std::vector<LaneNode> nodes;
	std::vector<Targets> deferred;
	/* The dominator tree of the plan: each block is two places, 2 * index its start and one more its body. */
	std::vector<unsigned> parents, depths;
	bool valid = true;
};

/* Instructions past which a block is worth jumping over. */
constexpr unsigned guardSize = 10;
/* Where data decide for a few lanes, which the CPU does not foresee (runsByData): what it does in the time that it loses. */
constexpr unsigned dataGuardSize = 40;

} // namespace weft

#endif
