/* SPDX-License-Identifier: MIT
 *
 * A kernel's variables: its allocas. Which of them work-items share, and how large they are.
 */
#ifndef WEFT_PASSES_VARIABLES_H
#define WEFT_PASSES_VARIABLES_H

#include <llvm/IR/Instructions.h>

namespace weft
{

/* Of an alloca: it holds a value that is the same for all work-items of the group. spill-at-barriers and work-item-loops give
 * it to variables. */
constexpr char uniformMetadata[] = "weft.uniform";

/* Whether the variable is each work-item's own, not the group's. */
bool isPrivate(const llvm::AllocaInst &variable);

/* What one entry point may take of a thread's stack: workers have 8 MiB, an application's thread that waits
 * and helps may have far less. */
constexpr uint64_t stackBudget = 64 * 1024;

/* Bytes of a variable; 0 if they are not known. */
uint64_t sizeOfVariable(const llvm::AllocaInst &variable);

} // namespace weft

#endif
