/* SPDX-License-Identifier: MIT
 *
 * lower-estimates
 * Expects: kernels after widening, for an x86 CPU with AVX-512 where they estimate.
 * Ensures: an estimate, of one number or of a vector of any size, is the CPU's instruction.
 * Keeps:   control flow.
 * Why here: before it only the scalar form or whole vectors of lanes are to be told apart; LLVM's optimisations, which come
 *          next, would take a call for one.
 */
#ifndef WEFT_PASSES_LOWER_ESTIMATES_H
#define WEFT_PASSES_LOWER_ESTIMATES_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct LowerEstimatesPass : llvm::PassInfoMixin<LowerEstimatesPass> {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
	static bool isRequired()
	{
		return true;
	}
};

} // namespace weft

#endif
