/* SPDX-License-Identifier: MIT
 *
 * lower-requests
 * Expects: built-in functions linked and prepared.
 * Ensures: calls of __weft_request and __weft_request_end are left only where cycles are counted, for count-cycles; they are
 *          where they were called.
 * Keeps:   everything else.
 * Why here: before anything is simplified, which they would be in the way of.
 */
#ifndef WEFT_PASSES_LOWER_REQUESTS_H
#define WEFT_PASSES_LOWER_REQUESTS_H

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

namespace weft
{

struct LowerRequestsPass : llvm::PassInfoMixin<LowerRequestsPass> {
	LowerRequestsPass(bool theStay = false) : stay(theStay)
	{
	}
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
	static bool isRequired()
	{
		return true;
	}

      private:
	bool stay;
};

bool isRequest(const llvm::Value &value);
bool isRequestEnd(const llvm::Value &value);

/* What stands between a request and its end: what the DMA engine does. */
void addCopying(const llvm::Instruction &request,
		llvm::DenseSet<const llvm::Instruction *> &copying);

/* Removes what is left of them. */
void removeRequests(llvm::Module &module);

} // namespace weft

#endif
