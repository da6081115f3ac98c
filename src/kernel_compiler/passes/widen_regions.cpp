/* SPDX-License-Identifier: MIT
 *
 * widen-regions: records the width that the regions have.
 */
#include "widen_regions.h"

#include "internal_functions.h"

using namespace llvm;

namespace weft
{

PreservedAnalyses WidenRegionsPass::run(Function &function, FunctionAnalysisManager &)
{
	if (isKernel(function))
		setKernelNumber(function, vectorWidthAttribute, 1);
	return PreservedAnalyses::all();
}

} // namespace weft
