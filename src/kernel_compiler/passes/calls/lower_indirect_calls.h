/* SPDX-License-Identifier: MIT
 *
 * lower-indirect-calls: calls through pointers become calls of the functions whose addresses the program has.
 * Expects: a front end's module with all objects of the program, before the built-ins are linked and before it is kept for
 *          specialisations, which then know functions by the same numbers.
 * Ensures: the address of a function that is no kernel is its number (function_addresses.h) as a pointer; that of a program's kernel is the
 *          address of its body's function. A call through a pointer calls a function of the program's, which branches by the number
 *          to each function of that type. For any other number it calls __weft_wrong_call, and the result is zero. So work-items that
 *          call different functions part as at any branch, and each function runs once for those that call it.
 * Keeps:   calls of a function by a type that is not its own (check-calls); kernels of blocks (lower-blocks).
 * Why here: no later pass knows calls through pointers. A number that turns out constant leaves one call.
 */
#ifndef WEFT_PASSES_LOWER_INDIRECT_CALLS_H
#define WEFT_PASSES_LOWER_INDIRECT_CALLS_H

#include "ir/required_pass.h"

namespace weft
{

struct LowerIndirectCallsPass : llvm::PassInfoMixin<LowerIndirectCallsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace weft

#endif
