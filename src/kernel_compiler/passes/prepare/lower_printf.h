/* SPDX-License-Identifier: MIT
 *
 * lower-printf: printf becomes a call of the host.
 * Expects: calls of printf, formats foldable to constants (run after the first simplification).
 * Ensures: each call packs its arguments on the stack and calls weft_work_context.print with a constant
 *          weft_printf_site (kernel_abi.h); kernels that print carry WEFT_KERNEL_PRINTS.
 * Keeps:   control flow.
 * Why here: after inlining, so that a kernel knows whether it prints; before fission, so that the packed
 *          block is an ordinary private variable.
 */
#ifndef WEFT_PASSES_LOWER_PRINTF_H
#define WEFT_PASSES_LOWER_PRINTF_H

#include "ir/required_pass.h"

#include <llvm/IR/InstrTypes.h>

namespace weft
{

/* Whether the call of printf has a constant format and arguments of types that can be printed. */
bool isPrintable(const llvm::CallBase &call);

struct LowerPrintfPass : llvm::PassInfoMixin<LowerPrintfPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace weft

#endif
