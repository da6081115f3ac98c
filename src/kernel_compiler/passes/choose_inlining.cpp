/* SPDX-License-Identifier: MIT
 *
 * choose-inlining: sizes after inlining are computed bottom-up, and where they pass the budget a function
 * stays a function.
 */
#include "choose_inlining.h"

#include "internal_functions.h"
#include "subgroup_functions.h"

#include <llvm/ADT/PostOrderIterator.h>
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
cl::opt<unsigned> kernelLimit("weft-kernel-limit", cl::init(1000000), cl::Hidden,
			      cl::desc("Instructions of one kernel past which it is an error"));

/* Bytes of variables past which a function is always inlined: work-item-loops takes large variables of kernels
 * off the stack. */
constexpr uint64_t frameLimit = 16 * 1024;

struct FunctionCost {
	uint64_t size = 0;  /* instructions, callees that are inlined included */
	uint64_t sites = 0; /* calls of it */
	bool mustInline = false;
};

using CostMap = DenseMap<const Function *, FunctionCost>;

bool isLocalVariable(const Value *value)
{
	const auto *variable = dyn_cast<GlobalVariable>(value->stripInBoundsConstantOffsets());
	return variable && variable->getAddressSpace() == LocalSpace;
}

/* What cannot live in a function of its own: barriers, variables that the group shares, and what a work-item
 * knows of itself. */
bool needsKernel(const Instruction &instruction, const CostMap &costs)
{
	if (any_of(instruction.operands(), [](const Use &use) { return isLocalVariable(use); }))
		return true;
	const auto *call = dyn_cast<CallBase>(&instruction);
	if (!call || !call->getCalledFunction())
		return false;
	const Function &callee = *call->getCalledFunction();
	if (isBarrier(*call) || queryOfFunction(callee) || subgroupFunctionOf(callee) ||
	    callee.getName() == groupMemoryName || callee.getName() == "printf")
		return true;
	auto found = costs.find(&callee);
	return found != costs.end() && found->second.mustInline;
}

uint64_t frameSize(const AllocaInst &variable)
{
	std::optional<TypeSize> size =
		variable.getAllocationSize(variable.getFunction()->getDataLayout());
	return size ? size->getFixedValue() : ~uint64_t(0);
}

bool staysCall(const FunctionCost &cost)
{
	return !cost.mustInline && cost.sites > 1 && cost.size > callSize &&
	       cost.size * cost.sites > growthLimit;
}

FunctionCost costOf(const Function &function, const CostMap &costs)
{
	FunctionCost cost;
	uint64_t frame = 0;
	cost.sites = function.getNumUses();
	for (const Instruction &instruction : instructions(function)) {
		cost.size++;
		cost.mustInline |= needsKernel(instruction, costs);
		if (const auto *variable = dyn_cast<AllocaInst>(&instruction))
			frame = SaturatingAdd(frame, frameSize(*variable));
		const auto *call = dyn_cast<CallBase>(&instruction);
		if (!call || !call->getCalledFunction())
			continue;
		auto callee = costs.find(call->getCalledFunction());
		if (callee != costs.end() && !staysCall(callee->second))
			cost.size = SaturatingAdd(cost.size, callee->second.size);
	}
	cost.mustInline |= frame > frameLimit;
	return cost;
}

} // namespace

PreservedAnalyses ChooseInliningPass::run(Module &module, ModuleAnalysisManager &)
{
	CallGraph graph(module);
	CostMap costs;
	for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component) {
		Function *function = component->front()->getFunction();
		if (!function || function->isDeclaration())
			continue;
		FunctionCost cost = costOf(*function, costs);
		costs[function] = cost;
		function->removeFnAttr(Attribute::AlwaysInline);
		if (runsOnce(*function))
			continue; /* work-item-loops needs the call */
		if (isKernel(*function)) {
			if (cost.size > kernelLimit)
				reportError(*function,
					    "error: kernel '" + function->getName() +
						    "' is too large: " + Twine(cost.size) +
						    " instructions when its functions are inlined");
			continue;
		}
		function->addFnAttr(staysCall(cost) ? Attribute::NoInline
						    : Attribute::AlwaysInline);
	}
	return PreservedAnalyses::none();
}

} // namespace weft
