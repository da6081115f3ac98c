/* SPDX-License-Identifier: MIT
 *
 * lower-half-vectors: roots, roundings and minima of halves are done on floats; doubles become halves by way of floats.
 * Expects: any function, after LLVM's optimisations, with its CPU's features.
 * Ensures: no vector of halves is an operand of a root, a rounding or a minimum, and no half is made from a double at once. Of a
 *          CPU with arithmetic on halves (AVX512-FP16): of a root or a quotient, which take it longer than those of floats. Minima
 *          and maxima that take each other's results stay floats between, as comparisons and selects, too (half_minima.h).
 * Keeps:   control flow, and what the function computes, but for signalling NaNs: a minimum of floats may hand one on as a quiet one.
 * Why here: instruction selection would take such vectors apart, and do one lane after the other; for a double it makes a call. Up
 *          to here each is one operation, which LLVM's passes and ours know. Sums, products and comparisons are left: instruction
 *          selection makes operations on floats of them.
 */
#ifndef WEFT_PASSES_LOWER_HALF_VECTORS_H
#define WEFT_PASSES_LOWER_HALF_VECTORS_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct LowerHalfVectorsPass : llvm::PassInfoMixin<LowerHalfVectorsPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
