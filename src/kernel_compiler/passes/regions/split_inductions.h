/* SPDX-License-Identifier: MIT
 *
 * split-inductions: what a loop adds to a place that follows from ids is summed up once for the group.
 * Expects: a kernel in SSA form, still for one work-item.
 * Ensures: a pointer or integer that a loop carries is its first value plus a uniform sum, if the first value is linear in ids
 *          and each iteration adds uniform values (`p += 4 * n` in a tiled product of matrices), where the loop has a barrier at its
 *          beginning, or the first value has an index of fewer bits than an address.
 * Keeps:   control flow, regions, and the kernel's meaning for one work-item.
 * Why here: before swap-dimensions and choose-width, as such an index may wrap between work-items: of a carried value nothing would be
 *          known then. Optimised SPIR-V carries pointers. Behind split-at-barriers, as spill-at-barriers computes linear values again
 *          in each region, so work-items still access neighbouring memory. A carried value would be loaded for each work-item.
 */
#ifndef WEFT_PASSES_SPLIT_INDUCTIONS_H
#define WEFT_PASSES_SPLIT_INDUCTIONS_H

#include "ir/required_pass.h"

namespace weft
{

struct SplitInductionsPass : llvm::PassInfoMixin<SplitInductionsPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
