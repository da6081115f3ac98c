/* SPDX-License-Identifier: MIT
 *
 * interchange-items: work-items whose ids are places in a plane, row `i / n` and column `i % n`, run from row to row, or in tiles.
 * Expects: a kernel in the form of one work-item, groups coalesced, barriers still to be seen; swap-dimensions has said for which kernels
 *          rows suit vectors much better.
 * Ensures: the kernel has a second version, for runs of groups that have several rows. It goes through the columns; the work-items of a column
 *          follow each other from row to row. Each column begins with a barrier, so that split-at-barriers makes a region of it. There a column is
 *          the same for all work-items, and their rows are neighbours. Or, where rows suit vectors no better, the whole rows of a run
 *          go tile by tile (plane_tiles.h), and what is before and behind them as ever.
 * Keeps:   what each work-item does. In what order they run does not show.
 * Why here: behind coalesce-work-groups, which leaves kernels with barriers alone, before the kernel is split at barriers.
 */
#ifndef WEFT_PASSES_INTERCHANGE_ITEMS_H
#define WEFT_PASSES_INTERCHANGE_ITEMS_H

#include "ir/required_pass.h"

namespace weft
{

struct InterchangeItemsPass : llvm::PassInfoMixin<InterchangeItemsPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
