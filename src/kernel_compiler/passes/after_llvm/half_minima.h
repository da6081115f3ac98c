/* SPDX-License-Identifier: MIT
 *
 * Minima and maxima of halves that take each other's results, on a CPU without arithmetic on halves.
 */
#ifndef WEFT_PASSES_HALF_MINIMA_H
#define WEFT_PASSES_HALF_MINIMA_H

#include <llvm/IR/PassManager.h>

namespace weft
{

/* Makes such minima, and what carries their results through loops and branches, values of float, where that takes fewer
 * conversions than comparisons of halves do. Exact: each value is one of the halves, but a signalling NaN becomes a quiet one. Returns whether there were any. */
bool promoteHalfMinima(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

} // namespace weft

#endif
