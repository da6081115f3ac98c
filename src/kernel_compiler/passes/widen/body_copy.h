/* SPDX-License-Identifier: MIT
 *
 * A widened copy of a loop's body, from its plan to its code: for item loops and for the elements of vectors.
 */
#ifndef WEFT_PASSES_BODY_COPY_H
#define WEFT_PASSES_BODY_COPY_H

#include "costs/vector_registers.h"
#include "widen/loop_widener.h"
#include "width/lane_cost.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>

#include <memory>
#include <optional>

namespace weft
{

/* What LLVM knows of the function and the CPU. Valid as long as the function does not change. */
struct WideningTarget {
	llvm::LoopInfo &loops;
	llvm::DominatorTree &dominators;
	llvm::AAResults &aliases;
	const llvm::TargetTransformInfo &costs;
	llvm::TargetLibraryInfo &library;
	llvm::AssumptionCache &assumptions;
	VectorRegisters registers;
	ScatteredCosts scattered;

	WideningTarget(llvm::Function &function, llvm::LoopInfo &loops,
		       llvm::DominatorTree &dominators, llvm::FunctionAnalysisManager &analyses);
};

/* What a kernel's work-groups are known to be. */
struct GroupKind {
	bool mayHaveRows = true; /* rows that whole vectors fill, or one row alone */
	bool mayBeLinear = true; /* rows that end within a vector */

	GroupKind(const llvm::Function &kernel, unsigned width);
};

/* A widened copy of an item loop's body, for some of its work-items. */
struct BodyCopy {
	std::unique_ptr<WideAccesses> accesses;
	std::unique_ptr<LanePlan> plan;
	std::unique_ptr<LoopWidener> widener;

	/* `mayLackLanes`: there may be fewer work-items than lanes. */
	bool make(ItemLoop &item, const LaneShapes &shapes, const TransposableLoads &loads,
		  const WideningTarget &target, bool mayLackLanes, WideVariables &variables);
};

/* Of an item loop that whole vectors run; nothing where results would change, where vectors hold several rows, or cycles are counted. */
std::optional<RepeatedItems> findRepeatedItems(const ItemLoop &item, const BodyCosts &costs,
					       const WideningTarget &target, unsigned width);

} // namespace weft

#endif
