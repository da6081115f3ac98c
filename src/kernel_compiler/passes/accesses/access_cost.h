/* SPDX-License-Identifier: MIT
 *
 * What an access to memory costs when it is made for all lanes, by how its address differs between them.
 */
#ifndef WEFT_PASSES_ACCESS_COST_H
#define WEFT_PASSES_ACCESS_COST_H

#include "costs/scattered_costs.h"
#include "lanes/lane_shapes.h"

namespace weft
{

/* Of what is done lane by lane: there and back. */
constexpr uint64_t laneCost = 6;

/* Of an access that is made alone, in vector operations. */
uint64_t accessCost(const llvm::Instruction &access, const LaneShapes &shapes,
		    const ScatteredCosts &costs, unsigned width);

} // namespace weft

#endif
