/* SPDX-License-Identifier: MIT
 *
 * Loops that lanes leave at different times. For each edge on which some lanes leave a loop while others stay, variables
 * hold the lanes that have left by it, and what these lanes had in values that are used behind the edge. The variables
 * become SSA values at the end.
 */
#ifndef WEFT_PASSES_LOOP_EXITS_H
#define WEFT_PASSES_LOOP_EXITS_H

#include "lane_code/lane_masks.h"

#include <llvm/ADT/MapVector.h>

namespace weft
{

class LoopExits : public LanePart
{
      public:
	using LanePart::LanePart;

	/* Finds the edges and makes their variables. Comes first. */
	void find();
	bool has(const llvm::BasicBlock *from, const llvm::BasicBlock *to) const
	{
		return exits.contains({from, to});
	}
	/* Iterations of a loop are to be counted. Comes before code is made. */
	void countRounds(const llvm::Loop &loop);
	/* Of what runs behind the body: how often an iteration was run, by some lane; and how often, by all lanes together. */
	llvm::Value *rounds() const;
	llvm::Value *laneRounds() const;
	/* At the start of a loop's iteration: no lane has left the loops within it. */
	void startIteration(const llvm::Loop &loop);
	/* Lanes of the current block leave by the edge. `mask`: those that do. */
	void leave(llvm::Value *mask, const llvm::BasicBlock *to);
	/* The lanes that have left by the edge. */
	llvm::Value *leftBy(const llvm::BasicBlock *from, const llvm::BasicBlock *to) const;
	/* The variable that holds what the lanes had; NULL for a value from outside the loop, or an edge of no exit. */
	llvm::AllocaInst *keptValue(const llvm::BasicBlock *from, const llvm::BasicBlock *to,
				    llvm::Value *value) const;
	/* Names all variables. */
	void addVariables(llvm::SmallVectorImpl<llvm::AllocaInst *> &variables) const;

      private:
	using Edge = std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>;

	struct Exit {
		const llvm::Loop *outermost = nullptr; /* of the loops that the edge leaves */
		llvm::AllocaInst *left = nullptr;      /* the lanes that have taken it */
		llvm::MapVector<llvm::Value *, llvm::AllocaInst *>
			kept; /* by value of the source */
	};

	void countRound(const llvm::Loop &loop);

	llvm::MapVector<Edge, Exit> exits;
	const llvm::Loop *counted = nullptr;
	llvm::AllocaInst *ofLoop = nullptr, *ofLanes = nullptr; /* rounds, i32 */
};

} // namespace weft

#endif
