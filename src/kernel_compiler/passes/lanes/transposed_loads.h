/* SPDX-License-Identifier: MIT
 *
 * Walks: loads of an inner loop whose address grows by the load's own size from round to round, in each lane from
 * somewhere else, such as a[row * n + k] with a row for each lane. Alone each would be a gather from as many places as
 * there are lanes, in every round; and rows that lie a power of two apart throw each other out of the cache between two
 * of them. Instead the elements of several rounds are loaded at once, a vector for each lane, and turned into a vector
 * for each round, in a window from which the rounds take them.
 *
 * Nothing is loaded but what the rounds will: how many there are is known before the first, they load in all of them,
 * and nothing in the loop writes to what they load.
 */
#ifndef WEFT_PASSES_TRANSPOSED_LOADS_H
#define WEFT_PASSES_TRANSPOSED_LOADS_H

#include "ir/scattered_costs.h"
#include "lanes/lane_shapes.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/TargetLibraryInfo.h>

namespace weft
{

struct Walk {
	llvm::LoadInst *load;
	const llvm::Loop *loop;
	llvm::Value *start;   /* its address in the first round; is in the loop's preheader */
	llvm::PHINode *round; /* an i64 from 0 */
	unsigned
		together; /* rounds whose elements are loaded at once, a power of two; at most the lanes */
	llvm::Value *
		whole; /* a multiple of that: so many rounds make the load, and fewer than it do after them; an i64 */
};

using Walks = llvm::SmallVector<Walk, 2>;

/* What finding them takes. */
struct WalkSearch {
	const ItemLoop &item;
	llvm::LoopInfo &loops;
	llvm::DominatorTree &dominators;
	llvm::AAResults &aliases;
	llvm::TargetLibraryInfo &library;
	llvm::AssumptionCache &assumptions;
	unsigned width, registerBits;
};

/* The walks of an item loop's inner loops. Adds to the loops what a walk has; nothing uses it yet. */
Walks findWalks(const WalkSearch &search);

/* Those of an item loop that are made as walks, in waves of these shapes. */
class WalkedLoads
{
      public:
	WalkedLoads(const Walks &walks, const LaneShapes &shapes);

	/* NULL for a load that is none. */
	const Walk *of(const llvm::LoadInst &load) const
	{
		return list.lookup(&load);
	}

      private:
	llvm::DenseMap<const llvm::LoadInst *, const Walk *> list;
};

/* The cost of one round's load, in half cycles (lane_cost.h). */
uint64_t walkCost(const Walk &walk, const ScatteredCosts &costs, unsigned width);

} // namespace weft

#endif
