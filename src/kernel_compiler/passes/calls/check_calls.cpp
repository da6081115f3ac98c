/* SPDX-License-Identifier: MIT
 *
 * check-calls: the strongly connected components of the call graph, bottom-up.
 */
#include "calls/check_calls.h"

#include "functions/internal_functions.h"
#include "functions/readable_name.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace weft
{

namespace
{

void checkIndirectCalls(const Function &function)
{
	for (const Instruction &instruction : instructions(function)) {
		const auto *call = dyn_cast<CallBase>(&instruction);
		if (call && !call->isInlineAsm() && !call->getCalledFunction())
			reportError(
				function,
				"error: function '" + readableName(function.getName()) +
					"' calls through a pointer, which OpenCL C does not allow");
	}
}

} // namespace

PreservedAnalyses CheckCallsPass::run(Module &module, ModuleAnalysisManager &)
{
	CallGraph graph(module);
	for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component) {
		if (!component.hasCycle())
			continue;
		for (const CallGraphNode *node : *component) {
			const Function *function = node->getFunction();
			if (function && !function->isDeclaration() &&
			    !function->hasFnAttribute(indirectCallAttribute))
				reportError(*function,
					    "error: function '" +
						    readableName(function->getName()) +
						    "' calls itself, directly or through others; "
						    "OpenCL C does not allow recursion");
		}
	}
	for (const Function &function : module)
		checkIndirectCalls(function);
	return PreservedAnalyses::all();
}

} // namespace weft
