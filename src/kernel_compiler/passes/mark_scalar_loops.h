/* SPDX-License-Identifier: MIT
 *
 * mark-scalar-loops
 * Expects: a function of our pipeline, after everything of ours.
 * Ensures: LLVM's loop vectorizer leaves alone the loops that it would compile wrongly.
 * Keeps:   everything but loop metadata.
 * Why here: loops have their last form of ours, and the vectorizer is next.
 */
#ifndef WEFT_PASSES_MARK_SCALAR_LOOPS_H
#define WEFT_PASSES_MARK_SCALAR_LOOPS_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct MarkScalarLoopsPass : llvm::PassInfoMixin<MarkScalarLoopsPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
	static bool isRequired()
	{
		return true;
	}
};

} // namespace weft

#endif
