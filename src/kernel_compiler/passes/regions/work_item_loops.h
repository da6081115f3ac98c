/* SPDX-License-Identifier: MIT
 *
 * work-item-loops: each region stands in loops over the work-items of its group.
 * Expects: a kernel for one work-item, split into regions, values across barriers spilled.
 * Ensures: the kernel executes one work-group: each region stands in loops over the group's local size, x
 *          innermost, and regions follow each other by ordinary control flow. Allocas that live across
 *          barriers are addresses in __weft_spill_memory(), bytes per work-item in weft-spill-per-item;
 *          those of uniform values are allocas of the group; the others are used by one work-item after
 *          the other, large ones in __weft_scratch_memory(), bytes in weft-scratch-size. Neither __weft_local_id nor __weft_barrier is left.
 * Keeps:   the other queries.
 * Why here: the last step that knows work-items; LLVM sees loops from here on.
 */
#ifndef WEFT_PASSES_WORK_ITEM_LOOPS_H
#define WEFT_PASSES_WORK_ITEM_LOOPS_H

#include "ir/required_pass.h"

namespace weft
{

struct WorkItemLoopsPass : llvm::PassInfoMixin<WorkItemLoopsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
