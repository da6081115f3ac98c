/* SPDX-License-Identifier: MIT
 *
 * transpose-local-arrays: columns of a group's arrays become rows, where lanes access columns.
 * Expects: a kernel in SSA form, its calls inlined, its x chosen (swap-dimensions); its local variables have their places.
 * Ensures: where the size of groups is required, an array in local memory of which neighbours along x access a column, in the main,
 *          is transposed, so that these are neighbours in memory.
 * Keeps:   arrays whose address goes anywhere but to loads and stores of one size, or of which an access may lie in another row than
 *          its indices say; those in which rows are accessed about as often.
 * Why here: choose-width counts what accesses cost. lu of the kernel benchmark, whose work-items own rows of a square, gathers and
 *          scatters them without.
 */
#ifndef WEFT_PASSES_TRANSPOSE_LOCAL_ARRAYS_H
#define WEFT_PASSES_TRANSPOSE_LOCAL_ARRAYS_H

#include "ir/required_pass.h"

namespace weft
{

struct TransposeLocalArraysPass : llvm::PassInfoMixin<TransposeLocalArraysPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
