/* SPDX-License-Identifier: MIT
 *
 * add-item-parameters: functions that stay calls get what they ask of the work-item as parameters.
 * Expects: inline-functions, which has marked the functions that stay calls `noinline`.
 * Ensures: no function but kernels, and functions that run once for the group, asks for ids and sizes or uses a local variable:
 *          callers pass them. What is asked for is of a dimension that is constant: where it may be another one for each work-item, it
 *          is of all three. A function that calls the host, to print or to access an image, has a parameter with the
 *          context (itemContextAttribute).
 * Keeps:   kernels, but for the arguments of calls and what these are.
 * Why here: later passes look for queries in kernels alone, and see there what differs between the work-items of a call.
 */
#ifndef WEFT_PASSES_ADD_ITEM_PARAMETERS_H
#define WEFT_PASSES_ADD_ITEM_PARAMETERS_H

#include "ir/required_pass.h"

namespace weft
{

struct AddItemParametersPass : llvm::PassInfoMixin<AddItemParametersPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace weft

#endif
