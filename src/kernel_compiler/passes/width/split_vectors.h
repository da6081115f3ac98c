/* SPDX-License-Identifier: MIT
 *
 * split-vectors: the kernel's own vectors become scalars.
 * Expects: kernels in SSA form, for one work-item.
 * Ensures: the kernel's own vectors are scalars, as far as LLVM can split them.
 * Keeps:   control flow, and the kernel's meaning.
 * Why here: choose-width has it done for kernels that are widened; where cycles are counted it comes first, for all.
 */
#ifndef WEFT_PASSES_SPLIT_VECTORS_H
#define WEFT_PASSES_SPLIT_VECTORS_H

#include "ir/required_pass.h"

namespace weft
{

struct SplitVectorsPass : llvm::PassInfoMixin<SplitVectorsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
