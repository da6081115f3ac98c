/* SPDX-License-Identifier: MIT
 *
 * lower-enqueue: each call in its place.
 */
#include "prepare/lower_enqueue.h"

#include "functions/internal_functions.h"
#include "kernel_abi.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace weft
{

/* WEFT_ENQUEUE_DETAILED of lib/builtins/enqueue_types.h */
constexpr uint64_t detailed = 0x100;

PreservedAnalyses LowerEnqueuePass::run(Module &module, ModuleAnalysisManager &)
{
	Function *function = module.getFunction(enqueueName);
	if (!function)
		return PreservedAnalyses::all();
	const bool hasDebugInfo = module.getNamedMetadata("llvm.dbg.cu") != nullptr;
	for (User *user : make_early_inc_range(function->users())) {
		auto *call = cast<CallInst>(user);
		IRBuilder<> builder(call);
		Value *operation = builder.CreateOr(call->getArgOperand(0),
						    builder.getInt32(hasDebugInfo ? detailed : 0));
		call->replaceAllUsesWith(callHost(builder, offsetof(weft_work_context, enqueue),
						  call->getType(),
						  {operation, call->getArgOperand(1)}));
		call->eraseFromParent();
	}
	function->eraseFromParent();
	return PreservedAnalyses::none();
}

} // namespace weft
