/* SPDX-License-Identifier: MIT
 *
 * How many vectors of work-items an iteration of a widened loop computes at once, interleaved: enough that the CPU need not
 * wait for results, and no more than its registers hold.
 */
#ifndef WEFT_PASSES_INTERLEAVE_COUNT_H
#define WEFT_PASSES_INTERLEAVE_COUNT_H

#include "costs/scattered_costs.h"
#include "costs/vector_registers.h"
#include "lanes/lane_shapes.h"

#include <llvm/Analysis/ScalarEvolution.h>

namespace weft
{

/* What decides it. */
struct InterleaveContext {
	const llvm::LoopInfo &loops;
	llvm::ScalarEvolution &evolution; /* knows how many iterations loops have */
	VectorRegisters registers;
	const ScatteredCosts &costs;
};

/* 1, 2, 4, 8 or 16. The CPU's own reordering overlaps short vector iterations, with all iterations of inner loops that have few,
 * unless their critical path is long; but not two iterations of a long inner loop, or two halves of a long body. Vectors of
 * several rows gain by what the rows share, however short the body is: where a loop reads the same for all rows, as many rows as
 * registers hold. So do vectors of a row by what its work-items compute alike. */
unsigned interleaveCount(const ItemLoop &item, const LaneShapes &shapes,
			 const InterleaveContext &with);

/* Whether two work-items should run interleaved as scalars, where vectors do not pay: in an inner loop that all lanes run
 * alike, whose critical path takes as many cycles as all operations of two iterations. Vectors of the source would be taken
 * apart. */
bool interleavedScalarsPay(const LaneShapes &shapes, const llvm::LoopInfo &loops);

} // namespace weft

#endif
