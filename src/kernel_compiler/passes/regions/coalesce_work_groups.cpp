/* SPDX-License-Identifier: MIT
 *
 * coalesce-work-groups: finds global ids and sizes that are put together by hand, decides, and puts global ids together.
 */
#include "regions/coalesce_work_groups.h"

#include "functions/image_functions.h"
#include "functions/internal_functions.h"
#include "functions/subgroup_functions.h"
#include "kernel/argument_layout.h"
#include "kernel/shown_group.h"
#include "kernel_waits.h"
#include "regions/group_order.h"

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

/* The number of groups * group size, if all groups are whole: the dimension of the global size that it is. */
std::optional<unsigned> composedSize(const Instruction &product, bool isUniform)
{
	Value *count, *size;
	if (!isUniform || !match(&product, m_Mul(m_Value(count), m_Value(size))))
		return std::nullopt;
	if (!asked(Query::NumGroups, count))
		std::swap(count, size);
	std::optional<unsigned> dimension = asked(Query::NumGroups, count);
	bool isSize = asked(Query::EnqueuedLocalSize, size) == dimension ||
		      asked(Query::LocalSize, size) == dimension;
	return dimension && isSize ? dimension : std::nullopt;
}

/* What replaces an instruction that composes an id or a size; NULL for all others. */
Value *uncomposed(Instruction &instruction, bool isUniform)
{
	IRBuilder<> builder(&instruction);
	if (std::optional<unsigned> dimension = composedSize(instruction, isUniform))
		return createQuery(builder, Query::GlobalSize, *dimension);
	std::optional<unsigned> dimension = composedId(instruction, isUniform);
	if (!dimension)
		return nullptr;
	Value *place = createQuery(builder, Query::GlobalId, *dimension);
	Value *offset = createQuery(builder, Query::GlobalOffset, *dimension);
	return builder.CreateNUWSub(place, offset);
}

/* Kernels that were written for something else than OpenCL often have global ids and sizes so. */
void findComposed(Function &kernel)
{
	bool isUniform = kernel.getFnAttribute("uniform-work-group-size").getValueAsBool();
	SmallVector<WeakTrackingVH, 8> dead;
	for (Instruction &instruction : make_early_inc_range(instructions(kernel))) {
		Value *value = uncomposed(instruction, isUniform);
		if (!value)
			continue;
		IRBuilder<> builder(&instruction);
		value = builder.CreateZExtOrTrunc(value, instruction.getType());
		value->takeName(&instruction);
		instruction.replaceAllUsesWith(value);
		dead.push_back(&instruction);
	}
	/* The instructions of which the id was composed must not show the group any more. */
	RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}

bool isLocal(const Value *pointer)
{
	return pointer && pointer->getType()->getPointerAddressSpace() == LocalSpace;
}

/* Where an instruction that is atomic or volatile may read; NULL: anywhere. */
const Value *readsFrom(const Instruction &instruction)
{
	if (const auto *update = dyn_cast<AtomicRMWInst>(&instruction))
		return update->getPointerOperand();
	if (const auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
		return exchange->getPointerOperand();
	return getLoadStorePointerOperand(&instruction);
}

/* Whether work-items of different groups may wait for each other with the instruction, in a loop: lanes that wait for lanes would wait for
 * ever. The loop may be that of a function that is called. */
bool mayWait(const Instruction &instruction, const CycleInfo &cycles)
{
	if (isa<IntrinsicInst>(instruction) || imageCallOf(instruction) || isBarrier(instruction) ||
	    isOnceCall(instruction) || subgroupCallOf(instruction))
		return false;
	if (const auto *call = dyn_cast<CallBase>(&instruction))
		return !call->doesNotAccessMemory();
	return !instruction.use_empty() && (instruction.isAtomic() || instruction.isVolatile()) &&
	       !isLocal(readsFrom(instruction)) && cycles.getCycle(instruction.getParent());
}

bool mayWait(const Function &kernel, const CycleInfo &cycles)
{
	return any_of(instructions(kernel),
		      [&](const Instruction &instruction) { return mayWait(instruction, cycles); });
}

/* Ids do not overflow: the runtime has seen to that. */
void composeIds(Function &kernel, bool byFirstItem)
{
	for (Instruction &instruction : make_early_inc_range(instructions(kernel))) {
		if (queryOf(instruction) != Query::GlobalId)
			continue;
		IRBuilder<> builder(&instruction);
		auto ask = [&](Query query) {
			return builder.CreateCall(declareQuery(*kernel.getParent(), query),
						  {instruction.getOperand(0)});
		};
		Value *first = byFirstItem ? ask(Query::FirstItem)
					   : builder.CreateNUWMul(ask(Query::GroupId),
								  ask(Query::EnqueuedLocalSize));
		Value *place = builder.CreateNUWAdd(first, ask(Query::LocalId));
		Value *id = builder.CreateNUWAdd(place, ask(Query::GlobalOffset));
		id->takeName(&instruction);
		instruction.replaceAllUsesWith(id);
		instruction.eraseFromParent();
	}
}

GroupCoalescing coalescingOf(const Function &kernel)
{
	Shown shown = shownTo(kernel);
	if (shown == Shown::Other ||
	    (getKernelNumber(kernel, flagsAttribute) & WEFT_KERNEL_MAY_WAIT))
		return CoalescesNone;
	return shown == Shown::AlongX ? CoalescesSingle : CoalescesAll;
}

} // namespace

PreservedAnalyses CoalesceWorkGroupsPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	if (!isKernel(function))
		return PreservedAnalyses::all();
	findComposed(function);
	if (mayWait(function, analyses.getResult<CycleAnalysis>(function)))
		addKernelFlag(function, WEFT_KERNEL_MAY_WAIT);
	GroupCoalescing coalescing = coalescingOf(function);
	if (coalescing == CoalescesAll || (coalescing == CoalescesSingle && forCpu))
		setKernelNumber(function, coalescedGroupsAttribute, coalescing);
	composeIds(function, forCpu && coalescing == CoalescesAll);
	const uint64_t inOrder = WEFT_KERNEL_MAY_WAIT | WEFT_KERNEL_PRINTS | WEFT_KERNEL_CALLS_HOST;
	if (forCpu && coalescing == CoalescesNone &&
	    !(getKernelNumber(function, flagsAttribute) & inOrder) && groupsSuitY(function))
		setKernelNumber(function, groupsAlongYAttribute, 1);
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft
