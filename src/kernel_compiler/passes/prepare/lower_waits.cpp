/* SPDX-License-Identifier: MIT
 *
 * lower-waits: calls of the host, and flags of kernels.
 */
#include "prepare/lower_waits.h"

#include "functions/internal_functions.h"
#include "functions/pipe_functions.h"
#include "kernel_waits.h"

using namespace llvm;

namespace weft
{

namespace
{

/* All calls of a function by its name. */
SmallVector<CallInst *, 8> callsOf(const Module &module, StringRef name)
{
	SmallVector<CallInst *, 8> calls;
	const Function *function = module.getFunction(name);
	if (!function)
		return calls;
	for (const User *user : function->users()) {
		auto *call = dyn_cast<CallInst>(user);
		if (call && call->getCalledFunction() == function)
			calls.push_back(const_cast<CallInst *>(call));
	}
	return calls;
}

void callYield(CallInst &call)
{
	IRBuilder<> builder(&call);
	callHost(builder, offsetof(weft_waiting_context, yield), builder.getVoidTy(), {});
}

/* Kernels that come to one of the calls bear the flag. */
void flagKernels(ArrayRef<CallInst *> calls, uint64_t flag)
{
	SmallVector<Function *, 8> functions;
	for (CallInst *call : calls)
		functions.push_back(call->getFunction());
	flagCallers(functions, flag);
}

} // namespace

PreservedAnalyses LowerWaitsPass::run(Module &module, ModuleAnalysisManager &)
{
	SmallVector<CallInst *, 8> calls = callsOf(module, yieldName);
	for (CallInst *call : calls)
		callYield(*call);
	flagKernels(calls, WEFT_KERNEL_MAY_BLOCK);
	const SmallVector<CallInst *, 8> alone = callsOf(module, aloneName);
	flagKernels(alone, WEFT_KERNEL_ITEMS_ALONE);
	append_range(calls, alone);
	for (CallInst *call : calls)
		call->eraseFromParent();
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return calls.empty() ? PreservedAnalyses::all() : preserved;
}

} // namespace weft
