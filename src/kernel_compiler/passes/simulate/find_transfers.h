/* SPDX-License-Identifier: MIT
 *
 * find-transfers: marks accesses that one DMA request could make.
 * Expects: a flat, simplified kernel for one work-item, loops in their simple form.
 * Ensures: loads and stores of global memory that the work-items of a group make side by side, line by line, bear the metadata
 *          weft.transfer: what one DMA request could bring or take, were it made where their region begins or ends. Loops with
 *          such loads are taken in chunks, with a barrier before each.
 * Keeps:   what a work-item computes, and in which order.
 * Why here: addresses are still values of the source's loops; the barriers come before regions are made. Where these begin and
 *          end, and whether the requests may be made there, place-transfers knows.
 */
#ifndef WEFT_PASSES_FIND_TRANSFERS_H
#define WEFT_PASSES_FIND_TRANSFERS_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct FindTransfersPass : llvm::PassInfoMixin<FindTransfersPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
	static bool isRequired()
	{
		return true;
	}
};

} // namespace weft

#endif
