/* SPDX-License-Identifier: MIT
 *
 * Sizes are summed up from callees to callers, copies from callers to callees. Both are real numbers: they double with
 * each level of a call graph whose functions call the next one twice.
 */
#include "calls/inlining_plan.h"

#include "calls/cut_call_graph.h"
#include "functions/image_functions.h"
#include "functions/internal_functions.h"
#include "functions/subgroup_functions.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/MathExtras.h>

using namespace llvm;

namespace weft
{

namespace
{

cl::opt<unsigned> callSize("weft-call-size", cl::init(1500), cl::Hidden,
			   cl::desc("Functions of fewer instructions are always inlined"));
cl::opt<unsigned> growthLimit("weft-inline-growth", cl::init(20000), cl::Hidden,
			      cl::desc("Instructions that inlining one function may add in all"));
cl::opt<unsigned> kernelBudget("weft-kernel-budget", cl::init(40000), cl::Hidden,
			       cl::desc("Instructions of one kernel past which functions of any "
					"size may be called"));

cl::opt<unsigned> calledBudget("weft-called-budget", cl::init(100000), cl::Hidden,
			       cl::desc("Instructions of all functions that are called past which "
					"smaller functions are called, too"));

/* Instructions of a function that is not worth a call. */
constexpr double leastCalled = 20;
/* If the budget is exceeded, smaller functions stay calls, too: the size limit is divided by up to this number. */
constexpr unsigned mostParts = 64;
/* How often the plan of one kernel is improved. Each time the excess mostly halves at least. */
constexpr unsigned mostPlanRounds = 16;
/* Bytes of variables past which a function is always inlined: work-item-loops takes large variables of kernels
 * off the stack. */
constexpr uint64_t frameLimit = 16 * 1024;

bool isLocalVariable(const Value *value)
{
	const auto *variable = dyn_cast<GlobalVariable>(value->stripInBoundsConstantOffsets());
	return variable && variable->getAddressSpace() == LocalSpace;
}

/* Whether the instruction is better known in the kernel, to which a function that is called adds parameters for it
 * (add-item-parameters): queries of a work-item, local variables, accesses of images, and what the host is asked for. */
bool asksItem(const Instruction &instruction)
{
	if (any_of(instruction.operands(), [](const Use &use) { return isLocalVariable(use); }))
		return true;
	const auto *call = dyn_cast<CallBase>(&instruction);
	if (!call || !call->getCalledFunction())
		return false;
	const Function &callee = *call->getCalledFunction();
	return queryOfFunction(callee) || imageAccessOf(callee) || needsContext(callee);
}

bool isRecursive(const Function *function)
{
	return function && function->hasFnAttribute(recursiveAttribute);
}

} // namespace

uint64_t frameSize(const AllocaInst &variable)
{
	std::optional<TypeSize> size =
		variable.getAllocationSize(variable.getFunction()->getDataLayout());
	return size ? size->getFixedValue() : ~uint64_t(0);
}

uint64_t frameSize(const Function &function)
{
	uint64_t bytes = 0;
	for (const Instruction &instruction : instructions(function)) {
		if (const auto *variable = dyn_cast<AllocaInst>(&instruction))
			bytes = SaturatingAdd(bytes, frameSize(*variable));
	}
	return bytes;
}

bool needsKernel(const Instruction &instruction)
{
	const auto *call = dyn_cast<CallBase>(&instruction);
	if (!call || !call->getCalledFunction())
		return false;
	const Function &callee = *call->getCalledFunction();
	return isBarrier(*call) || runsOnce(callee) || subgroupFunctionOf(callee) ||
	       callee.getName() == groupMemoryName;
}

InliningPlan::InliningPlan(Module &module)
{
	CallGraph graph(module);
	cutCallsOf(graph, recursiveAttribute);
	for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component) {
		Function *function = component->front()->getFunction();
		if (!function || function->isDeclaration())
			continue;
		callersFirst.push_back(function);
		count(*function);
	}
	std::reverse(callersFirst.begin(), callersFirst.end());
	/* Where many paths lead to a function, many of those that stay functions would have copies of it. */
	for (unsigned parts = 1; parts <= mostParts && chooseAlways(parts) > calledBudget;
	     parts *= 4)
		;
}

double InliningPlan::wholeSize(const Cost &cost, const Numbers &size, const Calls &calls)
{
	double whole = cost.size;
	for (const Function *callee : cost.callees)
		if (!calls.contains(callee))
			whole += size.lookup(callee);
	return whole;
}

/* Chooses by sizes times `parts`. Returns the instructions of all functions that stay calls. */
double InliningPlan::chooseAlways(unsigned parts)
{
	Numbers size;
	double sum = 0;
	always.clear();
	for (const Function *function : reverse(callersFirst)) {
		const Cost &cost = costs.find(function)->second;
		const double whole = wholeSize(cost, size, always);
		size[function] = whole;
		if (staysCall(cost, whole * parts)) {
			always.insert(function);
			sum += whole;
		}
	}
	return sum;
}

void InliningPlan::count(const Function &function)
{
	Cost cost;
	cost.sites = function.getNumUses();
	for (const Instruction &instruction : instructions(function)) {
		cost.size++;
		cost.isTogether |= subgroupCallOf(instruction).has_value();
		cost.mustInline |= needsKernel(instruction);
		cost.asksItem |= asksItem(instruction);
		const auto *call = dyn_cast<CallBase>(&instruction);
		if (call && isRecursive(call->getCalledFunction())) {
			cost.asksItem = true;
			continue;
		}
		auto callee = call ? costs.find(call->getCalledFunction()) : costs.end();
		if (callee == costs.end())
			continue;
		cost.callees.push_back(call->getCalledFunction());
		cost.mustInline |= callee->second.mustInline;
		cost.asksItem |= callee->second.asksItem;
		cost.isTogether |= callee->second.isTogether;
	}
	cost.isRecursive = isRecursive(&function);
	cost.mustInline |=
		frameSize(function) > frameLimit || isKernel(function) || runsOnce(function);
	costs[&function] = std::move(cost);
}

bool InliningPlan::staysCall(const Cost &cost, double size)
{
	return cost.isRecursive || (!cost.mustInline && !cost.asksItem && cost.sites > 1 &&
				    size > callSize && size * cost.sites > growthLimit);
}

InliningPlan::Numbers InliningPlan::sizes(const Calls &calls) const
{
	Numbers size;
	for (const Function *function : reverse(callersFirst))
		size[function] = wholeSize(costs.find(function)->second, size, calls);
	return size;
}

/* How many copies of each function's body the root would have. */
InliningPlan::Numbers InliningPlan::copies(const Function &root, const Calls &calls) const
{
	Numbers copies;
	copies[&root] = 1;
	for (const Function *function : callersFirst) {
		const double here = copies.lookup(function);
		if (here == 0 || (function != &root && calls.contains(function)))
			continue;
		for (const Function *callee : costs.find(function)->second.callees)
			copies[callee] += here;
	}
	return copies;
}

double InliningPlan::inlinedSize(const Numbers &copies, const Function &root,
				 const Calls &calls) const
{
	double size = 0;
	for (const auto &[function, number] : copies)
		if (function == &root || !calls.contains(function))
			size += number * costs.find(function)->second.size;
	return size;
}

/* Adds those that would make most of what is too much. Returns whether that was worth another look. */
bool InliningPlan::callMore(const Function &root, Calls &calls) const
{
	const Numbers copiesIn = copies(root, calls);
	double excess = inlinedSize(copiesIn, root, calls) - kernelBudget;
	if (excess <= 0)
		return false;
	const Numbers size = sizes(calls);
	SmallVector<std::pair<double, size_t>, 16> gains; /* and the function's index */
	for (const auto &[index, function] : enumerate(callersFirst)) {
		const double number = copiesIn.lookup(function), whole = size.lookup(function);
		if (function != &root && number > 1 && whole >= leastCalled &&
		    !calls.contains(function) && !costs.find(function)->second.mustInline)
			gains.push_back({(number - 1) * whole, index});
	}
	sort(gains, [](const auto &a, const auto &b) {
		return a.first != b.first ? a.first > b.first : a.second < b.second;
	});
	for (const auto &[gain, index] : gains) {
		if (excess <= 0)
			break;
		calls.insert(callersFirst[index]);
		excess -= gain;
	}
	return !gains.empty();
}

InliningPlan::Calls InliningPlan::callsOf(const Function &root) const
{
	Calls calls = always;
	for (unsigned round = 0; round < mostPlanRounds && callMore(root, calls); round++)
		;
	return calls;
}

SmallVector<Function *, 4> InliningPlan::shareIn(const Function &root, Calls &calls) const
{
	SmallVector<Function *, 4> shared;
	if (fitsBudget(root, calls))
		return shared;
	const Numbers copiesIn = copies(root, calls);
	const Numbers size = sizes(calls);
	for (Function *function : callersFirst) {
		if (function == &root || calls.contains(function) || runsOnce(*function) ||
		    isKernel(*function) || costs.find(function)->second.isTogether ||
		    copiesIn.lookup(function) <= 1 || size.lookup(function) < leastCalled)
			continue;
		shared.push_back(function);
		calls.insert(function);
	}
	return shared;
}

bool InliningPlan::isPlain(const Function &function) const
{
	const Cost &cost = costs.find(&function)->second;
	return !cost.mustInline && !cost.isTogether && !cost.asksItem;
}

bool InliningPlan::fitsBudget(const Function &root, const Calls &calls) const
{
	return sizeOf(root, calls) <= kernelBudget;
}

double InliningPlan::sizeOf(const Function &root, const Calls &calls) const
{
	return inlinedSize(copies(root, calls), root, calls);
}

} // namespace weft
