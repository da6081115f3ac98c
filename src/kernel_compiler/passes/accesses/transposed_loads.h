/* SPDX-License-Identifier: MIT
 *
 * Transposed loads: loads of an inner loop whose address grows by the load's own size from iteration to iteration, in each
 * lane from another start, such as a[row * n + k] with a row for each lane. Made by itself each would be a gather from as
 * many places as there are lanes, in every iteration; and rows that lie a power of two apart evict each other from the
 * cache between two iterations. Instead the elements of several iterations are loaded at once, a vector for each lane, and
 * transposed to a vector for each iteration, which waits in a window for its iteration. Of bytes and shorts 4 or 8 bytes are
 * loaded as one number for each lane, wherever they lie.
 *
 * Nothing is loaded but what the iterations will load: their number is known before the first, the load runs in all of
 * them, and nothing in the loop writes to what is loaded.
 */
#ifndef WEFT_PASSES_TRANSPOSED_LOADS_H
#define WEFT_PASSES_TRANSPOSED_LOADS_H

#include "costs/scattered_costs.h"
#include "lanes/lane_shapes.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>

namespace weft
{

/* Iterations: two shuffles for each. */
constexpr unsigned leastTogether = 4;

/* A load that can be transposed, if its lanes are far enough apart. */
struct TransposableLoad {
	llvm::LoadInst *load;
	const llvm::Loop *loop;
	llvm::Value *start; /* its address in the first iteration; is in the loop's preheader */
	llvm::PHINode *iteration; /* an i64 that counts from 0 */
	/* Iterations whose elements are loaded at once: a power of two, at most the number of lanes, or as many as 8 bytes hold. */
	unsigned together;
	/* The iterations in which the load runs, rounded down to a multiple of `together`, and to one of `leastTogether`, which are
	 * loaded at once behind the others. Those after them gather. Both are i64. */
	llvm::Value *whole, *most;
};

using TransposableLoads = llvm::SmallVector<TransposableLoad, 2>;

/* What finding them takes. */
struct TransposableLoadSearch {
	const ItemLoop &item;
	llvm::LoopInfo &loops;
	llvm::DominatorTree &dominators;
	llvm::AAResults &aliases;
	llvm::TargetLibraryInfo &library;
	llvm::AssumptionCache &assumptions;
	const llvm::TargetTransformInfo &target;
	unsigned width, registerBits;
};

/* In an item loop's inner loops. Adds to the loops the values that a transposed load needs; nothing uses them yet. */
TransposableLoads findTransposableLoads(const TransposableLoadSearch &search);

/* Of these, the loads that are transposed in vectors of given shapes. */
class TransposedLoads
{
      public:
	TransposedLoads(const TransposableLoads &candidates, const LaneShapes &shapes);

	/* NULL for a load that is not transposed. */
	const TransposableLoad *of(const llvm::LoadInst &load) const
	{
		return list.lookup(&load);
	}

      private:
	llvm::DenseMap<const llvm::LoadInst *, const TransposableLoad *> list;
};

/* The cost of one iteration's load, in half cycles (lane_cost.h). */
uint64_t transposedLoadCost(const TransposableLoad &candidate, const ScatteredCosts &costs,
			    unsigned width);

} // namespace weft

#endif
