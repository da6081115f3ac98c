/* SPDX-License-Identifier: MIT
 *
 * find-transfers: marks accesses that one DMA request could replace.
 * Expects: a flat, simplified kernel for one work-item, with loops in their simple form.
 * Ensures: loads and stores of global memory that the work-items of a group make side by side, line by line, have the metadata
 *          weft.transfer: what one DMA request could move, if it were made where their region begins or ends. Loops with such
 *          loads are split into chunks, with a barrier before each.
 * Keeps:   what a work-item computes, and in which order.
 * Why here: addresses are still values of the source's loops, and barriers must come before regions are made. Where regions
 *          begin and end, and whether the requests may be made there, is found by place-transfers.
 */
#ifndef WEFT_PASSES_FIND_TRANSFERS_H
#define WEFT_PASSES_FIND_TRANSFERS_H

#include "ir/required_pass.h"

namespace weft
{

struct FindTransfersPass : llvm::PassInfoMixin<FindTransfersPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
