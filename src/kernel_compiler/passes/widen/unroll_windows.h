/* SPDX-License-Identifier: MIT
 *
 * unroll-windows: loops with transposed loads go through whole windows, whose vectors then stay in registers.
 * Expects: a kernel after widen-loops, whose marks of transposed loads (window_marks.h) are there.
 * Ensures: in front of an innermost loop with such loads that all lanes run stands another one, whose iterations are as many of the
 *          first one's as the largest window has: as many as are whole. The first one is left with the rest.
 * Keeps:   loops whose iterations would come to too many instructions, those with a mask, and those with atomic operations: the
 *          CPU would begin more loads before older stores to the same place, and take them back.
 * Why here: only widen-loops knows what the marks say; LLVM then makes values of the windows.
 */
#ifndef WEFT_PASSES_UNROLL_WINDOWS_H
#define WEFT_PASSES_UNROLL_WINDOWS_H

#include "ir/required_pass.h"

namespace weft
{

struct UnrollWindowsPass : llvm::PassInfoMixin<UnrollWindowsPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
