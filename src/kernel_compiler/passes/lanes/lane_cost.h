/* SPDX-License-Identifier: MIT
 *
 * Whether widening an item loop pays: what its instructions cost once for all lanes, beside what they cost for each
 * work-item; and whether two vectors side by side pay more.
 */
#ifndef WEFT_PASSES_LANE_COST_H
#define WEFT_PASSES_LANE_COST_H

#include "lanes/wide_accesses.h"

namespace weft
{

/* How often code in the innermost loop is taken to run, each loop around it counting for ten rounds, up to the one
 * outside; NULL: all of them. */
uint64_t roundsOf(const llvm::Loop *innermost, const llvm::Loop *outside);

/* By rough costs, with such rounds. */
bool widensWithGain(const LaneShapes &shapes, const WideAccesses &accesses,
		    const llvm::LoopInfo &loops, unsigned width);

/* Whether what one row of work-items uses is more than what lies side by side for them, so that the next row may well
 * use the same: in loops, and where lanes' accesses lie apart. */
bool sharesRows(const ItemLoop &item, const LaneShapes &shapes, const llvm::LoopInfo &loops);

} // namespace weft

#endif
