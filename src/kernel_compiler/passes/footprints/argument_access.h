/* SPDX-License-Identifier: MIT
 *
 * argument-access: finds which arguments a kernel reads and writes.
 * Expects: a flat, simplified kernel for one work-item.
 * Ensures: each pointer parameter carries what the kernel does through it (enum weft_pointer_use) as the
 *          attribute weft-access, and the kernel carries WEFT_KERNEL_TOUCHES_OTHER_MEMORY when it may reach
 *          memory that no argument leads to, and WEFT_KERNEL_ONLY_FOLLOWS_POINTERS when pointers lead there.
 * Keeps:   code.
 * Why here: what the runtime orders commands by; after inlining everything is in view, and before values
 *          across barriers go to memory, where a pointer would seem to escape.
 */
#ifndef WEFT_PASSES_ARGUMENT_ACCESS_H
#define WEFT_PASSES_ARGUMENT_ACCESS_H

#include "ir/required_pass.h"

namespace weft
{

struct ArgumentAccessPass : llvm::PassInfoMixin<ArgumentAccessPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

/* A block's address in a sub-group: one work-item's operand. */
bool isFirstAddress(const llvm::Value &value);
/* An argument, an image's texels, a private or local variable, or a constant. */
bool isKnownObject(const llvm::Value &object);

} // namespace weft

#endif
