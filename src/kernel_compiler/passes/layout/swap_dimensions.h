/* SPDX-License-Identifier: MIT
 *
 * swap-dimensions: the dimension along which vectors go becomes the kernel's x.
 * Expects: a kernel in SSA form, its calls inlined; nothing has chosen lanes yet.
 * Ensures: where another dimension suits vectors much better than x, it is x in all queries and in the required size of a group, and
 *          weft-swapped-dimension is the source's number of it: `a[n * x + y]` is contiguous along y, and groups of 1 x N work-items
 *          have neighbours along y alone. y is the dimension in which accesses are nearest that are far apart along x, and
 *          weft-second-dimension its number: work-items, and groups, follow each other along it next, and groups of no given size
 *          are blocks of both. Where accesses are far apart along x and near each other along y, weft-turned-plane says so of
 *          those in a plane, and of stores weft-far-lanes limits the lanes.
 *          A kernel of one dimension whose ids are places in a plane (id_division.h) is marked where vectors from row to row suit its memory much
 *          better: weft-interchanged-ids.
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
