/* SPDX-License-Identifier: MIT
 *
 * narrow-integers: where most of a kernel's arithmetic fits 16 bits, as that of pixels does, it is done in 16 bits.
 * Expects: a kernel in SSA form, its calls inlined; nothing has chosen lanes yet.
 * Ensures: sums, products by constants, clamps and such of 32 bits whose operands and results are known to fit 16 bits are operations of
 *          16 bits, and weft-narrow-integers says so to choose-width. InstCombine narrows the comparisons and conversions of them.
 * Keeps:   kernels in which this is not most of what work-items compute for themselves, beside where they are and what neighbours
 *          access in memory, and those that see their group, whose rows may be shorter than a vector.
 * Why here: C computes with bytes and shorts as with ints. A vector register holds twice as many work-items in 16 bits: sobel of the
 *          kernel benchmark takes half the time.
 */
#ifndef WEFT_PASSES_NARROW_INTEGERS_H
#define WEFT_PASSES_NARROW_INTEGERS_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct NarrowIntegersPass : llvm::PassInfoMixin<NarrowIntegersPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
