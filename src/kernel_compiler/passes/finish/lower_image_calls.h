/* SPDX-License-Identifier: MIT
 *
 * lower-image-calls: accesses of images that are left, by one work-item each, become calls of weft_image_functions.
 * Expects: kernels after widening.
 * Ensures: no internal function of images is called.
 * Keeps:   control flow.
 * Why here: widen-loops makes one call for all lanes of a vector; what it leaves are uniform accesses and scalar code.
 */
#ifndef WEFT_PASSES_LOWER_IMAGE_CALLS_H
#define WEFT_PASSES_LOWER_IMAGE_CALLS_H

#include "ir/required_pass.h"

namespace weft
{

struct LowerImageCallsPass : llvm::PassInfoMixin<LowerImageCallsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
