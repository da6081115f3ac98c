/* SPDX-License-Identifier: MIT
 *
 * lower-blocks: numbers in the place of functions' addresses.
 */
#include "prepare/lower_blocks.h"

#include "functions/function_addresses.h"
#include "functions/internal_functions.h"
#include "kernel_abi.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace weft
{

namespace
{

bool takesLiteral(const Function &kernel)
{
	return kernel.arg_size() > 0 && kernel.getArg(0)->getType()->isPointerTy() &&
	       kernel.getArg(0)->getType()->getPointerAddressSpace() == GenericSpace;
}

/* A kernel with a global first argument takes over body and name. */
void takeGlobalLiteral(Function &old)
{
	SmallVector<Type *, 4> types(old.getFunctionType()->params());
	types[0] = PointerType::get(old.getContext(), GlobalSpace);
	auto *type = FunctionType::get(old.getReturnType(), types, false);
	Function *kernel = Function::Create(type, old.getLinkage(), old.getAddressSpace(), "",
					    old.getParent());
	kernel->copyAttributesFrom(&old);
	kernel->copyMetadata(&old, 0);
	kernel->takeName(&old);
	kernel->splice(kernel->begin(), &old);
	for (auto [from, to] : drop_begin(zip_equal(old.args(), kernel->args())))
		from.replaceAllUsesWith(&to);
	IRBuilder<> builder(&kernel->getEntryBlock(), kernel->getEntryBlock().begin());
	Argument *literal = kernel->getArg(0);
	old.getArg(0)->replaceAllUsesWith(
		builder.CreateAddrSpaceCast(literal, old.getArg(0)->getType()));
	literal->addAttr(Attribute::NoAlias);
	literal->addAttr(Attribute::ReadOnly);
	old.eraseFromParent();
}

/* The functions that ask the host. */
SmallVector<Function *, 8> findAsking(const Module &module)
{
	SmallVector<Function *, 8> asking;
	if (const Function *function = module.getFunction(enqueueName)) {
		for (const User *user : function->users())
			asking.push_back(
				const_cast<CallInst *>(cast<CallInst>(user))->getFunction());
	}
	return asking;
}

} // namespace

PreservedAnalyses LowerBlocksPass::run(Module &module, ModuleAnalysisManager &)
{
	const SmallVector<Function *, 8> addressed = findAddressed(module),
					 asking = findAsking(module);
	if (addressed.empty() && asking.empty())
		return PreservedAnalyses::all();
	uint64_t blocks = 0;
	auto *number = Type::getInt64Ty(module.getContext());
	flagCallers(asking, WEFT_KERNEL_ENQUEUES);
	for (Function *function : addressed) {
		auto *type = cast<PointerType>(function->getType());
		if (!isKernel(*function)) {
			replaceAddress(*function, ConstantPointerNull::get(type));
			continue;
		}
		replaceAddress(*function,
			       ConstantExpr::getIntToPtr(ConstantInt::get(number, blocks), type));
		setKernelNumber(*function, blockAttribute, blocks++);
		if (takesLiteral(*function))
			takeGlobalLiteral(*function);
	}
	return PreservedAnalyses::none();
}

} // namespace weft
