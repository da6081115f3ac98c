/* SPDX-License-Identifier: MIT
 *
 * Finds requests, and what stands between each and its end.
 */
#include "kernel/dma_requests.h"

#include "functions/internal_functions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;

namespace weft
{

namespace
{

bool isCallOf(const Value &value, StringRef name)
{
	const auto *call = dyn_cast<CallInst>(&value);
	return call && call->getCalledFunction() && call->getCalledFunction()->getName() == name;
}

/* Adds the instructions from `first` to the end of the copy or of the block, whichever comes first. Returns that end. */
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

} // namespace weft
