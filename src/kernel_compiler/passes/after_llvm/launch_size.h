/* SPDX-License-Identifier: MIT
 *
 * How large a launch is, for code that decides by it.
 */
#ifndef WEFT_PASSES_LAUNCH_SIZE_H
#define WEFT_PASSES_LAUNCH_SIZE_H

#include <llvm/IR/IRBuilder.h>

namespace weft
{

bool isEntryPoint(const llvm::Function &function);

/* The launch's work-items, an i64 that is computed at the end of an entry point's first block. */
llvm::Value *loadWorkItems(llvm::Function &function, llvm::IRBuilder<> &entry);

/* The attributes of an entry point's parameter hold no more, since it is loaded from. */
void allowLoads(llvm::Function &function, unsigned parameter);

} // namespace weft

#endif
