/* SPDX-License-Identifier: MIT
 *
 * bound-recursion: functions that call themselves through pointers ask before each call whether there is room.
 * Expects: a call graph of which each cycle has a function that calls one of others by its number (check-calls).
 * Ensures: each such function on a cycle has the attribute weft-recursive, by which it stays a call. It asks __weft_begin_call first, and
 *          ends with __weft_end_call; without room it does nothing, and its result is zero. Kernels that reach one have WEFT_KERNEL_RECURSES.
 *          Others on a cycle have the attribute if they have more than a few variables, of which calls that do not lead to them have no copies.
 * Keeps:   all other functions.
 * Why here: before functions are inlined. With these out of it the call graph has no cycles.
 */
#ifndef WEFT_PASSES_BOUND_RECURSION_H
#define WEFT_PASSES_BOUND_RECURSION_H

#include "ir/required_pass.h"

namespace weft
{

struct BoundRecursionPass : llvm::PassInfoMixin<BoundRecursionPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace weft

#endif
