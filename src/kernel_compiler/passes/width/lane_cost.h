/* SPDX-License-Identifier: MIT
 *
 * Whether widening an item loop pays: what its instructions cost once for all lanes, compared with what they cost for each
 * work-item.
 */
#ifndef WEFT_PASSES_LANE_COST_H
#define WEFT_PASSES_LANE_COST_H

#include "accesses/wide_accesses.h"
#include "functions/internal_functions.h"

namespace weft
{

/* How often code in the innermost loop is taken to run: each loop around it, up to the one outside, counts for ten
 * iterations. `outside` NULL: all loops. */
uint64_t iterationsOf(const llvm::Loop *innermost, const llvm::Loop *outside);

/* Of all lanes, as a vector and one after the other. */
struct BodyCosts {
	uint64_t wide = 0, scalar = 0;

	bool gains() const
	{
		return wide < scalar;
	}
};

/* Rough costs, with such iterations; they go to the log (tests/bench/shapes/costs.py compares them with times). */
BodyCosts bodyCosts(const LaneShapes &shapes, const WideAccesses &accesses,
		    const llvm::LoopInfo &loops, unsigned width);

/* What one row of work-items uses that should stay in the cache for the next one: what a loop reads that all rows read, or else lines of
 * which lanes that are apart access a part. */
RowSharing sharingOfRows(const ItemLoop &item, const LaneShapes &shapes,
			 const llvm::LoopInfo &loops);

} // namespace weft

#endif
