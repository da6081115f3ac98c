/* SPDX-License-Identifier: MIT
 *
 * collapse-dimensions: adds loops over the work-items of several rows.
 * Expects: a kernel that executes one work-group, its item loops marked (work-item-loops), and the attribute
 *          weft-vector-width (choose-width); weft-coalesced-groups (coalesce-work-groups).
 * Ensures: where groups are no wider than the vectors along x, so that a row does not fill several, and the kernel asks
 *          for ids along y, there are item loops over all rows of a slice: i is the item, x = i & (row - 1),
 *          y = i / row. One runs when the group is as wide along x as the rows that it knows: the required size, else
 *          half the width or the width. Where a loop reads the same in all rows, groups that are coalesced are collapsed too, and
 *          those of several vectors along x: in strips of the width, if there are four rows or more.
 *          Where loops take x and not y, and all behind them is short, coalesced groups of four rows or more get a nest in which
 *          such loops are run once for all rows (row_interchange.h) instead.
 * Keeps:   what the kernel computes.
 * Why here: widen-loops finds a loop that is long enough, and knows from x and y what lies in rows.
 */
#ifndef WEFT_PASSES_COLLAPSE_DIMENSIONS_H
#define WEFT_PASSES_COLLAPSE_DIMENSIONS_H

#include "ir/required_pass.h"

namespace weft
{

struct CollapseDimensionsPass : llvm::PassInfoMixin<CollapseDimensionsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
