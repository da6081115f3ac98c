/* SPDX-License-Identifier: MIT
 *
 * sink-broadcasts: numbers that all lanes of a loop take are operands in memory, where registers are too few.
 * Expects: vector code after LLVM's own optimisations, which move what does not change out of the loop.
 * Ensures: in an innermost loop that needs more vector registers than there are, vectors of one number are made in the loop, of a
 *          loaded number or of a lane that was stored on the stack, until the rest fits.
 * Keeps:   what is computed; loads from what may be written before the loop ends.
 * Why here: code generation would store each such vector on the stack before the loop, and load all of it in each iteration.
 *          AVX-512's instructions take one number for all lanes from memory at no cost.
 */
#ifndef WEFT_PASSES_SINK_BROADCASTS_H
#define WEFT_PASSES_SINK_BROADCASTS_H

#include "ir/required_pass.h"

namespace weft
{

struct SinkBroadcastsPass : llvm::PassInfoMixin<SinkBroadcastsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
