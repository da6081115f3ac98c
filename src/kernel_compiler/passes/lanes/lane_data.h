/* SPDX-License-Identifier: MIT
 *
 * Conditions by data: what lanes have read decides which way each goes, which no CPU foresees. A condition on ids mostly holds
 * in all lanes, or in none.
 */
#ifndef WEFT_PASSES_LANE_DATA_H
#define WEFT_PASSES_LANE_DATA_H

#include "lanes/lane_shapes.h"

namespace weft
{

/* Whether a value depends on what lanes load from places of their own, or on the results of calls. */
bool dependsOnData(const llvm::Value &value, const LaneShapes &shapes);

/* Whether so few lanes run the block, or not, by their data that all, some or none of them do equally often, as far as
 * the source does not say what is rare. Then a branch on its mask costs more than it spares. */
bool runsByData(const llvm::BasicBlock &block, const LaneShapes &shapes);

} // namespace weft

#endif
