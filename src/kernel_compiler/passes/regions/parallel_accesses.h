/* SPDX-License-Identifier: MIT
 *
 * Tells LLVM which memory accesses of a work-item loop do not depend on those of other work-items. Within a
 * region work-items are not ordered, so that an access of one that depended on another's would be a data
 * race; private variables, which share their stack slot, and atomics are not marked.
 */
#ifndef WEFT_PASSES_PARALLEL_ACCESSES_H
#define WEFT_PASSES_PARALLEL_ACCESSES_H

#include <llvm/IR/BasicBlock.h>

namespace weft
{

/* Gives the loop that ends in `latch` an access group. */
void markParallelLoop(llvm::BasicBlock &latch);
/* Puts accesses to memory that work-items share into the group of the loop that ends in `latch`. */
void markParallelAccesses(llvm::ArrayRef<llvm::BasicBlock *> blocks, llvm::BasicBlock &latch);
/* The same for loads and stores of one address. */
void markParallelUsers(llvm::Value &address, llvm::BasicBlock *latch);

} // namespace weft

#endif
