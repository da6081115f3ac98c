/* SPDX-License-Identifier: MIT
 *
 * inline-functions: inlines what kernels call, within a budget.
 * Expects: a call graph without cycles but those of functions that are bounded (bound-recursion).
 * Ensures: what a kernel calls is inlined in it, and in each function that stays one (inlining_plan.h), which is then
 *          `noinline`; or calls share one inlined body (shared_bodies.h). With `keepsElements` element
 *          functions (element_functions.h) and the scalar functions in them stay calls, where the attribute weft-element-calls says
 *          so. A kernel that stays too large is an error, and so are large variables
 *          of functions that may call themselves.
 * Keeps:   functions that run once for the group, which work-item-loops wants as calls; functions without uses.
 * Why here: flat kernels are what uniformity, regions and widening are about. LLVM's always-inliner goes through a
 *          module's functions in their order, and copies a chain of n functions n times.
 */
#ifndef WEFT_PASSES_INLINE_FUNCTIONS_H
#define WEFT_PASSES_INLINE_FUNCTIONS_H

#include "ir/required_pass.h"

namespace weft
{

struct InlineFunctionsPass : llvm::PassInfoMixin<InlineFunctionsPass>, RequiredPass {
	explicit InlineFunctionsPass(bool theKeepsElements = true) : keepsElements(theKeepsElements)
	{
	}
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);

      private:
	bool keepsElements;
};

} // namespace weft

#endif
