/* SPDX-License-Identifier: MIT
 *
 * merge-element-compares: a chain of || over the elements of one vector becomes one comparison.
 * Expects: anything; best after LLVM's own optimisations, which bring a chain of || or && into one block.
 * Ensures: where such a chain compares four or more elements of one vector, one by one, it compares the whole vector
 *          at once instead, and looks at the bits of those elements.
 * Keeps:   control flow, and what the function computes.
 * Why here: only when vectors of the source are still there, and LLVM has neither split them nor means to. Of the kernel
 *          benchmark md5_mask takes 1.16 times as long without, sha256_mask 1.03 times.
 */
#ifndef WEFT_PASSES_MERGE_ELEMENT_COMPARES_H
#define WEFT_PASSES_MERGE_ELEMENT_COMPARES_H

#include "ir/required_pass.h"

namespace weft
{

struct MergeElementComparesPass : llvm::PassInfoMixin<MergeElementComparesPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
