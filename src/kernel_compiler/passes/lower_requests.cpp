/* SPDX-License-Identifier: MIT
 *
 * lower-requests: what the copies of work-groups say of themselves (weft_internal.h).
 */
#include "lower_requests.h"

#include "internal_functions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr char requestName[] = "__weft_request", requestEndName[] = "__weft_request_end";

bool isCallOf(const Value &value, StringRef name)
{
	const auto *call = dyn_cast<CallInst>(&value);
	return call && call->getCalledFunction() && call->getCalledFunction()->getName() == name;
}

/* From there to the end of the copy or of the block, whichever comes first, which is returned. */
const Instruction *addInBlock(const Instruction &first, DenseSet<const Instruction *> &copying)
{
	const Instruction *at = &first;
	for (; !isRequestEnd(*at) && !isBarrier(*at); at = at->getNextNode()) {
		copying.insert(at);
		if (at->isTerminator())
			break;
	}
	return at;
}

} // namespace

bool isRequest(const Value &value)
{
	return isCallOf(value, requestName);
}

bool isRequestEnd(const Value &value)
{
	return isCallOf(value, requestEndName);
}

void addCopying(const Instruction &request, DenseSet<const Instruction *> &copying)
{
	if (match(request.getOperand(1), PatternMatch::m_Zero()))
		return;
	SmallPtrSet<const BasicBlock *, 8> seen;
	SmallVector<const Instruction *, 8> work = {request.getNextNode()};
	while (!work.empty()) {
		const Instruction *last = addInBlock(*work.pop_back_val(), copying);
		for (const BasicBlock *next : successors(last->getParent())) {
			if (last->isTerminator() && seen.insert(next).second)
				work.push_back(&next->front());
		}
	}
}

void removeRequests(Module &module)
{
	for (StringRef name : {requestName, requestEndName}) {
		Function *function = module.getFunction(name);
		if (!function)
			continue;
		for (User *user : make_early_inc_range(function->users()))
			cast<Instruction>(user)->eraseFromParent();
		function->eraseFromParent();
	}
}

PreservedAnalyses LowerRequestsPass::run(Module &module, ModuleAnalysisManager &)
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
