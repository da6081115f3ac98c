/* SPDX-License-Identifier: MIT
 *
 * Whether widening an item loop pays: what its instructions cost once for all lanes, beside what they cost for each
 * work-item.
 */
#ifndef WEFT_PASSES_LANE_COST_H
#define WEFT_PASSES_LANE_COST_H

#include "lane_shapes.h"

namespace weft
{

/* By rough costs in scalar operations, each inner loop counting for ten rounds. */
bool widensWithGain(const LaneShapes &shapes, const llvm::LoopInfo &loops, unsigned width);

} // namespace weft

#endif
