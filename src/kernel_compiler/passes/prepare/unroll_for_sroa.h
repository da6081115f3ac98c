/* SPDX-License-Identifier: MIT
 *
 * unroll-for-sroa: private arrays become values.
 * Expects: a kernel of scalars and vectors in SSA form, its calls inlined, before its regions are looked for.
 * Ensures: a private array has constant indices where loops of a few iterations go over it, none of them around a barrier: SROA
 *          makes values of its elements. With `onlyWithBarriers` in kernels with barriers alone.
 * Keeps:   every other loop; the kernel's meaning.
 * Why here: what is still an array when regions are split lies in memory, in one piece for each work-item, so that
 *          neighbours' elements are far apart; values lie side by side, and in registers within a region. Without barriers
 *          LLVM would unroll such loops only after they were widened, when their bodies may be too large for it.
 *          image_median3 of the kernel benchmark takes three times as long without.
 */
#ifndef WEFT_PASSES_UNROLL_FOR_SROA_H
#define WEFT_PASSES_UNROLL_FOR_SROA_H

#include "ir/required_pass.h"

namespace weft
{

struct UnrollForSroaPass : llvm::PassInfoMixin<UnrollForSroaPass>, RequiredPass {
	explicit UnrollForSroaPass(bool theOnlyWithBarriers = false)
	    : onlyWithBarriers(theOnlyWithBarriers)
	{
	}
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);

      private:
	bool onlyWithBarriers;
};

} // namespace weft

#endif
