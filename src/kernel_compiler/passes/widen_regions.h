/* SPDX-License-Identifier: MIT
 *
 * widen-regions
 * Expects: a kernel split into regions, values across barriers spilled.
 * Ensures: each region computes weft-vector-width work-items along x at once. Today the width is 1: the
 *          region is left as it is, and the attribute, from which the descriptor's vector_width is taken,
 *          says so.
 * Keeps:   regions and their order.
 * Why here: lanes are work-items of one region, which fission has made free of barriers; the loops that come
 *          next step by the width.
 */
#ifndef WEFT_PASSES_WIDEN_REGIONS_H
#define WEFT_PASSES_WIDEN_REGIONS_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct WidenRegionsPass : llvm::PassInfoMixin<WidenRegionsPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
	static bool isRequired()
	{
		return true;
	}
};

} // namespace weft

#endif
