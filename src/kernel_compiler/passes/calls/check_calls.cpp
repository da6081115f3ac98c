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

bool isWritten(const CallGraphNode *node)
{
	const Function *function = node->getFunction();
	return function && !function->isDeclaration() &&
	       !function->hasFnAttribute(indirectCallAttribute);
}

/* By way of which others of the component, a few of them, the function calls itself; "directly" if by none. */
std::string waysTo(const Function &function, ArrayRef<CallGraphNode *> component)
{
	constexpr unsigned most = 3;
	unsigned count = 0;
	std::string ways;
	for (const CallGraphNode *node : component) {
		if (!isWritten(node) || node->getFunction() == &function || ++count > most)
			continue;
		ways += ways.empty() ? "through " : ", ";
		ways += "'" + readableName(node->getFunction()->getName()) + "'";
	}
	if (count > most)
		ways += " and others";
	return ways.empty() ? "directly" : ways;
}

void reportRecursion(ArrayRef<CallGraphNode *> component)
{
	const bool isIndirect = any_of(component, [](const CallGraphNode *node) {
		return node->getFunction() &&
		       node->getFunction()->hasFnAttribute(indirectCallAttribute);
	});
	for (const CallGraphNode *node : component) {
		if (!isWritten(node))
			continue;
		const Function &function = *node->getFunction();
		const std::string ways = waysTo(function, component);
		reportError(
			function,
			"error: function '" + readableName(function.getName()) +
				"' calls itself, " +
				(isIndirect ? "by a pointer or as a virtual function" : ways) +
				(isIndirect && ways != "directly" ? ", " + ways : "") +
				"; OpenCL does not allow recursion" +
				(isIndirect
					 ? " (a stack of objects in the kernel can take its place)"
					 : ""));
	}
}

} // namespace

PreservedAnalyses CheckCallsPass::run(Module &module, ModuleAnalysisManager &)
{
	CallGraph graph(module);
	for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component) {
		if (component.hasCycle())
			reportRecursion(*component);
	}
	for (const Function &function : module)
		checkIndirectCalls(function);
	return PreservedAnalyses::all();
}

} // namespace weft
