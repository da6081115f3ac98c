/* SPDX-License-Identifier: MIT
 *
 * place-transfers: keeps the DMA requests that may be made where their region begins or ends.
 * Expects: a kernel split into regions, with values across barriers spilled, and accesses marked by find-transfers.
 * Ensures: accesses that still have weft.transfer belong to requests that may be made where their region begins, or where it
 *          ends if they write. All work-items make the accesses in each run of the region, in equally many iterations, and no
 *          access of the region that may touch the memory comes in between. The requests are numbered from 0.
 * Keeps:   code.
 * Why here: regions are final; count-cycles comes next.
 */
#ifndef WEFT_PASSES_PLACE_TRANSFERS_H
#define WEFT_PASSES_PLACE_TRANSFERS_H

#include "ir/required_pass.h"

namespace weft
{

struct PlaceTransfersPass : llvm::PassInfoMixin<PlaceTransfersPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
