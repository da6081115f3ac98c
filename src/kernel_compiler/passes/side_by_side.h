/* SPDX-License-Identifier: MIT
 *
 * How many vectors of work-items a loop over waves had better compute side by side: enough that the CPU need not wait for
 * results, and no more than its registers hold.
 */
#ifndef WEFT_PASSES_SIDE_BY_SIDE_H
#define WEFT_PASSES_SIDE_BY_SIDE_H

#include "choose_width.h"
#include "lane_shapes.h"
#include "scattered_costs.h"

namespace weft
{

/* 1 for none but the one; or 2, 4 or 8. The CPU's own reordering runs short waves side by side, but not two rounds of an
 * inner loop, or two halves of a long body. */
unsigned vectorsSideBySide(const LaneShapes &shapes, const llvm::LoopInfo &loops,
			   VectorRegisters registers, const ScatteredCosts &costs);

/* Whether two work-items had better run side by side as scalars, where vectors do not pay: in an inner loop that all
 * lanes run alike, whose slowest chain of operations takes the cycles of all operations of two. */
bool scalarsPaySideBySide(const LaneShapes &shapes, const llvm::LoopInfo &loops);

} // namespace weft

#endif
