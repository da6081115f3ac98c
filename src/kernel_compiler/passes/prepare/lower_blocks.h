/* SPDX-License-Identifier: MIT
 *
 * lower-blocks: kernels of blocks are known by a number.
 * Expects: Clang's blocks: a literal with the address of its function, and a kernel per block, whose address enqueue_kernel and
 *          the queries of blocks are given. All else calls functions by name.
 * Ensures: no address of a function is a value. A block's kernel bears its number (blockAttribute), which stands where its
 *          address did, as a pointer. Its first argument, the address of the literal's copy, is a global pointer to memory
 *          that is only read. Kernels that enqueue carry WEFT_KERNEL_ENQUEUES.
 * Keeps:   control flow.
 * Why here: before inlining, so that functions of blocks without calls go; before prepare-kernels, which takes kernels for
 *          external ones.
 */
#ifndef WEFT_PASSES_LOWER_BLOCKS_H
#define WEFT_PASSES_LOWER_BLOCKS_H

#include "ir/required_pass.h"

namespace weft
{

struct LowerBlocksPass : llvm::PassInfoMixin<LowerBlocksPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace weft

#endif
