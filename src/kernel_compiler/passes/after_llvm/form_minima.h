/* SPDX-License-Identifier: MIT
 *
 * form-minima: the lesser or greater of two numbers, where the first may be NaN, by x86's instructions for that.
 * Expects: a function for an x86 CPU, after LLVM's optimisations.
 * Ensures: "b where a is NaN or b is less than a, else a" is "b where a is NaN, else the lesser", whose inner selection is one
 *          instruction; so for the greater one.
 * Keeps:   control flow, and what the function computes: also which zero, and which NaN.
 * Why here: InstCombine would make one selection of the two again, which takes two comparisons, an or and a selection.
 */
#ifndef WEFT_PASSES_FORM_MINIMA_H
#define WEFT_PASSES_FORM_MINIMA_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct FormMinimaPass : llvm::PassInfoMixin<FormMinimaPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
