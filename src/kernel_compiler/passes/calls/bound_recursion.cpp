/* SPDX-License-Identifier: MIT
 *
 * bound-recursion: the cycles of the call graph, and what is put around the bodies of functions on them.
 */
#include "calls/bound_recursion.h"

#include "calls/inlining_plan.h"
#include "functions/internal_functions.h"
#include "kernel_abi.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace weft
{

namespace
{

/* Bytes of variables past which a function has a frame of its own. */
constexpr uint64_t ownFrame = 256;

SmallVector<Function *, 8> recursiveFunctions(Module &module)
{
	SmallVector<Function *, 8> found;
	if (none_of(module, callsByNumber))
		return found;
	CallGraph graph(module);
	for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component) {
		if (!component.hasCycle())
			continue;
		for (const CallGraphNode *node : *component)
			if (node->getFunction())
				found.push_back(node->getFunction());
	}
	return found;
}

void bound(Function &function)
{
	Module &module = *function.getParent();
	BasicBlock &body = function.getEntryBlock();
	for (BasicBlock &block : function) {
		if (auto *end = dyn_cast<ReturnInst>(block.getTerminator()))
			IRBuilder<>(end).CreateCall(declareEndCall(module));
	}
	LLVMContext &context = module.getContext();
	auto *none = BasicBlock::Create(context, "", &function);
	IRBuilder<> builder(BasicBlock::Create(context, "", &function, &body));
	builder.CreateCondBr(builder.CreateCall(declareBeginCall(module)), &body, none);
	builder.SetInsertPoint(none);
	if (function.getReturnType()->isVoidTy())
		builder.CreateRetVoid();
	else
		builder.CreateRet(Constant::getNullValue(function.getReturnType()));
}

} // namespace

PreservedAnalyses BoundRecursionPass::run(Module &module, ModuleAnalysisManager &)
{
	const SmallVector<Function *, 8> functions = recursiveFunctions(module);
	if (functions.empty())
		return PreservedAnalyses::all();
	for (Function *function : functions) {
		if (callsByNumber(*function) || frameSize(*function) > ownFrame)
			function->addFnAttr(recursiveAttribute);
		if (callsByNumber(*function))
			bound(*function);
	}
	flagCallers(functions, WEFT_KERNEL_RECURSES);
	return PreservedAnalyses::none();
}

} // namespace weft
