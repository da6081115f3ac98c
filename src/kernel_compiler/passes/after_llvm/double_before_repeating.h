/* SPDX-License-Identifier: MIT
 *
 * double-before-repeating: vectors of bytes whose elements a shuffle repeats are doubled before the shuffle.
 * Expects: vector code after LLVM's own passes.
 * Ensures: no sum of a vector with itself, shift of it by one or product with two, where the vector has 64 bytes or more and is what a
 *          shuffle makes of fewer.
 * Keeps:   what is computed.
 * Why here: LLVM 22's code generation for AVX-512 does not end at such sums: it moves them before the shuffle, and back. LLVM's own
 *           passes move them only where the shuffle keeps the number of elements.
 */
#ifndef WEFT_PASSES_DOUBLE_BEFORE_REPEATING_H
#define WEFT_PASSES_DOUBLE_BEFORE_REPEATING_H

#include "ir/required_pass.h"

namespace weft
{

struct DoubleBeforeRepeatingPass : llvm::PassInfoMixin<DoubleBeforeRepeatingPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
