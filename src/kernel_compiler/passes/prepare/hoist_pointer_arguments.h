/* SPDX-License-Identifier: MIT
 *
 * hoist-pointer-arguments: what a function loads in a loop from its callers' private variables is loaded where the
 *   function begins.
 * Expects: functions that stay calls (inline-functions), in SSA form.
 * Ensures: what such a function reads in a loop, at a fixed place, of a caller's private variable is read where the
 *          function begins, if every caller passes a variable that holds the place and the function writes to no
 *          private memory but its own.
 * Keeps:   signatures, calls, control flow.
 * Why here: LLVM takes a store to global memory for one that may reach what a private pointer was passed for, so it
 *          would leave such a load in its loop with all that follows from it; and before LLVM's -O3, whose reassociation
 *          adds up what does not change in a loop only where it stands outside already.
 */
#ifndef WEFT_PASSES_HOIST_POINTER_ARGUMENTS_H
#define WEFT_PASSES_HOIST_POINTER_ARGUMENTS_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct HoistPointerArgumentsPass : llvm::PassInfoMixin<HoistPointerArgumentsPass> {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace weft

#endif
