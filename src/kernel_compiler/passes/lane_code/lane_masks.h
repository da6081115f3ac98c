/* SPDX-License-Identifier: MIT
 *
 * The masks of a widened body: which lanes run a block, and which lanes take an edge. A mask is a vector of i1 with an
 * element for each lane; NULL stands for all lanes. Blocks share masks as the plan says.
 */
#ifndef WEFT_PASSES_LANE_MASKS_H
#define WEFT_PASSES_LANE_MASKS_H

#include "lane_code/lane_values.h"

namespace weft
{

class LaneMasks
{
      public:
	LaneMasks(WideBody &body, LaneValues &values);

	/* Of a block whose own mask, or whose mask's owner's, is set. */
	llvm::Value *of(const llvm::BasicBlock *block) const;
	llvm::Value *ofCurrent() const
	{
		return of(body.current().block);
	}
	void set(const llvm::BasicBlock *block, llvm::Value *mask)
	{
		masks[block] = mark(mask);
	}
	/* The mask of a loop's header, a phi, which connectLoops completes. */
	void startLoop(const llvm::BasicBlock *header);
	/* Expects all blocks made. */
	void connectLoops();

	/* Whether the mask of the edge is used. */
	bool needsEdge(const llvm::BasicBlock *from, const llvm::BasicBlock *to) const;
	/* Makes the mask of an edge from the current block. `others`: the mask of the only other edge; NULL: there are
	 * more edges, or that mask is not made. Returns it. */
	llvm::Value *makeEdge(const llvm::BasicBlock *to, llvm::Value *others);
	llvm::Value *ofEdge(const llvm::BasicBlock *from, const llvm::BasicBlock *to) const
	{
		return edges.lookup({from, to});
	}

	llvm::Value *allLanes() const;
	/* The lanes below a number. */
	llvm::Value *lanesBelow(llvm::Value *count);
	/* A mask as one integer, a bit for each lane. */
	llvm::Value *bitsOf(llvm::Value *mask) const;
	/* The number of the first lane in the mask, an i64. */
	llvm::Value *firstLane(llvm::Value *mask) const;
	/* Of lanes' values: a lane that does not run gets that of the first one that does. NULL, no mask: as they are. */
	llvm::Value *ofRunning(llvm::Value *vector, llvm::Value *mask) const;
	/* Whether the mask has a lane. */
	llvm::Value *isAny(llvm::Value *mask);

	/* Remembers that a value is a mask, or a test of one, or else needed: where it is not computed, it is 0. Returns it. */
	llvm::Value *mark(llvm::Value *value)
	{
		marked.insert(value);
		return value;
	}
	bool isMarked(const llvm::Value *value) const
	{
		return marked.contains(value);
	}

      private:
	using Edge = std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>;

	llvm::Value *conditionOf(const llvm::BasicBlock *from, const llvm::BasicBlock *to);
	llvm::Value *caseCondition(const llvm::SwitchInst &choice, const llvm::BasicBlock *to);

	WideBody &body;
	LaneValues &values;
	llvm::IRBuilder<> &builder;
	llvm::DenseMap<const llvm::BasicBlock *, llvm::Value *> masks; /* by owner */
	llvm::DenseMap<Edge, llvm::Value *> edges;
	llvm::DenseMap<llvm::Value *, llvm::Value *> anyOf; /* by mask: isAny */
	llvm::DenseSet<const llvm::Value *> marked;
};

/* What the parts have in common that make code under masks. */
class LanePart
{
      public:
	LanePart(WideBody &theBody, LaneValues &theValues, LaneMasks &theMasks)
	    : body(theBody), values(theValues), masks(theMasks), shapes(theBody.shapes),
	      builder(theBody.builder), width(theBody.width)
	{
	}

      protected:
	WideBody &body;
	LaneValues &values;
	LaneMasks &masks;
	const LaneShapes &shapes;
	llvm::IRBuilder<> &builder;
	const unsigned width;
};

} // namespace weft

#endif
