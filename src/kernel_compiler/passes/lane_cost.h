/* SPDX-License-Identifier: MIT
 *
 * Whether widening an item loop pays: what its instructions cost once for all lanes, beside what they cost for each
 * work-item; and whether two vectors side by side pay more.
 */
#ifndef WEFT_PASSES_LANE_COST_H
#define WEFT_PASSES_LANE_COST_H

#include "access_groups.h"

namespace weft
{

/* A CPU's vector registers. */
struct VectorRegisters {
	unsigned count, bits;
};

/* Whether an item loop would gain from twice as many lanes. The CPU's own reordering runs short waves side by side,
 * but not two rounds of an inner loop, or two halves of a long body. */
bool interleaves(const LaneShapes &shapes, const llvm::LoopInfo &loops, unsigned width,
		 VectorRegisters registers);

/* By rough costs, each inner loop counting for ten rounds. */
bool widensWithGain(const LaneShapes &shapes, const AccessGroups &groups,
		    const llvm::LoopInfo &loops, unsigned width);

/* Of an access that is made alone, in vector operations. */
uint64_t accessCost(const llvm::Instruction &access, const LaneShapes &shapes, unsigned width);

/* Of one that reaches a place of its own for each lane: elements of `size` bytes. */
uint64_t scatteredCost(bool isStore, int64_t size, unsigned width);

} // namespace weft

#endif
