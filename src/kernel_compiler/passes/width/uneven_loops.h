/* SPDX-License-Identifier: MIT
 *
 * Loops in which lanes wait for each other for long: each leaves after its own number of iterations, and what an iteration takes is
 * mostly gathers, which take as long for all lanes as the work-items would one after the other.
 */
#ifndef WEFT_PASSES_UNEVEN_LOOPS_H
#define WEFT_PASSES_UNEVEN_LOOPS_H

#include "costs/scattered_costs.h"
#include "lanes/lane_shapes.h"

#include <optional>

namespace weft
{

/* A vector of work-items takes `wide` cycles for each iteration that one of its lanes runs. Scalars would take `scalar` for each of
 * each lane, and `leaving` at the loop's end. */
struct UnevenLoop {
	const llvm::Loop *loop;
	unsigned wide, scalar, leaving;
};

/* Of an innermost loop that lanes leave at different times, if scalars may be faster: where lanes run half as many iterations in the mean
 * as the one that runs most. */
std::optional<UnevenLoop> unevenTimes(const llvm::Loop &loop, const LaneShapes &shapes,
				      const ScatteredCosts &costs);

/* Of the only innermost loop of a short body. */
std::optional<UnevenLoop> findUnevenLoop(const LaneShapes &shapes, const llvm::LoopInfo &loops,
					 const ScatteredCosts &costs);

} // namespace weft

#endif
