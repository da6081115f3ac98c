/* SPDX-License-Identifier: MIT
 *
 * promote-sums: what a loop loads from and stores to one place in shared memory is a value in the loop.
 * Expects: flat kernels in SSA form.
 * Ensures: where an innermost loop loads and stores one place of global or local memory in each iteration, as in `c[i] += a[k] * b[k]`,
 *          and reaches that memory by nothing else, it carries a value, which is loaded before the loop and stored behind it. Where only
 *          other arguments of the kernel might lead there, the loop has two versions, between which weft_ndrange.apart decides.
 * Keeps:   barriers, atomics, and what is between them: without those, an access of the place by another work-item would be a data race.
 *          A loop that does not run stores nothing.
 * Why here: LLVM does the same only where arguments are `restrict`, and then on vectors that masks have made conditional; and after it
 *          hoist-loads finds fewer stores. sgemm_memory of the kernel benchmark takes several times as long without.
 */
#ifndef WEFT_PASSES_PROMOTE_SUMS_H
#define WEFT_PASSES_PROMOTE_SUMS_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct PromoteSumsPass : llvm::PassInfoMixin<PromoteSumsPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
