/* SPDX-License-Identifier: MIT
 *
 * The ways from several calls through one body cross, so no value of one way dominates what is behind the body. In variables, of
 * which SROA makes values again, nothing must.
 */
#include "calls/shared_bodies.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace weft
{

namespace
{

bool isVariable(const Instruction &instruction)
{
	const auto *variable = dyn_cast<AllocaInst>(&instruction);
	return variable && variable->isStaticAlloca();
}

void demoteValues(Function &kernel)
{
	BasicBlock::iterator start = kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
	SmallVector<PHINode *, 16> phis;
	SmallVector<Instruction *, 32> values;
	for (Instruction &instruction : instructions(kernel)) {
		if (auto *phi = dyn_cast<PHINode>(&instruction))
			phis.push_back(phi);
	}
	for (PHINode *phi : phis)
		DemotePHIToStack(phi, start);
	for (Instruction &instruction : instructions(kernel)) {
		if (!isVariable(instruction) &&
		    instruction.isUsedOutsideOfBlock(instruction.getParent()))
			values.push_back(&instruction);
	}
	for (Instruction *value : values)
		DemoteRegToStack(*value, false, start);
}

/* The variables through which calls and body pass values. */
class CallVariables
{
      public:
	CallVariables(Function &kernel, const Function &callee)
	    : builder(&kernel.getEntryBlock(), kernel.getEntryBlock().begin())
	{
		for (const Argument &argument : callee.args())
			arguments.push_back(builder.CreateAlloca(argument.getType(), nullptr,
								 "shared.argument"));
		if (!callee.getReturnType()->isVoidTy())
			result = builder.CreateAlloca(callee.getReturnType(), nullptr,
						      "shared.result");
		number = builder.CreateAlloca(builder.getInt32Ty(), nullptr, "shared.call");
	}

	/* Takes the call out of its block. Returns the block behind it. */
	BasicBlock *enter(CallInst &call, uint32_t which, BasicBlock &body)
	{
		BasicBlock *before = call.getParent();
		BasicBlock *behind = SplitBlock(before, call.getNextNode());
		builder.SetInsertPoint(&call);
		for (auto [argument, variable] : zip_equal(call.args(), arguments))
			builder.CreateStore(argument, variable);
		builder.CreateStore(builder.getInt32(which), number);
		before->getTerminator()->setSuccessor(0, &body);
		if (result && !call.use_empty()) {
			builder.SetInsertPoint(behind, behind->getFirstInsertionPt());
			call.replaceAllUsesWith(builder.CreateLoad(call.getType(), result));
		}
		call.eraseFromParent();
		return behind;
	}

	/* The body, so far a call. */
	CallInst *fill(BasicBlock &body, Function &callee, ArrayRef<BasicBlock *> behind)
	{
		builder.SetInsertPoint(&body);
		SmallVector<Value *, 8> values;
		for (AllocaInst *variable : arguments)
			values.push_back(
				builder.CreateLoad(variable->getAllocatedType(), variable));
		CallInst *call = builder.CreateCall(&callee, values);
		call->setCallingConv(callee.getCallingConv());
		if (result)
			builder.CreateStore(call, result);
		SwitchInst *back = builder.CreateSwitch(
			builder.CreateLoad(builder.getInt32Ty(), number), behind.back());
		for (auto [which, block] : enumerate(behind.drop_back()))
			back->addCase(builder.getInt32(uint32_t(which)), block);
		return call;
	}

      private:
	IRBuilder<> builder;
	SmallVector<AllocaInst *, 8> arguments;
	AllocaInst *result = nullptr, *number;
};

} // namespace

CallInst &shareCalls(Function &kernel, ArrayRef<CallInst *> calls)
{
	Function &callee = *calls.front()->getCalledFunction();
	CallVariables variables(kernel, callee);
	BasicBlock *body = BasicBlock::Create(kernel.getContext(), "shared.body", &kernel);
	SmallVector<BasicBlock *, 8> behind;
	for (auto [which, call] : enumerate(calls))
		behind.push_back(variables.enter(*call, uint32_t(which), *body));
	CallInst *call = variables.fill(*body, callee, behind);
	demoteValues(kernel);
	return *call;
}

} // namespace weft
