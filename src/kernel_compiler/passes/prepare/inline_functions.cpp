/* SPDX-License-Identifier: MIT
 *
 * inline-functions: each root by itself, from a list of its calls, to which those of an inlined body are added. So the
 * body of a function that is inlined everywhere is never changed, and each copy is made once.
 */
#include "prepare/inline_functions.h"

#include "ir/internal_functions.h"
#include "prepare/inlining_plan.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Utils/Cloning.h>

extern "C" {
#include "log.h"
}

using namespace llvm;

namespace weft
{

namespace
{

cl::opt<unsigned> kernelLimit("weft-kernel-limit", cl::init(1000000), cl::Hidden,
			      cl::desc("Instructions of one kernel past which it is an error"));

bool isInlined(const CallBase &call, const InliningPlan::Calls &calls)
{
	const Function *callee = call.getCalledFunction();
	return callee && !callee->isDeclaration() && !isKernel(*callee) && !runsOnce(*callee) &&
	       !calls.contains(callee);
}

/* Inlines all that is to be; what stays called goes to `roots`. */
void inlineCalls(Function &root, const InliningPlan::Calls &calls, SetVector<Function *> &roots)
{
	SmallVector<CallBase *, 32> pending;
	for (Instruction &instruction : instructions(root))
		if (auto *call = dyn_cast<CallBase>(&instruction))
			pending.push_back(call);
	/* The first call comes last: instructions behind a call move to another block, so they are inlined before. */
	while (!pending.empty()) {
		CallBase *call = pending.pop_back_val();
		Function *callee = call->getCalledFunction();
		InlineFunctionInfo info;
		if (callee && calls.contains(callee))
			roots.insert(callee);
		else if (isInlined(*call, calls) && InlineFunction(*call, info, true).isSuccess())
			pending.append(info.InlinedCallSites.begin(), info.InlinedCallSites.end());
	}
}

} // namespace

PreservedAnalyses InlineFunctionsPass::run(Module &module, ModuleAnalysisManager &)
{
	const InliningPlan plan(module);
	SetVector<Function *> roots;
	for (Function *function : plan.functions())
		if (isKernel(*function) || runsOnce(*function))
			roots.insert(function);
	for (size_t i = 0; i < roots.size(); i++) {
		Function &root = *roots[i];
		const InliningPlan::Calls calls = plan.callsOf(root);
		const double size = plan.sizeOf(root, calls);
		if (size > kernelLimit) {
			reportError(root, "error: kernel '" + root.getName() + "' is too large: " +
						  Twine(uint64_t(std::min(size, 1e18))) +
						  " instructions when its functions are inlined");
			continue;
		}
		weft_log(WEFT_LOG_DEBUG, "compiler", "%s: %.0f instructions, %u functions called",
			 root.getName().str().c_str(), size, unsigned(calls.size()));
		inlineCalls(root, calls, roots);
		root.removeFnAttr(Attribute::AlwaysInline);
		if (!isKernel(root) && !runsOnce(root))
			root.addFnAttr(Attribute::NoInline);
	}
	return PreservedAnalyses::none();
}

} // namespace weft
