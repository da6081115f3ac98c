/* SPDX-License-Identifier: MIT
 *
 * Updates in which each lane has a place of its own, such as the sums of a group's counters (`sums[l] += counts[l]`).
 */
#ifndef WEFT_PASSES_NEIGHBOUR_UPDATES_H
#define WEFT_PASSES_NEIGHBOUR_UPDATES_H

#include "lanes/lane_shapes.h"

#include <llvm/IR/Dominators.h>

namespace weft
{

/* Atomic updates of memory that no other thread reaches (isOwnUpdate) become a load, the operation and a store, if the places of
 * so many neighbours differ. Then lanes do not meet, and there are vectors of them. Not for sub-groups, whose lanes may be
 * of several rows. */
void lowerNeighbourUpdates(llvm::ArrayRef<ItemLoop> items, const llvm::LoopInfo &loops,
			   const llvm::DominatorTree &dominators, unsigned width);

/* Whether the places of these updates differ between more lanes, too: where a vector holds several rows, lanes of two rows may meet. */
bool keepsUpdatesApart(const LaneShapes &shapes);

} // namespace weft

#endif
