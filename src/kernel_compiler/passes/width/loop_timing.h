/* SPDX-License-Identifier: MIT
 *
 * The time that a CPU takes for an iteration of an innermost loop, by all its operations, and by the critical path from
 * iteration to iteration; and for a vector iteration of an item loop without inner loops.
 */
#ifndef WEFT_PASSES_LOOP_TIMING_H
#define WEFT_PASSES_LOOP_TIMING_H

#include "costs/scattered_costs.h"
#include "lanes/lane_shapes.h"

namespace weft
{

struct Timing {
	/* Cycles until the result of an operation is there; of an iteration, those of its critical path. */
	unsigned latency;
	/* Cycles in which the operation keeps one unit busy; of an iteration, those of all operations. */
	unsigned operations;
	/* Those of them that are for two units alike: of a vector iteration, its arithmetic but for divisions; of scalars, that of
	 * floating point. */
	unsigned paired;
};

/* The innermost loops within an item loop's body. */
llvm::SmallVector<const llvm::Loop *> innermostLoops(const LaneShapes &shapes,
						     const llvm::LoopInfo &loops);

/* An iteration of an inner loop for all lanes at once, on one vector unit. */
Timing wideIterationOf(const llvm::Loop &loop, const LaneShapes &shapes,
		       const ScatteredCosts &costs);

/* An iteration of the widened item loop. Expects no inner loops. */
Timing vectorIterationOf(const LaneShapes &shapes, const ScatteredCosts &costs);

/* An iteration of an inner loop for one work-item, as scalars. */
Timing scalarIterationOf(const llvm::Loop &loop, const LaneShapes &shapes);

} // namespace weft

#endif
