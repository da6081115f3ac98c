/* SPDX-License-Identifier: MIT
 *
 * single-items: a group of one work-item needs no barriers, and its local memory is private.
 * Expects: a kernel in SSA form, its calls inlined, its local variables lowered.
 * Ensures: where a group must be of one work-item, it does not ask for local ids and sizes; without functions that run
 *          once for the group it has no barriers, and what can be private of its local memory is.
 * Keeps:   kernels of larger groups; local memory that arguments point to, or whose address is stored or passed on.
 * Why here: groups that share nothing are coalesced, so a width is chosen as for a flat range; SROA, which follows, splits what
 *          has become private into its variables. blowfish of the kernel benchmark takes 1.37 times as long without.
 */
#ifndef WEFT_PASSES_SINGLE_ITEMS_H
#define WEFT_PASSES_SINGLE_ITEMS_H

#include "ir/required_pass.h"

namespace weft
{

struct SingleItemsPass : llvm::PassInfoMixin<SingleItemsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
