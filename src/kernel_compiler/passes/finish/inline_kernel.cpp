/* SPDX-License-Identifier: MIT
 *
 * The last call of quick code takes the body itself; others get a copy.
 */
#include "finish/inline_kernel.h"

#include "kernel/quick_code.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace weft
{

namespace
{

/* Puts the kernel's body in the place of its last call, without a copy. What it says of its parameters is lost: quick code makes
 * nothing of it. */
void moveBody(CallInst &call, Function &kernel)
{
	Function &entry = *call.getFunction();
	BasicBlock *before = call.getParent(), *after = before->splitBasicBlock(&call);
	BasicBlock *body = &kernel.getEntryBlock();

	for (auto [parameter, value] : zip_equal(kernel.args(), call.args()))
		parameter.replaceAllUsesWith(value);
	for (Instruction &instruction : make_early_inc_range(instructions(kernel))) {
		auto *variable = dyn_cast<AllocaInst>(&instruction);
		if (variable && variable->isStaticAlloca())
			variable->moveBefore(entry.getEntryBlock().begin());
		else if (auto *other = dyn_cast<CallInst>(&instruction))
			other->setTailCallKind(CallInst::TCK_None);
		else if (isa<ReturnInst>(instruction))
			ReplaceInstWithInst(&instruction, BranchInst::Create(after));
	}
	entry.splice(after->getIterator(), &kernel);
	before->getTerminator()->setSuccessor(0, body);
	call.eraseFromParent();
}

} // namespace

void inlineKernel(CallInst &call, bool isLast)
{
	Function &kernel = *call.getCalledFunction();
	if (isLast && isQuick(*kernel.getParent())) {
		moveBody(call, kernel);
		return;
	}
	InlineFunctionInfo info;
	InlineFunction(call, info);
}

} // namespace weft
