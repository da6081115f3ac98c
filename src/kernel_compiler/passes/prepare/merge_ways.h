/* SPDX-License-Identifier: MIT
 *
 * merge-ways: what all ways to a block do with numbers of their own is done once, behind them.
 * Expects: SSA form, with calls of built-in functions that are not inlined yet.
 * Ensures: a call, a root or a division that each way does, with nothing but the operands different, is done in the block; and with it
 *          what else all ways do with its result.
 * Keeps:   control flow; loads, stores, and all that has an effect; loops' headers; what all work-items compute alike; short ways,
 *          whose forms later passes know.
 * Why here: lanes go all ways one after the other, so each of them costs as much as if it were the only one. Built-in functions are
 *          calls until inline-functions.
 */
#ifndef WEFT_PASSES_MERGE_WAYS_H
#define WEFT_PASSES_MERGE_WAYS_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct MergeWaysPass : llvm::PassInfoMixin<MergeWaysPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
