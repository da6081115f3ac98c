/* SPDX-License-Identifier: MIT
 *
 * split-at-barriers: splits the kernel at barriers into regions.
 * Expects: a flat kernel for one work-item; __weft_barrier wherever the source had it.
 * Ensures: every barrier begins a block, every block belongs to one region (regions.h), no critical edge leads
 *          to a region's phis, and what a loop within a region computes leaves it through phis. To that end
 *          barriers are added where regions meet, at loop headers and behind branches for example; all
 *          work-items pass there together, or are made to: where that is not evident the ways out of a
 *          region are led through one block, with a value that says where each work-item goes on.
 *          Branches that barriers make uniform (barrier_branches.h) bear the metadata weft.uniform.
 *          Meetings (internal_functions.h) are barriers, too, if work-items that go on come to them together, or if no barrier of the
 *          source and nothing else keeps them together: then each goes its own way from one meeting to the next.
 * Keeps:   what a work-item computes; the number of blocks grows with the number of barriers only.
 * Why here: after the simplifications for one work-item, before anything is widened or repeated. No block but
 *          a short return is ever copied, so many barriers cost no more than their number.
 */
#ifndef WEFT_PASSES_SPLIT_AT_BARRIERS_H
#define WEFT_PASSES_SPLIT_AT_BARRIERS_H

#include "ir/required_pass.h"

namespace weft
{

struct SplitAtBarriersPass : llvm::PassInfoMixin<SplitAtBarriersPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
