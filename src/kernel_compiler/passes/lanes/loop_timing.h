/* SPDX-License-Identifier: MIT
 *
 * What a round of an innermost loop takes a CPU: by all its operations, and by the chain of them that waits for the round
 * before. And what a wave without inner loops takes.
 */
#ifndef WEFT_PASSES_LOOP_TIMING_H
#define WEFT_PASSES_LOOP_TIMING_H

#include "ir/scattered_costs.h"
#include "lanes/lane_shapes.h"

namespace weft
{

/* Of one operation: after so many cycles its result is there, and meanwhile one unit could begin so many of them. Of a
 * round: the cycles of its slowest chain, and all operations. */
struct Timing {
	unsigned latency, operations;
};

/* Of all lanes at once, on one vector unit. */
Timing wideRoundOf(const llvm::Loop &loop, const LaneShapes &shapes, const ScatteredCosts &costs);

/* Of a wave without inner loops, its slowest chain from wherever it begins. */
Timing wideWaveOf(const LaneShapes &shapes, const ScatteredCosts &costs);

/* Of one work-item, as scalars. */
Timing scalarRoundOf(const llvm::Loop &loop, const LaneShapes &shapes);

} // namespace weft

#endif
