/* SPDX-License-Identifier: MIT
 *
 * interleave-iterations: two iterations of a loop that is one long chain run at once.
 * Expects: optimised functions, whose vectors are final; merge-element-compares and form-ternary-logic have run.
 * Ensures: an innermost loop whose iterations are one long chain of operations on vectors of one register, then seldom something
 *          else, does two iterations at once: the operations of both alternate, and what follows is done for the first, then for
 *          the second. A last single iteration is left to the loop as it was.
 * Keeps:   what the function computes, and the order of everything that it writes.
 * Why here: a long chain keeps a CPU waiting, which looks ahead less far than to the next iteration. Work-items that are widened
 *          stand side by side (widen-loops); this is for kernels that keep their own vectors, in functions, too, that
 *          stay calls. Before LLVM's optimisations such an iteration is many blocks, one for each test. Of the kernel benchmark
 *          md5_mask takes 1.55 times as long without, sha256_mask 1.07 times.
 */
#ifndef WEFT_PASSES_INTERLEAVE_ITERATIONS_H
#define WEFT_PASSES_INTERLEAVE_ITERATIONS_H

#include "ir/required_pass.h"

namespace weft
{

struct InterleaveIterationsPass : llvm::PassInfoMixin<InterleaveIterationsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
