/* SPDX-License-Identifier: MIT
 *
 * lower-dma-requests: removes the notes by which copies of work-groups say what they copy; where cycles are counted
 *   they stay until count-cycles.
 * Expects: built-in functions linked and prepared.
 * Ensures: calls of __weft_request and __weft_request_end are left only where cycles are counted, for count-cycles; they are
 *          where they were called.
 * Keeps:   everything else.
 * Why here: before anything is simplified, which they would be in the way of.
 */
#ifndef WEFT_PASSES_LOWER_DMA_REQUESTS_H
#define WEFT_PASSES_LOWER_DMA_REQUESTS_H

#include "ir/required_pass.h"

namespace weft
{

struct LowerDmaRequestsPass : llvm::PassInfoMixin<LowerDmaRequestsPass>, RequiredPass {
	LowerDmaRequestsPass(bool theStay = false) : stay(theStay)
	{
	}
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);

      private:
	bool stay;
};

} // namespace weft

#endif
