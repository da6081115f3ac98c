/* SPDX-License-Identifier: MIT
 *
 * A function's body once in a kernel for several calls: each call stores its arguments and its number in variables of the kernel and
 * goes to the body, which ends with a switch that goes back behind the call of that number. For functions with barriers,
 * which must be in the kernel, where copies of them would make it too large. They must not be recursive, and work-items may not
 * tell from which call others have come (functions of sub-groups do).
 */
#ifndef WEFT_PASSES_SHARED_BODIES_H
#define WEFT_PASSES_SHARED_BODIES_H

#include <llvm/IR/Instructions.h>

namespace weft
{

/* Puts one call of the function in the place of all its calls in `kernel`, two or more, and returns it, which is to be
 * inlined. Values that live across blocks become variables. */
llvm::CallInst &shareCalls(llvm::Function &kernel, llvm::ArrayRef<llvm::CallInst *> calls);

} // namespace weft

#endif
