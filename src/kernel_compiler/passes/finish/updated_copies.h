/* SPDX-License-Identifier: MIT
 *
 * A thread's own copies of counters (privatize-updates): made where an entry point begins, applied where it ends.
 */
#ifndef WEFT_PASSES_UPDATED_COPIES_H
#define WEFT_PASSES_UPDATED_COPIES_H

#include "ir/atomic_updates.h"

#include <llvm/IR/IRBuilder.h>

namespace weft
{

/* Counters in memory that others see, and those of this call. */
struct CountersCopy {
	UpdatedCopy kind;
	llvm::Value *shared, *own;
};

/* A copy on the stack in which nothing has been counted. */
CountersCopy createCopy(llvm::IRBuilder<> &builder, llvm::Value &shared, UpdatedCopy kind);

/* Updates the shared counters by those of the copy that have been updated. The builder is behind that then. */
void applyCopy(llvm::IRBuilder<> &builder, const CountersCopy &copy);

} // namespace weft

#endif
