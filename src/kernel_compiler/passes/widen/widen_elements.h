/* SPDX-License-Identifier: MIT
 *
 * widen-elements: functions that do one thing for each element of a vector become vector code.
 * Expects: calls of element functions (element_functions.h) where choose-width has left vectors as they are.
 * Ensures: the body of each element function that is called is its scalar function's, widened to as many lanes as the vector has
 *          elements; or copies of it, where that cannot be. It is inlined where the attribute weft-element-calls says so.
 * Keeps:   what the functions compute, bit for bit.
 * Why here: only here it is known which vectors stay, and lane shapes, masks and guards are those of item loops. LLVM would look for
 *          sixteen copies of a body with branches and find little. Kernels: `exp` and its kind of float16.
 */
#ifndef WEFT_PASSES_WIDEN_ELEMENTS_H
#define WEFT_PASSES_WIDEN_ELEMENTS_H

#include "ir/required_pass.h"

namespace weft
{

struct WidenElementsPass : llvm::PassInfoMixin<WidenElementsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace weft

#endif
