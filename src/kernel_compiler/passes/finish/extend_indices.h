/* SPDX-License-Identifier: MIT
 *
 * extend-indices: in loops of scalars, sums of 32 bits that become indices are summed up in 64 bits.
 * Expects: kernels after widen-loops, their sums as the source has them: marked as signed ones that do not wrap.
 * Ensures: in an innermost loop without vectors, an index that is a sum of what stays and what changes in the loop is a sum of both,
 *          each extended by itself.
 * Keeps:   sums that may wrap; those in other loops, where lanes share an index, or of the work-items that whole vectors leave.
 * Why here: LLVM's InstCombine makes one product of `first * 256 + k * 256`, of which nothing is known where `first` may wrap. Then no
 *          pointer moves along: each access shifts, adds and extends its index. histogram of the kernel benchmark has such a loop.
 */
#ifndef WEFT_PASSES_EXTEND_INDICES_H
#define WEFT_PASSES_EXTEND_INDICES_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct ExtendIndicesPass : llvm::PassInfoMixin<ExtendIndicesPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
