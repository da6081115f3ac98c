/* SPDX-License-Identifier: MIT
 *
 * bound-unrolling: limits how far loops are unrolled.
 * Expects: a kernel after widen-loops.
 * Ensures: a loop that the source wants unrolled comes to no more than some thousands of instructions; one that is left
 *          for the last work-items of a group, to some hundreds. The others are unrolled a few times, or not. What is said
 *          of an inner loop is not said of its outer loop, whatever LLVM folds. An inner loop whose outer loop reads how many
 *          iterations it has stays one loop, if the source says nothing.
 * Keeps:   loops that go over a private array or a constant table, whose elements become values; everything but loop
 *          metadata.
 * Why here: only now do all copies of a loop exist, of which a body has up to a dozen. LLVM, asked by the source,
 *          goes up to 16,000 instructions for each.
 */
#ifndef WEFT_PASSES_BOUND_UNROLLING_H
#define WEFT_PASSES_BOUND_UNROLLING_H

#include "ir/required_pass.h"

namespace weft
{

struct BoundUnrollingPass : llvm::PassInfoMixin<BoundUnrollingPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
