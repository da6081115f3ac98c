/* SPDX-License-Identifier: MIT
 *
 * form-ternary-logic: with AVX-512, and, or, xor of three vectors become one instruction.
 * Expects: a function for an x86 CPU with AVX-512, after LLVM's optimisations.
 * Ensures: three or more and, or, xor of at most three vectors are one instruction, if nothing else uses what is in between.
 * Keeps:   control flow, and what the function computes.
 * Why here: instruction selection joins two of them; what comes before it would take the instruction apart again. Of the
 *          kernel benchmark sha256_mask takes 1.13 times as long without, md5_mask 1.07 times, sha256 1.03 times.
 */
#ifndef WEFT_PASSES_FORM_TERNARY_LOGIC_H
#define WEFT_PASSES_FORM_TERNARY_LOGIC_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct FormTernaryLogicPass : llvm::PassInfoMixin<FormTernaryLogicPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
