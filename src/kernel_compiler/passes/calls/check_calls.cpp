/* SPDX-License-Identifier: MIT
 *
 * check-calls: the strongly connected components of the call graph, bottom-up, with and without calls by number.
 */
#include "calls/check_calls.h"

#include "calls/cut_call_graph.h"
#include "calls/inlining_plan.h"
#include "functions/internal_functions.h"
#include "functions/readable_name.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
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

using Component = ArrayRef<CallGraphNode *>;

bool isWritten(const CallGraphNode *node)
{
	const Function *function = node->getFunction();
	return function && !function->isDeclaration() && !callsByNumber(*function);
}

/* By way of which others of the component, a few of them, the function calls itself; empty if by none. */
std::string waysTo(const Function &function, Component component)
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
	return ways;
}

/* `way`, unless it is empty, is the first by which each calls itself. */
void report(Component component, const std::string &way, const std::string &wrong)
{
	for (const CallGraphNode *node : component) {
		if (!isWritten(node))
			continue;
		const Function &function = *node->getFunction();
		const std::string ways = waysTo(function, component);
		reportError(function, "error: function '" + readableName(function.getName()) +
					      "' calls itself, " + way +
					      (way.empty() || ways.empty() ? "" : ", ") +
					      (way.empty() && ways.empty() ? "directly" : ways) +
					      wrong);
	}
}

/* Calls by number left out, which have a bound (bound-recursion). False: there is an error. */
bool checkNamedCalls(Module &module)
{
	bool isSound = true;
	CallGraph graph(module);
	cutCallsOf(graph, indirectCallAttribute);
	for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component) {
		if (!component.hasCycle())
			continue;
		report(*component, "", "; OpenCL does not allow recursion");
		isSound = false;
	}
	return isSound;
}

/* Whether one of the functions, or one that they call, has to be in the kernel itself. */
bool reachKernelOnly(Component component)
{
	SmallSetVector<CallGraphNode *, 16> nodes(component.begin(), component.end());
	for (size_t i = 0; i < nodes.size(); i++) {
		Function *function = nodes[i]->getFunction();
		if (function && any_of(instructions(*function), needsKernel))
			return true;
		for (auto &[call, callee] : *nodes[i])
			nodes.insert(callee);
	}
	return false;
}

void checkRecursion(Module &module)
{
	if (none_of(module, callsByNumber))
		return;
	CallGraph graph(module);
	for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component) {
		if (component.hasCycle() && reachKernelOnly(*component))
			report(*component, "by a pointer or as a virtual function",
			       "; then it cannot have a barrier, or another call that all "
			       "work-items of a group or sub-group make together");
	}
}

} // namespace

PreservedAnalyses CheckCallsPass::run(Module &module, ModuleAnalysisManager &)
{
	if (checkNamedCalls(module))
		checkRecursion(module);
	for (const Function &function : module)
		checkIndirectCalls(function);
	return PreservedAnalyses::all();
}

} // namespace weft
