/* SPDX-License-Identifier: MIT
 *
 * hoist-item-loads: what all work-items load from one place, or do alike in a loop, before they write is done once, before their loop.
 * Expects: item loops (work-item-loops), in the forms that collapse-dimensions leaves.
 * Ensures: a load of shared memory from a place that does not depend on the work-item along x, which comes before all that a
 *          work-item writes beside its own variables, stands before the item loop: another work-item that wrote there would be
 *          a data race. A load behind a first branch that lets pass the work-items up to some id is made if there is such a one. A
 *          loop that loads from such places alone, and takes nothing else from the work-item, is moved alike.
 * Keeps:   the item loops' form.
 * Why here: LLVM does not know that work-items leave each other's memory alone, and would load again after each store; so would
 *          a vector iteration. What is computed from such loads LLVM moves out of the loop then.
 */
#ifndef WEFT_PASSES_HOIST_ITEM_LOADS_H
#define WEFT_PASSES_HOIST_ITEM_LOADS_H

#include "ir/required_pass.h"

namespace weft
{

struct HoistItemLoadsPass : llvm::PassInfoMixin<HoistItemLoadsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
