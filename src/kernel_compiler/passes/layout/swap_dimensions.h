/* SPDX-License-Identifier: MIT
 *
 * swap-dimensions: the dimension along which vectors go becomes the kernel's x.
 * Expects: a kernel in SSA form, its calls inlined; nothing has chosen lanes yet.
 * Ensures: where another dimension suits vectors much better than x, the two have changed places in all queries and in the
 *          required size of a group, and weft-swapped-dimension is the other one: `a[n * x + y]` is contiguous along y, and groups of
 *          1 x N work-items have neighbours along y alone. weft-second-dimension is the one that groups of no given size are blocks of
 *          beside it.
 * Keeps:   kernels whose work-items see the order of linear local ids (sub-groups, collectives), that print, or that ask for a dimension
 *          by a number that is not constant.
 * Why here: all later passes know of x only, and entry-points and emit-descriptors translate. sgemm_swapped of the kernel benchmark takes
 *          several times as long without.
 */
#ifndef WEFT_PASSES_SWAP_DIMENSIONS_H
#define WEFT_PASSES_SWAP_DIMENSIONS_H

#include "ir/required_pass.h"

namespace weft
{

struct SwapDimensionsPass : llvm::PassInfoMixin<SwapDimensionsPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
