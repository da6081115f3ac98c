/* SPDX-License-Identifier: MIT
 *
 * choose-inlining
 * Expects: a call graph without cycles (check-calls).
 * Ensures: every function either carries `alwaysinline`, and the LLVM pass that follows inlines it, or
 *          `noinline`: it is large, called from several places, and reaches no barrier, no local variable,
 *          no work-item function and no printf, and its variables are small. A kernel that stays too large
 *          because of barriers is reported as an error.
 * Keeps:   code.
 * Why here: flat kernels are what uniformity, fission and widening are about; the budget keeps a chain of
 *          functions that each call the next one twice from doubling at every step.
 */
#ifndef WEFT_PASSES_CHOOSE_INLINING_H
#define WEFT_PASSES_CHOOSE_INLINING_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct ChooseInliningPass : llvm::PassInfoMixin<ChooseInliningPass> {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
	static bool isRequired()
	{
		return true;
	}
};

} // namespace weft

#endif
