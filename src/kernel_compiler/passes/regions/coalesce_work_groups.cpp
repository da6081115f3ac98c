/* SPDX-License-Identifier: MIT
 *
 * coalesce-work-groups: finds global ids that are put together by hand, decides, and puts global ids together.
 */
#include "regions/coalesce_work_groups.h"

#include "ir/argument_layout.h"
#include "ir/image_functions.h"
#include "ir/internal_functions.h"
#include "ir/shown_group.h"
#include "kernel_abi.h"

#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

/* The dimension, when the value is that query of a known one, perhaps cut. */
std::optional<unsigned> asked(Query query, Value *value)
{
	match(value, m_Trunc(m_Value(value)));
	if (queryOf(*value) != query)
		return std::nullopt;
	auto *dimension = dyn_cast<ConstantInt>(cast<CallInst>(value)->getArgOperand(0));
	if (!dimension || dimension->getZExtValue() > 2)
		return std::nullopt;
	return unsigned(dimension->getZExtValue());
}

/* group id * group size + local id: the dimension of the global id that it is. */
std::optional<unsigned> composedId(const Instruction &sum, bool isUniform)
{
	Value *local, *group, *size;
	if (!match(&sum, m_c_Add(m_OneUse(m_c_Mul(m_Value(group), m_Value(size))), m_Value(local))))
		return std::nullopt;
	std::optional<unsigned> dimension = asked(Query::LocalId, local);
	if (!asked(Query::GroupId, group))
		std::swap(group, size);
	bool isSize = asked(Query::EnqueuedLocalSize, size) == dimension ||
		      (isUniform && asked(Query::LocalSize, size) == dimension);
	return dimension && isSize && asked(Query::GroupId, group) == dimension ? dimension
										: std::nullopt;
}

/* Kernels that were written for something else than OpenCL often have it so. */
void findComposedIds(Function &kernel)
{
	bool isUniform = kernel.getFnAttribute("uniform-work-group-size").getValueAsBool();
	SmallVector<WeakTrackingVH, 8> dead;
	for (Instruction &instruction : make_early_inc_range(instructions(kernel))) {
		std::optional<unsigned> dimension = composedId(instruction, isUniform);
		if (!dimension)
			continue;
		IRBuilder<> builder(&instruction);
		Value *place = createQuery(builder, Query::GlobalId, *dimension);
		Value *offset = createQuery(builder, Query::GlobalOffset, *dimension);
		Value *id = builder.CreateNUWSub(place, offset);
		id = builder.CreateZExtOrTrunc(id, instruction.getType());
		id->takeName(&instruction);
		instruction.replaceAllUsesWith(id);
		dead.push_back(&instruction);
	}
	/* The instructions of which the id was composed must not show the group any more. */
	RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}

/* Whether work-items may wait for each other with the instruction, in a loop: lanes that wait for lanes would wait for ever.
 * The loop may be that of a function that is called. */
bool mayWait(const Instruction &instruction, const CycleInfo &cycles)
{
	if (isa<IntrinsicInst>(instruction) || imageCallOf(instruction))
		return false;
	if (const auto *call = dyn_cast<CallBase>(&instruction))
		return !call->doesNotAccessMemory();
	return !instruction.use_empty() && (instruction.isAtomic() || instruction.isVolatile()) &&
	       cycles.getCycle(instruction.getParent());
}

bool mayWait(const Function &kernel, const CycleInfo &cycles)
{
	return any_of(instructions(kernel),
		      [&](const Instruction &instruction) { return mayWait(instruction, cycles); });
}

/* Ids do not overflow: the runtime has seen to that. */
void composeIds(Function &kernel)
{
	for (Instruction &instruction : make_early_inc_range(instructions(kernel))) {
		if (queryOf(instruction) != Query::GlobalId)
			continue;
		IRBuilder<> builder(&instruction);
		auto ask = [&](Query query) {
			return builder.CreateCall(declareQuery(*kernel.getParent(), query),
						  {instruction.getOperand(0)});
		};
		Value *group = ask(Query::GroupId), *size = ask(Query::EnqueuedLocalSize);
		Value *first = builder.CreateNUWMul(group, size);
		Value *place = builder.CreateNUWAdd(first, ask(Query::LocalId));
		Value *id = builder.CreateNUWAdd(place, ask(Query::GlobalOffset));
		id->takeName(&instruction);
		instruction.replaceAllUsesWith(id);
		instruction.eraseFromParent();
	}
}

GroupCoalescing coalescingOf(const Function &kernel, const CycleInfo &cycles)
{
	Shown shown = shownTo(kernel);
	if (shown == Shown::Other || mayWait(kernel, cycles))
		return CoalescesNone;
	return shown == Shown::AlongX ? CoalescesSingle : CoalescesAll;
}

} // namespace

PreservedAnalyses CoalesceWorkGroupsPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	if (!isKernel(function))
		return PreservedAnalyses::all();
	findComposedIds(function);
	GroupCoalescing coalescing =
		coalescingOf(function, analyses.getResult<CycleAnalysis>(function));
	if (coalescing == CoalescesAll || (coalescing == CoalescesSingle && single))
		setKernelNumber(function, coalescedGroupsAttribute, coalescing);
	composeIds(function);
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft
