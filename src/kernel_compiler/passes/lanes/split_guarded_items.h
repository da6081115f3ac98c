/* SPDX-License-Identifier: MIT
 *
 * split-guarded-items: whole vectors of work-items that a guard lets pass get an item loop of their own, without the guard.
 * Expects: item loops (work-item-loops), the kernel's number of lanes.
 * Ensures: where the first branch of an item loop lets pass the work-items up to some id, `if (id < n)`, and others do nothing at
 *          all, a copy of the loop without the branch runs those before the last multiple of eight vectors within the limit; the loop
 *          runs the rest. No values go from one to the other.
 * Keeps:   the item loops' form.
 * Why here: LLVM has simplified what is copied, and hoist-item-loads has moved what both loops would load. Behind widen-loops the
 *          guard is a mask, with which each access asks whether all lanes run.
 */
#ifndef WEFT_PASSES_SPLIT_GUARDED_ITEMS_H
#define WEFT_PASSES_SPLIT_GUARDED_ITEMS_H

#include "ir/required_pass.h"

namespace weft
{

struct SplitGuardedItemsPass : llvm::PassInfoMixin<SplitGuardedItemsPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
