/* SPDX-License-Identifier: MIT
 *
 * unroll-barrier-loops: iterations of a tree reduction stand one after the other.
 * Expects: a kernel of scalars and vectors in SSA form, its calls inlined, before its regions are looked for.
 * Ensures: the iterations of a short loop around barriers whose counter doubles or halves, as in a tree reduction or a scan,
 *          stand one after the other; where a whole group is one vector, those of any short loop around barriers. A group's size along a dimension is a number where a version requires it.
 * Keeps:   every other loop; barriers, and their order; the kernel's meaning.
 * Why here: each iteration becomes a separate region, whose guards and distances are numbers: those that few work-items
 *          run are short, without a loop or a mask that is computed. Later regions are loops, and iterations hard to find.
 */
#ifndef WEFT_PASSES_UNROLL_BARRIER_LOOPS_H
#define WEFT_PASSES_UNROLL_BARRIER_LOOPS_H

#include "ir/required_pass.h"

namespace weft
{

struct UnrollBarrierLoopsPass : llvm::PassInfoMixin<UnrollBarrierLoopsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
