/* SPDX-License-Identifier: MIT
 *
 * hoist-loads: what a loop loads from one place in shared memory is loaded before the loop.
 * Expects: flat kernels in SSA form.
 * Ensures: what a loop loads from one place, in memory that work-items share, and does not change, is loaded before the
 *          loop, where that cannot trap: `m[t][k]` in a loop over `m[t][j] -= m[t][k] * m[k][j]`, for j past k; and what its first
 *          iteration surely loads.
 * Keeps:   barriers and what is between them; a work-item makes at most one more load for each.
 * Why here: in lanes such a load is a gather, which LLVM leaves in the loop; and loops still know where they begin.
 */
#ifndef WEFT_PASSES_HOIST_LOADS_H
#define WEFT_PASSES_HOIST_LOADS_H

#include "ir/required_pass.h"

namespace weft
{

struct HoistLoadsPass : llvm::PassInfoMixin<HoistLoadsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
