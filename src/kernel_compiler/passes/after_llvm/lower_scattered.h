/* SPDX-License-Identifier: MIT
 *
 * lower-scattered: gathers and scatters that the CPU lacks, or is slow at, go lane by lane.
 * Expects: any function, after narrow-gathers.
 * Ensures: gathers and scatters that the CPU lacks are loads and stores lane by lane. A lane that does not run accesses a place
 *          on the stack instead, so there is no branch. Where gathers are slow, those of all lanes are loads, too, if their
 *          places follow from ids. Indices of 32 bits leave their vector two at a time.
 * Keeps:   control flow.
 * Why here: LLVM's own way has a branch for each lane of a mask, and takes each lane's address of 64 bits out of a vector. The
 *          optimisations are done, and would only find more to do.
 */
#ifndef WEFT_PASSES_LOWER_SCATTERED_H
#define WEFT_PASSES_LOWER_SCATTERED_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct LowerScatteredPass : llvm::PassInfoMixin<LowerScatteredPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
