/* SPDX-License-Identifier: MIT
 *
 * argument-footprints: each access of memory with its distance from an argument, and the branches that lead there.
 */
#include "footprints/argument_footprints.h"

#include "footprints/argument_access.h"
#include "footprints/footprint_blocks.h"
#include "footprints/footprint_nodes.h"
#include "functions/internal_functions.h"
#include "kernel/argument_layout.h"
#include "kernel/footprint.h"
#include "kernel_abi.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

constexpr unsigned mostConditions = 32; /* of an access: the others are left out */

/* A pointer through which an instruction accesses memory. */
struct PointerUse {
	Value *pointer;
	uint16_t flags;                /* enum weft_footprint_flag bits */
	std::optional<uint32_t> bytes; /* nothing: not known */
};

uint16_t flagsOfCall(const CallBase &call, unsigned operand)
{
	uint16_t flags = 0;
	if (!call.onlyWritesMemory(operand))
		flags |= WEFT_FOOTPRINT_READS;
	if (!call.onlyReadsMemory(operand))
		flags |= WEFT_FOOTPRINT_WRITES;
	return call.doesNotAccessMemory(operand) ? 0 : flags;
}

std::optional<uint32_t> sizeOf(const DataLayout &layout, Type *type)
{
	const TypeSize size = layout.getTypeStoreSize(type);
	if (size.isScalable() || size.getFixedValue() > UINT32_MAX)
		return std::nullopt;
	return uint32_t(size.getFixedValue());
}

std::optional<uint32_t> lengthOf(const CallBase &call)
{
	const auto *memory = dyn_cast<MemIntrinsic>(&call);
	const auto *length = memory ? dyn_cast<ConstantInt>(memory->getLength()) : nullptr;
	if (!length || length->getValue().getActiveBits() > 32)
		return std::nullopt;
	return uint32_t(length->getZExtValue());
}

SmallVector<PointerUse, 2> pointerUses(Instruction &instruction)
{
	const DataLayout &layout = instruction.getDataLayout();
	constexpr uint16_t both = WEFT_FOOTPRINT_READS | WEFT_FOOTPRINT_WRITES;
	if (auto *load = dyn_cast<LoadInst>(&instruction))
		return {{load->getPointerOperand(), WEFT_FOOTPRINT_READS,
			 sizeOf(layout, load->getType())}};
	if (auto *store = dyn_cast<StoreInst>(&instruction))
		return {{store->getPointerOperand(), WEFT_FOOTPRINT_WRITES,
			 sizeOf(layout, store->getValueOperand()->getType())}};
	if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
		return {{atomic->getPointerOperand(), both,
			 sizeOf(layout, atomic->getValOperand()->getType())}};
	if (auto *atomic = dyn_cast<AtomicCmpXchgInst>(&instruction))
		return {{atomic->getPointerOperand(), both,
			 sizeOf(layout, atomic->getCompareOperand()->getType())}};
	SmallVector<PointerUse, 2> uses;
	auto *call = dyn_cast<CallBase>(&instruction);
	if (!call || call->isLifetimeStartOrEnd() || isa<AssumeInst>(call))
		return uses;
	for (unsigned i = 0; i < call->arg_size(); i++) {
		Value *operand = call->getArgOperand(i);
		if (operand->getType()->isPointerTy())
			uses.push_back({operand, flagsOfCall(*call, i), lengthOf(*call)});
	}
	return uses;
}

bool isMemoryArgument(const Value &value)
{
	const auto *argument = dyn_cast<Argument>(&value);
	return argument && argument->getType()->isPointerTy() &&
	       isSharedSpace(argument->getType()->getPointerAddressSpace());
}

class FootprintBuilder
{
      public:
	FootprintBuilder(Function &theKernel, FunctionAnalysisManager &analyses)
	    : kernel(theKernel), evolution(analyses.getResult<ScalarEvolutionAnalysis>(theKernel)),
	      loops(analyses.getResult<LoopAnalysis>(theKernel)),
	      dominators(analyses.getResult<DominatorTreeAnalysis>(theKernel)),
	      nodes(theKernel, evolution, loops)
	{
	}

	void run();

      private:
	bool addBlocks();
	void add(const PointerUse &use, const Instruction &at);
	void addAnywhere(const Value &pointer, uint16_t flags, uint32_t block);
	void addEscapes();
	void addRow(const Value &argument, const PointerUse &use, uint16_t distance,
		    const BasicBlock &block);
	void addConditions(const BasicBlock &block);
	void addCondition(Value &condition, bool holds, unsigned depth = 0);
	void addComparison(ICmpInst &comparison, bool holds);

	Function &kernel;
	ScalarEvolution &evolution;
	const LoopInfo &loops;
	const DominatorTree &dominators;
	FootprintNodes nodes;
	std::vector<weft_footprint_condition> conditions;
	std::vector<weft_footprint_access> accesses;
	std::vector<weft_footprint_block> blocks;
	DenseMap<const BasicBlock *, uint32_t> blockNumbers;
	bool reachesAll = false; /* an address may be in any argument */
	/* The conditions of a block: the first one, and how many there are. */
	DenseMap<const BasicBlock *, std::pair<uint32_t, uint16_t>> conditionsOf;
};

/* ---- conditions ---------------------------------------------------------------------------------- */

void FootprintBuilder::addComparison(ICmpInst &comparison, bool holds)
{
	if (!comparison.getOperand(0)->getType()->isIntegerTy())
		return;
	CmpInst::Predicate predicate =
		holds ? comparison.getPredicate() : comparison.getInversePredicate();
	Value *left = comparison.getOperand(0), *right = comparison.getOperand(1);
	if (ICmpInst::isGT(predicate) || ICmpInst::isGE(predicate)) {
		predicate = CmpInst::getSwappedPredicate(predicate);
		std::swap(left, right);
	}
	weft_footprint_relation relation;
	switch (predicate) {
	case CmpInst::ICMP_EQ:
		relation = WEFT_FOOTPRINT_EQUAL;
		break;
	case CmpInst::ICMP_NE:
		relation = WEFT_FOOTPRINT_NOT_EQUAL;
		break;
	case CmpInst::ICMP_ULT:
		relation = WEFT_FOOTPRINT_LESS;
		break;
	case CmpInst::ICMP_ULE:
		relation = WEFT_FOOTPRINT_NOT_GREATER;
		break;
	case CmpInst::ICMP_SLT:
		relation = WEFT_FOOTPRINT_SIGNED_LESS;
		break;
	case CmpInst::ICMP_SLE:
		relation = WEFT_FOOTPRINT_SIGNED_NOT_GREATER;
		break;
	default:
		return;
	}
	conditions.push_back({uint16_t(relation), nodes.of(evolution.getSCEV(left)),
			      nodes.of(evolution.getSCEV(right))});
}

void FootprintBuilder::addCondition(Value &condition, bool holds, unsigned depth)
{
	Value *left, *right;
	if (depth > mostConditions)
		return;
	if (match(&condition, m_Not(m_Value(left)))) {
		addCondition(*left, !holds, depth + 1);
	} else if (holds ? match(&condition, m_LogicalAnd(m_Value(left), m_Value(right)))
			 : match(&condition, m_LogicalOr(m_Value(left), m_Value(right)))) {
		addCondition(*left, holds, depth + 1);
		addCondition(*right, holds, depth + 1);
	} else if (auto *comparison = dyn_cast<ICmpInst>(&condition)) {
		addComparison(*comparison, holds);
	}
}

/* Of all branches that lead to the block, the nearest ones first. */
void FootprintBuilder::addConditions(const BasicBlock &block)
{
	const size_t first = conditions.size();
	const auto *node = dominators.getNode(&block);
	for (node = node ? node->getIDom() : nullptr; node; node = node->getIDom()) {
		const auto *branch = dyn_cast<BranchInst>(node->getBlock()->getTerminator());
		if (!branch || !branch->isConditional() ||
		    branch->getSuccessor(0) == branch->getSuccessor(1))
			continue;
		for (unsigned way = 0; way < 2; way++) {
			if (dominators.dominates(
				    BasicBlockEdge(node->getBlock(), branch->getSuccessor(way)),
				    &block))
				addCondition(*branch->getCondition(), way == 0);
		}
	}
	if (conditions.size() - first > mostConditions)
		conditions.resize(first + mostConditions);
	conditionsOf[&block] = {uint32_t(first), uint16_t(conditions.size() - first)};
}

/* ---- accesses ------------------------------------------------------------------------------------ */

void FootprintBuilder::addRow(const Value &argument, const PointerUse &use, uint16_t distance,
			      const BasicBlock &block)
{
	if (!conditionsOf.contains(&block))
		addConditions(block);
	const auto [first, count] = conditionsOf[&block];
	accesses.push_back({uint16_t(cast<Argument>(argument).getArgNo()), use.flags, distance,
			    count, first, use.bytes.value_or(0), blockNumbers[&block]});
}

/* The pointer may be one of several arguments, or its distance is not known. */
void FootprintBuilder::addAnywhere(const Value &pointer, uint16_t flags, uint32_t block)
{
	SmallVector<const Value *, 4> objects;
	getUnderlyingObjects(&pointer, objects);
	for (const Value *object : objects) {
		if (isMemoryArgument(*object))
			accesses.push_back({uint16_t(cast<Argument>(object)->getArgNo()), flags,
					    WEFT_FOOTPRINT_NO_NODE, 0, 0, 0, block});
		else if (isFirstAddress(*object))
			addAnywhere(*cast<CallBase>(object)->getArgOperand(0), flags, block);
		else if (!isKnownObject(*object))
			reachesAll = true;
	}
}

void FootprintBuilder::add(const PointerUse &use, const Instruction &at)
{
	if (isPrivateOrLocal(use.pointer->getType()->getPointerAddressSpace()) || !use.flags)
		return;
	const SCEV *address =
		evolution.getSCEVAtScope(use.pointer, loops.getLoopFor(at.getParent()));
	const auto *base = dyn_cast<SCEVUnknown>(evolution.getPointerBase(address));
	if (!base || !isMemoryArgument(*base->getValue()) || !use.bytes) {
		addAnywhere(*use.pointer, use.flags, blockNumbers[at.getParent()]);
		return;
	}
	addRow(*base->getValue(), use, nodes.of(evolution.removePointerBase(address)),
	       *at.getParent());
}

/* An argument whose address goes where it is not followed. */
void FootprintBuilder::addEscapes()
{
	for (const Argument &argument : kernel.args()) {
		if (isMemoryArgument(argument) &&
		    getArgumentNumber(argument, accessAttribute) & WEFT_POINTER_ESCAPES)
			addAnywhere(argument, WEFT_FOOTPRINT_READS | WEFT_FOOTPRINT_WRITES, 0);
	}
}

bool FootprintBuilder::addBlocks()
{
	for (const BasicBlock &block : kernel) {
		if (!dominators.isReachableFromEntry(&block))
			continue;
		blockNumbers[&block] = uint32_t(blocks.size());
		blocks.push_back(describeBlock(block, loops, dominators, nodes));
	}
	return blocks.size() <= WEFT_FOOTPRINT_MOST_BLOCKS;
}

void FootprintBuilder::run()
{
	/* Ranges are known of a kernel with more blocks all the same. */
	if (!addBlocks())
		blocks.clear();
	addEscapes();
	for (Instruction &instruction : instructions(kernel)) {
		if (!instruction.mayReadOrWriteMemory() ||
		    !dominators.isReachableFromEntry(instruction.getParent()))
			continue;
		for (const PointerUse &use : pointerUses(instruction))
			add(use, instruction);
		if (reachesAll || accesses.size() > WEFT_FOOTPRINT_MOST_ACCESSES ||
		    nodes.areTooMany()) {
			setUnknownFootprint(kernel);
			return;
		}
	}
	setFootprint(kernel, nodes.all(), conditions, accesses, blocks);
}

/* A pointer that leaves for memory comes back as one that the kernel finds there. */
bool reachesBuffersByOtherWays(const Function &kernel)
{
	return getKernelNumber(kernel, flagsAttribute) &
	       (WEFT_KERNEL_TOUCHES_OTHER_MEMORY | WEFT_KERNEL_ENQUEUES);
}

bool isIrreducible(Function &kernel, const LoopInfo &loops)
{
	ReversePostOrderTraversal<const Function *> order(&kernel);
	return containsIrreducibleCFG<const BasicBlock *>(order, loops);
}

} // namespace

PreservedAnalyses ArgumentFootprintsPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	if (!isKernel(function))
		return PreservedAnalyses::all();
	if (reachesBuffersByOtherWays(function) ||
	    isIrreducible(function, analyses.getResult<LoopAnalysis>(function)))
		setUnknownFootprint(function);
	else
		FootprintBuilder(function, analyses).run();
	return PreservedAnalyses::all();
}

} // namespace weft
