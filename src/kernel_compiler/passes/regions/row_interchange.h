/* SPDX-License-Identifier: MIT
 *
 * Loops that take x from the work-item and not y: they are run once for all rows, and the loop over rows stands behind them.
 */
#ifndef WEFT_PASSES_ROW_INTERCHANGE_H
#define WEFT_PASSES_ROW_INTERCHANGE_H

#include "ir/item_loops.h"

#include <llvm/Analysis/PostDominators.h>

#include <optional>

namespace weft
{

/* A region whose work-items along y do the same up to an instruction. */
struct SharedColumns {
	ItemLoop item;
	ItemNest nest;
	llvm::Instruction *start; /* of what each row does by itself; no loop is behind it */
	llvm::SmallVector<llvm::Instruction *, 8>
		late; /* before it, but computed from y; in order */
};

/* Nothing, if no loop would be shared, or too short ones. */
std::optional<SharedColumns> findSharedColumns(const ItemLoop &item, const llvm::LoopInfo &loops,
					       const llvm::PostDominatorTree &ends);

/* Adds a nest in which x goes around y. It runs where there are at least so many items along x and along y. */
void interchangeRows(const SharedColumns &shared, unsigned leastAlongX, unsigned leastAlongY);

} // namespace weft

#endif
