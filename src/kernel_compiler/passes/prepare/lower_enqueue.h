/* SPDX-License-Identifier: MIT
 *
 * lower-enqueue: what kernels ask about kernels to be enqueued becomes calls of the host.
 * Expects: calls of __weft_enqueue (weft_internal.h) in kernels.
 * Ensures: each is a call of weft_work_context.enqueue. In modules with debug information (-g) errors have codes of their own.
 * Keeps:   control flow.
 * Why here: as late as lower-printf, since until then a call has a function with a name.
 */
#ifndef WEFT_PASSES_LOWER_ENQUEUE_H
#define WEFT_PASSES_LOWER_ENQUEUE_H

#include "ir/required_pass.h"

namespace weft
{

struct LowerEnqueuePass : llvm::PassInfoMixin<LowerEnqueuePass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace weft

#endif
