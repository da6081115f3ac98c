/* SPDX-License-Identifier: MIT
 *
 * How many of a region's work-items have anything to do. In a tree reduction, `if (id < s) part[id] += part[id + s]`
 * between two barriers, those from s on have not; in `if (id == last)` all others.
 */
#ifndef WEFT_PASSES_ITEM_BOUNDS_H
#define WEFT_PASSES_ITEM_BOUNDS_H

#include "ir/item_loops.h"

#include <llvm/IR/PassManager.h>

namespace weft
{

/* Ends the loop after the last work-item that does more than what is the same for all, rounded up to `width`, where that is
 * known before the loop; and, if `beginsLater`, begins it with the first such work-item, rounded down. `width` work-items
 * always run.
 * Changes `item`, the loop's phi and its test, no blocks. */
void boundItems(ItemLoop &item, const llvm::LoopInfo &loops, unsigned width, bool beginsLater);

/* Where a first branch keeps work-items from some id on from doing anything, the loop ends before them, and the branch is
 * one that all take. It is jumped over if there are none. Keeps `dominators` and `loops`. */
void cutItems(ItemLoop &item, llvm::DominatorTree &dominators, llvm::LoopInfo &loops);

/* Loops of single work-items, which vectors of the source fill, end with the last one that has something to do, too. */
void boundScalarLoops(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

} // namespace weft

#endif
