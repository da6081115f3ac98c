/* SPDX-License-Identifier: MIT
 *
 * share-full-masks: gathers and scatters of all lanes copy one mask.
 * Expects: a function for an x86 CPU with AVX-512, after LLVM's optimisations and all passes that look at masks.
 * Ensures: the mask of each gather and scatter of all lanes that is one instruction, or several, is what the entry block computes.
 * Keeps:   what is computed.
 * Why here: these instructions clear their mask, so that each needs a new one. LLVM sets it by kxnor of k0 with itself. The CPU waits for the
 *          last instruction that wrote k0, on Zen 5 at least: where that is a comparison of what an earlier gather loaded, gathers follow one
 *          another instead of running at once. A copy of a mask that no loop writes waits for nothing.
 */
#ifndef WEFT_PASSES_SHARE_FULL_MASKS_H
#define WEFT_PASSES_SHARE_FULL_MASKS_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct ShareFullMasksPass : llvm::PassInfoMixin<ShareFullMasksPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
