/* SPDX-License-Identifier: MIT
 *
 * stream-stores: stores of large launches go past the cache.
 * Expects: optimised entry points, whose vectors are final; for an x86 CPU.
 * Ensures: an innermost loop that writes all of a part of a buffer, with vectors of half a cache line or of whole ones, has a
 *          copy whose stores go past the cache. It runs where the launch's work-items touch at least twice the bytes of the last
 *          cache (weft_work_context.cache_bytes) and the lines are whole. The entry point then fences before it returns.
 * Keeps:   what is computed. Entry points with atomics, fences or calls are left alone: what they write may be waited for
 *          while they run. So are buffers that the kernel is seen to read, which concerns time only.
 * Why here: whether stores are whole vectors side by side shows when vectors are final, and LLVM's passes would undo or
 *          unroll both copies.
 */
#ifndef WEFT_PASSES_STREAM_STORES_H
#define WEFT_PASSES_STREAM_STORES_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct StreamStoresPass : llvm::PassInfoMixin<StreamStoresPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
