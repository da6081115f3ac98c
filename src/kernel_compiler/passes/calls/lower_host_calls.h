/* SPDX-License-Identifier: MIT
 *
 * lower-host-calls: calls of the application's functions become calls of the host.
 * Expects: calls of functions that are declared only and have the attribute weft-host-function, with types that a C function may have
 *          (module_checks.h); calls of __weft_wrong_call, __weft_begin_call and __weft_end_call.
 * Ensures: the former pack their arguments, in their order and each at its natural alignment, and call weft_work_context.call_host.
 *          Where cycles are counted they call post_call and await_call, and in kernels work-items may meet between these
 *          (internal_functions.h). Kernels that call any have WEFT_KERNEL_CALLS_HOST, and the attribute weft-host-functions with what they call. The
 *          latter store to weft_work_context.wrong_call, and count in weft_work_context.calls_left.
 * Keeps:   control flow.
 * Why here: as late as lower-printf, since until then a call has a function with a name.
 */
#ifndef WEFT_PASSES_LOWER_HOST_CALLS_H
#define WEFT_PASSES_LOWER_HOST_CALLS_H

#include "ir/required_pass.h"

namespace weft
{

struct LowerHostCallsPass : llvm::PassInfoMixin<LowerHostCallsPass>, RequiredPass {
	LowerHostCallsPass(bool isPosted = false) : posts(isPosted)
	{
	}
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);

      private:
	bool posts;
};

} // namespace weft

#endif
