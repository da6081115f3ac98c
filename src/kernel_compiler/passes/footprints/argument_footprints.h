/* SPDX-License-Identifier: MIT
 *
 * argument-footprints: writes down which bytes a kernel accesses through each argument, and what each block of it runs, for hosts that ask.
 * Expects: a flat, simplified kernel for one work-item, after argument-access.
 * Ensures: the kernel has its footprint (kernel_footprint.h) as metadata, which emit-descriptors takes; one that says nothing where it may
 *          reach a buffer by other ways than its arguments.
 * Keeps:   code.
 * Why here: everything is in view, and addresses are still formulas of ids and of the source's loops.
 */
#ifndef WEFT_PASSES_ARGUMENT_FOOTPRINTS_H
#define WEFT_PASSES_ARGUMENT_FOOTPRINTS_H

#include "ir/required_pass.h"

namespace weft
{

struct ArgumentFootprintsPass : llvm::PassInfoMixin<ArgumentFootprintsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
