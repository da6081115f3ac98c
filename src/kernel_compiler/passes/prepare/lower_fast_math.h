/* SPDX-License-Identifier: MIT
 *
 * lower-fast-math: what build options and SPIR-V allow for arithmetic is done, or given up.
 * Expects: a front end's module with all objects of the program, before the built-ins are linked and before it is kept for
 *          specialisations.
 * Ensures: no operation has fast-math flags, and no function's attribute or argument says the same. Products and sums
 *          are llvm.fmuladd where they may be contracted, divisions of floats a call of __weft_relaxed_divide where they may be
 *          estimated, divisions by constants products. What the flags fold is folded. Variables of functions with flags are in
 *          SSA form, and calls of small ones are inlined.
 * Keeps:   the order of sums.
 * Why here: an optimisation that is allowed to change a result would give quick and full code, or a specialisation, different ones.
 */
#ifndef WEFT_PASSES_LOWER_FAST_MATH_H
#define WEFT_PASSES_LOWER_FAST_MATH_H

#include "ir/required_pass.h"

namespace weft
{

struct LowerFastMathPass : llvm::PassInfoMixin<LowerFastMathPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace weft

#endif
