/* SPDX-License-Identifier: MIT
 *
 * select-ways: where work-items run one after the other, short ways that data choose become selections.
 * Expects: kernels in SSA form, for one work-item, after choose-width.
 * Ensures: in a kernel of width 1, both ways of a branch by data (layout/data_branches.h) stand before it where they take less time than
 *          the CPU takes to find that it expected the other way; what they load is loaded once, from a selected address. Selections
 *          of vectors by such conditions are by masks: of a single bit LLVM makes a branch.
 * Keeps:   stores, calls, loops; which memory a work-item loads from; branches by ids, and those that mostly go one way.
 * Why here: lanes go all ways, so only scalars have such branches. InstCombine and SimplifyCFG have merged what ways do alike, and have
 *          made one block of a way.
 */
#ifndef WEFT_PASSES_SELECT_WAYS_H
#define WEFT_PASSES_SELECT_WAYS_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct SelectWaysPass : llvm::PassInfoMixin<SelectWaysPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
