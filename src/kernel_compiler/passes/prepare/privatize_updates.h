/* SPDX-License-Identifier: MIT
 *
 * privatize-updates: counters in global memory are counted in a copy by each thread, and added up at its end.
 * Expects: a flat kernel, with few conversions of pointers left.
 * Ensures: a pointer parameter through which nothing is done but atomic updates of one kind, without their results, of at most 512
 *          integers at known places has the attribute of an UpdatedCopy (ir/atomic_updates.h), and its updates are marked. The
 *          entry point passes a copy instead of it, and applies the copy at its end.
 * Keeps:   what the kernel computes: behind such an update a work-item accesses no global memory but by such updates, so
 *          that none can tell whether the others' have been made.
 * Why here: widen-loops and relax-local-atomics treat the marked updates as those of local memory. Atomic updates by two cores of
 *          one cache line take ten times as long as by one core (Zen 4: 22 ns and 2.4 for each).
 */
#ifndef WEFT_PASSES_PRIVATIZE_UPDATES_H
#define WEFT_PASSES_PRIVATIZE_UPDATES_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct PrivatizeUpdatesPass : llvm::PassInfoMixin<PrivatizeUpdatesPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
