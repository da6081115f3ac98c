/* SPDX-License-Identifier: MIT
 *
 * fold-round-trips: bytes that become floats and the same bytes again.
 * Expects: scalars, where choose-width has taken vectors apart.
 * Ensures: an integer that is computed by floats from one number below 256, and is that number whatever its value, is that
 *          number: a channel of a pixel that is read as a float from 0 to 1, moved, and written.
 * Keeps:   control flow.
 * Why here: InstCombine then puts the channels of a pixel together to what was loaded.
 */
#ifndef WEFT_PASSES_FOLD_ROUND_TRIPS_H
#define WEFT_PASSES_FOLD_ROUND_TRIPS_H

#include "ir/required_pass.h"

namespace weft
{

struct FoldRoundTripsPass : llvm::PassInfoMixin<FoldRoundTripsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
