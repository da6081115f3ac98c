/* SPDX-License-Identifier: MIT
 *
 * lower-high-products: high halves of products of vectors of 64-bit integers, and their divisions by a constant, become products of 32 bits.
 * Expects: a function after LLVM's optimisations.
 * Ensures: for CPUs with AVX2, vectors of 256 bits and more have no product of 128 bits of which only the high half is used, and no division of 64 bits by one
 *          number that is no power of two.
 * Keeps:   control flow, and what the function computes.
 * Why here: code generation multiplies one lane after the other, since x86 has no such instruction for vectors; InstCombine would
 *          have the products of 128 bits in their short form again.
 */
#ifndef WEFT_PASSES_LOWER_HIGH_PRODUCTS_H
#define WEFT_PASSES_LOWER_HIGH_PRODUCTS_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct LowerHighProductsPass : llvm::PassInfoMixin<LowerHighProductsPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
