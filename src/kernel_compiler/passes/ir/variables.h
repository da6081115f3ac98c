/* SPDX-License-Identifier: MIT
 *
 * A kernel's variables: its allocas. Which of them work-items share, and how large they are. And a program's variables.
 */
#ifndef WEFT_PASSES_VARIABLES_H
#define WEFT_PASSES_VARIABLES_H

#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>

namespace weft
{

/* Metadata of an alloca: it holds a value that is equal for all work-items of the group. spill-at-barriers and work-item-loops
 * set it. */
constexpr char uniformMetadata[] = "weft.uniform";

/* Whether the variable is each work-item's own, not the group's. */
bool isPrivate(const llvm::AllocaInst &variable);

/* Bytes of a thread's stack that one entry point may use: workers have 8 MiB, an application's thread that waits
 * and helps may have far less. */
constexpr uint64_t stackBudget = 64 * 1024;

/* Bytes of a variable; 0 if they are not known. */
uint64_t sizeOfVariable(const llvm::AllocaInst &variable);

/* Whether it is one of program scope: what kernels may change, or keep for the program's life. */
bool isProgramVariable(const llvm::GlobalVariable &variable);

} // namespace weft

#endif
