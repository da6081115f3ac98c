/* SPDX-License-Identifier: MIT
 *
 * inline-functions: each root by itself, from a list of its calls, to which those of an inlined body are added. So the
 * body of a function that is inlined everywhere is never changed, and each copy is made once. Bodies that a root's calls share come
 * last, callers before callees: then all calls of the next one are there.
 */
#include "calls/inline_functions.h"

#include "calls/inlining_plan.h"
#include "calls/shared_bodies.h"
#include "functions/element_functions.h"
#include "functions/internal_functions.h"

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

/* Bytes of the variables of a function that may call itself, with all that is inlined in it. */
constexpr uint64_t recursiveFrameLimit = 64 * 1024;

/* What stays a call in a root. Element functions do, too, in a root that is not too large with them inlined. */
InliningPlan::Calls callsIn(Function &root, const InliningPlan &plan, bool keepsElements)
{
	InliningPlan::Calls calls = plan.callsOf(root);
	if (!keepsElements)
		return calls;
	if (const Function *scalar = scalarOf(root); scalar && plan.isPlain(root)) {
		calls.insert(scalar);
		return calls;
	}
	InliningPlan::Calls elements, others;
	for (const Function *function : plan.functions()) {
		if (scalarOf(*function) && plan.isPlain(*function))
			elements.insert(function);
	}
	for (const Function *function : calls) {
		if (!elements.contains(function))
			others.insert(function);
	}
	if (elements.empty() || !plan.fitsBudget(root, others))
		return calls;
	setKernelNumber(root, elementCallsAttribute, 1);
	others.insert(elements.begin(), elements.end());
	return others;
}

/* A function that calls itself has its variables on the stack again and again, below what it has looked at. */
void checkFrame(const Function &root)
{
	if (!root.hasFnAttribute(recursiveAttribute))
		return;
	const uint64_t bytes = frameSize(root);
	if (bytes > recursiveFrameLimit)
		reportError(root,
			    "error: functions that call themselves by a pointer or as virtual "
			    "functions have variables of " +
				    Twine(bytes) + " bytes; together they can have " +
				    Twine(recursiveFrameLimit));
}

/* One kernel, or one function that stays a call. */
class RootInliner
{
      public:
	RootInliner(Function &theRoot, const InliningPlan &plan, InliningPlan::Calls calls,
		    SetVector<Function *> &theRoots)
	    : root(theRoot), roots(theRoots), called(std::move(calls)), kept(called),
	      shared(plan.shareIn(root, kept))
	{
		size = plan.sizeOf(root, kept);
		for (const Function *function : shared)
			size += plan.sizeOf(*function, kept);
	}

	/* Of the root, when all is inlined. */
	double instructions() const
	{
		return size;
	}
	unsigned numCalled() const
	{
		return unsigned(called.size());
	}

	/* What stays called goes to the roots. */
	void run()
	{
		SmallVector<CallBase *, 32> calls;
		for (Instruction &instruction : llvm::instructions(root)) {
			if (auto *call = dyn_cast<CallBase>(&instruction))
				calls.push_back(call);
		}
		inlineCalls(std::move(calls));
		for (Function *function : shared) {
			kept.erase(function);
			SmallVector<CallInst *, 8> sites = callsOf(*function);
			if (!sites.empty())
				inlineCalls({sites.size() == 1 ? sites.front()
							       : &shareCalls(root, sites)});
		}
	}

      private:
	bool isInlined(const Function &callee) const
	{
		return !callee.isDeclaration() && !isKernel(callee) && !runsOnce(callee) &&
		       !kept.contains(&callee);
	}

	/* The calls and what they bring. */
	void inlineCalls(SmallVector<CallBase *, 32> pending)
	{
		/* The first call comes last: instructions behind a call move to another block, so they are inlined before. */
		while (!pending.empty()) {
			CallBase *call = pending.pop_back_val();
			Function *callee = call->getCalledFunction();
			InlineFunctionInfo info;
			if (callee && called.contains(callee))
				roots.insert(callee);
			else if (callee && isInlined(*callee) &&
				 InlineFunction(*call, info, true).isSuccess())
				pending.append(info.InlinedCallSites.begin(),
					       info.InlinedCallSites.end());
		}
	}

	SmallVector<CallInst *, 8> callsOf(Function &callee) const
	{
		SmallVector<CallInst *, 8> calls;
		for (User *user : callee.users()) {
			auto *call = dyn_cast<CallInst>(user);
			if (call && call->getFunction() == &root)
				calls.push_back(call);
		}
		return calls;
	}

	Function &root;
	SetVector<Function *> &roots;
	const InliningPlan::Calls called;
	InliningPlan::Calls kept; /* those, and what is not shared yet */
	const SmallVector<Function *, 4> shared;
	double size = 0;
};

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
		RootInliner inliner(root, plan, callsIn(root, plan, keepsElements), roots);
		const double size = inliner.instructions();
		if (size > kernelLimit) {
			reportError(root, "error: kernel '" + root.getName() + "' is too large: " +
						  Twine(uint64_t(std::min(size, 1e18))) +
						  " instructions when its functions are inlined");
			continue;
		}
		weft_log(WEFT_LOG_DEBUG, "compiler", "%s: %.0f instructions, %u functions called",
			 root.getName().str().c_str(), size, inliner.numCalled());
		inliner.run();
		checkFrame(root);
		root.removeFnAttr(Attribute::AlwaysInline);
		if (!isKernel(root) && !runsOnce(root))
			root.addFnAttr(Attribute::NoInline);
	}
	return PreservedAnalyses::none();
}

} // namespace weft
