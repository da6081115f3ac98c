/* SPDX-License-Identifier: MIT
 *
 * flush-denormals: sets the processor's mode for subnormal numbers, where an option asks for it.
 * Expects: entry points (entry-points) with the attribute "weft-flush-denormals" where -cl-denorms-are-zero asks for it.
 * Ensures: while such a function runs, the processor takes subnormal numbers for zeros and makes none; its callers
 *          notice nothing. Other functions, and processors for which we know no way, stay as they are: the option
 *          allows, and does not demand.
 * Keeps:   control flow.
 * Why here: after entry-points a call is one change of the mode for a whole range of work-groups.
 */
#ifndef WEFT_PASSES_FLUSH_DENORMALS_H
#define WEFT_PASSES_FLUSH_DENORMALS_H

#include "ir/required_pass.h"

namespace weft
{

struct FlushDenormalsPass : llvm::PassInfoMixin<FlushDenormalsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
