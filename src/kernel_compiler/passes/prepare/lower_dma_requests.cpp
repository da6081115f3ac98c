/* SPDX-License-Identifier: MIT
 *
 * lower-dma-requests: removes what the copies of work-groups say of themselves (weft_internal.h), or lets it stay in its place.
 */
#include "prepare/lower_dma_requests.h"

#include "kernel/dma_requests.h"

#include <llvm/IR/Module.h>

using namespace llvm;

namespace weft
{

PreservedAnalyses LowerDmaRequestsPass::run(Module &module, ModuleAnalysisManager &)
{
	if (!stay) {
		removeRequests(module);
		return PreservedAnalyses::none();
	}
	for (StringRef name : {requestName, requestEndName}) {
		if (Function *function = module.getFunction(name)) {
			function->setDoesNotThrow();
			function->setWillReturn();
			function->setConvergent();
			function->setCannotDuplicate();
			function->addFnAttr(Attribute::NoMerge);
		}
	}
	return PreservedAnalyses::all();
}

} // namespace weft
