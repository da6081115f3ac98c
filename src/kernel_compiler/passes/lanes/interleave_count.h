/* SPDX-License-Identifier: MIT
 *
 * How many vectors of work-items a loop over waves had better compute side by side: enough that the CPU need not wait for
 * results, and no more than its registers hold.
 */
#ifndef WEFT_PASSES_INTERLEAVE_COUNT_H
#define WEFT_PASSES_INTERLEAVE_COUNT_H

#include "ir/scattered_costs.h"
#include "lanes/lane_shapes.h"
#include "lanes/vector_registers.h"

#include <llvm/Analysis/ScalarEvolution.h>

namespace weft
{

/* What that is told by. */
struct InterleaveContext {
	const llvm::LoopInfo &loops;
	llvm::ScalarEvolution &rounds;
	VectorRegisters registers;
	const ScatteredCosts &costs;
};

/* 1 for none but the one; or 2, 4 or 8. The CPU's own reordering runs short waves side by side, with all rounds of loops
 * that have few, unless they are one long chain of operations; but not two rounds of a long inner loop, or two halves of
 * a long body. Waves of several rows are the better for what these share, however short they are. */
unsigned interleaveCount(const ItemLoop &item, const LaneShapes &shapes,
			 const InterleaveContext &with);

/* Whether two work-items had better run side by side as scalars, where vectors do not pay: in an inner loop that all
 * lanes run alike, whose slowest chain of operations takes the cycles of all operations of two. */
bool scalarsPaySideBySide(const LaneShapes &shapes, const llvm::LoopInfo &loops);

} // namespace weft

#endif
