/* SPDX-License-Identifier: MIT
 *
 * part-merged-loads: a load behind a branch, at an address that each way has made, becomes a load in each way.
 * Expects: the kernel in SSA form after InstCombine, which merges such loads.
 * Ensures: such a load stands in its ways where neighbours access neighbours there and not behind them.
 *          Kernels with barriers are left alone: InstCombine merges their loads again, between regions; and those of width 1.
 * Keeps:   control flow; which memory a work-item loads from.
 * Why here: lanes that come different ways load from anywhere, as far as the merged address shows: that is a gather. In its way each
 *          is a load of neighbours behind a mask. Before SimplifyCFG, which removes ways that have become empty.
 */
#ifndef WEFT_PASSES_PART_MERGED_LOADS_H
#define WEFT_PASSES_PART_MERGED_LOADS_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct PartMergedLoadsPass : llvm::PassInfoMixin<PartMergedLoadsPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
