/* SPDX-License-Identifier: MIT
 *
 * prefetch-scatters: the cache lines that a scatter of a large launch writes to are fetched all at once.
 * Expects: optimised entry points, whose scatters still are calls; for an x86 CPU.
 * Ensures: before a scatter to global memory, to places that no constant distance parts, is a prefetch for each lane, which runs where the
 *          launch's work-items store more than a core's nearest cache holds.
 * Keeps:   what is computed. A prefetch of any address is allowed. The decision concerns time only.
 * Why here: a scatter is stored lane by lane, and stores leave the CPU in order: few of their misses are under way at once, where
 *          prefetches fill all the places that there are for misses. LLVM's passes would move stores and addresses past them.
 */
#ifndef WEFT_PASSES_PREFETCH_SCATTERS_H
#define WEFT_PASSES_PREFETCH_SCATTERS_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct PrefetchScattersPass : llvm::PassInfoMixin<PrefetchScattersPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
