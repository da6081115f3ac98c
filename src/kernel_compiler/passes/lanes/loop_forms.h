/* SPDX-License-Identifier: MIT
 *
 * The form that the analyses of item loops need: every loop has one entry, a preheader, one latch that does nothing but go
 * back, and exits that belong to no other loop, which values leave by phis.
 */
#ifndef WEFT_PASSES_LOOP_FORMS_H
#define WEFT_PASSES_LOOP_FORMS_H

#include "ir/item_loops.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/PassManager.h>

namespace weft
{

/* Gives loops one entry each, removes ways that are never taken, and writes sums and extended indices as such. */
void straightenLoops(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

/* The item loops that can be looked at, the loops within brought into that form; those past the budget are not among
 * them. Expects the function straightened. */
llvm::SmallVector<ItemLoop, 4>
prepareItemLoops(llvm::Function &function, llvm::DominatorTree &dominators, llvm::LoopInfo &loops);

} // namespace weft

#endif
