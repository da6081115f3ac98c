/* SPDX-License-Identifier: MIT
 *
 * __weft_apart: a function without arguments that accesses no memory, so it is the same for all work-items.
 */
#include "kernel/apart.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace weft
{

static constexpr char apartName[] = "__weft_apart";

CallInst *createApart(IRBuilderBase &builder)
{
	Module &module = *builder.GetInsertBlock()->getModule();
	FunctionCallee callee = module.getOrInsertFunction(apartName, builder.getInt1Ty());
	auto *function = cast<Function>(callee.getCallee());
	function->setDoesNotAccessMemory();
	function->setDoesNotThrow();
	function->setWillReturn();
	function->setNoSync();
	function->addFnAttr(Attribute::Speculatable);
	return builder.CreateCall(function);
}

bool isApart(const Value &value)
{
	const auto *call = dyn_cast<CallInst>(&value);
	return call && call->getCalledFunction() &&
	       call->getCalledFunction()->getName() == apartName;
}

} // namespace weft
