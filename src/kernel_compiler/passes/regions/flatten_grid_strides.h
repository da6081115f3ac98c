/* SPDX-License-Identifier: MIT
 *
 * flatten-grid-strides: the indices of a grid-stride loop are handed out to groups in pieces, one behind the other.
 * Expects: a kernel in the form of one work-item, groups coalesced, barriers still to be seen.
 * Ensures: where a kernel is one grid-stride loop (grid_stride_loops.h), which uses its index and what all work-items of the range share,
 *          the loop has a second version. There the work-items that run together take a piece of the indices, as large a
 *          part of them as they are of the range, in rounds of as many as they are. Each round begins with a barrier, so that
 *          split-at-barriers makes a region of it. The loop as it was is for small ranges, and numbers so large that sums
 *          might wrap around.
 * Keeps:   what is done for each index. Which work-item does it, and in what order, does not show.
 * Why here: behind coalesce-work-groups, which leaves kernels with barriers alone, before the kernel is split at barriers.
 */
#ifndef WEFT_PASSES_FLATTEN_GRID_STRIDES_H
#define WEFT_PASSES_FLATTEN_GRID_STRIDES_H

#include "ir/required_pass.h"

namespace weft
{

struct FlattenGridStridesPass : llvm::PassInfoMixin<FlattenGridStridesPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
