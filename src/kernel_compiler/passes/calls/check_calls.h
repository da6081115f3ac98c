/* SPDX-License-Identifier: MIT
 *
 * check-calls: recursion by name and calls through pointers are build errors.
 * Expects: the prepared module.
 * Ensures: an error has been reported for every function that can call itself by calls that name functions, for every call through a
 *          pointer (OpenCL C has neither: section 6.9, restrictions i and a), and for every function that can call itself by number
 *          (lower-indirect-calls, lower-virtual-calls) and reaches what must be in the kernel, as barriers must.
 * Keeps:   everything; it only looks.
 * Why here: the inliner and the cost budget rely on a call graph without cycles but those that bound-recursion finds.
 */
#ifndef WEFT_PASSES_CHECK_CALLS_H
#define WEFT_PASSES_CHECK_CALLS_H

#include "ir/required_pass.h"

namespace weft
{

struct CheckCallsPass : llvm::PassInfoMixin<CheckCallsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace weft

#endif
