/* SPDX-License-Identifier: MIT
 *
 * Puts a kernel's body in the place of a call in its entry point.
 */
#ifndef WEFT_PASSES_INLINE_KERNEL_H
#define WEFT_PASSES_INLINE_KERNEL_H

#include <llvm/IR/Instructions.h>

namespace weft
{

/* `isLast`: the kernel has no other call. The call is gone. */
void inlineKernel(llvm::CallInst &call, bool isLast);

} // namespace weft

#endif
