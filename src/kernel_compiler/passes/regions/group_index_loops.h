/* SPDX-License-Identifier: MIT
 *
 * group-index-loops: adds loops in which x counts groups of one work-item.
 * Expects: a kernel that executes one work-group (work-item-loops).
 * Ensures: where weft-coalesced-groups is CoalescesSingle, groups of one work-item along x may run as one: beside the nest of
 *          loops stands one for them, in which x counts groups. A kernel that requires such groups has only this one.
 *          Where the kernel is too large to have its loops twice, the attribute is CoalescesNone.
 * Keeps:   what the kernel computes.
 * Why here: work-items have their loops; a row of groups is not yet taken for one of a group's (collapse-dimensions), and
 *          widen-loops finds ids of groups that are consecutive. saxpy_group of the kernel benchmark, whose groups would
 *          run one by one, takes 24 times as long without.
 */
#ifndef WEFT_PASSES_GROUP_INDEX_LOOPS_H
#define WEFT_PASSES_GROUP_INDEX_LOOPS_H

#include "ir/required_pass.h"

namespace weft
{

struct GroupIndexLoopsPass : llvm::PassInfoMixin<GroupIndexLoopsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
