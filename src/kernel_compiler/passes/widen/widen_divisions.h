/* SPDX-License-Identifier: MIT
 *
 * widen-divisions: divisions of vectors that stay vectors are done in floating point.
 * Expects: divisors that are not 0 (lower-division), and a chosen width: vectors are left where they stay.
 * Ensures: no vector of integers of up to 32 bits is divided by what is no constant.
 * Keeps:   what is computed, bit for bit.
 * Why here: LLVM divides one element after the other. Kernels: those with divisions of `int16`.
 */
#ifndef WEFT_PASSES_WIDEN_DIVISIONS_H
#define WEFT_PASSES_WIDEN_DIVISIONS_H

#include "ir/required_pass.h"

namespace weft
{

struct WidenDivisionsPass : llvm::PassInfoMixin<WidenDivisionsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
