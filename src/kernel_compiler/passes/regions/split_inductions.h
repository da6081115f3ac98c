/* SPDX-License-Identifier: MIT
 *
 * split-inductions: what a loop with barriers adds to a place that follows from ids is summed up once for the group.
 * Expects: a kernel split into regions (split-at-barriers), still for one work-item.
 * Ensures: a pointer or integer that such a loop carries is its first value plus a uniform sum, if the first value is linear in ids
 *          and each iteration adds uniform values (`p += 4 * n` in a tiled product of matrices).
 * Keeps:   control flow, regions, and the kernel's meaning for one work-item.
 * Why here: spill-at-barriers computes linear values again in each region, so work-items still access neighbouring memory. A carried
 *          value would be loaded for each work-item, and nothing would be known of it.
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
