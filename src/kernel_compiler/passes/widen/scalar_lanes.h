/* SPDX-License-Identifier: MIT
 *
 * Two interleaved work-items as scalars.
 */
#ifndef WEFT_PASSES_SCALAR_LANES_H
#define WEFT_PASSES_SCALAR_LANES_H

#include <llvm/IR/PassManager.h>

namespace weft
{

/* Makes scalars out of vectors of two lanes, which are two interleaved work-items. */
void makeScalars(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

} // namespace weft

#endif
