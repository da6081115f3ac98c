/* SPDX-License-Identifier: MIT
 *
 * unroll-for-sroa: private arrays of kernels with barriers become values.
 * Expects: a kernel of scalars and vectors in SSA form, its calls inlined, before its regions are looked for.
 * Ensures: a private array of a kernel with barriers has constant indices where loops of a few iterations go over it,
 *          none of them around a barrier: SROA makes values of its elements.
 * Keeps:   every other loop; the kernel's meaning.
 * Why here: what is still an array when regions are split lies in memory, in one piece for each work-item, so that
 *          neighbours' elements are far apart; values lie side by side, and in registers within a region.
 */
#ifndef WEFT_PASSES_UNROLL_FOR_SROA_H
#define WEFT_PASSES_UNROLL_FOR_SROA_H

#include "ir/required_pass.h"

namespace weft
{

struct UnrollForSroaPass : llvm::PassInfoMixin<UnrollForSroaPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
