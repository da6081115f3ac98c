/* SPDX-License-Identifier: MIT
 *
 * mark-scalar-loops: marks loops that LLVM's vectorizers must leave alone; runs before them, within LLVM's pipeline.
 * Expects: a function just before LLVM's loop vectorizer.
 * Ensures: the vectorizer leaves alone the loops that it would compile wrongly, and those that it would take too long for.
 * Keeps:   everything but loop metadata.
 * Why here: loops have the form that the vectorizer will see; inner loops of few iterations are unrolled.
 */
#ifndef WEFT_PASSES_MARK_SCALAR_LOOPS_H
#define WEFT_PASSES_MARK_SCALAR_LOOPS_H

#include "ir/required_pass.h"

namespace weft
{

struct MarkScalarLoopsPass : llvm::PassInfoMixin<MarkScalarLoopsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
