/* SPDX-License-Identifier: MIT
 *
 * lower-local-memory: local variables become offsets from the group's memory.
 * Expects: kernels with everything inlined that touches local variables.
 * Ensures: variables in the local address space and __weft_group_memory are offsets from
 *          __weft_local_memory(); the kernel's bytes are its attribute weft-local-size.
 * Keeps:   control flow.
 * Why here: each kernel lays out only what it uses, and later passes see plain addresses that are uniform.
 */
#ifndef WEFT_PASSES_LOWER_LOCAL_MEMORY_H
#define WEFT_PASSES_LOWER_LOCAL_MEMORY_H

#include "ir/required_pass.h"

namespace weft
{

struct LowerLocalMemoryPass : llvm::PassInfoMixin<LowerLocalMemoryPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace weft

#endif
