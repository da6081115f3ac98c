/* SPDX-License-Identifier: MIT
 *
 * lower-waits: __weft_yield becomes a call of the host and a flag of kernels, __weft_alone another flag.
 * Expects: functions that are inlined are inlined.
 * Ensures: calls of weft_waiting_context.yield in the place of those of __weft_yield, and kernels that come to one have
 *          WEFT_KERNEL_MAY_BLOCK: a block that has captured a pipe has none among its arguments. No __weft_alone is left, and kernels that
 *          come to one have WEFT_KERNEL_ITEMS_ALONE.
 * Keeps:   control flow.
 * Why here: after inlining, so that a kernel knows what it does; before choose-width, which asks for the flag.
 */
#ifndef WEFT_PASSES_LOWER_WAITS_H
#define WEFT_PASSES_LOWER_WAITS_H

#include "ir/required_pass.h"

namespace weft
{

struct LowerWaitsPass : llvm::PassInfoMixin<LowerWaitsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace weft

#endif
