/* SPDX-License-Identifier: MIT
 *
 * pair-windows: two vectors of work-items go through their windows of transposed loads by turns.
 * Expects: a kernel after unroll-windows.
 * Ensures: where a loop over whole windows waits for the sums of its own last iteration, the item loop around it takes two vectors
 *          at a time through such loops: a window of the first vector, then one of the second, which is a few windows behind, and no
 *          prefetches. What comes behind the loop is done for the first vector, then for the second, by the code that is there. A last
 *          single vector goes through the loop as it was.
 * Keeps:   the order of each sum; loops with something to write, and those with enough work for the time that they wait.
 * Why here: the windows of one vector take all registers, so two vectors at once (interleave_count.h) would not have them. The second
 *          vector is behind since rows are often a power of two apart: lines of both would evict each other from the cache.
 */
#ifndef WEFT_PASSES_PAIR_WINDOWS_H
#define WEFT_PASSES_PAIR_WINDOWS_H

#include "ir/required_pass.h"

namespace weft
{

struct PairWindowsPass : llvm::PassInfoMixin<PairWindowsPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
